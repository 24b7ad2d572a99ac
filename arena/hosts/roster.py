"""The bots that there are: shipped ones, found by scanning their folder, and installed ones, by entry point.

Shipped bots are loaded from their place, never by `import bots`: every author has a folder bots/ of their own.
"""

import importlib.util
import re
import sys
import unicodedata
from functools import cache
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import msgspec

from arena.core.bot import Bot
from arena.core.options import fill_in, nearest, parse_options, split_reference
from arena.core.spec import Entrant
from arena.errors import ArenaError, UnknownName, UsageError
from arena.hosts.base import BotFault
from arena.hosts.inprocess import NOT_OF_THE_BOT, PACKAGE, SHIPPED_BOTS, describe_error

ENTRY_POINTS = "arena.bots"
SHIPPED = next((path for path in (SHIPPED_BOTS, PACKAGE.parent / "bots") if path.is_dir()), PACKAGE)


class NotOneBot(UsageError):
    """A file defines no bot, or several."""


class BrokenFile(UsageError):
    """A file cannot be run; what it raised is the cause."""


class Listing(NamedTuple):
    """One known bot: its name and where it comes from."""

    name: str
    source: str


def fold(name: str) -> str:
    """Returns what two names are compared by: case and Unicode form do not count."""
    return unicodedata.normalize("NFKC", name).casefold()


@cache
def _places() -> "dict[str, Path | metadata.EntryPoint]":
    """Returns where each known bot lies, by name."""
    places: dict[str, Path | metadata.EntryPoint] = {path.stem: path for path in sorted(SHIPPED.glob("[!_]*.py"))}
    for entry in metadata.entry_points(group=ENTRY_POINTS):
        if fold(entry.name) in map(fold, places):
            raise ArenaError(f"two installed bots are called {entry.name!r}; uninstall or rename one of them")
        places[entry.name] = entry
    return places


def list_bots() -> list[Listing]:
    """Returns the bots that can be named in a run, sorted by name."""
    places = _places().items()
    return sorted(Listing(name, "shipped" if isinstance(at, Path) else at.value) for name, at in places)


def bot_class_of(module: ModuleType) -> type[Bot[Any]]:
    """Returns the one public Bot subclass that a module defines.

    Raises:
        NotOneBot: there is none, or more than one: which is meant is never guessed.
    """
    found = [
        value
        for name, value in vars(module).items()
        if isinstance(value, type)
        and issubclass(value, Bot)
        and value.__module__ == module.__name__
        and not name.startswith("_")
    ]
    if len(found) != 1:
        names = ", ".join(value.__name__ for value in found) or "none"
        hint = "begin the names of the others with an underscore" if found else "write one, with its method act"
        raise NotOneBot(
            f"{module.__file__} must define exactly one public subclass of arena.Bot, and has {names}; {hint}"
        )
    return found[0]


def load_file(path: Path) -> type[Bot[Any]]:
    """Loads the bot class of a Python file, under a module name that no import can clash with.

    Raises:
        BrokenFile: the file cannot be run.
        NotOneBot: it does not define exactly one bot.
    """
    spec = importlib.util.spec_from_file_location(f"arena_bot_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise UsageError(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses and type hints look a class's module up there
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise BrokenFile(f"{path} cannot be loaded: {type(error).__name__}: {error}") from error
    return bot_class_of(module)


@cache
def load_bot(name: str) -> type[Bot[Any]]:
    """Loads a bot's class by its name, ignoring case and Unicode form.

    Raises:
        UnknownName: there is no such bot; the message names the nearest.
    """
    for known, place in _places().items():
        if fold(known) == fold(name):
            if isinstance(place, Path):
                return load_file(place)
            try:
                loaded: type[Bot[Any]] = place.load()
            except Exception as error:
                raise UsageError(f"the installed bot {known!r} ({place.value}) cannot be loaded: {error}") from error
            return loaded
    known_names = ", ".join(_places())
    raise UnknownName(f"there is no bot {name!r}.{nearest(name, _places())} Bots: {known_names}")


def canonical_name(name: str) -> str:
    """Returns a known bot's name as it is registered."""
    return next((known for known in _places() if fold(known) == fold(name)), name)


def is_known(name: str) -> bool:
    """Says whether a shipped or installed bot has the name; case and Unicode form do not count."""
    return any(fold(known) == fold(name) for known in _places())


_REFERENCE = re.compile(
    r"^(?P<name>[^@#:]+)(?:@(?P<version>[^#:]*))?(?:#(?P<copy>[^:]*))?(?P<options>:.*)?$", re.DOTALL
)


class Reference(NamedTuple):
    """A BOT argument in its parts."""

    name: str
    version: str | None
    copy: int
    options: dict[str, str]
    """As texts."""


def split_bot(text: str) -> Reference:
    """Splits `name`, `name@version`, `name#2`, `name:option=value,option=value`.

    Raises:
        UsageError: the text is none of these.
    """
    match = _REFERENCE.match(text)
    if match is None:
        raise UsageError(f"{text!r} names no bot; write name, name@version, name#2 or name:option=value")
    _, given = split_reference(match["name"] + (match["options"] or ""))
    return Reference(match["name"], match["version"], parse_copy(match["copy"], text), given)


def parse_copy(copy: str | None, text: str) -> int:
    """Returns the number of a copy, 1 where none is given.

    Raises:
        UsageError: it is no number from 1.
    """
    if copy is None:
        return 1
    if not copy.isascii() or not copy.isdigit() or int(copy) < 1:
        raise UsageError(f"{text!r}: a copy is a number from 1, as in {text.partition('#')[0]}#2")
    return int(copy)


def parse_entrant(text: str) -> Entrant:
    """Makes an entrant from what split_bot takes.

    Raises:
        UnknownName, BadOption, UsageError: the text names no bot that can play.
    """
    name, version, copy, given = split_bot(text)
    kind = load_bot(name)
    owner = f"bot {name}"
    filled = fill_in(parse_options(kind.Options, given, owner), owner)
    if version is not None and version != kind.version:
        raise UnknownName(f"{text!r}: the bot here is version {kind.version}; leave @{version} out")
    return Entrant(
        bot=canonical_name(name),
        version=kind.version,
        options=filled.values,
        shown=filled.shown,
        copy=copy,
    )


@cache
def _options_of(name: str, encoded: bytes) -> msgspec.Struct:
    return msgspec.json.decode(encoded, type=load_bot(name).Options)


def make_bot(entrant: Entrant) -> Bot[Any]:
    """Makes a new bot object for one seat of one match.

    Raises:
        BotFault: its own constructor failed.
    """
    kind = load_bot(entrant.bot)
    options = _options_of(entrant.bot, msgspec.json.encode(entrant.options))
    try:
        return kind(options)
    except NOT_OF_THE_BOT:
        raise
    except BaseException as error:
        raise BotFault("no_start", describe_error(error)) from error
