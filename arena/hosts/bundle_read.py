"""Reading a bundle from disk: a folder with a bot.toml, or a single Python file."""

import ast
import os
import stat
import tomllib
from collections.abc import Iterator
from pathlib import Path

import msgspec

from arena.errors import UsageError
from arena.games import load_game
from arena.hosts.bundle import (
    MANIFEST,
    MAX_BYTES,
    MAX_DEPTH,
    MAX_FILES,
    Bundle,
    BundleFile,
    Manifest,
    check_files,
    check_path,
)
from arena.hosts.bundle_names import checked_name

MAX_MANIFEST_BYTES = 64 * 1024


class BrokenSource(UsageError):
    """A bot's file is no Python."""


# What tools leave behind in a folder is no part of the bot: running its test must not make a new version of it.
SKIPPED = frozenset({"__pycache__", ".git", ".hg", ".svn", ".venv", ".mypy_cache", ".pytest_cache", ".ruff_cache"})


def read_bundle(path: Path) -> Bundle:
    """Reads a bot from its folder or file.

    Raises:
        UsageError: it cannot be read, says too little or too much, or holds what a bundle must not.
    """
    try:
        if path.is_dir():
            return _read_folder(path)
        if path.suffix == ".py":
            return _read_single(path)
    except OSError as error:
        raise UsageError(f"{path}: it cannot be read ({error.strerror}); give a bot's file or folder") from error
    found = "it is neither" if path.exists() else "there is no such file"
    raise UsageError(f"{path}: {found}; give a Python file (.py), or a folder with a {MANIFEST}")


def _read_single(path: Path) -> Bundle:
    file = _read_file(path, path.name, str(path), MAX_BYTES)
    check_files((file,), str(path))
    manifest = Manifest(checked_name(path.stem, str(path)), declared_games(file.data, path), python=path.name)
    # Whether the file can be executed does not matter to who imports it: a mode bit makes no other version.
    return Bundle(manifest, (msgspec.structs.replace(file, is_executable=False),))


def _read_folder(folder: Path) -> Bundle:
    if not (folder / MANIFEST).exists():
        raise UsageError(f"{folder}: there is no {MANIFEST} in it; `arena bots new` makes a folder with one")
    if (folder / MANIFEST).is_dir():
        raise UsageError(f"{folder}: {MANIFEST} is a folder; make it a file that says the bot's name and program")
    files = read_files(folder, SKIPPED)
    check_files(files, str(folder))
    by_path = {file.path: file for file in files}
    manifest = _read_manifest(by_path[MANIFEST].data, folder)
    _check_program(manifest, by_path, folder / MANIFEST)
    return Bundle(manifest, files)


def read_files(folder: Path, skipped: frozenset[str] = frozenset()) -> tuple[BundleFile, ...]:
    """Returns all files below a folder, sorted by path.

    Args:
        folder: where they lie.
        skipped: names of folders that are left out.

    Raises:
        UsageError: a link out, a device, pipe or socket, or too much of anything.
        OSError: something cannot be read.
    """
    files: list[BundleFile] = []
    room = MAX_BYTES
    for path in _walk(folder, folder, skipped, 1):
        if len(files) == MAX_FILES:
            raise UsageError(f"{folder}: it has more than {MAX_FILES} files; a bundle has no more")
        name = path.relative_to(folder).as_posix()
        check_path(name, str(folder))
        files.append(_read_file(_followed(path, folder), name, str(folder), room))
        room -= len(files[-1].data)
    return tuple(sorted(files, key=lambda file: file.path))


def _walk(folder: Path, root: Path, skipped: frozenset[str], depth: int) -> Iterator[Path]:
    """Yields what is no folder, going into no link."""
    if depth > MAX_DEPTH:
        raise UsageError(f"{root}: its folders lie more than {MAX_DEPTH} deep")
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if not entry.is_dir(follow_symlinks=False):
            yield Path(entry.path)
        elif entry.name not in skipped:
            yield from _walk(Path(entry.path), root, skipped, depth + 1)


def _followed(path: Path, folder: Path) -> Path:
    """Returns what a link leads to, when that is a file within the folder; anything else is itself."""
    if not path.is_symlink():
        return path
    target = Path(os.path.realpath(path))  # Path.resolve raises RuntimeError where links lead to each other
    if not target.is_relative_to(folder.resolve()) or not target.is_file():
        name = path.relative_to(folder).as_posix()
        raise UsageError(f"{folder}: {name!r} is a link to no file of this folder; put the file itself there")
    return target


def _read_file(path: Path, name: str, where: str, room: int) -> BundleFile:
    """Reads a regular file that has no more bytes than there is room for."""
    too_large = UsageError(f"{where}: its files have more than {MAX_BYTES:,} bytes; a bundle has no more")
    if not stat.S_ISREG(path.lstat().st_mode):
        raise UsageError(f"{where}: {name!r} is a device, pipe, socket or link; a bundle holds files alone")
    # Not to be tricked, nor to hang, when it is exchanged after it was looked at.
    fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(fd, "rb") as file:
        found = os.fstat(fd)
        if not stat.S_ISREG(found.st_mode) or found.st_size > room:
            raise too_large
        data = file.read(room + 1)
    if len(data) > room:
        raise too_large
    return BundleFile(name, bool(found.st_mode & stat.S_IXUSR), data)


def _read_manifest(data: bytes, folder: Path) -> Manifest:
    where = folder / MANIFEST
    if len(data) > MAX_MANIFEST_BYTES:
        raise UsageError(f"{where}: it has {len(data):,} bytes; a {MANIFEST} has at most {MAX_MANIFEST_BYTES:,}")
    try:
        manifest = msgspec.convert(tomllib.loads(data.decode()), Manifest)
    except msgspec.ValidationError as error:
        raise UsageError(
            f"{where}: {str(error).replace('`', '')}; it needs name, games, and python or command"
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"{where}: this is no TOML: {error}") from error
    if not manifest.games:
        raise UsageError(f'{where}: games is empty; name at least one, as in games = ["ninjan"]')
    games = [load_game(name).name for name in manifest.games]
    return msgspec.structs.replace(manifest, name=checked_name(manifest.name, str(where)), games=games)


def _check_program(manifest: Manifest, files: dict[str, BundleFile], where: Path) -> None:
    """Raises UsageError unless exactly one program is named, and is there as far as it lies in the folder."""
    if manifest.python is None and manifest.command is None:
        raise UsageError(f"{where}: it names no program; give python, a file with a Bot, or command, a program to run")
    if manifest.python is not None and manifest.command is not None:
        raise UsageError(f"{where}: it gives both python and command; leave one of them out")
    if manifest.python is not None:
        if manifest.python not in files or not manifest.python.endswith(".py"):
            raise UsageError(f"{where}: python = {manifest.python!r} is no Python file of this folder")
        _parse(files[manifest.python].data, where.parent / manifest.python)
        return
    program, *_ = manifest.command or [""]
    if any("\0" in word for word in manifest.command or ()) or not program:
        raise UsageError(f"{where}: the command's first word is empty, or it holds a zero byte")
    if "/" not in program:
        return  # found on the path where it is started
    own = program.removeprefix("./")
    if program.startswith("/"):
        raise UsageError(f"{where}: {program!r} lies outside the folder; name a program of it, or one on the path")
    if own not in files:
        raise UsageError(f"{where}: command begins with {program!r}, which is not in the folder")
    if not files[own].is_executable:
        raise UsageError(f"{where}: {program!r} cannot be executed; run `chmod +x {own}`")


def _parse(source: bytes, path: Path) -> ast.Module:
    """Returns a Python file's syntax tree; nothing of it is run.

    Raises:
        BrokenSource: it is no Python.
    """
    try:
        return ast.parse(source, filename=path.name)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise BrokenSource(f"{path}: this is no Python that can be run: {error}") from error


def declared_games(source: bytes, path: Path) -> list[str]:
    """Returns the games that a Python file's one public class names in `games = (...)`, read without running it.

    Raises:
        UsageError: it is no Python, or names a game that there is not.
    """
    for kind in _parse(source, path).body:
        if isinstance(kind, ast.ClassDef) and not kind.name.startswith("_"):
            for line in kind.body:
                if names := _names_in(line):
                    return [load_game(name).name for name in names]
    return []


def _names_in(line: ast.stmt) -> list[str]:
    """Returns the texts of a statement `games = ("a", "b")`; none of any other."""
    if isinstance(line, ast.Assign):
        targets, value = line.targets, line.value
    elif isinstance(line, ast.AnnAssign) and line.value is not None:
        targets, value = [line.target], line.value
    else:
        return []
    is_games = any(isinstance(target, ast.Name) and target.id == "games" for target in targets)
    if not is_games or not isinstance(value, ast.Tuple | ast.List):
        return []
    return [each.value for each in value.elts if isinstance(each, ast.Constant) and isinstance(each.value, str)]
