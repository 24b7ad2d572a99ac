"""Distinct outcomes: what is left of a log when order, seats, names and repetition are taken away.

Shapes: N entrants; for each number n of seats D distinct outcomes. Within an outcome the entrants stand from first to
last place, tied ones by their number.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from leaderboards.results import ResultsTable

# Up to so many possible outcomes are counted in a dense array, which is faster than sorting the matches.
_DENSE = 1 << 22


@dataclass(frozen=True, eq=False)
class OutcomeGroup:
    """The distinct outcomes of matches with n seats.

    Attributes:
        players: int32 [D, n] entrants from first to last place.
        ties: bool [D, n - 1]; whether place k ties with place k + 1.
        counts: float64 [D], how often each occurred.
    """

    players: NDArray[np.int32]
    ties: NDArray[np.bool_]
    counts: NDArray[np.float64]

    @property
    def num_seats(self) -> int:
        """The number n of seats."""
        return int(self.players.shape[1])


@dataclass(frozen=True, eq=False)
class Outcomes:
    """All distinct outcomes of a log.

    Attributes:
        num_entrants: N.
        groups: one a number of seats, ascending.
        of_match: int64 [M] for each match the place of its outcome, counted through all groups.
    """

    num_entrants: int
    groups: tuple[OutcomeGroup, ...]
    of_match: NDArray[np.int64]

    @property
    def num_distinct(self) -> int:
        """The number of distinct outcomes, which is what a fit costs."""
        return sum(len(group.counts) for group in self.groups)


def from_table(table: ResultsTable) -> Outcomes:
    """Counts the distinct outcomes of a table, M up to millions, in time linear in M."""
    of_match = np.zeros(table.num_matches, np.int64)
    groups: list[OutcomeGroup] = []
    start = 0
    seats = table.players
    for n in seats:
        rows: slice | NDArray[np.bool_] = slice(None) if len(seats) == 1 else table.num_seats == n
        group, places = _count(table.lineups[rows, :n], table.ranks[rows, :n], max(table.num_entrants, 1))
        of_match[rows] = places + start
        groups.append(group)
        start += len(group.counts)
    return Outcomes(table.num_entrants, tuple(groups), of_match)


def _count(
    lineups: NDArray[np.int32], ranks: NDArray[np.int8], num_entrants: int
) -> tuple[OutcomeGroup, NDArray[np.int64]]:
    """Counts the distinct outcomes among matches of one number of seats, and says which each match had."""
    n = lineups.shape[1]
    places = np.sort(ranks.astype(np.int64) * num_entrants + lineups, axis=1)
    ordered = places // num_entrants
    players = places - ordered * num_entrants
    ties = ordered[:, 1:] == ordered[:, :-1]
    width = num_entrants**n * 2 ** (n - 1)
    if width >= 1 << 62:
        table = np.concatenate([players, ties.astype(np.int64)], axis=1)
        distinct, inverse, counts = np.unique(table, axis=0, return_inverse=True, return_counts=True)
        return _group(distinct[:, :n], distinct[:, n:] != 0, counts), inverse.reshape(-1).astype(np.int64)
    keys = np.zeros(len(players), np.int64)
    for k in range(n):
        keys = keys * num_entrants + players[:, k]
    for k in range(n - 1):
        keys = keys * 2 + ties[:, k]
    codes, inverse, counts = _distinct(keys, width)
    flags = np.empty((len(codes), n - 1), np.bool_)
    names = np.empty((len(codes), n), np.int64)
    for k in range(n - 2, -1, -1):
        codes, flags[:, k] = np.divmod(codes, 2)
    for k in range(n - 1, -1, -1):
        codes, names[:, k] = np.divmod(codes, num_entrants)
    return _group(names, flags, counts), inverse


def _distinct(keys: NDArray[np.int64], width: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Returns the distinct keys ascending, the place of each key among them, and how often each occurs."""
    if width > _DENSE:
        codes, inverse, counts = np.unique(keys, return_inverse=True, return_counts=True)
        return codes, inverse.reshape(-1).astype(np.int64), counts.astype(np.int64)
    totals = np.bincount(keys, minlength=width)
    codes = np.flatnonzero(totals)
    places = np.zeros(width, np.int64)
    places[codes] = np.arange(len(codes))
    return codes, places[keys], totals[codes]


def _group(players: NDArray[np.int64], ties: NDArray[np.bool_], counts: NDArray[np.int64]) -> OutcomeGroup:
    """Packs one group."""
    return OutcomeGroup(players.astype(np.int32), ties, counts.astype(np.float64))
