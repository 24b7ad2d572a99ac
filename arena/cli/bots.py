"""arena bots: the bots that can be named in a run."""

from typing import Any

import typer

from arena.cli.common import Json
from arena.cli.terminal import json_data, show

bots = typer.Typer(name="bots", help="The bots that can play.", no_args_is_help=True)


def add_to(app: typer.Typer) -> None:
    """Adds the command group."""
    app.add_typer(bots)


@bots.command("list", epilog="Example: arena bots list --json")
def list_all(as_json: Json = False) -> None:
    """List the bots with their versions and options."""
    import msgspec
    from rich.table import Table
    from rich.text import Text

    from arena.core.options import describe, option_text
    from arena.hosts.roster import list_bots, load_bot

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
        return json_data("bots", bots=rows)
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
    return show(table)
