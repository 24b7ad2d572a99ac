"""Outcomes as chains of comparisons between neighbours, ties in all their orders.

A ranked outcome says something of each two neighbours in its order: the difference of their performances is above
the margin, or within it where they tie. With three seats or more it matters who of the tied stands next to whom, so
a tie counts as the mean over all orders of the tied; nobody gains by being listed first.

Shapes: D outcomes with n seats; B chains, at least one an outcome.
"""

import math
from dataclasses import dataclass
from itertools import pairwise, permutations, product

import numpy as np
from numpy.typing import NDArray

from leaderboards.ratings.outcomes import OutcomeGroup

# A tie among five has 120 orders. Outcomes with more are taken apart into pairs.
_MOST_ORDERS = 120


@dataclass(frozen=True, eq=False)
class Chains:
    """The chains of the outcomes of one number of seats.

    Attributes:
        players: int32 [D, n].
        counts: float64 [D] how often each outcome occurred.
        slots: int64 [B, n]; the flat place in [D, n] of each link of each chain.
        shares: float64 [B]; the chains of one outcome share 1.
        ties: bool [B, n - 1].
        origin: int64 [D] the place of the outcome among all that were given.
    """

    players: NDArray[np.int32]
    counts: NDArray[np.float64]
    slots: NDArray[np.int64]
    shares: NDArray[np.float64]
    ties: NDArray[np.bool_]
    origin: NDArray[np.int64]

    @property
    def num_seats(self) -> int:
        """The number n of seats."""
        return int(self.players.shape[1])


def build_chains(groups: tuple[OutcomeGroup, ...]) -> tuple[Chains, ...]:
    """Makes the chains of all outcomes; those with too many orders become weighted pairs, kept apart at the end."""
    chains: list[Chains] = []
    start = 0
    for group in groups:
        pattern = group.ties @ (1 << np.arange(group.num_seats - 1))
        kept = np.ones(len(pattern), np.bool_)
        for code in np.unique(pattern):
            if _num_orders(_levels(int(code), group.num_seats)) > _MOST_ORDERS:
                kept &= pattern != code
        if kept.any():
            chains.append(_chains(group, np.flatnonzero(kept), pattern, start))
        if not kept.all():
            chains.append(_pairs(group, np.flatnonzero(~kept), start))
        start += len(pattern)
    return tuple(chains)


def _levels(pattern: int, num_seats: int) -> list[list[int]]:
    """Returns the places of each set of tied players, from a mask of the neighbours that tie."""
    levels = [[0]]
    for k in range(1, num_seats):
        if pattern >> (k - 1) & 1:
            levels[-1].append(k)
        else:
            levels.append([k])
    return levels


def _num_orders(levels: list[list[int]]) -> int:
    """Returns in how many orders the players can be listed."""
    return math.prod(math.factorial(len(level)) for level in levels)


def _orders(levels: list[list[int]]) -> list[tuple[int, ...]]:
    """Lists the orders. Where all tie, a chain and its mirror image are one."""
    orders = [sum(parts, ()) for parts in product(*(permutations(level) for level in levels))]
    return [order for order in orders if order[0] < order[-1]] if len(levels) == 1 else orders


def _chains(group: OutcomeGroup, rows: NDArray[np.int64], pattern: NDArray[np.int64], start: int) -> Chains:
    """Makes the chains of some outcomes of a group."""
    n = group.num_seats
    slots: list[NDArray[np.int64]] = []
    shares: list[NDArray[np.float64]] = []
    ties: list[NDArray[np.bool_]] = []
    for code in np.unique(pattern[rows]):
        own = np.flatnonzero(pattern[rows] == code)
        orders = np.array(_orders(_levels(int(code), n)), np.int64)
        slots.append((own[:, None, None] * n + orders[None]).reshape(-1, n))
        shares.append(np.full(len(own) * len(orders), 1.0 / len(orders)))
        ties.append(np.tile([bool(int(code) >> k & 1) for k in range(n - 1)], (len(own) * len(orders), 1)))
    return Chains(
        group.players[rows],
        group.counts[rows],
        np.concatenate(slots),
        np.concatenate(shares),
        np.concatenate(ties),
        rows + start,
    )


def _pairs(group: OutcomeGroup, rows: NDArray[np.int64], start: int) -> Chains:
    """Takes outcomes with huge ties apart into two-player comparisons, each with the chance of being neighbours."""
    players: list[tuple[int, int]] = []
    counts: list[float] = []
    ties: list[bool] = []
    origin: list[int] = []
    for row in rows:
        names = group.players[row]
        levels = _levels(int(group.ties[row] @ (1 << np.arange(group.num_seats - 1))), group.num_seats)
        within = [(i, j, 2.0 / len(lv), True) for lv in levels for a, i in enumerate(lv) for j in lv[a + 1 :]]
        between = [(i, j, 1.0 / (len(u) * len(d)), False) for u, d in pairwise(levels) for i in u for j in d]
        for i, j, share, tie in within + between:
            players.append((int(names[i]), int(names[j])))
            counts.append(float(group.counts[row]) * share)
            ties.append(tie)
            origin.append(int(row) + start)
    b = len(players)
    return Chains(
        np.array(players, np.int32),
        np.array(counts),
        np.arange(2 * b, dtype=np.int64).reshape(b, 2),
        np.ones(b),
        np.array(ties)[:, None],
        np.array(origin, np.int64),
    )
