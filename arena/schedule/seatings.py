"""Seatings: who sits where within a block, so that seats and neighbours are shared out evenly (design.md, rule 2)."""

from collections.abc import Sequence
from functools import cache
from itertools import permutations
from typing import TypeVar

T = TypeVar("T")


def _williams(size: int) -> tuple[tuple[int, ...], ...]:
    """Returns a Williams design: everyone sits everywhere equally often and follows everyone equally often.

    `size` seatings for an even size, twice as many for an odd one, where the mirror image of each is needed, too.
    Source: E. J. Williams, "Experimental designs balanced for the estimation of residual effects of treatments",
    Australian Journal of Scientific Research A 2 (1949).
    """
    zigzag = [0]
    for step in range(1, size):
        zigzag.append((zigzag[-1] + (step if step % 2 else -step)) % size)
    rows = [tuple((place + shift) % size for place in zigzag) for shift in range(size)]
    if size % 2:
        rows += [row[::-1] for row in rows]
    return tuple(rows)


@cache
def seatings(size: int) -> tuple[tuple[int, ...], ...]:
    """Returns the seatings of a block of `size` entrants, each a tuple of entrant numbers by seat.

    Every permutation for 2 and 3 seats (2 and 6 seatings), a Williams design for 4 and 5 (4 and 10).
    """
    return tuple(permutations(range(size))) if size <= 3 else _williams(size)


def seat(members: Sequence[T]) -> list[tuple[T, ...]]:
    """Returns the line-ups of a block: its members in each seating."""
    return [tuple(members[number] for number in row) for row in seatings(len(members))]
