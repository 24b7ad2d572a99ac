"""What a rating model is: a function from a table of results to a mean and a deviation for each entrant."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from arena.errors import BadOption
from leaderboards.results import ResultsTable

MU = 25.0
SIGMA = 25.0 / 3.0
BETA = 25.0 / 6.0


@dataclass(frozen=True, eq=False)
class Ratings:
    """The outcome of a fit, by the table's numbers of entrants.

    Attributes:
        model: the name of the model.
        mu: float64 [N] means, in points of TrueSkill's scale; 25 is where everyone starts.
        sigma: float64 [N] deviations.
        draw_probability: the chance of a tie among equals that was used.
        converged: whether the fit came to rest.
        iterations: in how many steps; the number of matches where each is a step.
    """

    model: str
    mu: NDArray[np.float64]
    sigma: NDArray[np.float64]
    draw_probability: float
    converged: bool
    iterations: int

    @property
    def skill(self) -> NDArray[np.float64]:
        """The shown skill mu - 3 sigma, [N]: what an entrant is very probably worth at least."""
        return np.asarray(self.mu - 3.0 * self.sigma)


@dataclass(frozen=True)
class Constants:
    """What TrueSkill takes for granted, the same for all entrants.

    Attributes:
        mu: mean of the prior.
        sigma: deviation of the prior.
        beta: deviation of a performance from the skill.
        draw_probability: chance of a tie among equals; None estimates it from the results.

    Raises:
        BadOption: if a constant is out of range.
    """

    mu: float = MU
    sigma: float = SIGMA
    beta: float = BETA
    draw_probability: float | None = None

    def __post_init__(self) -> None:
        check_constants(self.mu, self.sigma, self.beta, self.draw_probability)


class Model(Protocol):
    """Rates the entrants of a table. Never raises for numerical reasons."""

    @property
    def name(self) -> str:
        """The name by which users choose the model."""

    def fit(self, table: ResultsTable) -> Ratings:
        """Rates all entrants; those without a match keep the prior."""


def check_constants(mu: float, sigma: float, beta: float, draw_probability: float | None) -> None:
    """Raises BadOption for constants with which nothing can be rated."""
    if not np.isfinite(mu):
        raise BadOption(f"mu is {mu}; it must be finite")
    for name, value in (("sigma", sigma), ("beta", beta)):
        if not 0.0 < value < float("inf"):
            raise BadOption(f"{name} is {value}; it must be above 0 and finite")
    if draw_probability is not None and not 0.0 <= draw_probability < 1.0:
        raise BadOption(f"the draw probability is {draw_probability}; it must be at least 0 and below 1")
