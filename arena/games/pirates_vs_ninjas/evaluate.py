"""Heuristic of Pirates vs. Ninjas: dice left, and what the dice that stand in the zones are good for."""

from typing import Any

import numpy as np

from arena.games.pirates_vs_ninjas.layout import NUM_RANKS, ZONE
from arena.games.pirates_vs_ninjas.rules import count_rank, dice_left, winning_side
from arena.kernels.abi import TERMINAL, TO_ACT, evaluate_kernel
from arena.kernels.jit import helper

# What a die adds to the die itself, by its rank: a striker of high rank hits nearly everything, a Hero is worth a
# free roll or a kill, and in the cup a die does nothing until a turn is spent on it.
READY = np.array([0.15, 0.25, 0.35, 0.45, 0.4, 0.35])
SCALE = 4.0  # a lead of this many dice is worth three quarters of the way from an even chance to a sure win


@helper
def strength(state: Any, side: int) -> float:
    """Returns what a side's dice are worth, in dice."""
    total = float(dice_left(state, side))
    zone = state[ZONE + side]
    for rank in range(1, NUM_RANKS + 1):
        total += READY[rank - 1] * count_rank(zone, rank)
    return total


@evaluate_kernel
def evaluate(state: Any, out: Any) -> None:
    """Writes the estimated utility of each side in [0, 1]: exact when the match is over, else a squashed lead."""
    if state[TO_ACT] == TERMINAL:
        winner = winning_side(state)
        out[0] = 0.5 if winner < 0 else 1.0 - winner
    else:
        lead = strength(state, 0) - strength(state, 1)
        # A rational squash instead of a logistic one: no libm call decides, so it is the same on every machine.
        out[0] = 0.5 + 0.5 * lead / (SCALE / 3.0 + abs(lead))
    out[1] = 1.0 - out[0]
