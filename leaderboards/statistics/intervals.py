"""Intervals from replicates, 95 % everywhere.

Shapes: R replicates, C quantities.
"""

import numpy as np
from numpy.typing import NDArray

_LOW, _HIGH = 0.025, 0.975
# Square of the 97.5 % quantile of the normal distribution.
_Z2 = 3.8414588
_NO_SPREAD = 1e-12  # shares that differ by less are the same but for rounding


def share_intervals(
    points: NDArray[np.float64],
    games: NDArray[np.float64],
    replicates: tuple[NDArray[np.float64], NDArray[np.float64]],
    num_clusters: NDArray[np.int64],
    twins: NDArray[np.int64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Returns shares and their intervals.

    A share may be the same on every deal: all won, all lost, or all won against one and lost against another. Then it
    is the same in every replicate, too. That is not certainty, so its interval is Wilson's (1927) with the deals as
    trials. The point is inside its interval always.

    Args:
        points: float64 [C].
        games: float64 [C]; where it is 0 the share is 0.5 and the interval everything.
        replicates: float64 [R, C] each, the same two quantities in every replicate.
        num_clusters: int64 [C] deals that each share comes from.
        twins: int64 [C]; quantities of one class are equal but for their names and pool their replicates.

    Returns:
        float64 [C] shares and float64 [C, 2] intervals.
    """
    played = games > 0
    share = np.where(played, points / np.maximum(games, 1.0), 0.5)
    sample = np.where(replicates[1] > 0, replicates[0] / np.maximum(replicates[1], 1.0), np.nan)
    interval = pooled_quantiles(sample, twins)
    interval = np.where(np.isnan(interval), share[:, None], interval)
    flat = played & (interval[:, 1] - interval[:, 0] <= _NO_SPREAD)
    interval[flat] = _wilson(share[flat], np.maximum(num_clusters[flat], 1))
    certain = flat & ((share == 0.0) | (share == 1.0))
    interval[(num_clusters < 2) & ~certain] = (0.0, 1.0)
    return share, np.stack([np.minimum(interval[:, 0], share), np.maximum(interval[:, 1], share)], axis=1)


def _wilson(share: NDArray[np.float64], trials: NDArray[np.int64]) -> NDArray[np.float64]:
    """Returns float64 [C, 2], Wilson's bounds of shares over so many trials."""
    part = _Z2 / trials
    centre = (share + part / 2) / (1 + part)
    half = np.sqrt(part * (share * (1 - share) + part / 4)) / (1 + part)
    return np.stack([np.maximum(centre - half, 0.0), np.minimum(centre + half, 1.0)], axis=1)


def pooled_quantiles(sample: NDArray[np.float64], twins: NDArray[np.int64]) -> NDArray[np.float64]:
    """Returns float64 [C, 2], the outer quantiles of each column of [R, C] together with those of its twins.

    Values of the sample itself, so that ranks stay whole; nan where a column has no value.
    """
    result = np.full((sample.shape[1], 2), np.nan)
    for label in np.unique(twins):
        columns = np.flatnonzero(twins == label)
        values = np.sort(sample[:, columns], axis=None)
        values = values[: len(values) - int(np.isnan(values).sum())]
        if len(values):
            last = len(values) - 1
            result[columns] = values[int(np.floor(_LOW * last))], values[int(np.ceil(_HIGH * last))]
    return result


def competition_ranks(skill: NDArray[np.float64]) -> NDArray[np.int64]:
    """Returns int64 [..., N] ranks by skill, 1 best, equal skills equal."""
    ordered = np.sort(-skill, axis=-1)
    if skill.ndim == 1:
        return np.searchsorted(ordered, -skill, side="left") + 1
    return np.stack([np.searchsorted(row, -one, side="left") + 1 for row, one in zip(ordered, skill, strict=True)])
