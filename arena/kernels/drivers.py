"""Compiled loops over the kernel ABI: perft and random playouts, for every game alike.

A call from Python that passes function pointers costs about 30 us, so each driver does a lot per call.
Shapes as in abi.py; D is a depth.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from arena.kernels import abi
from arena.kernels.jit import kernel
from arena.kernels.rng import LUCK_WORDS, below, seed_luck

Int64s = npt.NDArray[np.int64]
Uint64s = npt.NDArray[np.uint64]


@kernel("int64", abi.LEGAL, abi.APPLY, "int64[::1]", "uint64[::1]", "int64[::1]", "uint64[::1]")
def playout(
    legal: Callable[..., int], apply: Callable[..., None], state: Int64s, luck: Uint64s, out: Int64s, choice: Uint64s
) -> int:
    """Plays uniformly random legal actions to the end, in place, and returns the number of plies.

    Args:
        state: int64[W], changed to a finished one.
        luck: uint64[L], consumed by the rules.
        out: int64[A], overwritten.
        choice: uint64[1], the stream that picks the actions; apart from luck, so that a seat's draws do not shift.
    """
    plies = 0
    while state[0] >= 0:
        count = legal(state, out)
        apply(state, out[below(choice, 0, count)], luck)
        plies += 1
    return plies


@kernel(
    "int64", abi.DEAL, abi.LEGAL, abi.APPLY, abi.RETURNS,
    "int64", "int64", "int64[::1]", "uint64", "int64[::1]", "int64[::1]", "float64[::1]",
)  # fmt: skip
def playouts(
    deal: Callable[..., None],
    legal: Callable[..., int],
    apply: Callable[..., None],
    returns: Callable[..., None],
    num_playouts: int,
    num_seats: int,
    options: Int64s,
    seed: Any,
    state: Int64s,
    out: Int64s,
    totals: npt.NDArray[np.float64],
) -> int:
    """Plays whole random matches from fresh deals and returns the number of plies in all.

    Args:
        seed: uint64; playout i has the luck of seed + i.
        state: int64[W], scratch.
        out: int64[A], scratch.
        totals: float64[P], to which each seat's returns are added.
    """
    luck = np.empty(LUCK_WORDS, np.uint64)
    choice = np.empty(1, np.uint64)
    seat_returns = np.empty(num_seats, np.float64)
    plies = 0
    for index in range(num_playouts):
        seed_luck(seed + np.uint64(index), luck)
        choice[0] = luck[0] ^ luck[1] ^ seed
        deal(state, num_seats, options, luck)
        while state[0] >= 0:
            count = legal(state, out)
            apply(state, out[below(choice, 0, count)], luck)
            plies += 1
        returns(state, seat_returns)
        for seat in range(num_seats):
            totals[seat] += seat_returns[seat]
    return plies


@kernel("int64", abi.LEGAL, abi.APPLY, "int64[:,::1]", "uint64[:,::1]", "int64[:,::1]", "int64")
def perft(
    legal: Callable[..., int],
    apply: Callable[..., None],
    states: npt.NDArray[np.int64],
    lucks: npt.NDArray[np.uint64],
    outs: npt.NDArray[np.int64],
    depth: int,
) -> int:
    """Counts the action sequences of exactly `depth` plies from the position in row 0; finished lines count only there.

    The luck of a line is what the deal's streams hold there, so the count is exact for that deal.

    Args:
        states: int64[D + 1, W], row 0 given, the others overwritten.
        lucks: uint64[D + 1, L], likewise.
        outs: int64[D + 1, A], overwritten.
    """
    if depth == 0:
        return 1
    cursor = np.zeros(depth, np.int64)
    counts = np.zeros(depth, np.int64)
    leaves = 0
    level = 0
    counts[0] = legal(states[0], outs[0])
    while level >= 0:
        if level == depth - 1:
            leaves += counts[level]
            level -= 1
            continue
        if cursor[level] == counts[level]:
            level -= 1
            continue
        action = outs[level, cursor[level]]
        cursor[level] += 1
        states[level + 1] = states[level]
        lucks[level + 1] = lucks[level]
        apply(states[level + 1], action, lucks[level + 1])
        level += 1
        cursor[level] = 0
        counts[level] = legal(states[level], outs[level]) if states[level, 0] >= 0 else 0
    return leaves
