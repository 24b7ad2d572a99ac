"""Score shares: what part of the seats around it an entrant beat.

The share of one seat in one match is (seats beaten + half of the seats tied with) / (seats - 1), so 0.5 is average
whatever the number of seats. Sums are kept in whole units of 1 / `unit`, which floating point adds exactly in any
order.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from leaderboards.results import ResultsTable


@dataclass(frozen=True, eq=False)
class SeatPoints:
    """The points of every seat of every match, in whole units.

    Attributes:
        points: int64 [M, K]; 0 for padding.
        first: int64 [M, K]; a part of the first place, shared by all who tie for it.
        unit: how many units are a share of 1.
    """

    points: NDArray[np.int64]
    first: NDArray[np.int64]
    unit: int


def seat_points(table: ResultsTable) -> SeatPoints:
    """Computes the points of every seat."""
    sizes = table.players
    unit = 2 * int(np.lcm.reduce([s for n in sizes for s in range(1, n + 1)] or [1]))
    points = np.zeros(table.ranks.shape, np.int64)
    first = np.zeros(table.ranks.shape, np.int64)
    for n in sizes:
        rows = table.num_seats == n
        ranks = table.ranks[rows, :n]
        doubled = np.zeros(ranks.shape, np.int64)
        for other in range(n):
            beaten = ranks < ranks[:, other, None]
            tied = ranks == ranks[:, other, None]
            doubled += 2 * beaten + tied
        # Everyone ties with itself, which is not meant.
        points[rows, :n] = (doubled - 1) * (unit // (2 * (n - 1)))
        best = ranks == ranks.min(axis=1, keepdims=True)
        first[rows, :n] = best * (unit // best.sum(axis=1, keepdims=True))
    return SeatPoints(points, first, unit)
