"""arena run, resume, status, runs, digest: tournaments."""

import os
import shlex
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.common import (
    Db,
    Json,
    MemoryMb,
    Players,
    RunName,
    Sandbox,
    Workers,
    complete_bot,
    complete_game,
    database,
    open_store,
    warn_of_seed,
)
from arena.cli.examples import ROOK, examples
from arena.cli.terminal import data, json_data, say, show
from arena.cli.values import seconds_option, whole_option
from arena.core.spec import unique_labels
from arena.core.wording import counted
from arena.errors import ArenaError, InfrastructureError, Interrupted, UsageError

if TYPE_CHECKING:
    from arena.cli.config import Request
    from arena.core.spec import MatchSpec
    from arena.executors.base import Executor
    from arena.hosts.bundle_host import Kit
    from arena.schedule.plan import Plan
    from arena.store.store import Store
    from arena.tournament import Progress, Tournament

MANY_MATCHES = 1_000_000
STOPPING = "arena: stopping after the matches in flight; press Ctrl-C again to stop at once"
EXIT_FAILED, EXIT_INTERRUPTED = InfrastructureError.exit_code, Interrupted.exit_code


def add_to(app: typer.Typer) -> None:
    """Adds the commands."""
    run_examples = examples(
        "arena run ninjan random greedy --deals 20 --seed 7",
        "arena run ninjan random greedy random#2 --players 3 --deals 50",
        "arena run ninjan rook greedy --deals 10",
        note=ROOK,
    )
    app.command("run", epilog=run_examples)(run)
    app.command("resume", epilog=examples("arena resume ninjan"))(resume)
    app.command("status", epilog=examples("arena status ninjan --json"))(status)
    app.command("runs", epilog=examples("arena runs"))(list_runs)
    app.command("digest", epilog=examples("arena digest ninjan"))(digest)


def run(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME|LEAGUE.toml", help="A game, or a file that says it all.", autocompletion=complete_game
        ),
    ],
    bots: Annotated[
        list[str] | None, typer.Argument(metavar="BOT BOT...", help="Who plays.", autocompletion=complete_bot)
    ] = None,
    players: Players = None,
    deals: Annotated[int | None, whole_option("--deals", "Deals for each set of entrants; else 100.")] = None,
    seed: Annotated[str | None, typer.Option("--seed", help="The run's seed; else 128 random bits.")] = None,
    executor: Annotated[str | None, typer.Option("--executor", help="ray (the default) or inline.")] = None,
    workers: Workers = None,
    address: Annotated[str | None, typer.Option("--address", help="A Ray cluster to join.")] = None,
    move_time: Annotated[
        float | None, seconds_option("--move-time", "Seconds a move may take; for submitted bots else 1.")
    ] = None,
    bank: Annotated[
        float | None, seconds_option("--bank", "Seconds beyond that a match; for submitted bots else 30.")
    ] = None,
    start_time: Annotated[
        float | None, seconds_option("--start-time", "Seconds a submitted bot may take to get ready; else 10.")
    ] = None,
    memory_mb: MemoryMb = None,
    sandbox: Sandbox = None,
    name: Annotated[str | None, typer.Option("--name", help="The run's name.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print the plan and the time it would take.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Go on without asking, however large the plan.")] = False,
    db: Db = None,
    as_json: Json = False,
) -> int:
    """Run a tournament, then print the leaderboard. Given again, it resumes; with more bots or deals it goes on."""
    from arena.cli import tryouts
    from arena.cli.config import Request, choose_run, merge, read_league, understand
    from arena.cli.plan import print_plan

    request = Request(
        game, bots or [], players, deals, seed, name, executor, workers, address, move_time, bank,
        start_time, memory_mb, sandbox,
    )  # fmt: skip
    if game.endswith(".toml"):
        if bots:
            raise UsageError(f"{game} names its own bots; leave {', '.join(bots)} out, or write the game in its place")
        request = merge(request, read_league(Path(game)))
    wanted = understand(request, db)
    if dry_run:
        stored = open_store(db) if database(db).exists() else None
        run_name, plan, _ = choose_run(wanted, stored)
        print_plan(run_name, plan, request, wanted.lineup.kit(request.sandbox or "auto"), as_json=as_json)
        return 0
    _confirm(wanted.num_matches, yes)
    warn_of_seed(seed if wanted.lineup.bundles else None)
    with open_store(db, create=True) as store:
        run_name, plan, is_new = choose_run(wanted, store)
        say(f"run {run_name} ({'new' if is_new else 'goes on'}), seed {plan.conditions.run_seed}, in {store.path}")
        tryouts.keep(store, wanted.lineup)
        return _drive(store, run_name, plan, request, as_json)


def resume(
    run: RunName = None,
    executor: Annotated[str | None, typer.Option("--executor", help="ray (the default) or inline.")] = None,
    workers: Workers = None,
    address: Annotated[str | None, typer.Option("--address", help="A Ray cluster to join.")] = None,
    sandbox: Sandbox = None,
    db: Db = None,
    as_json: Json = False,
) -> int:
    """Go on with a run as it is stored, then print the leaderboard. --executor and --workers are not stored."""
    from arena.cli.config import Request, check_executor
    from arena.cli.entrants import check_level
    from arena.schedule.plan import make_plan

    check_executor(executor, workers, address)
    check_level(sandbox)
    with open_store(db) as store:
        stored = store.get_run(run)
        plan = make_plan(stored.conditions, list(stored.entrants), stored.deals)
        request = Request(
            stored.conditions.game.name, [], executor=executor, workers=workers, address=address, sandbox=sandbox
        )
        return _drive(store, stored.name, plan, request, as_json)


def _confirm(num_matches: int, yes: bool) -> None:
    """Asks before a very large plan is begun.

    Raises:
        UsageError: nobody can be asked, or the answer is no.
    """
    if num_matches <= MANY_MATCHES or yes:
        return
    question = f"the plan has {num_matches:,} matches"
    if not sys.stdin.isatty() or not typer.confirm(f"arena: {question}; go on?", err=True):
        raise UsageError(f"{question}; give --yes to play them all, --dry-run to see the plan, or fewer --deals")


def _drive(store: "Store", name: str, plan: "Plan", request: "Request", as_json: bool) -> int:
    """Plays what is missing of a run, prints its board, and returns the exit code."""
    from arena.cli.boards import print_run_board

    with store.driving(name):
        known = store.find_run(name)
        sandbox = request.sandbox or (known.sandbox if known else "auto")
        kit = _make_kit(store, plan, sandbox)
        if not _has_work(store, plan):
            store.save_run(name, plan.conditions, plan.entrants, plan.deals, sandbox)
            say(f"{name}: all {plan.num_matches} matches are stored already")
            print_run_board(store, name, as_json=as_json)
            return 0
        try:
            progress = _play(store, name, plan, request, kit)
        except KeyboardInterrupt:
            go_on = f"{_resume_line(store, name, request)} goes on"
            say(f"interrupted; {go_on if store.find_run(name) else 'nothing was begun, give the command again'}")
            return EXIT_INTERRUPTED
    return _conclude(store, name, progress, request, as_json)


def _make_kit(store: "Store", plan: "Plan", sandbox: str) -> "Kit":
    """Returns what workers need to play a run's submitted bots, and says how these will be fenced in.

    Raises:
        MissingExtra: the level asked for cannot be had here.
    """
    from arena.cli.entrants import stored_lineup
    from arena.hosts.sandbox import resolve

    kit = stored_lineup(store, plan.entrants).kit(sandbox)
    if kit.bundles:
        level = resolve(sandbox)
        say(f"submitted bots are fenced in at level {level.name} ({level.means})")
    return kit


def _play(store: "Store", name: str, plan: "Plan", request: "Request", kit: "Kit") -> "Progress":
    """Stores a run once it can be played, and plays what is missing of it."""
    from arena.cli.progress import Display
    from arena.executors.base import warm_up
    from arena.tournament import Tournament

    warm_up(plan.conditions, plan.entrants)
    executor = make_executor(request, kit)
    try:
        store.save_run(name, plan.conditions, plan.entrants, plan.deals, kit.sandbox)
        tournament = Tournament(name, plan, store, executor)
        with _interruptible(tournament, _resume_line(store, name, request)), Display(name) as display:
            progress = tournament.play(display.listen)
    finally:
        executor.close()
    say(f"{name}: {display.summary(progress)}")
    return progress


def _resume_line(store: "Store", name: str, request: "Request") -> str:
    """Returns the command that goes on with a run, as it is typed.

    How matches are spread belongs to a machine and a moment, and is not stored: the line says it again.
    """
    words: list[str | int | Path] = ["arena", "resume", *([] if name.startswith("-") else [name])]
    for option, value in (
        ("--executor", request.executor),
        ("--workers", request.workers),
        ("--address", request.address),
        ("--db", None if store.path == database(None) else store.path),
    ):
        if value is not None:
            words += [option, value]
    words += ["--", name] if name.startswith("-") else []
    return f"`{shlex.join(map(str, words))}`"


def _has_work(store: "Store", plan: "Plan") -> bool:
    done = store.done(plan.conditions)
    return any(bytes.fromhex(spec.id) not in done for block in plan.blocks() for spec in block.matches)


def make_executor(request: "Request", kit: "Kit") -> "Executor":
    """Makes the executor that a request names."""
    if request.executor == "inline":
        from arena.executors.inline import InlineExecutor

        return InlineExecutor(kit)
    from arena.executors.ray import RayExecutor

    return RayExecutor(request.workers, request.address, kit)


def _over_the_last_line(text: str) -> bytes:
    """Returns what shows a text in place of the last line of a live display, and leaves the cursor on that line.

    The display goes up from where the cursor is to draw itself anew: a line more would leave a part of it behind.
    """
    no_wrap, wrap, clear = "\x1b[?7l", "\x1b[?7h", "\r\x1b[2K"
    return f"{clear}{no_wrap}{text}{wrap}".encode()


@contextmanager
def _interruptible(tournament: "Tournament", resume_line: str) -> Iterator[None]:
    """Lets Ctrl-C finish and store the matches in flight, and a second one stop at once."""
    presses = 0

    def stop(number: int, frame: Any) -> None:
        nonlocal presses
        presses += 1
        tournament.stop()
        tournament.progress.is_interrupted = True
        if presses > 1:
            raise KeyboardInterrupt
        # Not through sys.stderr: the signal may have come in the midst of a write to it.
        os.write(2, _over_the_last_line(STOPPING) if sys.stderr.isatty() else f"{STOPPING}\n".encode())

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    except KeyboardInterrupt:
        say(f"stopped at once; {resume_line} goes on")
        # Workers may be deep in a match: what is stored is stored, and nothing else is worth waiting for.
        os._exit(EXIT_INTERRUPTED)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _conclude(store: "Store", name: str, progress: "Progress", request: "Request", as_json: bool) -> int:
    """Prints the board and returns the exit code."""
    from arena.cli.boards import print_run_board

    if progress.is_interrupted and progress.left:
        say(f"interrupted; {_resume_line(store, name, request)} goes on")
        return EXIT_INTERRUPTED
    for spec in progress.given_up[:20]:
        say(f"failed for good: match {spec.id}: {_reason(store, name, spec)}")
    try:
        print_run_board(store, name, as_json=as_json)
    except ArenaError:
        if not progress.given_up:
            raise
    if progress.given_up:
        count = counted(len(progress.given_up), "match", "matches")
        say(f"{count} failed for good; {_resume_line(store, name, request)} tries again")
        return EXIT_FAILED
    return 0


def _reason(store: "Store", name: str, spec: "MatchSpec") -> str:
    return next((f.reason for f in reversed(store.failures(name)) if f.match == spec.id), "")


def status(run: RunName = None, db: Db = None, as_json: Json = False) -> None:
    """Show what of a run is done, pending, failed and faulted, by bot and by worker."""
    from arena.cli.status import describe, print_status

    with open_store(db) as store:
        found = describe(store, store.get_run(run))
        if as_json:
            json_data("status", **found)
        else:
            print_status(found)


def list_runs(db: Db = None, as_json: Json = False) -> None:
    """List all runs of the database, the one used last first."""
    from rich.table import Table
    from rich.text import Text

    from leaderboards.report.names import safe_name

    with open_store(db) as store:
        found = store.runs()
    if as_json:
        rows = [
            {
                "run": each.name,
                "game": each.conditions.game.name,
                "players": each.conditions.players,
                "deals": each.deals,
                "seed": str(each.conditions.run_seed),
                "entrants": list(unique_labels(each.entrants).values()),
            }
            for each in found
        ]
        return json_data("runs", runs=rows)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for heading in ("run", "game", "seats", "deals", "entrants"):
        table.add_column(heading)
    for each in found:
        labels = ", ".join(unique_labels(each.entrants).values())
        seats, deals = str(each.conditions.players), str(each.deals)
        table.add_row(*map(Text, (safe_name(each.name), each.conditions.game.name, seats, deals, safe_name(labels))))
    return show(table)


def digest(run: RunName = None, db: Db = None, as_json: Json = False) -> None:
    """Print the one hash of a run's results: the same however, wherever and in whatever order they were played."""
    from leaderboards.from_store import load_run

    with open_store(db) as store:
        found = store.get_run(run)
        table, value = load_run(store, found)
    if as_json:
        json_data("digest", run=found.name, digest=value, blocks=table.num_blocks, matches=table.num_matches)
    else:
        data(value)
