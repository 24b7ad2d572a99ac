"""Heuristic of Connect Four: open lines of four, weighted by the discs that stand in them."""

from typing import Any

from arena.games.connect_four.layout import COLUMN_BITS, DISCS, FULL, WINNER
from arena.kernels.abi import TERMINAL, TO_ACT, evaluate_kernel
from arena.kernels.jit import count_ones, helper

# Weights of lines with one, two and three discs of one colour and no other. They grow about fourfold, so that one
# line of three outweighs whatever lines of two surround it.
ONE, TWO, THREE = 1, 4, 18
SCALE = 60.0  # a lead of this many points is worth three quarters of the way from a draw to a win


@helper
def potential(own: int, other: int) -> int:
    """Returns the weighted sum of the lines that a side can still complete."""
    free = FULL & ~other
    total = 0
    for direction in range(4):
        step = 1 if direction == 0 else COLUMN_BITS + direction - 2
        # Bit i of `open_lines` says that the four cells from i on hold no disc of the other side.
        open_lines = free & (free >> step) & (free >> (2 * step)) & (free >> (3 * step))
        a, b, c, d = own, own >> step, own >> (2 * step), own >> (3 * step)
        parity = a ^ b ^ c ^ d
        pairs = (a & b) | ((a | b) & (c | d)) | (c & d)  # at least two
        triples = (a & b & (c | d)) | ((a | b) & c & d)  # at least three
        total += ONE * count_ones(open_lines & parity & ~triples)
        total += TWO * count_ones(open_lines & pairs & ~triples)
        total += THREE * count_ones(open_lines & triples)
    return total


@evaluate_kernel
def evaluate(state: Any, out: Any) -> None:
    """Writes the value of each seat in [0, 1]: exact when the match is over, else by the lead in open lines."""
    winner = state[WINNER]
    if winner >= 0:
        out[0] = 1.0 - winner
        out[1] = float(winner)
        return
    if state[TO_ACT] == TERMINAL:
        out[0] = 0.5
        out[1] = 0.5
        return
    lead = potential(state[DISCS], state[DISCS + 1]) - potential(state[DISCS + 1], state[DISCS])
    # A rational squash instead of a logistic one: no libm call decides, so it is the same on every machine.
    out[0] = 0.5 + 0.5 * lead / (SCALE / 3.0 + abs(lead))
    out[1] = 1.0 - out[0]
