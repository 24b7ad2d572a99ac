"""arena match, record, replay: single matches and their records."""

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.common import (
    BotArguments,
    Db,
    GameArgument,
    Json,
    check_seats,
    find_entrants,
    find_game,
    open_store,
    parse_seed,
)
from arena.cli.terminal import console, data, json_data, say
from arena.errors import UsageError

if TYPE_CHECKING:
    from arena.core.game import Game
    from arena.core.record import Outcome
    from arena.core.spec import MatchSpec
    from arena.match.records import GameRecord, Position

WATCH_S = 0.3  # seconds between two positions on a terminal


def add_to(app: typer.Typer) -> None:
    """Adds the commands."""
    app.command("match", epilog="Example: arena match ninjan greedy random --seed 7 --watch")(match)
    app.command("record", epilog="Example: arena record 1f3a --legal > match.jsonl")(record)
    app.command("replay", epilog="Example: arena replay match.jsonl --html match.html")(replay)


def match(
    game: GameArgument,
    bots: BotArguments,
    seed: Annotated[str | None, typer.Option("--seed", help="Else 128 random bits, shown.")] = None,
    num_matches: Annotated[int, typer.Option("-n", min=1, help="Matches, each on a deal of its own.")] = 1,
    watch: Annotated[bool, typer.Option("--watch", help="Show every position.")] = False,
    record: Annotated[Path | None, typer.Option("--record", help="Write the game record to a file.")] = None,
    records: Annotated[Path | None, typer.Option("--records", help="Write a record a match into a folder.")] = None,
    legal: Annotated[bool, typer.Option("--legal", help="Put all legal actions into the records.")] = False,
    as_json: Json = False,
) -> None:
    """Play a match, or several on as many deals, in the seats given; store nothing but the files asked for."""
    from arena.core.seeding import RUN_SEED_BITS, deal_seed, fresh_run_seed
    from arena.core.spec import Conditions, Limits, MatchSpec

    if record and num_matches > 1:
        raise UsageError("--record is for one match; give --records DIR for several")
    if legal and not (record or records):
        raise UsageError("--legal goes into game records; give --record FILE or --records DIR")
    found, reference, _ = find_game(game)
    check_seats(found, len(bots))
    entrants = tuple(find_entrants(bots, found))
    given = parse_seed(seed, RUN_SEED_BITS)
    run_seed = fresh_run_seed() if given is None else given
    if given is None:
        say(f"seed {run_seed}")
    conditions = Conditions(reference, len(bots), Limits(), run_seed)
    played = []
    for number in range(num_matches):
        spec = MatchSpec(conditions, deal_seed(run_seed, found.name, len(bots), number), number, entrants)
        outcome = _play(spec, found, watch=watch)
        played.append((spec, outcome))
        if record or records:
            _write(record or _record_path(records, number, num_matches), spec, outcome, legal)
        if not as_json:
            data(_result_line(spec, outcome, number, num_matches))
    if as_json:
        json_data("match", game=found.name, seed=str(run_seed), matches=[_as_dict(*each) for each in played])
    elif num_matches > 1:
        _print_totals([entrant.label for entrant in entrants], [outcome for _, outcome in played])


def _play(spec: "MatchSpec", game: "Game", *, watch: bool) -> "Outcome":
    from arena.executors.base import make_host
    from arena.match.referee import Referee

    names = [f"{seat}: {entrant.label}" for seat, entrant in enumerate(spec.lineup)]
    return Referee(spec, make_host).play(_watcher(game, names) if watch else None)


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


def _record_path(folder: Path | None, number: int, total: int) -> Path:
    assert folder is not None  # the caller has checked that one of the two was asked for
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"--records {folder}: the folder cannot be made ({error.strerror})") from error
    return folder / f"{number:0{len(str(total - 1))}}.jsonl"


def _write(path: Path, spec: "MatchSpec", outcome: "Outcome", legal: bool) -> None:
    from arena.match.records import encode_record

    try:
        path.write_bytes(encode_record(_make_record(spec, outcome, legal)))
    except OSError as error:
        raise UsageError(f"{path}: the record cannot be written ({error.strerror}); name another file") from error


def _make_record(spec: "MatchSpec", outcome: "Outcome", legal: bool) -> "GameRecord":
    from arena.match.records import make_record

    labels = [entrant.label for entrant in spec.lineup]
    return make_record(spec.conditions.game, spec.deal, labels, outcome, with_legal=legal)


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


def _stored_record(match_id: str, db: Path | None, legal: bool) -> "GameRecord":
    from arena.core.seeding import deal_seed
    from arena.match.records import make_record

    with open_store(db) as store:
        found = store.find_match(match_id)
    conditions = found.conditions
    deal = deal_seed(conditions.run_seed, conditions.game.name, conditions.players, found.deal_number)
    labels = [entrant.label for entrant in found.lineup]
    return make_record(conditions.game, deal, labels, found.outcome, with_legal=legal)


def record(
    match_id: Annotated[str, typer.Argument(metavar="MATCH", help="A match's id, or how it begins.")],
    legal: Annotated[bool, typer.Option("--legal", help="Put all legal actions into the record.")] = False,
    db: Db = None,
) -> None:
    """Print the game record of a stored match."""
    from arena.match.records import encode_record

    data(encode_record(_stored_record(match_id, db, legal)).decode())


def replay(
    source: Annotated[str, typer.Argument(metavar="MATCH|FILE", help="A stored match's id, or a record file.")],
    html: Annotated[Path | None, typer.Option("--html", metavar="OUT", help="Write one self-contained page.")] = None,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Step through a game record in the terminal, or write it as a page; every ply is checked against the rules."""
    from arena.match.records import read_record
    from arena.match.records import replay as replay_record
    from leaderboards.report.names import safe_name

    path = Path(source)
    if path.exists() or path.suffix or "/" in source:
        game_record = read_record(path)
    else:
        game_record = _stored_record(source, db, legal=False)
    if html is not None:
        return _write_page(html, game_record, path)
    if as_json:
        return _print_checked(game_record, list(replay_record(game_record, path)))
    frames = [_frame(position, game_record) for position in replay_record(game_record, path)]
    if sys.stdout.isatty() and sys.stdin.isatty():
        _step_through(frames)
    else:
        for title, picture in frames:
            console().rule(title)
            console().print(picture)
    ranks = ", ".join(
        f"{rank}. {safe_name(label)} {score}"
        for label, rank, score in zip(
            game_record.header.bots, game_record.result.ranks, game_record.result.scores, strict=True
        )
    )
    return data(f"result: {ranks}")


def _print_checked(game_record: "GameRecord", positions: "list[Position]") -> None:
    """Prints what a record that was replayed without fault says."""
    header, result = game_record.header, game_record.result
    json_data(
        "replay",
        game=header.game,
        players=header.players,
        seed=header.seed,
        bots=header.bots,
        plies=len(positions) - 1,
        scores=result.scores,
        ranks=result.ranks,
        faults=result.faults,
    )


def _write_page(out: Path, game_record: "GameRecord", path: Path) -> None:
    from arena.match.page import record_page

    page = record_page(game_record, path)
    try:
        out.write_text(page, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{out}: the page cannot be written ({error.strerror}); name another file") from error
    say(f"wrote {out}, {len(page) / 1e6:.1f} MB")


def _frame(position: "Position", game_record: "GameRecord") -> tuple[str, Any]:
    """Returns the title and the picture of a position; the picture is drawn now, since the position goes on."""
    from leaderboards.report.names import safe_name

    names = [f"{seat}: {safe_name(label)}" for seat, label in enumerate(game_record.header.bots)]
    simulation, ply = position.simulation, position.ply
    title = "deal" if ply is None else f"ply {ply.ply}: seat {ply.seat} {ply.action}"
    if ply is not None and ply.substitute:
        title += " (substitute)"
    return title, simulation.game.render(simulation.words(), names=names)


def _step_through(frames: list[tuple[str, Any]]) -> None:
    """Shows one position at a time; keys step, jump and quit."""
    target, place = console(), 0
    while True:
        target.clear()
        target.rule(frames[place][0])
        target.print(frames[place][1])
        target.print(f"\n{place}/{len(frames) - 1}   n next, p back, f first, l last, a number to jump, q quit")
        try:
            key = typer.prompt("", default="n", show_default=False, prompt_suffix="> ").strip().lower()
        except typer.Abort:  # the end of the input says the same as q
            return
        if key == "q":
            return
        moves = {"n": place + 1, "p": place - 1, "f": 0, "l": len(frames) - 1}
        wanted = int(key) if key.isdecimal() and len(key) < 10 else moves.get(key, place)
        if wanted == len(frames) and key == "n":
            return
        place = max(0, min(len(frames) - 1, wanted))
