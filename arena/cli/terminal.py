"""What commands print with: data to standard output, progress and messages to standard error."""

import contextlib
import os
import sys
import unicodedata
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

# Control and format characters, lone surrogates, line and paragraph separators.
_HARMFUL = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
PLAIN_WIDTH = 120  # columns when the output is no terminal and $COLUMNS says nothing


def use_utf8() -> None:
    """Makes both streams UTF-8 whatever the locale says; what cannot be encoded is replaced, never an error."""
    # A stream that was closed before we began (`arena ... >&-`) is None, and nothing can be written to that.
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: PTH123, SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: PTH123, SIM115
    for stream in (sys.stdout, sys.stderr):
        reconfigure: Any = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="replace")


def console(*, is_error: bool = False) -> "Console":
    """Returns a console for one of the streams; colour only on a terminal, and never with NO_COLOR."""
    from rich.console import Console

    class OurConsole(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # rich would exit with 1; main knows what a closed pipe means

    stream = sys.stderr if is_error else sys.stdout
    width = None if stream.isatty() or os.environ.get("COLUMNS") else PLAIN_WIDTH
    return OurConsole(file=stream, width=width, highlight=False, emoji=False, markup=False)


def show(renderable: "RenderableType") -> None:
    """Prints something drawn to standard output."""
    console().print(renderable)


def data(text: str) -> None:
    """Prints data to standard output, byte for byte."""
    sys.stdout.write(text if text.endswith("\n") else text + "\n")


def harmless(text: str) -> str:
    """Returns a text on one line that nothing in it can break or colour."""
    return "".join("\N{REPLACEMENT CHARACTER}" if unicodedata.category(c) in _HARMFUL else c for c in text)


def say(message: str) -> None:
    """Prints a message for people to standard error, on one line that no name in it can break or colour."""
    # Who has closed standard error wants no messages; that is no reason to stop.
    with contextlib.suppress(BrokenPipeError):
        sys.stderr.write(f"arena: {harmless(message)}\n")
        sys.stderr.flush()


def json_data(what: str, **fields: Any) -> None:
    """Prints one JSON object with its schema to standard output."""
    import msgspec

    data(msgspec.json.encode({"schema": f"arena/{what}/1", **fields}).decode())
