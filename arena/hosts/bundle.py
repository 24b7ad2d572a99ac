"""Bundles: what is submitted, a bot's files and what its bot.toml says (formats.md 5), as one value.

A bundle's version is the hash of its files: neither where they lay, nor in which order they were read, nor their
times or owners have a part in it; whether a file can be executed has. Nothing in here runs anything of a bot's.
"""

import hashlib
from functools import cached_property
from typing import Annotated

import msgspec

from arena.core.spec import ID_BYTES
from arena.errors import UsageError

MANIFEST = "bot.toml"
MAX_BYTES = 50 * 1024 * 1024
MAX_FILES = 10_000
MAX_PATH_BYTES, MAX_PART_BYTES, MAX_DEPTH = 1_000, 255, 32

_HEX = frozenset("0123456789abcdef")
Words = Annotated[list[str], msgspec.Meta(min_length=1, max_length=100)]


class Manifest(msgspec.Struct, frozen=True, omit_defaults=True):
    """What bot.toml says; keys beyond these are left aside."""

    name: str
    """The entrant's name."""
    games: list[str]
    """Games that it plays, by their names; empty for all, which only a single Python file can say."""
    python: str | None = None
    """Either: a file with one public Bot subclass."""
    command: Words | None = None
    """Or: a program that speaks the line protocol, run in the folder."""
    version: str = ""
    """For people; the version that counts is the content's."""
    author: str = ""
    language: str = ""


class BundleFile(msgspec.Struct, frozen=True, array_like=True):
    """One file of a bundle. It has no other traits: owners, times and special mode bits do not travel."""

    path: str
    """Relative, with `/` between its parts."""
    is_executable: bool
    data: bytes


class Bundle(msgspec.Struct, frozen=True, dict=True):
    """A bot's files, sorted by path, and its manifest."""

    manifest: Manifest
    files: tuple[BundleFile, ...]

    @cached_property
    def version(self) -> str:
        """The hash of the files, 32 hex digits."""
        return content_version(self.files)

    @property
    def num_bytes(self) -> int:
        """The size of all files together."""
        return sum(len(file.data) for file in self.files)

    def encode(self) -> bytes:
        """Returns the bundle as it is stored and sent."""
        return msgspec.msgpack.encode(self)


def content_version(files: tuple[BundleFile, ...]) -> str:
    """Returns the hash of some files, whatever their order."""
    result = hashlib.blake2b(b"arena bundle 1", digest_size=ID_BYTES)
    for file in sorted(files, key=lambda file: file.path):
        path = file.path.encode()
        result.update(b"%d:%b%d%d:" % (len(path), path, file.is_executable, len(file.data)))
        result.update(file.data)
    return result.hexdigest()


def is_version(text: str) -> bool:
    """Says whether a text has the form of a bundle's version: what tells submitted entrants from shipped ones."""
    return len(text) == 2 * ID_BYTES and _HEX.issuperset(text)


def decode_bundle(data: bytes) -> Bundle:
    """Returns a bundle from what `encode` made, checked as one from anywhere: a database may come from a stranger.

    Raises:
        UsageError: it is damaged, or holds what must not be unpacked.
    """
    try:
        bundle = msgspec.msgpack.decode(data, type=Bundle)
    except msgspec.DecodeError as error:
        raise UsageError(f"the stored bundle is damaged ({error}); submit the bot again") from error
    check_files(bundle.files, "the stored bundle")
    return bundle


def check_files(files: tuple[BundleFile, ...], where: str) -> None:
    """Raises UsageError unless the files can be laid out in an empty folder, all of them below it, within bounds."""
    if len(files) > MAX_FILES:
        raise UsageError(f"{where}: it has {len(files)} files; a bundle has at most {MAX_FILES}")
    size = sum(len(file.data) for file in files)
    if size > MAX_BYTES:
        raise UsageError(f"{where}: it has {size:,} bytes; a bundle has at most {MAX_BYTES:,}")
    paths = {file.path for file in files}
    if len(paths) < len(files):
        raise UsageError(f"{where}: it names a file twice")
    for path in sorted(paths):
        check_path(path, where)
        parts = path.split("/")
        if any("/".join(parts[:count]) in paths for count in range(1, len(parts))):
            raise UsageError(f"{where}: {path!r} lies below what is itself a file")


def check_path(path: str, where: str) -> None:
    """Raises UsageError unless a path leads to a place below a folder, and can be printed."""
    parts = path.split("/")
    if path.startswith("/") or any(part in ("", ".", "..") for part in parts):
        raise UsageError(f"{where}: the path {path[:200]!r} leads out of the bot's folder")
    if "\\" in path:
        raise UsageError(f"{where}: the path {path[:200]!a} holds a backslash, which no path can have; rename the file")
    if not path.isprintable():
        raise UsageError(f"{where}: the path {path[:200]!r} holds characters that cannot be printed; rename the file")
    is_long = len(path.encode()) > MAX_PATH_BYTES or any(len(part.encode()) > MAX_PART_BYTES for part in parts)
    if is_long or len(parts) > MAX_DEPTH:
        raise UsageError(f"{where}: the path {path[:80]!r}... is too long or too deep; rename the file")
