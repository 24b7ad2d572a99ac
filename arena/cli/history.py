"""arena matches: the matches behind a number."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.common import Db, Json, complete_bot, open_store
from arena.cli.examples import PLAYED_ROOK, examples
from arena.cli.terminal import json_data, show
from arena.cli.values import whole_option
from arena.core.spec import unique_labels

if TYPE_CHECKING:
    from arena.store.store import Store, StoredMatch


def add_to(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("matches", epilog=examples("arena matches --bot rook --faults", note=PLAYED_ROOK))(matches)


def matches(
    bot: Annotated[
        str | None,
        typer.Option("--bot", metavar="BOT", help="Only where this bot played.", autocompletion=complete_bot),
    ] = None,
    faults: Annotated[bool, typer.Option("--faults", help="Only where a bot, or this one, failed.")] = False,
    limit: Annotated[int, whole_option("--limit", "At most so many, the newest first.", low=1)] = 20,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """List stored matches, the newest first."""
    from arena.cli.entrants import stored_entrants

    with open_store(db) as store:
        rows = None if bot is None else set(stored_entrants(store, bot))
        found = store.newest_matches(rows, limit, with_faults=faults)
        labels = unique_labels(store.entrants().values())
        described = [_describe(store, each, labels) for each in found]
    if as_json:
        return json_data("matches", matches=described)
    return _print(described)


def _describe(store: "Store", found: "StoredMatch", labels: dict[bytes, str]) -> dict[str, Any]:
    outcome = found.outcome
    levels = store.accounts.levels_of_match(outcome.match)
    seats = range(len(found.lineup))
    return {
        "match": outcome.match,
        "game": found.conditions.game.name,
        "players": found.conditions.players,
        "deal": found.deal_number,
        "bots": [labels[entrant.key] for entrant in found.lineup],
        "scores": list(outcome.scores),
        "ranks": list(outcome.ranks),
        "faults": [f and {"kind": f.kind, "ply": f.ply, "detail": f.detail} for f in outcome.faults],
        "sandbox": [levels.get(seat) for seat in seats],
        "plies": len(outcome.action_list),
    }


def _print(described: list[dict[str, Any]]) -> None:
    from rich.table import Table
    from rich.text import Text

    from leaderboards.report.names import safe_name

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for heading in ("match", "game", "deal", "bots by seat: rank, score", "faults"):
        table.add_column(heading, no_wrap=heading == "match")
    for each in described:
        bots = [f"{r}. {b} {s}" for b, r, s in zip(each["bots"], each["ranks"], each["scores"], strict=True)]
        faults = [
            f"{bot}: {fault['kind']} at ply {fault['ply']}: {fault['detail']}"
            for bot, fault in zip(each["bots"], each["faults"], strict=True)
            if fault
        ]
        cells = (each["match"][:12], each["game"], str(each["deal"]), ", ".join(bots), "; ".join(faults) or "-")
        table.add_row(*(Text(safe_name(cell)) for cell in cells))
    show(table)
