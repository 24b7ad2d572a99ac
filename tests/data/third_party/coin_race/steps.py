"""How far a step takes a seat: the part of the rules that the tests edit."""

from arena.kernels.jit import helper

STRIDE = 1


@helper
def stride(tossed: int) -> int:
    """Returns the length of a step: the stride, or what a tossed coin makes of it."""
    return STRIDE + tossed
