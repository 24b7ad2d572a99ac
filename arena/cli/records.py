"""arena record, replay: the records of stored matches, and of files."""

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.common import (
    Db,
    Json,
    database,
    open_store,
)
from arena.cli.examples import MATCH, OF_A_RUN, OF_RECORD, examples
from arena.cli.outputs import check_file, write_file
from arena.cli.terminal import console, data, json_data, say
from arena.cli.values import file_option
from arena.errors import UnknownName, UsageError

if TYPE_CHECKING:
    from arena.core.record import Outcome
    from arena.core.spec import MatchSpec
    from arena.match.records import GameRecord, Position

_ID = re.compile("[0-9a-fA-F]{1,32}")  # of a match, or how it begins


def add_to(app: typer.Typer) -> None:
    """Adds the commands."""
    app.command("record", epilog=examples(f"arena record {MATCH} --legal > match.jsonl", note=OF_A_RUN))(record)
    app.command("replay", epilog=examples("arena replay match.jsonl --html match.html", note=OF_RECORD))(replay)


def record_of(spec: "MatchSpec", outcome: "Outcome", legal: bool) -> "GameRecord":
    """Returns the game record of a match."""
    from arena.match.records import make_record

    labels = [entrant.label for entrant in spec.lineup]
    return make_record(spec.conditions.game, spec.deal, labels, outcome, with_legal=legal)


def _stored_record(match_id: str, db: Path | None, legal: bool) -> "GameRecord":
    with open_store(db) as store:
        found = store.find_match(match_id)
    return record_of(found.spec, found.outcome, legal)


def read_source(source: str, db: Path | None) -> "GameRecord":
    """Returns the record of a file, or of a stored match by its id.

    Raises:
        BadRecord, StoreError, UnknownName: there is no such file or match, or it cannot be read.
    """
    from arena.match.records import read_record

    if not source:
        raise UsageError("'' names no match and no file; give an id, as `arena matches` shows them, or a record file")
    path = Path(source)
    try:
        is_file = path.exists()
    except PermissionError as error:
        why = f"the record cannot be read ({error.strerror}); check its folder's permissions"
        raise UsageError(f"{path}: {why}") from error
    except OSError:  # a name that no file can have
        is_file = False
    if is_file:
        return read_record(path)
    no_file = f"there is no file {source[:60]!r}"
    if not _ID.fullmatch(source):
        raise UnknownName(
            f"{no_file}, and that is no match id: up to 32 hex digits, as `arena matches` shows them."
            f"{_nearest_file(path)}"
        )
    if not database(db).exists():
        raise UnknownName(f"{no_file}, and no database {database(db)} in which a match could have that id")
    try:
        return _stored_record(source, db, legal=False)
    except UnknownName as error:
        raise UnknownName(f"{error}, and {no_file}") from error


def _nearest_file(path: Path) -> str:
    """Returns a hint at a file beside a missing one whose name is like it, or nothing."""
    from arena.core.options import nearest

    try:
        names = [each.name for each in path.parent.iterdir() if each.is_file()]
    except OSError:
        return ""
    return nearest(path.name, names)


def record(
    match_id: Annotated[str, typer.Argument(metavar="MATCH", help="A match's id, or how it begins.")],
    legal: Annotated[bool, typer.Option("--legal", help="Put all legal actions into the record.")] = False,
    db: Db = None,
) -> None:
    """Print the game record of a stored match."""
    from arena.match.records import encode_record

    if not _ID.fullmatch(match_id) and os.path.isfile(match_id):  # noqa: PTH113 - Path raises for a name too long
        raise UsageError(f"{match_id!r} is a file, and this prints stored matches; `arena replay` shows a record file")
    data(encode_record(_stored_record(match_id, db, legal)).decode())


def replay(
    source: Annotated[str, typer.Argument(metavar="MATCH|FILE", help="A stored match's id, or a record file.")],
    html: Annotated[Path | None, file_option("--html", "Write one self-contained page.", "OUT")] = None,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Step through a game record in the terminal, or write it as a page; every ply is checked against the rules."""
    from arena.match.records import replay as replay_record
    from leaderboards.report.names import safe_name

    path = Path(source)
    if html is not None and as_json:
        raise UsageError("--html writes a page and --json prints an object; give one of them")
    if html is not None:
        check_file("--html", html)
    game_record = read_source(source, db)
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
    write_file("--html", out, page.encode())
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
            key = input("> ").strip().lower() or "n"
        except EOFError:  # the end of the input says the same as q
            return
        if key == "q":
            return
        moves = {"n": place + 1, "p": place - 1, "f": 0, "l": len(frames) - 1}
        wanted = int(key) if key.isdecimal() and len(key) < 10 else moves.get(key, place)
        if wanted == len(frames) and key == "n":
            return
        place = max(0, min(len(frames) - 1, wanted))
