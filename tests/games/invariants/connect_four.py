"""What holds in every position of Connect Four."""

from arena.games.connect_four.layout import COLUMN_BITS, COLUMNS, DISCS, FULL
from arena.kernels.abi import TERMINAL, TO_ACT
from arena.kernels.jit import count_ones


def broken(state):
    """Returns 0, or the number of the rule that does not hold."""
    first, second = state[DISCS], state[DISCS + 1]
    if first & second or (first | second) & ~FULL:
        return 1
    lead = count_ones(first) - count_ones(second)
    if lead not in (0, 1) or (state[TO_ACT] != TERMINAL and state[TO_ACT] != lead):
        return 2
    for column in range(COLUMNS):
        stack = ((first | second) >> (column * COLUMN_BITS)) & 63
        if stack & (stack + 1):
            return 3  # a disc hangs in the air
    return 0
