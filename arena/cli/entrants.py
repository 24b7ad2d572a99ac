"""Who plays: BOT arguments that name shipped, installed and submitted bots, or lead to a bot's file or folder."""

import contextlib
import math
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from arena.cli.common import database, open_store
from arena.cli.terminal import say
from arena.core.options import nearest, split_reference
from arena.core.spec import Entrant, Limits
from arena.errors import UnknownName, UsageError
from arena.hosts.bundle import MANIFEST, Bundle, is_version
from arena.hosts.roster import Reference, fold, is_known, list_bots, load_bot, parse_copy, parse_entrant, split_bot

if TYPE_CHECKING:
    from arena.core.game import Game
    from arena.hosts.bundle_host import Kit
    from arena.store.store import Store
    from arena.store.submissions import Submission

# What submitted bots get unless told otherwise (cli.md).
START_S, MOVE_S, BANK_S, MEMORY_MB = 10.0, 1.0, 30.0, 512
LEVELS = ("auto", "isolated", "process", "trusted")

_PATH = re.compile(r"^(?P<path>.+?)(?:#(?P<copy>[^#:/]*))?(?P<options>:[^/]*)?$", re.DOTALL)


class Named(NamedTuple):
    """One BOT argument that was understood: whom it names, as far as is known without running a bot's file."""

    entrant: Entrant
    """Of a bot with a bundle the options are as they were written."""
    given: dict[str, str]
    """Its options, texts by name."""
    bundle: Bundle | None = None


class Lineup(NamedTuple):
    """Entrants, and the bundles of those that were submitted or given by a path."""

    entrants: list[Entrant]
    bundles: dict[str, Bundle]
    """By version."""
    db: Path | None = None
    """The database that was searched."""
    named: tuple[Named, ...] = ()
    """How the entrants were named."""

    def kit(self, sandbox: str) -> "Kit":
        """Returns what a worker needs to play them."""
        from arena.hosts.bundle_host import Kit

        return Kit(tuple(self.bundles[version].encode() for version in sorted(self.bundles)), sandbox)

    def limits(
        self,
        *,
        start_s: float | None = None,
        move_s: float | None = None,
        bank_s: float | None = None,
        memory_mb: int | None = None,
    ) -> Limits:
        """Returns the limits of a run or match: as given, with the defaults of submitted bots where there are any."""
        if not self.bundles:
            # A move limit without a bank is strict.
            return Limits(move_s=move_s, bank_s=0.0 if move_s is not None and bank_s is None else bank_s)
        return Limits(
            start_s=START_S if start_s is None else start_s,
            move_s=MOVE_S if move_s is None else move_s,
            bank_s=BANK_S if bank_s is None else bank_s,
            memory_mb=MEMORY_MB if memory_mb is None else memory_mb,
        )


def check_level(sandbox: str | None) -> None:
    """Raises UsageError unless --sandbox is a level, or not given."""
    if sandbox is not None and sandbox not in LEVELS:
        raise UsageError(f"--sandbox {sandbox!r} is none; give {', '.join(LEVELS[:-1])} or {LEVELS[-1]}")


def find_lineup(texts: Iterable[str], game: "Game", db: Path | None) -> Lineup:
    """Looks up who is to play; what the options of a bot with a bundle come to, `tryouts.fill_in` finds out.

    Raises:
        UsageError: a bot is unknown, retired, does not play the game, or cannot be read.
    """
    named = tuple(_find(text, db) for text in texts)
    for entrant, _, bundle in named:
        played = bundle.manifest.games if bundle else load_bot(entrant.bot).games
        if played and game.name not in played:
            raise UsageError(f"bot {entrant.bot!r} plays {', '.join(played)}, not {game.name}; name another bot")
    entrants = [entrant for entrant, _, _ in named]
    _check_spelling(entrants)
    return Lineup(entrants, {each.bundle.version: each.bundle for each in named if each.bundle}, db, named)


def stored_lineup(store: "Store", entrants: Iterable[Entrant]) -> Lineup:
    """Returns stored entrants with their stored bundles.

    Raises:
        UnknownName: a bundle is not in the database.
    """
    lineup = Lineup(list(entrants), {})
    for entrant in lineup.entrants:
        if is_version(entrant.version) and entrant.version not in lineup.bundles:
            bundle = store.submissions.bundle(entrant.version)
            if bundle is None:
                raise UnknownName(f"{store.path}: the bundle {entrant.bot}@{entrant.version} is not stored here")
            lineup.bundles[entrant.version] = bundle
    return lineup


def _check_spelling(entrants: Iterable[Entrant]) -> None:
    """Raises UsageError where one name is spelled in two ways: nobody could tell the two apart."""
    spelled: dict[str, str] = {}
    for entrant in entrants:
        known = spelled.setdefault(fold(entrant.bot), entrant.bot)
        if known != entrant.bot:
            raise UsageError(f"{known!r} and {entrant.bot!r} are one name; case and Unicode form do not count")


def stored_entrants(store: "Store", text: str) -> dict[int, Entrant]:
    """Returns the entrants of a database that a text means, by their rows: those of a name, a version, or a label.

    Raises:
        UnknownName: nobody of that name has played.
    """
    known = store.entrants()
    exact = {row: entrant for row, entrant in known.items() if entrant.label == text}
    if exact and text != next(iter(exact.values())).bot:
        return exact
    wanted = split_bot(text)
    found = {
        row: entrant
        for row, entrant in known.items()
        if fold(entrant.bot) == fold(wanted.name) and entrant.version.startswith(wanted.version or "")
    }
    if not found:
        names = dict.fromkeys(entrant.bot for entrant in known.values())
        near = nearest(wanted.name, names)
        raise UnknownName(f"{store.path}: no bot {text!r} has played.{near} Bots: {', '.join(names) or 'none'}")
    return found


def _find(text: str, db: Path | None) -> Named:
    if _is_path(text):
        return _from_path(text)
    wanted = split_bot(text)
    if is_known(wanted.name):
        return Named(parse_entrant(text), wanted.options)
    found = _from_store(wanted, text, db)
    if found is not None:
        return found
    place = next((place for place in (text, wanted.name) if Path(place).exists()), None)
    if place is not None and wanted.version is None:
        kind = "folder" if Path(place).is_dir() else "file"
        say(f"{place} is the {kind} ./{place}, for no bot of that name was submitted")
        return _from_path(text)
    raise _unknown(wanted.name, db)


def _is_path(text: str) -> bool:
    head = re.split("[#:]", text, maxsplit=1)[0]
    return "/" in head or head.endswith(".py") or head in (".", "..")


def _from_path(text: str) -> Named:
    """Reads a bot from its file or folder."""
    from arena.hosts.bundle_read import read_bundle

    path, copy, options = Path(text), 1, dict[str, str]()
    match = _PATH.match(text)
    if match is not None and not path.exists():
        path = Path(match["path"])
        copy = parse_copy(match["copy"], text)
        _, options = split_reference(match["path"] + (match["options"] or ""))
    bundle = read_bundle(path)
    name = bundle.manifest.name
    if is_known(name):
        where = MANIFEST if path.is_dir() else "file"
        raise UsageError(f"{path}: {name!r} is the name of a bot that comes with the arena; give the {where} another")
    return _named(name, bundle, copy, options)


def _from_store(wanted: Reference, text: str, db: Path | None) -> Named | None:
    """Returns a submitted bot; None where the database knows no bot of the name, or is not there."""
    if not database(db).exists():
        return None
    with open_store(db) as store:
        if not store.submissions.versions(wanted.name):
            return None
        found = store.submissions.find(wanted.name, wanted.version or "")
        if found.retired is not None:
            raise UsageError(f"{text!r}: {_retired(found)}; submit it again to bring it back, or name another bot")
        bundle = store.submissions.bundle(found.version)
    if bundle is None:
        raise UsageError(f"{database(db)}: the bundle of {found.name!r} is missing; submit the bot again")
    return _named(found.name, bundle, wanted.copy, wanted.options)


def _retired(found: "Submission") -> str:
    return f"bot {found.name}@{found.short} is retired"


def _named(name: str, bundle: Bundle, copy: int, given: dict[str, str]) -> Named:
    if given and bundle.manifest.python is None:
        raise UsageError(
            f"bot {name!r} is run by a command and takes no options; "
            f'write them as words of `command` in its {MANIFEST}, as in command = ["./bot", "--fast"]'
        )
    options = {key: plain_value(value) for key, value in given.items()}
    return Named(Entrant(name, bundle.version, options, options, copy), given, bundle)


def plain_value(text: str) -> Any:
    """Returns an option's value without knowing its type: true, false, none, a number, else the text.

    A number that is written in another way than Python writes it, as 007 or 1e3, stays a text: the bot may want it so,
    and makes a number of it otherwise.
    """
    words = {"true": True, "false": False, "none": None, "null": None}
    if text.lower() in words:
        return words[text.lower()]
    for kind in (int, float):
        with contextlib.suppress(ValueError):
            if str(kind(text)) == text and math.isfinite(kind(text)):
                return kind(text)
    return text


def _unknown(name: str, db: Path | None) -> UnknownName:
    known, place = [bot.name for bot in list_bots()], database(db)
    searched = f"{place} was searched, too" if place.exists() else f"there is no database {place} to search"
    if place.exists():
        with open_store(db) as store:
            known += dict.fromkeys(bot.name for bot in store.submissions.all() if bot.retired is None)
    near = nearest(name, known)
    return UnknownName(f"there is no bot {name!r}.{near} Bots: {', '.join(known)}; {searched}")
