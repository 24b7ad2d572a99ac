"""How often equals tie: estimated from the game's own results, and turned into a margin."""

import math
from statistics import NormalDist

import numpy as np

from leaderboards.ratings.outcomes import Outcomes

# The estimate starts as one pair of neighbours that tied with TrueSkill's customary probability.
_PRIOR_PAIRS = 1.0
_PRIOR_PROBABILITY = 0.1
# Below it the inverse of the normal distribution is a straight line to the last bit.
_LINEAR = 1e-8


def estimate_draw_probability(outcomes: Outcomes) -> float:
    """Returns the share of neighbours in the order of a match that tie, (ties + 0.1) / (pairs + 1).

    The pairs counted are those that the ratings compare: a match of n seats has n - 1 of them. The added pair keeps
    the estimate off 0 and 1, and at 0.1 where nothing was played. That unequal entrants tie less often than equal
    ones is not corrected for.
    """
    ties = sum(float(np.sum(group.counts[:, None] * group.ties)) for group in outcomes.groups)
    pairs = sum(float(np.sum(group.counts)) * (group.num_seats - 1) for group in outcomes.groups)
    return (ties + _PRIOR_PROBABILITY * _PRIOR_PAIRS) / (pairs + _PRIOR_PAIRS)


def draw_margin(draw_probability: float, beta: float) -> float:
    """Returns the difference of two performances below which they tie.

    Two entrants of equal skill tie with the given probability: Phi^-1((p + 1) / 2) sqrt(2) beta. The 2 counts the
    two neighbours that are compared, however many seats the match has, as in the trueskill package.

    Args:
        draw_probability: in [0, 1).
        beta: deviation of a performance from the skill.
    """
    if draw_probability < _LINEAR:
        return draw_probability * math.sqrt(math.pi / 2.0) * math.sqrt(2.0) * beta
    return NormalDist().inv_cdf((draw_probability + 1.0) / 2.0) * math.sqrt(2.0) * beta
