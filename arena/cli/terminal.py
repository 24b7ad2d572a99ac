"""What commands print with: data to standard output, progress and messages to standard error."""

import os
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

PLAIN_WIDTH = 120  # columns when the output is no terminal and $COLUMNS says nothing


def use_utf8() -> None:
    """Makes both streams UTF-8 whatever the locale says; what cannot be encoded is replaced, never an error."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure: Any = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="replace")


def console(*, is_error: bool = False) -> "Console":
    """Returns a console for one of the streams; colour only on a terminal, and never with NO_COLOR."""
    from rich.console import Console

    stream = sys.stderr if is_error else sys.stdout
    width = None if stream.isatty() or os.environ.get("COLUMNS") else PLAIN_WIDTH
    return Console(file=stream, width=width, highlight=False, emoji=False, markup=False)


def show(renderable: "RenderableType") -> None:
    """Prints something drawn to standard output."""
    console().print(renderable)


def data(text: str) -> None:
    """Prints data to standard output, byte for byte."""
    sys.stdout.write(text if text.endswith("\n") else text + "\n")


def say(message: str) -> None:
    """Prints a message for people to standard error."""
    sys.stderr.write(f"arena: {message}\n")
    sys.stderr.flush()


def json_data(what: str, **fields: Any) -> None:
    """Prints one JSON object with its schema to standard output."""
    import msgspec

    data(msgspec.json.encode({"schema": f"arena/{what}/1", **fields}).decode())
