"""Notes: numbers that a bot gives with an answer, to see them averaged beside its name (formats.md 2)."""

import math
from collections.abc import Mapping

MAX_NOTES = 32
"""Names in one note, and in all notes of a match."""
MAX_NOTE_NAME = 64
"""Letters of a name."""
LARGEST = 1e300
"""Of a number, up or down: so many can be summed up that no average is ever out of a float's range."""

Totals = dict[str, tuple[float, int]]
"""For each name the sum and the number of values."""


def checked_note(numbers: Mapping[str, float]) -> dict[str, float]:
    """Returns the numbers of one note as plain floats.

    Raises:
        ValueError: there are too many, a name is too long, or a value is no number up to LARGEST.
    """
    if len(numbers) > MAX_NOTES:
        raise ValueError(f"a note of {len(numbers)} numbers is too large; give at most {MAX_NOTES}")
    for name in numbers:
        _check_name(name)
    return {name: _plain_number(name, value) for name, value in numbers.items()}


def _check_name(name: str) -> None:
    if len(name) > MAX_NOTE_NAME:
        raise ValueError(f"a note's name of {len(name)} letters, {name[:20]!r}..., is too long; {MAX_NOTE_NAME} fit")
    try:
        name.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"a note's name, {name!a}, is not valid Unicode") from error


def _plain_number(name: str, value: float) -> float:
    try:
        number = float(value) if math.isfinite(value) else math.nan
    except (TypeError, ValueError, OverflowError):  # a text, an array, a number that no float can hold
        number = math.nan
    if math.isnan(number):
        raise ValueError(f"the note {name}={value!r:.40} is no finite number; give one")
    if abs(number) > LARGEST:
        raise ValueError(f"the note {name}={value!r:.40} is too large; give a number up to {LARGEST:g}")
    return number


def add_note(totals: Totals, note: Mapping[str, float]) -> None:
    """Adds the numbers of one answer to a match's totals; names beyond the first MAX_NOTES are left out."""
    for name, value in note.items():
        if name in totals or len(totals) < MAX_NOTES:
            _add(totals, name, value, 1)


def merge_notes(totals: Totals, more: Totals) -> None:
    """Adds the totals of another match."""
    for name, (value, count) in more.items():
        _add(totals, name, value, count)


def _add(totals: Totals, name: str, value: float, number: int) -> None:
    total, count = totals.get(name, (0.0, 0))
    totals[name] = (total + value, count + number)
