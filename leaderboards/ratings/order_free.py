"""TrueSkill without an order of play: the model `trueskill`.

All matches are fitted at once (propagation.py), in an order of entrants and outcomes that depends only on what
happened (canonical.py). Entrants with equal results get the mean of their values, which differ at most in the last
bits. Published values are rounded to 8 decimals: the fit stops at steps of 1e-11, and what the processor or the
linear algebra may still change lies below.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from leaderboards.ratings.canonical import Canonical, Colours, canonicalise, mix
from leaderboards.ratings.chains import Chains, build_chains
from leaderboards.ratings.draws import draw_margin, estimate_draw_probability
from leaderboards.ratings.model import BETA, Constants, Ratings
from leaderboards.ratings.outcomes import Outcomes, from_table
from leaderboards.ratings.propagation import Posterior, Prior, propagate
from leaderboards.results import ResultsTable

_DECIMALS = 8


@dataclass(frozen=True, eq=False)
class Fit:
    """A fit with everything that a resampling of it needs.

    Attributes:
        ratings: the result, by the numbers of the outcomes that were given.
        canonical: the outcomes by the numbers used inside.
        chains: what was fitted, by those numbers, as are the two below.
        prior: what was believed before.
        posterior: what is believed after, not rounded.
    """

    ratings: Ratings
    canonical: Canonical
    chains: tuple[Chains, ...]
    prior: Prior
    posterior: Posterior


@dataclass(frozen=True)
class TrueSkill(Constants):
    """The order-free TrueSkill with one prior for all."""

    @property
    def name(self) -> str:
        """The name by which users choose the model."""
        return "trueskill"

    def fit(self, table: ResultsTable) -> Ratings:
        """Rates all entrants of a table."""
        return self.fit_outcomes(from_table(table)).ratings

    def fit_outcomes(self, outcomes: Outcomes, tiebreak: Callable[[Colours], Colours] | None = None) -> Fit:
        """Rates all entrants by counted outcomes; `tiebreak` as in canonical.py."""
        n = outcomes.num_entrants
        return fit_outcomes(
            outcomes,
            np.full(n, self.mu),
            np.full(n, self.sigma),
            beta=self.beta,
            draw_probability=self.draw_probability,
        )


def fit_outcomes(
    outcomes: Outcomes,
    mu: NDArray[np.float64],
    sigma: NDArray[np.float64],
    *,
    beta: float = BETA,
    draw_probability: float | None = None,
    tiebreak: Callable[[Colours], Colours] | None = None,
) -> Fit:
    """Rates entrants with a prior of their own each.

    Args:
        outcomes: what happened.
        mu: float64 [N] means of the priors.
        sigma: float64 [N] deviations of the priors, above 0.
        beta: deviation of a performance from the skill.
        draw_probability: chance of a tie among equals; None estimates it.
        tiebreak: numbers entrants with equal results; changes no rating, see canonical.py.
    """
    if draw_probability is None:
        draw_probability = estimate_draw_probability(outcomes)
    colours = mix(mix(mu.view(np.uint64)) + sigma.view(np.uint64))
    canonical = canonicalise(outcomes, colours, tiebreak)
    chains = build_chains(canonical.groups)
    prior = Prior(mu[canonical.entrants], sigma[canonical.entrants], beta, draw_margin(draw_probability, beta))
    posterior = propagate(chains, prior)
    ratings = Ratings(
        "trueskill",
        _published(posterior.mu, canonical),
        _published(posterior.sigma, canonical),
        draw_probability,
        posterior.converged,
        posterior.iterations,
    )
    return Fit(ratings, canonical, chains, prior, posterior)


def _published(values: NDArray[np.float64], canonical: Canonical) -> NDArray[np.float64]:
    """Returns values, [N], by the old numbers: the mean of each class of equals, rounded."""
    size = np.bincount(canonical.classes)
    means = np.bincount(canonical.classes, values) / np.maximum(size, 1)
    result = np.empty_like(values)
    result[canonical.entrants] = np.round(means[canonical.classes], _DECIMALS)
    return result
