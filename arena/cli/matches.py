"""arena match: matches outside any run."""

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.common import (
    Db,
    Json,
    MemoryMb,
    Sandbox,
    check_megabytes,
    check_seats,
    complete_bot,
    complete_game,
    find_game,
    interruptible,
    open_store,
    parse_seed,
    warn_of_seed,
)
from arena.cli.examples import examples
from arena.cli.outputs import check_file, check_folder, make_folder, write_file
from arena.cli.records import record_of
from arena.cli.terminal import console, data, json_data, say
from arena.cli.values import file_option, whole_option
from arena.errors import UsageError

if TYPE_CHECKING:
    from arena.cli.entrants import Lineup
    from arena.core.game import Game
    from arena.core.record import Outcome
    from arena.core.spec import MatchSpec
    from arena.hosts.bundle_host import Kit

WATCH_S = 0.3  # seconds between two positions on a terminal
MOST_MATCHES = 1_000_000  # of one command; a run takes more, and can go on where it was stopped


def add_to(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("match", epilog=examples("arena match ninjan greedy random --seed 7 --watch"))(match)


def match(
    game: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="A game, as in connect_four:opening=0.", autocompletion=complete_game),
    ] = None,
    bots: Annotated[
        list[str] | None,
        typer.Argument(metavar="BOT...", help="Bots, as in greedy or random#2.", autocompletion=complete_bot),
    ] = None,
    seed: Annotated[str | None, typer.Option("--seed", help="Else 128 random bits, shown.")] = None,
    num_matches: Annotated[
        int, whole_option("-n", "Matches, each on a deal of its own.", low=1, high=MOST_MATCHES)
    ] = 1,
    again: Annotated[
        str | None, typer.Option("--again", metavar="MATCH", help="Play a stored match again, in place of GAME BOT...")
    ] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Show every position.")] = False,
    record: Annotated[Path | None, file_option("--record", "Write the game record to a file.")] = None,
    records: Annotated[Path | None, file_option("--records", "Write a record a match into a folder.", "DIR")] = None,
    legal: Annotated[bool, typer.Option("--legal", help="Put all legal actions into the records.")] = False,
    memory_mb: MemoryMb = None,
    sandbox: Sandbox = None,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Play a match, or several on as many deals, in the seats given; store nothing but the files asked for."""
    from arena.cli.entrants import check_level

    if record and num_matches > 1:
        raise UsageError("--record is for one match; give --records DIR for several")
    if legal and not (record or records):
        raise UsageError("--legal goes into game records; give --record FILE or --records DIR")
    check_level(sandbox)
    check_megabytes(memory_mb)
    if record:
        check_file("--record", record)
    if records:
        check_folder("--records", records)
    if again is not None:
        if game or bots or seed or memory_mb or num_matches > 1:
            raise UsageError("--again takes all from the stored match; leave GAME, BOT, --seed, -n and --memory-mb out")
        specs, lineup, stored = _stored_spec(again, db)
    else:
        specs, lineup = _new_specs(game or "", bots or [], seed, num_matches, memory_mb, sandbox, db)
        stored = None
    if records:
        make_folder("--records", records)
    kit = lineup.kit(sandbox or "auto")
    found = find_game(specs[0].conditions.game.name)[0]
    played: list[tuple[MatchSpec, Outcome]] = []
    with interruptible(lambda: _what_is_kept(len(played), num_matches, records)):
        for number, spec in enumerate(specs):
            outcome = _play(spec, found, kit, watch=watch)
            if record:
                _write("--record", record, spec, outcome, legal)
            if records:
                _write("--records", _record_path(records, number, num_matches), spec, outcome, legal)
            played.append((spec, outcome))
            if not as_json:
                data(_result_line(spec, outcome, number, num_matches))
    if stored is not None:
        _compare(stored, played[0][1])
    if as_json:
        run_seed = str(specs[0].conditions.run_seed)
        json_data("match", game=found.name, seed=run_seed, matches=[_as_dict(*each) for each in played])
    elif num_matches > 1:
        _print_totals([entrant.label for entrant in lineup.entrants], [outcome for _, outcome in played])


def _new_specs(
    game: str,
    bots: list[str],
    seed: str | None,
    num_matches: int,
    memory_mb: int | None,
    sandbox: str | None,
    db: Path | None,
) -> "tuple[list[MatchSpec], Lineup]":
    """Returns the specs of matches outside any run, and who plays them."""
    from arena.cli import tryouts
    from arena.cli.entrants import find_lineup
    from arena.core.seeding import RUN_SEED_BITS, deal_seed, fresh_run_seed
    from arena.core.spec import Conditions, MatchSpec

    if not game:
        raise UsageError("a match needs a game and its bots, as in `arena match ninjan greedy random`")
    found, reference, _ = find_game(game)
    check_seats(found, len(bots))
    lineup = find_lineup(bots, found, db)
    if memory_mb is not None and not lineup.bundles:
        raise UsageError("--memory-mb limits submitted bots, and none is named; leave it out")
    limits = lineup.limits(memory_mb=memory_mb)
    lineup = tryouts.fill_in(lineup, found, sandbox or "auto", limits)
    given = parse_seed(seed, RUN_SEED_BITS)
    run_seed = fresh_run_seed() if given is None else given
    if given is None:
        say(f"seed {run_seed}")
    elif lineup.bundles:
        warn_of_seed(seed)
    conditions = Conditions(reference, len(bots), limits, run_seed)
    entrants = tuple(lineup.entrants)
    deals = [deal_seed(run_seed, found.name, len(bots), number) for number in range(num_matches)]
    return [MatchSpec(conditions, deal, number, entrants) for number, deal in enumerate(deals)], lineup


def _stored_spec(match_id: str, db: Path | None) -> "tuple[list[MatchSpec], Lineup, Outcome]":
    """Returns the spec of a stored match, who plays it, and what came of it."""
    from arena.cli.entrants import stored_lineup

    with open_store(db) as store:
        found = store.find_match(match_id)
        lineup = stored_lineup(store, found.lineup)
    return [found.spec], lineup, found.outcome


def _compare(stored: "Outcome", played: "Outcome") -> None:
    """Says whether a match that was played again came to the same."""
    kinds = [[fault and (fault.kind, fault.ply) for fault in each.faults] for each in (stored, played)]
    if stored.actions == played.actions and stored.ranks == played.ranks and kinds[0] == kinds[1]:
        say(f"match {stored.match} came to the same again, ply by ply")
    else:
        say(f"match {stored.match} came to something else this time; a bot depends on time, or on chance of its own")


def _play(spec: "MatchSpec", game: "Game", kit: "Kit", *, watch: bool) -> "Outcome":
    from arena.executors.base import hosts_of, play_hosted
    from leaderboards.report.names import safe_name

    names = [f"{seat}: {safe_name(entrant.label)}" for seat, entrant in enumerate(spec.lineup)]
    return play_hosted(spec, hosts_of(kit), _watcher(game, names) if watch else None)


def _watcher(game: "Game", names: list[str]) -> Any:
    """Returns what prints each position of a match as it is played."""
    target = console()

    def show_position(words: tuple[int, ...], ply: int, action: int | None) -> None:
        title = "deal" if action is None else f"ply {ply - 1}: {game.action_name(action)}"
        target.rule(title)
        target.print(game.render(words, names=names))
        if sys.stdout.isatty():
            time.sleep(WATCH_S)

    return show_position


def _what_is_kept(finished: int, total: int, records: Path | None) -> str:
    """Says how far matches came that were stopped, and what is left of them."""
    if total == 1:
        return "the match was not finished, and nothing of it is kept"
    kept = f"records are in {records}" if records and finished else "nothing is stored"
    return f"{finished} of {total} matches were finished; {kept}"


def _record_path(folder: Path, number: int, total: int) -> Path:
    return folder / f"{number:0{len(str(total - 1))}}.jsonl"


def _write(option: str, path: Path, spec: "MatchSpec", outcome: "Outcome", legal: bool) -> None:
    from arena.match.records import encode_record

    write_file(option, path, encode_record(record_of(spec, outcome, legal)))


def _result_line(spec: "MatchSpec", outcome: "Outcome", number: int, total: int) -> str:
    from leaderboards.report.names import safe_name

    parts = []
    for seat, entrant in enumerate(spec.lineup):
        fault = outcome.faults[seat]
        note = f" ({fault.kind}: {safe_name(fault.detail)})" if fault else ""
        parts.append(f"{outcome.ranks[seat]}. {safe_name(entrant.label)} {outcome.scores[seat]}{note}")
    return (f"{number + 1}: " if total > 1 else "") + "   ".join(parts)


def _as_dict(spec: "MatchSpec", outcome: "Outcome") -> dict[str, Any]:
    return {
        "match": spec.id,
        "bots": [entrant.label for entrant in spec.lineup],
        "scores": list(outcome.scores),
        "ranks": list(outcome.ranks),
        "faults": [fault.kind if fault else None for fault in outcome.faults],
        "plies": len(outcome.action_list),
    }


def _print_totals(labels: list[str], outcomes: "list[Outcome]") -> None:
    """Prints each seat's share of the others beaten, ties counting half."""
    from leaderboards.report.names import safe_name

    for seat, label in enumerate(labels):
        share = 0.0
        for outcome in outcomes:
            others = [rank for other, rank in enumerate(outcome.ranks) if other != seat]
            share += sum((r > outcome.ranks[seat]) + 0.5 * (r == outcome.ranks[seat]) for r in others) / len(others)
        data(f"{safe_name(label)}: score share {share / len(outcomes):.3f} over {len(outcomes)} matches")
