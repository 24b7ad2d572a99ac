"""Tables beside the board: head to head, seats, faults.

Shapes: N entrants; S rows of the seat table.
"""

from dataclasses import dataclass

import msgspec
import numpy as np
from numpy.typing import NDArray

from leaderboards.ratings.order_free import TrueSkill
from leaderboards.ratings.outcomes import from_table
from leaderboards.results import FAULT_CLASSES, ResultsTable
from leaderboards.statistics.intervals import share_intervals
from leaderboards.statistics.resampling import Resampling, deal_colours, resample
from leaderboards.statistics.shares import SeatPoints

# Up to so many cells are marked in a dense array, which is faster than sorting the occurrences.
_DENSE = 1 << 26


class SeatRow(msgspec.Struct, frozen=True):
    """How one seat fared, whoever sat there.

    Attributes:
        players: seats of the matches counted.
        seat: which of them, from 0.
        matches: how many.
        score_share: as for entrants; 0.5 where no seat has an advantage.
        score_share_interval: 95 %, deals resampled.
        win_share: share of first places, ties shared; 1 / players where no seat has an advantage.
    """

    players: int
    seat: int
    matches: int
    score_share: float
    score_share_interval: tuple[float, float]
    win_share: float


@dataclass(frozen=True, eq=False)
class HeadToHead:
    """Everyone against everyone; two who sat in one match of several seats met in it.

    Attributes:
        labels: [N].
        games: int64 [N, N] meetings.
        points: float64 [N, N]; points[i, j] is i's against j, a half for a tie: points + points.T = games.
        share: float64 [N, N] of points; 0.5 where they never met.
        low: float64 [N, N], lower ends of the intervals of shares, 95 %, deals resampled.
        high: float64 [N, N], upper ends.
    """

    labels: tuple[str, ...]
    games: NDArray[np.int64]
    points: NDArray[np.float64]
    share: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


def head_to_head(table: ResultsTable, *, seed: int = 0) -> HeadToHead:
    """Counts who beat whom."""
    n = table.num_entrants
    outcomes = from_table(table)
    fit = TrueSkill().fit_outcomes(outcomes, lambda colours: deal_colours(table, outcomes, colours))
    resampling = resample(table.deals, fit.canonical.places[outcomes.of_match], seed=seed)
    rows, cells, doubled = _meetings(table)
    points = np.bincount(cells, doubled, n * n).astype(np.float64)
    games = np.bincount(cells, minlength=n * n)
    replicates = resampling.totals(rows, cells, doubled, n * n), 2.0 * resampling.totals(rows, cells, None, n * n)
    numbers = np.empty(n, np.int64)
    numbers[fit.canonical.entrants] = fit.canonical.twins
    twins = (numbers[:, None] * n + numbers[None, :]).reshape(-1)
    deals = count_deals(table.deals[rows], cells, n * n)
    share, interval = share_intervals(points, (2 * games).astype(np.float64), replicates, deals, twins)
    return HeadToHead(
        tuple(info.label for info in table.entrants),
        games.reshape(n, n).astype(np.int64),
        points.reshape(n, n) / 2.0,
        share.reshape(n, n),
        interval[:, 0].reshape(n, n),
        interval[:, 1].reshape(n, n),
    )


def seat_table(table: ResultsTable, points: SeatPoints, resampling: Resampling) -> tuple[SeatRow, ...]:
    """Says how each seat fared, for each number of seats."""
    rows: list[SeatRow] = []
    for n in table.players:
        matches = np.flatnonzero(table.num_seats == n)
        where = np.repeat(matches, n)
        seats = np.tile(np.arange(n), len(matches))
        values = points.points[matches, :n].reshape(-1)
        games = np.full(n, float(len(matches) * points.unit))
        total = np.bincount(seats, values, n).astype(np.float64)
        replicates = (
            resampling.totals(where, seats, values, n),
            points.unit * resampling.totals(where, seats, None, n),
        )
        deals = np.full(n, len(np.unique(table.deals[matches])))
        share, interval = share_intervals(total, games, replicates, deals, np.arange(n))
        wins = points.first[matches, :n].sum(axis=0) / games
        for seat in range(n):
            low, high = (round(float(end), 6) for end in interval[seat])
            value = round(float(share[seat]), 6)
            rows.append(SeatRow(n, seat, len(matches), value, (low, high), round(float(wins[seat]), 6)))
    return tuple(rows)


def fault_counts(table: ResultsTable) -> NDArray[np.int64]:
    """Returns int64 [N, classes], how often each entrant was at fault; a fault is a match, lost."""
    hit = table.faults > 0
    cells = table.lineups[hit].astype(np.int64) * len(FAULT_CLASSES) + table.faults[hit] - 1
    size = table.num_entrants * len(FAULT_CLASSES)
    return np.bincount(cells, minlength=size).reshape(table.num_entrants, len(FAULT_CLASSES)).astype(np.int64)


def count_deals(deals: NDArray[np.int64], columns: NDArray[np.int64], num_columns: int) -> NDArray[np.int64]:
    """Returns int64 [C], on how many different deals something occurred in each column."""
    names, places = np.unique(deals, return_inverse=True)
    cells = places.reshape(-1).astype(np.int64) * num_columns + columns
    if len(names) * num_columns > _DENSE:
        return np.bincount(np.unique(cells) % num_columns, minlength=num_columns).astype(np.int64)
    seen = np.zeros(len(names) * num_columns, np.bool_)
    seen[cells] = True
    return np.asarray(seen.reshape(len(names), num_columns).sum(axis=0, dtype=np.int64))


def _meetings(table: ResultsTable) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Lists all ordered pairs that met: the match, the cell of [N, N], twice the points of the first; [X] each."""
    rows: list[NDArray[np.int64]] = [np.zeros(0, np.int64)]
    cells: list[NDArray[np.int64]] = [np.zeros(0, np.int64)]
    doubled: list[NDArray[np.int64]] = [np.zeros(0, np.int64)]
    for a in range(table.lineups.shape[1]):
        for b in range(table.lineups.shape[1]):
            if a != b:
                met = np.flatnonzero(table.num_seats > max(a, b))
                ranks = table.ranks[met].astype(np.int64)
                rows.append(met.astype(np.int64))
                cells.append(table.lineups[met, a].astype(np.int64) * table.num_entrants + table.lineups[met, b])
                doubled.append(1 + np.sign(ranks[:, b] - ranks[:, a]))
    return np.concatenate(rows), np.concatenate(cells), np.concatenate(doubled)
