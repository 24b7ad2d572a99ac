"""Ratings of resampled results, without fitting each anew.

A replicate has the outcomes of the real log in other numbers. From the posterior of the real log some steps of the
fit with these numbers are made. The first one, with the messages as they are, is the one-step bootstrap (Schucany and
Wang, One-step bootstrapping for smooth iterative procedures, 1991), whose error is of second order in what
resampling changes. Small logs, where that is not small, are cheap enough for more.

Shapes: R replicates, D outcomes, N entrants.
"""

import numpy as np
from numpy.typing import NDArray

from leaderboards.ratings.order_free import Fit
from leaderboards.ratings.propagation import refit

_DECIMALS = 8
_MOST_STEPS = 4
# Links of chains that may be worked through for one replicate, and what a step costs beside its links.
_LINKS = 20_000
_LINKS_OF_A_STEP = 1_000


def resampled_skills(fit: Fit, counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns the shown skill, mu - 3 sigma, of everyone in every replicate.

    Args:
        fit: the fit of the real log.
        counts: float64 [R, D] how often each outcome occurred, by the fit's canonical places.

    Returns:
        float64 [R, N] by canonical number.
    """
    real = np.concatenate([np.zeros(0), *(group.counts for group in fit.canonical.groups)])
    # What an outcome counts for may be a part of it, where a huge tie is taken apart.
    parts = [chains.counts / real[chains.origin] for chains in fit.chains]
    links = sum(chains.slots.size for chains in fit.chains)
    num_steps = min(max(_LINKS // (_LINKS_OF_A_STEP + links), 1), _MOST_STEPS)
    skills = np.empty((len(counts), len(fit.prior.mu)))
    for r, row in enumerate(counts):
        weights = [part * row[chains.origin] for part, chains in zip(parts, fit.chains, strict=True)]
        posterior = refit(fit.posterior, fit.prior, weights, num_steps)
        skills[r] = np.round(posterior.mu - 3.0 * posterior.sigma, _DECIMALS)
    return skills
