"""What Ninjan tells a search beyond its rules (arena/search/pointers.py)."""

from typing import Any

from arena.games.ninjan.layout import CHOSEN, HAND, NO_CARD, NUM_SEATS, STAGE
from arena.kernels.abi import TO_ACT
from arena.kernels.jit import kernel

# From `arena tune`; docs/strength.md has the evidence.
TUNED = {"exploration": 0.3, "widening": 0.5, "candidates": 4, "playout_depth": 6}


@kernel("void", "int64[::1]", "int64")
def reopen(state: Any, seat: int) -> None:
    """Takes back the cards that other seats have chosen in secret, so that a search lets them choose.

    Choices of a round are simultaneous: that some seats are asked before the searching one is the engine's affair. As
    they stand after `determinize`, those seats would have chosen by chance.
    """
    if state[STAGE] >= state[NUM_SEATS] or state[CHOSEN + seat] >= 0:
        return
    for other in range(state[STAGE]):
        state[HAND + other] |= 1 << state[CHOSEN + other]
        state[CHOSEN + other] = NO_CARD
    state[STAGE] = 0
    state[TO_ACT] = 0
