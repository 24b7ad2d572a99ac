"""arena analyse: what search thinks of a position of a match."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.common import Db, Json
from arena.cli.examples import OF_RECORD, examples
from arena.cli.records import read_source
from arena.cli.terminal import data, json_data, show
from arena.cli.values import whole_option
from arena.errors import UsageError

if TYPE_CHECKING:
    from arena.core.view import View
    from arena.match.records import GameRecord
    from arena.search.analysis import Analysis

MOST_ROWS = 20
SIMULATIONS = 10_000
GUESSED = "?"  # no notation of ours ends so
LEGEND = (
    f"{GUESSED} behind a ply: it can be played only as hidden cards, draws or dice were guessed; "
    "what follows stands on that"
)


def add_to(app: typer.Typer) -> None:
    """Adds the command."""
    example = "arena analyse match.jsonl --ply 4 --simulations 20000"
    app.command("analyse", epilog=examples(example, note=OF_RECORD))(analyse)


def analyse(
    source: Annotated[str, typer.Argument(metavar="MATCH|FILE", help="A stored match's id, or a record file.")],
    ply: Annotated[int, whole_option("--ply", "The decision to look at, from 0.", low=0, metavar="K")],
    simulations: Annotated[
        int, whole_option("--simulations", "Simulations of the search.", low=1, high=10_000_000)
    ] = SIMULATIONS,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Show visits, value and interval of each action at a ply, the line that search expects, and its settings.

    A value is the share of points that the seat to act can expect. The line is played on in one world that agrees with
    what that seat sees, each ply searched with a quarter of the simulations. A ply of it with ? behind can be played
    only as hidden cards, draws or dice were guessed for that world, and what follows stands on that guess.
    """
    from arena.search.analysis import analyse as search
    from arena.search.searcher import SearchSettings

    game_record = read_source(source, db)
    view, played = _view_at(game_record, Path(source), ply)
    found = search(view, SearchSettings.tuned_for(view.game, simulations=simulations), 0)
    if as_json:
        import msgspec

        return json_data("analysis", ply=ply, played=played, **msgspec.to_builtins(found))
    data(f"ply {ply}, seat {found.seat}: played {played}, search prefers {found.actions[0].action}")
    data(_settings_line(found, view.game.name))
    return print_analysis(found, MOST_ROWS)


def _view_at(game_record: "GameRecord", path: Path, ply: int) -> "tuple[View, str]":
    """Returns the view of the seat that decides a ply, and what it played.

    Raises:
        UsageError: the match has no such ply.
        BadRecord: the record contradicts the rules.
    """
    from arena.match.records import replay
    from arena.search.analysis import view_of

    plies = game_record.plies
    if ply >= len(plies):
        raise UsageError(f"--ply {ply}: the match has plies 0 to {len(plies) - 1}")
    # The whole record is replayed: one that is wrong later on is not to be trusted here.
    views = [
        view_of(position.simulation, plies[ply].seat, ply) if number == ply else None
        for number, position in enumerate(replay(game_record, path))
    ]
    view = views[ply]
    assert view is not None  # a replay yields a position before every ply
    return view, plies[ply].action


def _settings_line(found: "Analysis", game: str) -> str:
    """Returns what was searched with, as options of a bot are typed, and which of it is the game's own."""
    from arena.core.options import option_text

    left_out = {"time_s", "tree_reuse"}  # they mean nothing to one search of so many simulations
    if found.settings.determinizations == "ismcts":
        left_out.add("worlds")
    shown = [f"{key}={option_text(value)}" for key, value in vars(found.settings).items() if key not in left_out]
    own = f"; tuned for {game}: {', '.join(found.tuned)}" if found.tuned else ""
    return f"settings: {', '.join(shown)}{own}"


def print_analysis(found: "Analysis", most_rows: int) -> None:
    """Prints an analysis for people."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for heading in ("action", "visits", "share", "value", "95 %"):
        table.add_column(heading, justify="left" if heading == "action" else "right", overflow="fold")
    for row in found.actions[:most_rows]:
        low, high = row.interval
        share = row.visits / max(found.simulations, 1)
        value = "-" if row.value is None else f"{row.value:.3f}"
        bounds = f"proven {row.proven}" if row.proven else f"{low:.3f}-{high:.3f}"
        table.add_row(*map(Text, (row.action, str(row.visits), f"{share:.1%}", value, bounds)))
    show(table)
    if len(found.actions) > most_rows:
        data(f"... and {len(found.actions) - most_rows} more actions")
    line = [name + GUESSED if is_guessed else name for name, is_guessed in zip(found.line, found.guessed, strict=True)]
    data(f"expected line: {' '.join(line)}")
    if any(found.guessed):
        data(LEGEND)
