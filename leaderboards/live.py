"""A quick board of a run in progress, from counts alone."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from leaderboards.board import LiveRow
from leaderboards.ratings.order_free import TrueSkill
from leaderboards.ratings.outcomes import OutcomeGroup, Outcomes, from_table
from leaderboards.results import MatchRow, from_rows
from leaderboards.statistics.intervals import competition_ranks
from leaderboards.statistics.shares import seat_points


def live_standings(tallies: Mapping[tuple[tuple[str, ...], tuple[int, ...]], int]) -> list[LiveRow]:
    """Makes a quick board from counted outcomes, cheap enough for once a second.

    Args:
        tallies: how often each (labels by seat, ranks by seat) occurred; the caller counts as matches finish.

    Raises:
        BadRecord: if an outcome contradicts itself.
    """
    rows = [MatchRow(str(i), lineup, ranks) for i, (lineup, ranks) in enumerate(tallies)]
    table = from_rows("", rows)
    times = np.array(list(tallies.values()), np.int64)
    counted = _recount(from_table(table), times)
    skill = TrueSkill().fit_outcomes(counted).ratings.skill
    points = seat_points(table)
    match, seat = np.nonzero(table.lineups >= 0)
    entrants = table.lineups[match, seat]
    matches = np.bincount(entrants, times[match], table.num_entrants)
    total = np.bincount(entrants, points.points[match, seat] * times[match], table.num_entrants)
    share = total / np.maximum(matches, 1) / points.unit
    ranks = competition_ranks(skill)
    names = [info.label for info in table.entrants]
    order = sorted(range(len(names)), key=lambda i: (ranks[i], -share[i], names[i]))
    return [_row(int(ranks[i]), names[i], int(matches[i]), float(share[i]), float(skill[i])) for i in order]


def _row(rank: int, entrant: str, matches: int, share: float, skill: float) -> LiveRow:
    """Makes one row, rounded as on the board."""
    return LiveRow(rank, entrant, matches, round(share, 6), round(skill, 8))


def _recount(outcomes: Outcomes, times: NDArray[np.int64]) -> Outcomes:
    """Returns the outcomes with each match counted so many times."""
    counts = np.bincount(outcomes.of_match, times, outcomes.num_distinct).astype(np.float64)
    groups: list[OutcomeGroup] = []
    start = 0
    for group in outcomes.groups:
        stop = start + len(group.counts)
        groups.append(OutcomeGroup(group.players, group.ties, counts[start:stop]))
        start = stop
    return Outcomes(outcomes.num_entrants, tuple(groups), outcomes.of_match)
