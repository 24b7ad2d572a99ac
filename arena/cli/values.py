"""Options that are numbers or files: each is read as typed, or refused in one line that says what would do."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import typer

from arena.errors import UsageError


def whole_option(name: str, about: str, *, low: int | None = None, high: int | None = None, metavar: str = "N") -> Any:
    """Returns an option that is a whole number within bounds."""
    return typer.Option(name, metavar=metavar, parser=whole(name, low, high), help=about)


def seconds_option(name: str, about: str) -> Any:
    """Returns an option that is a time; which times can be is `check_seconds`' affair."""
    return typer.Option(name, metavar="S", parser=_seconds(name), help=about)


def file_option(name: str, about: str, metavar: str = "FILE") -> Any:
    """Returns an option that names a file or folder."""
    return typer.Option(name, metavar=metavar, parser=path(name), help=about)


def whole(name: str, low: int | None = None, high: int | None = None) -> Callable[[str], int]:
    """Returns what reads a whole number within bounds, and raises UsageError for a text that is none."""
    bounds = [f"from {low}"] if low is not None else []
    bounds += [f"up to {high:,}"] if high is not None else []
    expected = " ".join(["give a whole number", *bounds]) if bounds else f"give one, as in {name} 2"

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            raise UsageError(f"{name} {text!r} is no whole number; {expected}") from None
        if (low is not None and number < low) or (high is not None and number > high):
            raise UsageError(f"{name} {number} is out of range; {expected}")
        return number

    return read


def _seconds(name: str) -> Callable[[str], float]:
    def read(text: str) -> float:
        try:
            return float(text)
        except ValueError:
            raise UsageError(f"{name} {text!r} is no number; give seconds, as in {name} 1.5") from None

    return read


def path(name: str) -> Callable[[str], Path]:
    """Returns what reads a path, and raises UsageError for the empty text of a shell variable that is not set.

    It would be taken for the working directory.
    """

    def read(text: str) -> Path:
        if not text:
            raise UsageError(f"{name} '' names nothing; give a file or folder")
        return Path(text)

    return read
