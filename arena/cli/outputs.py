"""Files that a command is asked to write: looked at before the work that they are for, so that none is in vain."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from arena.errors import UsageError


def check_file(option: str, path: Path) -> None:
    """Raises UsageError unless a file can be made or written over; nothing is made."""
    with _named(option, path):
        if path.is_dir():
            raise UsageError(f"{option} {path}: this is a folder; name a file")
        folder = path.parent
        if not folder.is_dir():
            raise UsageError(f"{option} {path}: there is no folder {folder}; make it, or name another file")
        _check_access(option, path, path if path.exists() else folder)


def check_folder(option: str, path: Path) -> None:
    """Raises UsageError unless a folder is there to write into, or can be made; nothing is made."""
    with _named(option, path):
        place = path
        while not place.exists():
            place = place.parent
        if not place.is_dir():
            raise UsageError(f"{option} {path}: {place} is no folder; name another place")
        _check_access(option, path, place)


def make_folder(option: str, path: Path) -> None:
    """Makes a folder to write into, with those above it.

    Raises:
        UsageError: it cannot be made.
    """
    with _named(option, path):
        path.mkdir(parents=True, exist_ok=True)


def write_file(option: str, path: Path, content: bytes) -> None:
    """Writes a file.

    Raises:
        UsageError: it cannot be written.
    """
    with _named(option, path):
        path.write_bytes(content)


def _check_access(option: str, path: Path, place: Path) -> None:
    if not os.access(place, os.W_OK):
        raise UsageError(f"{option} {path}: {place} cannot be written to; check its permissions, or name another place")


@contextlib.contextmanager
def _named(option: str, path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UsageError(f"{option} {path}: it cannot be written ({error.strerror}); name another place") from error
