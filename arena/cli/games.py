"""arena games: what there is, the rules, the view's schema, perft, conformance."""

from typing import Annotated, Any

import typer

from arena.cli.common import GameArgument, Json, Players, find_game, parse_seed
from arena.cli.examples import examples
from arena.cli.terminal import data, json_data, say, show
from arena.cli.values import whole, whole_option
from arena.errors import CheckFailed

games = typer.Typer(name="games", help="The games that can be played.", no_args_is_help=True)


def add_to(app: typer.Typer) -> None:
    """Adds the command group."""
    app.add_typer(games)


@games.command("list", epilog=examples("arena games list --json"))
def list_games(as_json: Json = False) -> None:
    """List the games with their seats and options."""
    import msgspec
    from rich.table import Table
    from rich.text import Text

    from arena.core.options import describe, option_text
    from arena.games import all_games

    registered = all_games().values()
    if as_json:
        rows = [
            {
                "name": game.name,
                "title": game.title,
                "aliases": list(game.aliases),
                "version": game.version,
                "players": list(game.seats),
                "options": msgspec.to_builtins(game.Options()),
            }
            for game in registered
        ]
        return json_data("games", games=rows)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for heading in ("game", "title", "short", "seats", "version", "options"):
        table.add_column(heading)
    for game in registered:
        seats = f"{game.seats.start}-{game.seats.stop - 1}" if len(game.seats) > 1 else str(game.seats.start)
        options = [
            f"{field.name}={option_text(field.default)} ({describe(field.type)})"
            for field in msgspec.structs.fields(game.Options)
        ]
        cells = (game.name, game.title, ", ".join(game.aliases), seats, game.version, "; ".join(options))
        table.add_row(*map(Text, cells))
    return show(table)


@games.command(epilog=examples("arena games rules ninjan"))
def rules(game: GameArgument, as_json: Json = False) -> None:
    """Print the rules page, as the engine plays them."""
    import sys

    found = find_game(game)[0]
    text = found.rules_text()
    if as_json:
        json_data("rules", game=found.name, version=found.version, markdown=text)
    elif sys.stdout.isatty():
        from rich.markdown import Markdown

        show(Markdown(text))
    else:
        data(text)


@games.command(epilog=examples("arena games schema ninjan --messages > ninjan.schema.json"))
def schema(
    game: GameArgument,
    messages: Annotated[
        bool,
        typer.Option("--messages", help="Print the schema of all messages of the line protocol, the view's in it."),
    ] = False,
) -> None:
    """Print the JSON Schema of the view that bots get in the line protocol."""
    import msgspec

    from arena.hosts import wire

    view_type = find_game(game)[0].view_type
    printed = wire.schema(view_type) if messages else view_type.schema()
    data(msgspec.json.format(msgspec.json.encode(printed), indent=2).decode())


@games.command(epilog=examples("arena games perft connect_four:opening=0 7"))
def perft(
    game: GameArgument,
    depth: Annotated[int, typer.Argument(metavar="DEPTH", parser=whole("DEPTH", 1, 40), help="Plies, up to 40.")],
    players: Players = None,
    seed: Annotated[str | None, typer.Option("--seed", help="The deal's seed; else 0.")] = None,
    as_json: Json = False,
) -> None:
    """Count the lines of 1, 2, ... DEPTH plies from a deal: the check on the rules that everyone can repeat."""
    from arena.cli.common import check_seats
    from arena.kernels.perft import perft_counts

    found, _, options = find_game(game)
    num_seats = found.seats.start if players is None else players
    check_seats(found, num_seats)
    deal = parse_seed(seed, 64) or 0
    counts = perft_counts(found, found.encode_options(options), num_seats, deal, depth)
    if as_json:
        return json_data("perft", game=found.name, players=num_seats, seed=f"{deal:016x}", counts=list(counts))
    for level, count in enumerate(counts, start=1):
        data(f"{level} {count}")
    return None


@games.command(epilog=examples("arena games check ninjan"))
def check(
    game: GameArgument,
    matches: Annotated[int, whole_option("-n", "Random matches a check and number of seats.", low=1)] = 20,
    as_json: Json = False,
) -> None:
    """Check that a game holds what every game must: `arena games check` and our own tests run the same list."""
    from arena.games.conformance import CHECKS, Subject

    found, _, options = find_game(game)
    checks: list[dict[str, Any]] = []
    for number, run_check in enumerate(CHECKS, start=1):
        problem = ""
        for seats in found.seats:
            for seed in range(matches):
                try:
                    run_check(Subject(found, seats, seed, options))
                except CheckFailed as error:
                    problem = problem or f"{seats} seats, seed {seed}: {error}"
        title = (run_check.__doc__ or "").strip().splitlines()[0]
        checks.append({"number": number, "check": title, "passed": not problem, "problem": problem or None})
        if not as_json:
            data(f"{number}. {'FAIL' if problem else 'ok  '} {title}{f' -- {problem}' if problem else ''}")
    num_failed = sum(not each["passed"] for each in checks)
    if as_json:
        json_data("check", game=found.name, version=found.version, passed=not num_failed, checks=checks)
    if num_failed:
        raise CheckFailed(f"{found.name} fails {num_failed} of {len(CHECKS)} checks")
    say(f"{found.name} passes all {len(CHECKS)} checks")
