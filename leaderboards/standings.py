"""The leaderboard: a fold over finished matches, the same in whatever order they come (formats.md, section 4)."""

import numpy as np
from numpy.typing import NDArray

from leaderboards.board import SCHEMA, Leaderboard, Row, encode
from leaderboards.live import live_standings
from leaderboards.ratings.components import components
from leaderboards.ratings.model import Model, Ratings
from leaderboards.ratings.order_free import Fit, TrueSkill
from leaderboards.ratings.outcomes import Outcomes, from_table
from leaderboards.ratings.registry import DEFAULT_MODEL, get_model
from leaderboards.results import FAULT_CLASSES, ResultsTable
from leaderboards.statistics.intervals import competition_ranks, pooled_quantiles, share_intervals
from leaderboards.statistics.replicates import resampled_skills
from leaderboards.statistics.resampling import NUM_REPLICATES, Resampling, deal_colours, resample
from leaderboards.statistics.shares import SeatPoints, seat_points
from leaderboards.statistics.tables import count_deals, fault_counts, seat_table

__all__ = ["encode", "live_standings", "standings"]

# Thinking times are summed in whole parts of a tenth of a microsecond, which is exact in any order.
_TICKS = 1e4


def standings(
    table: ResultsTable,
    *,
    model: Model | str = DEFAULT_MODEL,
    digest: str = "",
    seed: int = 0,
    num_replicates: int = NUM_REPLICATES,
) -> Leaderboard:
    """Makes the leaderboard of a table.

    Shuffling the table or renaming entrants changes no number. Rank intervals of every model come from resampling
    the order-free fit: its deviations are added to the model's own skills.

    Args:
        table: finished matches of whole blocks.
        model: a model or its name.
        digest: the digest of the results, passed on.
        seed: another seed draws other replicates from the same deals.
        num_replicates: of the resampling.

    Raises:
        UnknownName: if no model has the name.
    """
    chosen = get_model(model) if isinstance(model, str) else model
    outcomes = from_table(table)
    base = chosen if isinstance(chosen, TrueSkill) else TrueSkill()
    fit = base.fit_outcomes(outcomes, lambda colours: deal_colours(table, outcomes, colours))
    ratings = fit.ratings if isinstance(chosen, TrueSkill) else chosen.fit(table)
    contents = fit.canonical.places[outcomes.of_match]
    resampling = resample(table.deals, contents, seed=seed, num_replicates=num_replicates)
    points = seat_points(table)
    sample = _skill_sample(table, fit, ratings, resampling, contents)
    rows = _rows(table, fit, ratings, resampling, points, sample)
    return Leaderboard(
        SCHEMA,
        table.game,
        table.players,
        chosen.name,
        table.num_matches,
        table.num_blocks,
        digest,
        rows,
        list(seat_table(table, points, resampling)),
        _notes(table, outcomes, ratings, rows, resampling),
        ratings.draw_probability,
    )


def _skill_sample(
    table: ResultsTable, fit: Fit, ratings: Ratings, resampling: Resampling, contents: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Returns float64 [R, N] skills by the table's numbers in every replicate."""
    rows = np.arange(table.num_matches)
    num_outcomes = len(fit.canonical.places)
    sample = np.empty((len(resampling.weights), table.num_entrants))
    if num_outcomes:
        counts = resampling.totals(rows, contents, None, num_outcomes)
        sample[:, fit.canonical.entrants] = resampled_skills(fit, counts)
    else:
        sample[:] = fit.ratings.skill
    return np.asarray(np.round(sample + (ratings.skill - fit.ratings.skill), 8))


def _twins(fit: Fit) -> NDArray[np.int64]:
    """Returns the classes of interchangeable entrants by the table's numbers."""
    twins = np.empty_like(fit.canonical.twins)
    twins[fit.canonical.entrants] = fit.canonical.twins
    return twins


def _rows(
    table: ResultsTable,
    fit: Fit,
    ratings: Ratings,
    resampling: Resampling,
    points: SeatPoints,
    sample: NDArray[np.float64],
) -> list[Row]:
    """Makes the rows, best first; among equal skills by share, then by label."""
    n = table.num_entrants
    twins = _twins(fit)
    ranks = competition_ranks(ratings.skill)
    rank_interval = _rank_intervals(ranks, sample, twins, resampling)
    matches, share, share_interval = _shares(table, points, resampling, twins)
    faults = fault_counts(table)
    think = _think_ms(table)
    names = [info.label for info in table.entrants]
    order = sorted(range(n), key=lambda i: (ranks[i], -share[i], names[i]))
    groups = _groups(order, rank_interval)
    rows: list[Row] = []
    for i in order:
        info = table.entrants[i]
        rows.append(
            Row(
                int(ranks[i]),
                (int(rank_interval[i, 0]), int(rank_interval[i, 1])),
                groups[i],
                info.bot,
                info.version,
                info.options,
                info.label,
                round(float(ratings.skill[i]), 8),
                float(ratings.mu[i]),
                float(ratings.sigma[i]),
                int(matches[i]),
                round(float(share[i]), 6),
                (round(float(share_interval[i, 0]), 6), round(float(share_interval[i, 1]), 6)),
                {name: int(count) for name, count in zip(FAULT_CLASSES, faults[i], strict=True)},
                None if np.isnan(think[i]) else round(float(think[i]), 4),
                _note(int(matches[i]), float(share[i])),
            )
        )
    return rows


def _note(matches: int, share: float) -> str:
    """Flags results that say little of how good an entrant is."""
    if not matches:
        return "no matches"
    return {1.0: "all won", 0.0: "all lost"}.get(share, "")


def _rank_intervals(
    ranks: NDArray[np.int64], sample: NDArray[np.float64], twins: NDArray[np.int64], resampling: Resampling
) -> NDArray[np.int64]:
    """Returns int64 [N, 2] intervals that hold the rank; everything, where there is nothing to resample."""
    n = len(ranks)
    if not resampling.can_tell:
        return np.tile(np.array([1, max(n, 1)]), (n, 1))
    interval = pooled_quantiles(competition_ranks(sample).astype(np.float64), twins)
    low, high = np.minimum(interval[:, 0], ranks), np.maximum(interval[:, 1], ranks)
    return np.stack([low, high], axis=1).astype(np.int64)


def _groups(order: list[int], rank_interval: NDArray[np.int64]) -> dict[int, int]:
    """Numbers the groups, best first: a new one begins where the rank intervals above all end before those below."""
    groups: dict[int, int] = {}
    lowest_below = np.minimum.accumulate(rank_interval[order[::-1], 0])[::-1]
    number, highest_above = 1, 0
    for i, lowest in zip(order, lowest_below, strict=True):
        number += bool(groups) and highest_above < lowest
        groups[i] = int(number)
        highest_above = max(highest_above, int(rank_interval[i, 1]))
    return groups


def _shares(
    table: ResultsTable, points: SeatPoints, resampling: Resampling, twins: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """Returns matches [N], score shares [N] and their intervals [N, 2]."""
    n = table.num_entrants
    rows, seats = np.nonzero(table.lineups >= 0)
    entrants = table.lineups[rows, seats].astype(np.int64)
    values = points.points[rows, seats]
    matches = np.bincount(entrants, minlength=n)
    total = np.bincount(entrants, values, n).astype(np.float64)
    games = (matches * points.unit).astype(np.float64)
    replicates = (
        resampling.totals(rows, entrants, values, n),
        points.unit * resampling.totals(rows, entrants, None, n),
    )
    deals = count_deals(table.deals[rows], entrants, n)
    share, interval = share_intervals(total, games, replicates, deals, twins)
    return matches.astype(np.int64), share, interval


def _think_ms(table: ResultsTable) -> NDArray[np.float64]:
    """Returns float64 [N] mean thinking times, nan where none is known."""
    known = (table.lineups >= 0) & np.isfinite(table.think_ms)
    entrants = table.lineups[known]
    ticks = np.bincount(entrants, np.rint(table.think_ms[known] * _TICKS), table.num_entrants)
    count = np.bincount(entrants, minlength=table.num_entrants)
    return np.where(count > 0, ticks / np.maximum(count, 1) / _TICKS, np.nan)


def _notes(
    table: ResultsTable, outcomes: Outcomes, ratings: Ratings, rows: list[Row], resampling: Resampling
) -> list[str]:
    """Says in sentences what the numbers alone would hide."""
    notes = list(table.notes)
    joined = components(table.num_entrants, [group.players for group in outcomes.groups])
    groups: dict[int, list[str]] = {}
    place = {info.label: i for i, info in enumerate(table.entrants)}
    for row in rows:
        if row.matches:
            groups.setdefault(int(joined[place[row.entrant]]), []).append(row.entrant)
    if len(groups) > 1:
        listed = " | ".join(", ".join(members) for members in groups.values())
        notes.append(f"these groups never met, so ranks between them mean nothing: {listed}")
    for flag, meaning in (("all won", "no upper bound"), ("all lost", "no lower bound")):
        flagged = [row.entrant for row in rows if row.note == flag]
        if flagged:
            notes.append(f"{flag}, so the results give {meaning} and the prior decides: {', '.join(flagged)}")
    if rows and not resampling.can_tell:
        notes.append("fewer than two deals: the results cannot tell anyone apart")
    if not ratings.converged:
        notes.append(f"the ratings did not come to rest in {ratings.iterations} steps")
    return notes
