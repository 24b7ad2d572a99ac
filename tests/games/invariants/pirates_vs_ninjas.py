"""What holds in every position of Pirates vs. Ninjas."""

from arena.games.pirates_vs_ninjas.layout import (
    CUP,
    DESTROYED,
    DICE,
    HERO,
    IDLE,
    IDLE_TURNS,
    NUM_RANKS,
    NUM_SIDES,
    RANK_BITS,
    RANK_MASK,
    ZONE,
)
from arena.kernels.abi import TO_ACT


def broken(state):
    """Returns 0, or the number of the rule that does not hold."""
    for side in range(NUM_SIDES):
        dice = state[CUP + side]
        for index in range(NUM_RANKS):
            dice += (state[ZONE + side] >> (RANK_BITS * index)) & RANK_MASK
            dice += (state[DESTROYED + side] >> (RANK_BITS * index)) & RANK_MASK
        if dice != DICE or state[CUP + side] < 0:
            return 1
        if (state[ZONE + side] >> (RANK_BITS * (HERO - 1))) & RANK_MASK > 1:
            return 2  # the Hero limit
    if state[TO_ACT] >= 0 and state[IDLE] >= IDLE_TURNS:
        return 3
    return 0
