"""Ratings of resampled results, without fitting each anew.

A replicate has the outcomes of the real log in other numbers. From the posterior of the real log one step of the fit
with these numbers is made: the precisions by the messages as they are, the means by Newton's method. That is the
one-step bootstrap (Schucany and Wang, One-step bootstrapping for smooth iterative procedures, 1991); its error is
of second order in what resampling changes.

Shapes: R replicates, D outcomes, N entrants.
"""

import numpy as np
from numpy.typing import NDArray

from leaderboards.ratings.order_free import Fit
from leaderboards.ratings.propagation import solve

_DECIMALS = 8


def resampled_skills(fit: Fit, counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns the shown skill, mu - 3 sigma, of everyone in every replicate.

    Args:
        fit: the fit of the real log.
        counts: float64 [R, D] how often each outcome occurred, by the fit's canonical places.

    Returns:
        float64 [R, N] by canonical number.
    """
    base = 1.0 / (fit.prior.sigma * fit.prior.sigma)
    size = len(base)
    real = _real_counts(fit)
    skills = np.empty((len(counts), size))
    for r, row in enumerate(counts):
        precision = base.copy()
        pull = base * (fit.prior.mu - fit.posterior.mu)
        matrix = np.diag(base)
        for chains, effect in zip(fit.chains, fit.posterior.influence, strict=True):
            # What an outcome counts for may be a part of it, where a huge tie is taken apart.
            weight = (row[chains.origin] * chains.counts / real[chains.origin])[:, None]
            players = chains.players
            flat = players.reshape(-1)
            precision += np.bincount(flat, (weight * effect.precision).reshape(-1), size)
            pull += np.bincount(flat, (weight * effect.pull).reshape(-1), size)
            cells = players[:, :, None].astype(np.int64) * size + players[:, None, :]
            links = weight[:, :, None] * effect.stiffness
            matrix += np.bincount(cells.reshape(-1), links.reshape(-1), size * size).reshape(size, size)
        mean = fit.posterior.mu + solve(matrix, pull)
        skills[r] = np.round(mean - 3.0 / np.sqrt(precision), _DECIMALS)
    return skills


def _real_counts(fit: Fit) -> NDArray[np.float64]:
    """Returns float64 [D], how often each outcome occurred in the real log."""
    return np.concatenate([np.zeros(0), *(group.counts for group in fit.canonical.groups)])
