"""Expectation propagation over all outcomes at once, to convergence.

The model is TrueSkill's (Herbrich, Minka, Graepel, TrueSkill: a Bayesian skill rating system, 2006): skill of
entrant i ~ N(mu_i, sigma_i^2), performance in a match = skill + N(0, beta^2), and neighbours in a match's order differ
by more than the margin, or by less where they tie. The posterior is a product of one normal an entrant, and at the
fixed point every match's message matches moments with all others in force (Minka, 2001). No match comes first, so
nothing depends on an order of play; this is what TrueSkill Through Time (Dangauthier et al., 2007) converges to
where skills do not drift.

Equal outcomes share a message: what costs time is how many differ. The usual sweep, everyone in turn, moves the mean
that all share by a hair each time; here the means of all entrants are moved together by Newton's method. At fixed
messages the residual of the means is r_i = (mu_i - m_i) / sigma_i^2 + sum over matches of h - p m, and its slope is,
up to sign, the priors' precision plus a Laplacian: each match adds D' (S^-1 + beta^2 D D')^-1 D, where D takes
differences of neighbours and S holds the precisions found for them. For two seats that is the exact derivative.

Shapes: N entrants; D outcomes with n seats; B chains; see chains.py. Means are counted from the mean of the priors.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from leaderboards.ratings.chains import Chains
from leaderboards.ratings.components import components
from leaderboards.ratings.messages import Influence, Messages

Array = NDArray[np.float64]

MAX_ITERATIONS = 500
# Steps of the means in points (or in hundredths of the largest mean where that is more), and of precisions relative
# to themselves, below which a fit has converged. Ordinary logs take 10 to 40 steps. Where millions of matches pull
# against a prior a thousand points away, rounding alone makes larger steps than these: from the hundredth step on the
# tolerance widens tenfold every fifty steps, up to the last one here.
_TOLERANCE = 1e-11
_LAST_TOLERANCE = 1e-7
# Where resampling stops refining a replicate: ranks do not depend on a hundredth of a point.
_REFIT_TOLERANCE = 1e-2
# Newton's step from a place where nearly every result seems certain may be of any length; this is the most, in betas.
_LONGEST_STEP = 10.0
# Passes over each chain before the first step and, from its last messages, before each further one.
_FIRST_SWEEPS = 4


@dataclass(frozen=True, eq=False)
class Prior:
    """What is believed before the first match, and the constants of the game.

    Attributes:
        mu: float64 [N].
        sigma: float64 [N].
        beta: deviation of a performance from the skill.
        margin: two neighbours tie if their performances differ by less.
    """

    mu: Array
    sigma: Array
    beta: float
    margin: float


@dataclass(frozen=True, eq=False)
class Posterior:
    """What is believed after all matches.

    Attributes:
        mu: float64 [N].
        sigma: float64 [N].
        converged: whether the last step was below the tolerance.
        iterations: the number of steps.
        messages: what the outcomes said at last, one entry a number of seats.
    """

    mu: Array
    sigma: Array
    converged: bool
    iterations: int
    messages: tuple[Messages, ...]


def solve(matrix: Array, vector: Array) -> Array:
    """Solves positive definite systems, [..., N, N] and [..., N], by elimination; the same bits on every machine."""
    a = np.concatenate([matrix, vector[..., None]], axis=-1)
    size = a.shape[-2]
    for k in range(size):
        factor = a[..., k + 1 :, k] / a[..., k, k, None]
        a[..., k + 1 :, k + 1 :] -= factor[..., :, None] * a[..., k, None, k + 1 :]
    x = np.empty_like(vector)
    for k in range(size - 1, -1, -1):
        x[..., k] = a[..., k, size] / a[..., k, k]
        a[..., :k, size] -= a[..., :k, k] * x[..., k, None]
    return x


class _Course:
    """Where a fit stands. Mutable: it lives within one fit."""

    def __init__(self, messages: list[Messages], prior: Prior) -> None:
        self.messages = messages
        self.prior = prior
        self.origin = float(np.mean(prior.mu)) if len(prior.mu) else 0.0
        self.start = prior.mu - self.origin
        self.base = 1.0 / (prior.sigma * prior.sigma)
        self.joined = components(len(prior.mu), [group.chains.players for group in messages])
        self.mean, self.precision = self.start.copy(), self.base.copy()
        self.damping = 1.0
        self.last = np.zeros(2 * len(prior.mu))

    def pass_messages(self, sweeps: int) -> list[Influence]:
        """Makes all messages anew and returns what they would do."""
        for group in self.messages:
            group.update(self.mean, self.precision, sweeps)
        return self.influences()

    def influences(self) -> list[Influence]:
        """Returns what one more of each outcome would do, by the messages as they are."""
        return [group.influence(self.mean) for group in self.messages]

    def advance(self, effects: list[Influence]) -> float:
        """Makes a step and returns its size: of the means in points, of the precisions relative to themselves."""
        renewed, step = _step(self.messages, effects, self.start, self.base, self.mean)
        step = _hold_shared_mean(step, self.mean - self.start, self.base, self.joined)
        step *= min(1.0, _LONGEST_STEP * self.prior.beta / max(float(np.max(np.abs(step))), _TOLERANCE))
        change = renewed / self.precision - 1.0
        course = np.concatenate([step * np.sqrt(self.precision), change])
        self.damping = _damping(self.damping, course, self.last)
        self.last = course
        for group, effect in zip(self.messages, effects, strict=True):
            group.follow(effect, self.mean, self.damping * step, self.damping)
        self.mean = self.mean + self.damping * step
        self.precision = self.precision + self.damping * (renewed - self.precision)
        scale = max(1.0, float(np.max(np.abs(self.mean))) / 100.0)
        return max(float(np.max(np.abs(step))) / scale, float(np.max(np.abs(change))))

    def posterior(self, converged: bool, iterations: int) -> Posterior:
        """Returns what is believed now."""
        sigma = 1.0 / np.sqrt(self.precision)
        return Posterior(self.mean + self.origin, sigma, converged, iterations, tuple(self.messages))


def propagate(chains: tuple[Chains, ...], prior: Prior, max_iterations: int = MAX_ITERATIONS) -> Posterior:
    """Fits all skills to all outcomes. Never raises for numerical reasons.

    Args:
        chains: what happened, one entry a number of seats.
        prior: what is believed before, for N entrants.
        max_iterations: steps after which the fit is given up as not converged.
    """
    course = _Course([Messages(entry, prior.beta, prior.margin) for entry in chains], prior)
    converged, iterations = not chains, 0
    while not converged and iterations < max_iterations:
        iterations += 1
        size = course.advance(course.pass_messages(_FIRST_SWEEPS if iterations == 1 else 1))
        converged = size < min(_LAST_TOLERANCE, _TOLERANCE * 10.0 ** max(0, iterations // 50 - 1))
    return course.posterior(converged, iterations)


def refit(posterior: Posterior, prior: Prior, counts: list[Array], num_steps: int) -> Posterior:
    """Starts from a posterior and makes some steps towards that of the same outcomes in other numbers.

    Args:
        posterior: what `propagate` returned; left as it is.
        prior: what it was given.
        counts: [D] for each entry of the chains.
        num_steps: at most so many, fewer where they become small. With 1 no message is made anew.
    """
    pairs = zip(posterior.messages, counts, strict=True)
    course = _Course([group.copy(count) for group, count in pairs], prior)
    course.mean = posterior.mu - course.origin
    course.precision = 1.0 / (posterior.sigma * posterior.sigma)
    effects = course.influences()
    for step in range(1, num_steps + 1):
        if course.advance(effects) < _REFIT_TOLERANCE or step == num_steps:
            break
        effects = course.pass_messages(1)
    return course.posterior(True, step)


def _hold_shared_mean(step: Array, moved: Array, base: Array, joined: NDArray[np.int64]) -> Array:
    """Returns the step that leaves each group's mean, weighted by the precisions of the priors, where it began.

    Matches say nothing of it, so the sum of base * moved over a group stays 0. Only the priors hold it in Newton's
    system, and the roundings of a million matches weigh as much as they do.
    """
    size = len(base)
    drift = np.bincount(joined, base * (moved + step), size)
    weight = np.bincount(joined, base, size)
    return np.asarray(step - drift[joined] / weight[joined])


def _damping(before: float, step: Array, last: Array) -> float:
    """Returns what part of a step to make, from the part of the last one.

    A step back over most of the last one swings about the solution, so it is halved. (A longer one in the same
    direction is how Newton's method comes out of a flat tail, and must not be shortened.)
    """
    swings = float(np.sum(step * last)) < -0.5 * before * float(np.sum(last * last))
    return max(before / 2.0, 1.0 / 64.0) if swings else min(1.0, before * 1.25)


def _step(
    groups: list[Messages], effects: list[Influence], start: Array, base: Array, mean: Array
) -> tuple[Array, Array]:
    """Returns the precisions by the current messages, and Newton's step of the means; [N] each."""
    size = len(base)
    precision, pull = base.copy(), base * (start - mean)
    matrix = np.diag(base)
    for group, effect in zip(groups, effects, strict=True):
        counts = group.chains.counts[:, None]
        players = group.chains.players
        flat = players.reshape(-1)
        precision += np.bincount(flat, (counts * effect.precision).reshape(-1), size)
        pull += np.bincount(flat, (counts * effect.pull).reshape(-1), size)
        cells = players[:, :, None].astype(np.int64) * size + players[:, None, :]
        weights = counts[:, :, None] * effect.stiffness
        matrix += np.bincount(cells.reshape(-1), weights.reshape(-1), size * size).reshape(size, size)
    return precision, solve(matrix, pull)
