"""TrueSkill match by match, as the `trueskill` package computes it: the model `trueskill-online`.

It is here to compare with other systems. The result depends on an order of play, so the order is fixed: by block,
deal and match id, whatever the order of the table. There is no drift (tau 0), because bots do not change. Where the
package fails or favours a place in the list, the match is fitted by the order-free propagation, which agrees with
the package everywhere else.
"""

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
import trueskill
from numpy.typing import NDArray

from leaderboards.ratings.chains import build_chains
from leaderboards.ratings.draws import draw_margin, estimate_draw_probability
from leaderboards.ratings.model import Constants, Ratings
from leaderboards.ratings.outcomes import OutcomeGroup, from_table
from leaderboards.ratings.propagation import Prior, propagate
from leaderboards.results import ResultsTable

_NORMAL = NormalDist()


@dataclass(frozen=True)
class OnlineTrueSkill(Constants):
    """TrueSkill in the canonical order of play."""

    @property
    def name(self) -> str:
        """The name by which users choose the model."""
        return "trueskill-online"

    def fit(self, table: ResultsTable) -> Ratings:
        """Rates all entrants, one match after the other; tens of microseconds to a millisecond each."""
        probability = self.draw_probability
        if probability is None:
            probability = estimate_draw_probability(from_table(table))
        env = trueskill.TrueSkill(self.mu, self.sigma, self.beta, 0.0, probability, (_cdf, _pdf, _ppf))
        margin = draw_margin(probability, self.beta)
        ratings = [env.create_rating() for _ in range(table.num_entrants)]
        for row in np.lexsort((table.match_ids, table.deals, table.blocks)):
            n = int(table.num_seats[row])
            players, ranks = table.lineups[row, :n].tolist(), table.ranks[row, :n].tolist()
            renewed = _rate(env, [ratings[i] for i in players], ranks, margin)
            for player, rating in zip(players, renewed, strict=True):
                ratings[player] = rating
        mu, sigma = np.array([r.mu for r in ratings]), np.array([r.sigma for r in ratings])
        return Ratings(self.name, mu, sigma, probability, True, table.num_matches)


def _cdf(x: float) -> float:
    """Returns the normal distribution function; the package's own is good to seven digits only."""
    return 0.5 * math.erfc(-x / math.sqrt(2.0))


def _pdf(x: float) -> float:
    """Returns the normal density."""
    return math.exp(-0.5 * x * x) / math.sqrt(2.0 * math.pi)


def _ppf(p: float) -> float:
    """Returns the inverse of the normal distribution function."""
    return _NORMAL.inv_cdf(p)


def _rate(env: Any, before: list[Any], ranks: list[int], margin: float) -> list[Any]:
    """Returns the ratings of the players of one match after it."""
    if len(ranks) == 2 or len(set(ranks)) == len(ranks):
        try:
            after = env.rate([(rating,) for rating in before], ranks)
        except (FloatingPointError, ZeroDivisionError, ValueError, OverflowError):
            # Upsets of some hundred points underflow in the package.
            pass
        else:
            return [rating for (rating,) in after]
    return _propagated(env, before, ranks, margin)


def _propagated(env: Any, before: list[Any], ranks: list[int], margin: float) -> list[Any]:
    """Does the same by our own propagation, ties in all orders."""
    order = np.argsort(ranks, kind="stable")
    ties: NDArray[np.bool_] = np.diff(np.array(ranks)[order]) == 0
    group = OutcomeGroup(order[None, :].astype(np.int32), ties[None, :], np.ones(1))
    prior = Prior(np.array([r.mu for r in before]), np.array([r.sigma for r in before]), env.beta, margin)
    posterior = propagate(build_chains((group,)), prior)
    pairs = zip(posterior.mu.tolist(), posterior.sigma.tolist(), strict=True)
    return [env.create_rating(mu, sigma) for mu, sigma in pairs]
