"""arena leaderboard: the board of a game or a run."""

from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.common import Db, Json, complete_game, complete_run, open_store
from arena.cli.examples import examples
from arena.cli.terminal import data, show
from arena.errors import UsageError

if TYPE_CHECKING:
    from arena.store.store import Store
    from leaderboards.board import Leaderboard


def add_to(app: typer.Typer) -> None:
    """Adds the command."""
    board_examples = examples("arena leaderboard ninjan", "arena leaderboard --run ninjan --json")
    app.command("leaderboard", epilog=board_examples)(leaderboard)


def leaderboard(
    game: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", help="All results of a game.", autocompletion=complete_game),
    ] = None,
    run: Annotated[
        str | None, typer.Option("--run", help="The results of one run; else the last.", autocompletion=complete_run)
    ] = None,
    rating: Annotated[str, typer.Option("--rating", help="trueskill (order-free) or trueskill-online.")] = "trueskill",
    db: Db = None,
    as_json: Json = False,
    csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print a Markdown table.")] = False,
) -> None:
    """Print the board: rank interval, bot, skill (mu - 3 sigma), mu, sigma, matches, score, faults, and groups."""
    from leaderboards.pooling import game_board

    if as_json + csv + markdown > 1:
        raise UsageError("--json, --csv and --markdown exclude one another; give one of them")
    with open_store(db) as store:
        if game is not None and run is None:
            board = game_board(store, _canonical(game), rating)
        else:
            board = run_board(store, run, rating)
    if game is not None and board.game != _canonical(game):
        raise UsageError(f"run {run!r} is of {board.game}, not {game}; leave GAME out or name another run")
    print_board(board, "json" if as_json else "csv" if csv else "markdown" if markdown else "text")


def _canonical(game: str) -> str:
    from arena.games import load_game

    return load_game(game).name


def run_board(store: "Store", run: str | None, rating: str = "trueskill") -> "Leaderboard":
    """Returns the board of one run, the last where none is named."""
    from leaderboards.from_store import load_run
    from leaderboards.standings import standings

    table, digest = load_run(store, store.get_run(run))
    return standings(table, model=rating, digest=digest)


def print_run_board(store: "Store", run: str, *, as_json: bool) -> None:
    """Prints the board of one run."""
    print_board(run_board(store, run), "json" if as_json else "text")


def print_board(board: "Leaderboard", form: str) -> None:
    """Prints a board as text, json, csv or markdown."""
    if form == "text":
        from leaderboards.report.text import BoardText

        show(BoardText(board))
        return
    from leaderboards.report.data import to_csv, to_json, to_markdown

    data({"json": to_json, "csv": to_csv, "markdown": to_markdown}[form](board))
