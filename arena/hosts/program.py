"""A bot that runs in a process of its own: its files, and how they are run."""

import os
import re
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

import arena
from arena.errors import UsageError
from arena.hosts.orders import Preload

MAX_SOURCES = 200
MAX_SOURCE_BYTES = 1 << 20

SIMULATING = frozenset({"Searcher", "Simulation", "lookahead", "playout_values", "simulate"})
"""Words that say that a bot will want the game's kernels."""
LIBRARIES = ("jax", "numpy", "onnxruntime", "pandas", "scipy", "sklearn", "tensorflow", "torch")
"""Installed libraries that take long to import, and that do nothing else when they are imported."""
_IMPORTS = re.compile(r"^[ \t]*(?:import|from)[ \t]+(.+)", re.MULTILINE)
_WORDS = re.compile(r"[A-Za-z_]\w*")


class Program(msgspec.Struct, frozen=True):
    """A bot's folder, and either a Python bot file in it or a command that is run in it."""

    folder: str
    """An absolute path; the bot may read all that is in it."""
    python: str | None = None
    """A file with one public Bot subclass, run by the arena's child program; relative to the folder."""
    command: tuple[str, ...] = ()
    """A program that speaks the line protocol, and its arguments."""
    options: dict[str, Any] = {}
    """A Python bot's options: values, or texts as they were written; what is missing takes its default."""
    name: str = "of this file"
    """The bot's name, for what is said about its options."""

    def __post_init__(self) -> None:
        if not Path(self.folder).is_absolute():
            raise UsageError(f"a bot's folder is an absolute path, not {self.folder!r}")
        if (self.python is None) == (not self.command):
            raise UsageError(f"{self.folder}: a bot has either a Python file or a command")
        if self.python is not None and not is_inside(self.python):
            raise UsageError(f"{self.python!r} is no path within the bot's folder")
        if any("\0" in argument for argument in self.command) or (self.command and not self.command[0]):
            raise UsageError(f"{self.command!r} is no command")


def is_inside(path: str) -> bool:
    """Says whether a relative path stays within the folder that it starts from, as far as its text tells."""
    parts = PurePosixPath(path)
    return bool(parts.parts) and not parts.is_absolute() and ".." not in parts.parts and "\0" not in path


def preload_of(program: Program, game: str) -> Preload:
    """Returns what is worth importing before a program's bot is started, judged by the words of its sources.

    Nothing of the bot is run for it, and a match cannot change it: else it would be a way to remember.
    """
    if program.python is None:
        return Preload()
    words = set().union(*(_words(path, _stamp(path)) for path in _sources(program)))
    simulates = not words.isdisjoint(SIMULATING)
    names = tuple(sorted(words.intersection(arena.__all__))) if simulates else ()
    modules = tuple(name for name in LIBRARIES if f"import {name}" in words)
    return Preload(game, simulates, names, modules)


def _sources(program: Program) -> list[str]:
    """Returns the bot file and the Python files beside and below it, as many as are worth reading."""
    found: list[str] = []
    for folder, folders, files in os.walk(program.folder):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__")))
        found += (os.path.join(folder, name) for name in sorted(files) if name.endswith(".py"))
        if len(found) >= MAX_SOURCES:
            break
    first = os.path.join(program.folder, program.python or "")
    return list(dict.fromkeys([first, *found[:MAX_SOURCES]]))


def _stamp(path: str) -> tuple[int, int]:
    try:
        found = os.lstat(path)
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


@lru_cache(maxsize=1024)
def _words(path: str, stamp: tuple[int, int]) -> frozenset[str]:
    """Returns the words of a source that matter here, and `import x` for each library that it imports."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(fd, encoding="utf-8", errors="replace") as file:
            text = file.read(MAX_SOURCE_BYTES)
    except OSError:
        return frozenset()
    known = SIMULATING.union(arena.__all__).intersection(_WORDS.findall(text))
    imported = {f"import {word}" for found in _IMPORTS.findall(text) for word in _WORDS.findall(found)}
    return known | imported.intersection(f"import {name}" for name in LIBRARIES)


@lru_cache(maxsize=256)
def is_readable_by_all(folder: str) -> bool:
    """Says whether every user may enter a folder from the root down, and read all that is in it."""
    path = Path(folder).resolve()
    if any(not parent.stat().st_mode & 0o001 for parent in (path, *path.parents)):
        return False
    for place, folders, files in os.walk(path):
        for name in (".", *folders, *files):
            mode = os.lstat(os.path.join(place, name)).st_mode
            if mode & 0o004 == 0:
                return False
    return True
