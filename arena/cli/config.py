"""What `arena run` is asked to do: from the command line or a league file, against what the database holds."""

import tomllib
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from arena.cli import tryouts
from arena.cli.common import check_megabytes, check_seats, check_seconds, check_workers, find_game, parse_seed
from arena.cli.entrants import Lineup, check_level, find_lineup
from arena.core.options import describe, nearest
from arena.core.seeding import RUN_SEED_BITS, fresh_run_seed
from arena.core.spec import Conditions, Entrant, Limits
from arena.errors import UsageError
from arena.schedule.plan import Plan, check_numbers, make_plan

if TYPE_CHECKING:
    from arena.store.store import Run, Store

DEFAULT_DEALS = 100
MOST_DEALS = 1_000_000_000


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """The options of `arena run`, and the keys of a league file; None where something is not said."""

    game: str
    bots: list[str]
    players: int | None = None
    deals: int | None = None
    seed: str | None = None
    name: str | None = None
    executor: str | None = None
    workers: int | None = None
    address: str | None = None
    move_time: float | None = None
    bank: float | None = None
    start_time: float | None = None
    memory_mb: int | None = None
    sandbox: str | None = None


_KEYS = {field.encode_name: field for field in msgspec.structs.fields(Request)}
# In the words of a league file, where those of the type would not do.
_EXPECTED = {
    "game": 'a text, as in game = "ninjan"',
    "bots": 'a list of texts, as in bots = ["greedy", "random"]',
    "seed": "a whole number, as in seed = 7",
}


def read_league(path: Path) -> Request:
    """Reads a league file.

    Raises:
        UsageError: it cannot be read, or a key or value is not one of `arena run`.
    """
    values = _read_toml(path)
    if isinstance(values.get("seed"), int) and not isinstance(values["seed"], bool):
        values["seed"] = str(values["seed"])
    for key, value in values.items():
        _check_key(path, key, value)
    for key, field in _KEYS.items():
        if field.required and key not in values:
            raise UsageError(f"{path}: the key {key!r} is missing; give {_EXPECTED[key]}")
    return msgspec.convert(values, Request)


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path}: the league file cannot be read ({error.strerror}); name a TOML file") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: this is no TOML file: {error}") from error


def _check_key(path: Path, key: str, value: Any) -> None:
    """Raises UsageError unless a league file may have that key with a value of that type."""
    if key not in _KEYS:
        raise UsageError(f"{path}: there is no key {key!r}.{nearest(key, _KEYS)} Keys: {', '.join(_KEYS)}")
    try:
        msgspec.convert(value, _KEYS[key].type)
    except msgspec.ValidationError:
        expected = _EXPECTED.get(key) or describe(_KEYS[key].type).removesuffix(" or none")
        raise UsageError(f"{path}: {key} = {_short(repr(value))} cannot be used; give {expected}") from None


def merge(given: Request, league: Request) -> Request:
    """Returns a league's request with what the command line says in its place."""
    said = {k: v for k, v in msgspec.structs.asdict(given).items() if v is not None and k not in ("game", "bots")}
    return msgspec.structs.replace(league, **said)


def check_executor(executor: str | None, workers: int | None, address: str | None) -> None:
    """Raises UsageError unless --executor is one that there is, and goes with --workers and --address."""
    if executor not in (None, "ray", "inline"):
        raise UsageError(f"--executor {executor!r} is none; give ray or inline")
    check_workers(workers)
    if address == "":
        raise UsageError("--address '' names no cluster; give one, as in --address 10.0.0.1:6379, or leave it out")
    if executor == "inline" and (workers not in (None, 1) or address):
        raise UsageError("--executor inline plays in this process alone; leave --workers and --address out")


class Wanted(msgspec.Struct, frozen=True):
    """A request that was understood: everything but the name, the seed and the number of deals is settled."""

    request: Request
    conditions: Conditions
    """With a run seed of 0 where none was given."""
    lineup: Lineup
    num_matches: int
    """Matches of its plan, if it is a new run."""

    def entrants(self, run: "Run | None") -> list[Entrant]:
        """Returns who is to play, in a stored run or a new one."""
        return tryouts.entrants_in(self.lineup, run.entrants) if run else self.lineup.entrants

    @property
    def has_seed(self) -> bool:
        """Whether a seed was given."""
        return self.request.seed is not None


def _check_name(name: str | None) -> None:
    """Raises UsageError unless a run can be called so."""
    if name is None:
        return
    if not name.strip() or len(name) > 200:
        raise UsageError(f"--name {name[:40]!r}: give a name of 1 to 200 characters")
    if any(unicodedata.category(character) == "Cs" for character in name):
        raise UsageError(f"--name {name!r}: this is no valid UTF-8; give a name that is")


def understand(request: Request, db: Path | None) -> Wanted:
    """Looks up the game and the bots and checks the numbers.

    Raises:
        UsageError: something cannot be used.
        MissingExtra: the sandbox level asked for cannot be had here.
    """
    game, reference, _ = find_game(request.game)
    players = game.seats.start if request.players is None else request.players
    check_seats(game, players)
    check_executor(request.executor, request.workers, request.address)
    _check_name(request.name)
    seed = parse_seed(request.seed, RUN_SEED_BITS)
    check_level(request.sandbox)
    lineup = find_lineup(request.bots, game, db)
    limits = _limits(request, lineup)
    if request.deals is not None and request.deals > MOST_DEALS:
        raise UsageError(f"--deals {request.deals}: give at most {MOST_DEALS:,}")
    conditions = Conditions(reference, players, limits, seed or 0)
    deals = DEFAULT_DEALS if request.deals is None else request.deals
    check_numbers(conditions, len(lineup.entrants), deals)
    lineup = tryouts.fill_in(lineup, game, request.sandbox or "auto", limits)
    return Wanted(request, conditions, lineup, make_plan(conditions, lineup.entrants, deals).num_matches)


def _limits(request: Request, lineup: Lineup) -> Limits:
    """Returns the limits that a request means.

    Raises:
        UsageError: a number is out of range, or limits nobody.
    """
    check_seconds("--move-time", request.move_time)
    check_seconds("--bank", request.bank)
    check_seconds("--start-time", request.start_time)
    check_megabytes(request.memory_mb)
    if request.start_time == 0:
        raise UsageError("--start-time 0 leaves no time to get ready in; give seconds above 0")
    if not lineup.bundles:
        if request.bank is not None and request.move_time is None:
            raise UsageError("--bank without --move-time has no meaning; give both, or neither for no clock")
        for name, given in (("--start-time", request.start_time), ("--memory-mb", request.memory_mb)):
            if given is not None:
                raise UsageError(f"{name} limits submitted bots, and none is named; leave it out")
    limits = lineup.limits(
        start_s=request.start_time, move_s=request.move_time, bank_s=request.bank, memory_mb=request.memory_mb
    )
    if limits.move_s == 0 and limits.bank_s == 0:
        raise UsageError("--move-time 0 leaves no time to move in; give seconds above 0, or a --bank to draw on")
    return limits


def differences(wanted: Wanted, run: "Run") -> list[str]:
    """Returns what keeps a request from extending a run: everything may be said again, deals and bots be added."""
    found = []
    stored = run.conditions
    new = wanted.conditions if wanted.has_seed else msgspec.structs.replace(wanted.conditions, run_seed=stored.run_seed)
    for name, ours, theirs in (
        ("game", new.game.name, stored.game.name),
        ("game version", new.game.version, stored.game.version),
        ("game options", new.game.options, stored.game.options),
        ("players", new.players, stored.players),
        ("seed", new.run_seed, stored.run_seed),
        ("limits", msgspec.structs.asdict(new.limits), msgspec.structs.asdict(stored.limits)),
    ):
        if ours != theirs:
            found.append(f"{name}: stored {_short(theirs)}, given {_short(ours)}")
    keys = {entrant.key for entrant in wanted.entrants(run)}
    missing = [entrant.label for entrant in run.entrants if entrant.key not in keys]
    if missing:
        found.append(f"bots: stored also {', '.join(missing)} (of this version and options)")
    if wanted.request.deals is not None and wanted.request.deals < run.deals:
        found.append(f"deals: stored {run.deals}, given {wanted.request.deals}")
    return found


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 80 else text[:77] + "..."


def choose_run(wanted: Wanted, store: "Store | None") -> tuple[str, Plan, bool]:
    """Returns the name and plan of the run that a request means, and whether the run is new.

    A request with a name means that run. Without one it goes on with the first run of the game's own names
    (`ninjan`, `ninjan-2`, ...) that it repeats or extends, and starts the next where there is none.

    Raises:
        UsageError: the named run has another configuration; the message shows the difference.
    """
    runs = {run.name: run for run in store.runs()} if store else {}
    if wanted.request.name is not None:
        name = wanted.request.name
        run = store.find_run(name) if store else None
        if run is not None and (found := differences(wanted, run)):
            raise UsageError(
                f"run {run.name!r} has another configuration ({'; '.join(found)}); give another --name, "
                "or the stored values with more bots or deals"
            )
        return run.name if run else name, _plan(wanted, run), run is None
    base, number = wanted.conditions.game.name, 1
    while True:
        name = base if number == 1 else f"{base}-{number}"
        if name not in runs:
            return name, _plan(wanted, None), True
        if not differences(wanted, runs[name]):
            return name, _plan(wanted, runs[name]), False
        number += 1


def _plan(wanted: Wanted, run: "Run | None") -> Plan:
    """Makes the plan of a new run, or of a stored one with what is added to it."""
    if run is not None:
        deals = wanted.request.deals or run.deals
        return make_plan(run.conditions, wanted.entrants(run), deals)
    conditions = wanted.conditions
    if not wanted.has_seed:
        conditions = msgspec.structs.replace(conditions, run_seed=fresh_run_seed())
    deals = DEFAULT_DEALS if wanted.request.deals is None else wanted.request.deals
    return make_plan(conditions, wanted.entrants(None), deals)
