"""arena bots: the bots that can be named in a run."""

from pathlib import Path
from typing import Any

import typer

from arena.cli import bot_entry, bot_logs
from arena.cli.common import Db, Json, database, open_store
from arena.cli.examples import MATCH, OF_A_RUN, PLAYED_ROOK, ROOK, ROOK_HERE, examples
from arena.cli.terminal import harmless, json_data, show

bots = typer.Typer(name="bots", help="The bots that can play.", no_args_is_help=True)


def add_to(app: typer.Typer) -> None:
    """Adds the command group."""
    for function, example, note in (
        (bot_entry.new, "arena bots new rook --game ninjan", ""),
        (bot_entry.check, "arena bots check rook", ROOK_HERE),
        (bot_entry.submit, "arena bots submit rook", ROOK_HERE),
        (bot_logs.show, "arena bots show rook", ROOK),
        (bot_logs.log, "arena bots log rook", PLAYED_ROOK),
        (bot_logs.repro, f"arena bots repro {MATCH}", OF_A_RUN),
        (bot_entry.retire, "arena bots retire rook", ROOK),
    ):
        bots.command(function.__name__, epilog=examples(example, note=note))(function)
    app.add_typer(bots)


@bots.command("list", epilog=examples("arena bots list --json"))
def list_all(db: Db = None, as_json: Json = False) -> None:
    """List the bots with their versions and options."""
    import msgspec
    from rich.table import Table
    from rich.text import Text

    from arena.core.options import describe, option_text
    from arena.core.spec import short_version
    from arena.hosts.roster import list_bots, load_bot

    submitted = _submitted(db)
    found = [(listing, load_bot(listing.name)) for listing in list_bots()]
    if as_json:
        rows: list[dict[str, Any]] = [
            {
                "name": listing.name,
                "version": kind.version,
                "source": listing.source,
                "games": list(kind.games),
                "options": msgspec.to_builtins(kind.Options()),
            }
            for listing, kind in found
        ]
        return json_data("bots", bots=rows + submitted)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for heading in ("bot", "version", "from", "what it does", "options"):
        table.add_column(heading)
    for listing, kind in found:
        options = [
            f"{field.name}={option_text(field.default)} ({describe(field.type)})"
            for field in msgspec.structs.fields(kind.Options)
        ]
        summary = (kind.__doc__ or "").strip().splitlines()[0] if kind.__doc__ else ""
        table.add_row(*map(Text, (listing.name, kind.version, listing.source, summary, "\n".join(options))))
    for each in submitted:
        plays = f"plays {', '.join(each['games']) or 'all games'}"
        cells = (harmless(each["name"]), short_version(each["version"]), each["source"], plays, "")
        table.add_row(*map(Text, cells))
    return show(table)


def _submitted(db: Path | None) -> list[dict[str, Any]]:
    """Returns the submitted bots that can be named in new runs, in the version that their name means."""
    if not database(db).exists():
        return []
    rows: dict[str, dict[str, Any]] = {}
    with open_store(db) as store:
        for each in store.submissions.all():
            if each.retired is None and each.name not in rows:
                games = list(each.manifest.games)
                row = {"name": each.name, "version": each.version, "source": "submitted", "games": games, "options": {}}
                rows[each.name] = row
    return list(rows.values())
