"""Playouts: how a simulation goes on from where the tree ends, and what it is worth.

Shapes as in kernels/abi.py. Actions are picked from `choice`, uint64[1], a splitmix64 stream apart from the luck, so
that what a seat draws does not shift with what is picked.
"""

from typing import Any

import numpy as np

from arena.kernels.abi import TO_ACT
from arena.kernels.jit import helper, kernel
from arena.kernels.rng import GAMMA, LUCK_WORDS, MIX_A, MIX_B, S27, S30, S31, S32
from arena.search.pointers import APPLY, APPLY_AT, EVALUATE, EVALUATE_AT, LEGAL, LEGAL_AT, RETURNS, RETURNS_AT

RANDOM, GREEDY, MIXED = 0, 1, 2
MIXED_RANDOM_IN = 4  # of that many plies of a mixed playout one is random
TO_THE_END = 1 << 40  # a depth that no playout reaches


@helper
def pick(choice: Any, bound: int) -> int:
    """Draws an integer in [0, bound), uniform to within bound / 2**32: a search needs no exacter one."""
    word = choice[0] + GAMMA
    choice[0] = word
    word = (word ^ (word >> S30)) * MIX_A
    word = (word ^ (word >> S27)) * MIX_B
    word = word ^ (word >> S31)
    return np.int64(((word >> S32) * np.uint64(bound)) >> S32)  # type: ignore[return-value]


@helper
def value_of(table: Any, state: Any, values: Any) -> None:
    """Writes each seat's utility: by the result if the match is over, by the heuristic if it is not."""
    if state[TO_ACT] < 0:
        returns = RETURNS_AT(table[RETURNS])
        returns(state, values)
    else:
        evaluate = EVALUATE_AT(table[EVALUATE])
        evaluate(state, values)


@helper
def play_randomly(table: Any, state: Any, luck: Any, choice: Any, actions: Any, depth: int) -> None:
    """Plays up to `depth` uniformly random plies, in place."""
    legal = LEGAL_AT(table[LEGAL])
    apply = APPLY_AT(table[APPLY])
    while state[TO_ACT] >= 0 and depth > 0:
        count = legal(state, actions)
        apply(state, actions[pick(choice, count)], luck)
        depth -= 1


@kernel(
    "void", "int64[::1]", "int64[::1]", "uint64[::1]", "uint64[::1]", "int64[::1]", "float64[::1]", "int64", "int64"
)
def play_greedily(
    table: Any, state: Any, luck: Any, choice: Any, actions: Any, values: Any, depth: int, random_in: int
) -> None:
    """Plays up to `depth` plies, each the best by the heuristic one ply ahead, in place.

    Whoever is to act sees the whole determinization, but not the luck that its action will meet: a playout is a guess
    about the rest of the match, not play.

    Args:
        actions: int64[A], overwritten.
        values: float64[P], overwritten.
        depth: the most plies to play.
        random_in: one ply of so many is uniformly random instead, by chance; 0 for none.
    """
    legal = LEGAL_AT(table[LEGAL])
    apply = APPLY_AT(table[APPLY])
    after = np.empty_like(state)
    luck_after = np.empty(LUCK_WORDS, np.uint64)
    while state[TO_ACT] >= 0 and depth > 0:
        depth -= 1
        seat = state[TO_ACT]
        count = legal(state, actions)
        if count == 1 or (random_in > 0 and pick(choice, random_in) == 0):
            apply(state, actions[pick(choice, count)], luck)
            continue
        best_value = -1.0
        best_action = np.int64(0)
        num_best = 0
        for index in range(count):
            after[:] = state
            luck_after[:] = luck
            apply(after, actions[index], luck_after)
            value_of(table, after, values)
            if values[seat] > best_value:
                best_value = values[seat]
                num_best = 0
            if values[seat] == best_value:
                # Ties go to each with equal chance: the nth of equals takes the place with chance 1/n.
                num_best += 1
                if pick(choice, num_best) == 0:
                    best_action = actions[index]
        # What chance did in the trials must not be what it does now, or the dice would have been foreseen.
        for stream in range(LUCK_WORDS):
            luck[stream] ^= MIX_B
        apply(state, best_action, luck)


@helper
def finish(table: Any, state: Any, luck: Any, choice: Any, actions: Any, values: Any, playout: int, depth: int) -> None:
    """Plays a simulation out, up to `depth` plies, and writes what it is worth to each seat."""
    if playout == RANDOM:
        play_randomly(table, state, luck, choice, actions, depth)
    else:
        play_greedily(table, state, luck, choice, actions, values, depth, MIXED_RANDOM_IN if playout == MIXED else 0)
    value_of(table, state, values)
