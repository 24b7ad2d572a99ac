"""Options and look-ups that several commands share. Imports stay light: `arena --help` reads this module."""

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.terminal import say
from arena.cli.values import whole_option
from arena.errors import Interrupted, StoreError, UsageError

if TYPE_CHECKING:
    from arena.core.game import Game
    from arena.core.spec import GameRef
    from arena.store.store import Store


def complete_game(incomplete: str) -> list[str]:
    """Completes a game's name."""
    from arena.games import all_games

    return [name for name in all_games() if name.startswith(incomplete)]


def complete_bot(incomplete: str) -> list[str]:
    """Completes a bot's name."""
    from arena.errors import ArenaError
    from arena.hosts.roster import list_bots

    names = [bot.name for bot in list_bots()]
    try:
        with open_store(None) as store:
            names += dict.fromkeys(bot.name for bot in store.submissions.all() if bot.retired is None)
    except ArenaError:
        pass  # no database here: the bots that come with the arena are all that there are
    return [name for name in names if name.startswith(incomplete)]


def complete_run(incomplete: str) -> list[str]:
    """Completes a run's name from the database that is used by default."""
    from arena.errors import ArenaError

    try:
        with open_store(None) as store:
            return [run.name for run in store.runs() if run.name.startswith(incomplete)]
    except ArenaError:
        return []


def _database_file(text: str) -> Path:
    """Returns the path of --db; the empty one of an unset shell variable would be taken for this folder."""
    if not text:
        raise UsageError("--db '' names no file; give one, or leave --db out for $ARENA_DB or arena.db here")
    return Path(text)


Db = Annotated[
    Path | None,
    typer.Option(
        "--db", metavar="FILE", parser=_database_file, help="The database; else $ARENA_DB, else arena.db here."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Sandbox = Annotated[
    str | None,
    typer.Option(
        "--sandbox", metavar="LEVEL", help="How submitted bots are fenced in: auto, isolated, process, trusted."
    ),
]
MemoryMb = Annotated[int | None, whole_option("--memory-mb", "Megabytes a submitted bot may use; else 512.")]
Players = Annotated[int | None, whole_option("--players", "Seats; else the game's fewest.")]
Workers = Annotated[int | None, whole_option("--workers", "Ray workers; else one a core.")]
RunName = Annotated[
    str | None, typer.Argument(metavar="[RUN]", help="The run; else the one used last.", autocompletion=complete_run)
]
GameArgument = Annotated[
    str,
    typer.Argument(metavar="GAME", help="A game, as in connect_four:opening=0.", autocompletion=complete_game),
]


def database(path: Path | None) -> Path:
    """Returns the database to use.

    Raises:
        StoreError: whether it is there cannot even be seen.
    """
    found = path or Path(os.environ.get("ARENA_DB") or "arena.db")
    try:
        found.exists()
    except PermissionError as error:
        raise StoreError(f"{found}: {error.strerror}; check its folder's permissions, or name another --db") from error
    return found


def open_store(path: Path | None, *, create: bool = False) -> "Store":
    """Opens the database to use.

    Raises:
        StoreError: it cannot be opened, or is not there and not to be made.
    """
    from arena.store.store import Store

    return Store(database(path), create=create)


@contextlib.contextmanager
def interruptible(kept: Callable[[], str]) -> Iterator[None]:
    """Lets Ctrl-C end the block with a line that says what was stopped and what is kept.

    Args:
        kept: is asked for that when it happens.

    Raises:
        Interrupted: it was pressed.
    """
    try:
        yield
    except KeyboardInterrupt:
        raise Interrupted(f"interrupted; {kept()}") from None


def find_game(text: str) -> "tuple[Game, GameRef, Any]":
    """Returns a game, the reference to it as it is to be played, and its options, from `name:option=value`."""
    import msgspec

    from arena.core.options import split_reference
    from arena.core.spec import GameRef
    from arena.games import load_game

    name, given = split_reference(text)
    game = load_game(name)
    options = game.parse_options(given)
    return game, GameRef(game.name, game.version, msgspec.to_builtins(options)), options


def check_seats(game: "Game", players: int) -> None:
    """Raises UsageError unless the game can be played with that many seats."""
    if players not in game.seats:
        first, last = game.seats.start, game.seats.stop - 1
        wanted = f"{first}" if first == last else f"{first} to {last}"
        raise UsageError(f"{game.name} is played with {wanted} seats, and {players} were asked for")


def parse_seed(text: str | None, bits: int) -> int | None:
    """Returns a seed from the text of --seed, decimal or 0x hex; None where none was given.

    Raises:
        UsageError: it is no whole number, or too large.
    """
    if text is None:
        return None
    try:
        seed = int(text, 0 if text.lower().startswith("0x") else 10)
    except ValueError:
        raise UsageError(f"--seed {text!r} is no number; give a whole number from 0, as in --seed 7") from None
    if not 0 <= seed < 1 << bits:
        raise UsageError(f"--seed {text} is out of range; give a whole number from 0 to 2**{bits} - 1")
    return seed


MOST_WORKERS = 1_000  # each is a process; more is a slip of the hand, and would bring the machine down
MOST_SECONDS, MOST_MEGABYTES = 1e6, 1 << 40


def check_workers(workers: int | None) -> None:
    """Raises UsageError unless that many workers can be had, or no number was given."""
    if workers is not None and not 1 <= workers <= MOST_WORKERS:
        raise UsageError(f"--workers {workers}: give 1 to {MOST_WORKERS:,} workers, or leave it out for one a core")


def check_seconds(option: str, seconds: float | None) -> None:
    """Raises UsageError unless an option's value is a time, or was not given."""
    if seconds is not None and not 0 <= seconds < MOST_SECONDS:
        raise UsageError(f"{option} {seconds:g}: give seconds from 0 up, below {MOST_SECONDS:,.0f}")


def check_megabytes(memory_mb: int | None) -> None:
    """Raises UsageError unless --memory-mb can be kept to, or was not given."""
    if memory_mb is not None and not 1 <= memory_mb < MOST_MEGABYTES:
        raise UsageError(f"--memory-mb {memory_mb}: give megabytes from 1 up")


SHORT_SEED_BITS = 64


def warn_of_seed(text: str | None) -> None:
    """Says so where a seed, given for a run or match with submitted bots, is short enough to be guessed by one."""
    seed = parse_seed(text, 128)
    if seed is not None and seed < 1 << SHORT_SEED_BITS:
        say(
            f"--seed {text} is short: a submitted bot could guess it and know the deals; "
            "leave it out for 128 random bits"
        )
