"""arena bench: the project's own speeds beside its peers'."""

import typer


def add_to(app: typer.Typer) -> None:
    """Adds the command."""
