"""What each outcome tells the skills of its players, as messages along its chains.

Every message is a normal in natural parameters, precision and precision times mean. A comparison of two neighbours
matches the moments of their difference, cut at the margin (Herbrich, Minka, Graepel, 2006, figure 1 and table 1).

Shapes: N entrants; D outcomes with n seats; B chains; see chains.py.
"""

from copy import copy
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from leaderboards.ratings.chains import Chains
from leaderboards.ratings.normal import draw_moments, win_moments

Array = NDArray[np.float64]

# w may underflow to 0 for a result that was certain; its inverse must not overflow.
_LEAST_W = 1e-100


@dataclass(frozen=True, eq=False)
class Influence:
    """The first-order effect of one group's outcomes on their players.

    Attributes:
        precision: float64 [D, n] that each occurrence adds.
        pull: float64 [D, n] that it adds to the gradient of the mean, at the posterior.
        stiffness: float64 [D, n, n] that it adds to the matrix of Newton's method.
    """

    precision: Array
    pull: Array
    stiffness: Array


class Messages:
    """The messages of the outcomes of one number of seats. Mutable: it lives within one fit."""

    def __init__(self, chains: Chains, beta: float, margin: float) -> None:
        self.chains = chains
        self.noise = beta * beta
        self.margin = margin
        d, n = chains.players.shape
        b = len(chains.shares)
        # Messages to skills; natural parameters, precision and precision times mean, as everywhere here.
        self.precision: Array = np.zeros((d, n))
        self.weighted: Array = np.zeros((d, n))
        # Precisions before the last pass.
        self.old = self.precision
        # Means of the players by the cavity and one message, at the last pass.
        self.match = np.zeros((d, n))
        # Messages to performances from the neighbour before and from the neighbour after.
        self.before = np.zeros((2, b, n))
        self.after = np.zeros((2, b, n))
        # Variances of the differences, and the shrinking of each, at the last pass.
        self.spread = np.ones((b, n - 1))
        self.shrink = np.zeros((b, n - 1))
        # An outcome that counts for less than one must not take out of the posterior more than is in it.
        self.own = np.minimum(chains.counts, 1.0)[:, None]

    def copy(self, counts: Array) -> "Messages":
        """Returns the same messages for outcomes that occurred so often, [D]."""
        twin = copy(self)
        twin.chains = replace(self.chains, counts=counts)
        twin.own = np.minimum(counts, 1.0)[:, None]
        # The only arrays that are written into; all others are made anew.
        twin.before, twin.after = self.before.copy(), self.after.copy()
        twin.spread, twin.shrink = self.spread.copy(), self.shrink.copy()
        return twin

    def update(self, mean: Array, precision: Array, sweeps: int) -> None:
        """Makes all messages anew against the current posterior, [N] each."""
        players = self.chains.players
        cavity = precision[players] - self.own * self.precision
        weighted = (precision * mean)[players] - self.own * self.weighted
        slots = self.chains.slots
        outside = cavity.reshape(-1)[slots], weighted.reshape(-1)[slots]
        shrink = 1.0 / (1.0 + self.noise * outside[0])
        self._sweep(outside[0] * shrink, outside[1] * shrink, sweeps)
        to_performance = self.before + self.after
        share = self.chains.shares[:, None] / (1.0 + self.noise * to_performance[0])
        size = players.size
        self.old = self.precision
        flat = slots.reshape(-1)
        self.precision = _summed(flat, (share * to_performance[0]).reshape(-1), size).reshape(players.shape)
        self.weighted = _summed(flat, (share * to_performance[1]).reshape(-1), size).reshape(players.shape)
        self.match = (weighted + self.own * self.weighted) / (cavity + self.own * self.precision)

    def _sweep(self, precision: Array, weighted: Array, sweeps: int) -> None:
        """Passes messages along the chains, there and back; performances come with the given beliefs, [B, n]."""
        last = self.chains.num_seats - 2
        for k in range(last + 1):
            self._compare(precision, weighted, k)
        if last == 0:
            return
        for sweep in range(sweeps):
            for k in range(last - 1, -1, -1):
                self._compare(precision, weighted, k)
            for k in range(1, last + 1 if sweep == sweeps - 1 else last):
                self._compare(precision, weighted, k)

    def _compare(self, precision: Array, weighted: Array, k: int) -> None:
        """Renews the messages of one comparison to both its sides."""
        ties = self.chains.ties[:, k]
        up_precision = precision[:, k] + self.before[0, :, k]
        down_precision = precision[:, k + 1] + self.after[0, :, k + 1]
        up_variance, down_variance = 1.0 / up_precision, 1.0 / down_precision
        up = (weighted[:, k] + self.before[1, :, k]) * up_variance
        down = (weighted[:, k + 1] + self.after[1, :, k + 1]) * down_variance
        variance = up_variance + down_variance
        deviation = np.sqrt(variance)
        v, w = self._moments(ties, (up - down) / deviation, self.margin / deviation)
        for side, sign, mean, own, other in (
            ((self.after, k), 1.0, up, up_variance, down_variance),
            ((self.before, k + 1), -1.0, down, down_variance, up_variance),
        ):
            # variance - own w, written so that nothing cancels when w is near 1.
            scale = 1.0 / (other + own * (1.0 - w))
            side[0][0, :, side[1]] = w * scale
            side[0][1, :, side[1]] = (sign * v * deviation + mean * w) * scale
        self.spread[:, k] = variance
        self.shrink[:, k] = w

    def _moments(self, ties: NDArray[np.bool_], t: Array, margin: Array) -> tuple[Array, Array]:
        """Returns v and w, [B], of wins and ties alike."""
        if not ties.any():
            return win_moments(t - margin)
        if ties.all():
            return draw_moments(t, margin)
        v, w = np.empty_like(t), np.empty_like(t)
        v[ties], w[ties] = draw_moments(t[ties], margin[ties])
        v[~ties], w[~ties] = win_moments((t - margin)[~ties])
        return v, w

    def influence(self, mean: Array) -> Influence:
        """Returns what one more of each outcome would do, at the last messages and the given means, [N]."""
        stiffness = self._stiffness()
        # A match's own posterior mean is where its message holds; from there to the common one it is extrapolated.
        pull = self.weighted - self.precision * self.match - _times(stiffness, mean[self.chains.players] - self.match)
        # A match says nothing of the mean of its players, yet a chain that has not settled seems to, and the weak
        # prior that alone holds the mean would let a thousand matches carry it away. What is too much is taken from
        # the players by the precision that they were given: one of whom nothing was learnt is not moved either.
        weight = self.precision / np.maximum(np.sum(self.precision, axis=1, keepdims=True), _LEAST_W)
        pull -= weight * np.sum(pull, axis=1, keepdims=True)
        return Influence(self.precision, pull, stiffness)

    def follow(self, effect: Influence, mean: Array, step: Array, damping: float) -> None:
        """Moves the messages to where they will be, to first order, when the means have made a step; [N] each.

        Without it the part of a match in the posterior would be stale, and be left behind when it is taken out.
        Of their precisions the part `damping` of the change is made.
        """
        self.precision = self.old + damping * (self.precision - self.old)
        players = self.chains.players
        slack = _times(effect.stiffness, step[players])
        self.weighted = effect.pull - slack + self.precision * (mean + step)[players]

    def _stiffness(self) -> Array:
        """Returns D' (S^-1 + beta^2 D D')^-1 D of each outcome, [D, n, n], in the order of its players."""
        d, n = self.chains.players.shape
        w = np.maximum(self.shrink, _LEAST_W)
        inverse = _inverse_tridiagonal(self.spread * (1.0 - w) / w + 2.0 * self.noise, -self.noise)
        inverse *= self.chains.shares[:, None, None]
        links = np.zeros((len(w), n, n))
        links[:, :-1, :-1] += inverse
        links[:, 1:, 1:] += inverse
        links[:, :-1, 1:] -= inverse
        links[:, 1:, :-1] -= inverse
        rows = self.chains.slots // n
        columns = self.chains.slots - rows * n
        cells = rows[:, :, None] * n * n + columns[:, :, None] * n + columns[:, None, :]
        return _summed(cells.reshape(-1), links.reshape(-1), d * n * n).reshape(d, n, n)


def _summed(places: NDArray[np.int64], values: Array, size: int) -> Array:
    """Returns [size] the sums of the values that go to each place, added in their order."""
    return np.bincount(places, values, size).astype(np.float64, copy=False)


def _times(matrices: Array, vectors: Array) -> Array:
    """Multiplies [D, n, n] by [D, n]; a loop over places and not matmul, whose order of terms is a library's affair."""
    product = np.zeros(vectors.shape)
    for k in range(vectors.shape[1]):
        product += matrices[:, :, k] * vectors[:, k, None]
    return product


def _inverse_tridiagonal(diagonal: Array, off: float) -> Array:
    """Returns [B, k, k] inverses of symmetric tridiagonal matrices with [B, k] diagonals and one constant beside."""
    b, k = diagonal.shape
    if k == 1:
        return 1.0 / diagonal[:, :, None]
    left = np.empty((b, k))
    right = np.empty((b, k))
    left[:, 0], right[:, -1] = diagonal[:, 0], diagonal[:, -1]
    for i in range(1, k):
        left[:, i] = diagonal[:, i] - off * off / left[:, i - 1]
        right[:, -1 - i] = diagonal[:, -1 - i] - off * off / right[:, -i]
    inverse = np.empty((b, k, k))
    for i in range(k):
        inverse[:, i, i] = 1.0 / (left[:, i] + right[:, i] - diagonal[:, i])
        for j in range(i + 1, k):
            inverse[:, i, j] = -off / right[:, j] * inverse[:, i, j - 1]
            inverse[:, j, i] = inverse[:, i, j]
    return inverse
