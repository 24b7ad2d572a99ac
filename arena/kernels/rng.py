"""Chance for kernels: splitmix64 streams in a vector, one a seat and one for the table.

Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014, figure 17; Lemire,
"Fast random integer generation in an interval", ACM TOMACS 29(1), 2019, algorithm 5.
Shapes: L is LUCK_WORDS. A stream is a uint64 word; drawing from it changes that word alone.
"""

import numpy as np
import numpy.typing as npt

from arena.kernels.jit import kernel

MAX_SEATS = 5
TABLE = MAX_SEATS  # the stream of what belongs to no seat: the shuffle of a deal, an opening
LUCK_WORDS = MAX_SEATS + 1

GAMMA = np.uint64(0x9E3779B97F4A7C15)
MIX_A = np.uint64(0xBF58476D1CE4E5B9)
MIX_B = np.uint64(0x94D049BB133111EB)
STREAM_STEP = np.uint64(0xD1342543DE82EF95)  # odd and far from GAMMA: streams of one seed do not run after each other
S27, S30, S31, S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
LOW_32 = np.uint64(0xFFFFFFFF)
TWO_32 = np.uint64(1 << 32)


@kernel("uint64", "uint64")
def mix(word: np.uint64) -> np.uint64:
    """Returns the finalizer of splitmix64: a bijection of 64-bit words without visible structure."""
    z = (word ^ (word >> S30)) * MIX_A
    z = (z ^ (z >> S27)) * MIX_B
    return z ^ (z >> S31)


@kernel("void", "uint64", "uint64[::1]")
def seed_luck(seed: np.uint64, luck: npt.NDArray[np.uint64]) -> None:
    """Fills luck, uint64[L] or shorter, with the streams that belong to a seed."""
    base = mix(seed + GAMMA)
    for stream in range(luck.shape[0]):
        luck[stream] = mix(base + np.uint64(stream + 1) * STREAM_STEP)


@kernel("uint64", "uint64[::1]", "int64")
def next_word(luck: npt.NDArray[np.uint64], stream: int) -> np.uint64:
    """Draws 64 uniform bits."""
    state = luck[stream] + GAMMA
    luck[stream] = state
    z = (state ^ (state >> S30)) * MIX_A
    z = (z ^ (z >> S27)) * MIX_B
    word: np.uint64 = z ^ (z >> S31)
    return word


@kernel("int64", "uint64[::1]", "int64", "int64")
def below(luck: npt.NDArray[np.uint64], stream: int, bound: int) -> int:
    """Draws an integer uniform in [0, bound), exactly; bound is in 1..2**32 and is not checked."""
    n = np.uint64(bound)
    product = (next_word(luck, stream) >> S32) * n
    low = product & LOW_32
    if low < n:
        threshold = (TWO_32 - n) % n
        while low < threshold:
            product = (next_word(luck, stream) >> S32) * n
            low = product & LOW_32
    return np.int64(product >> S32)  # type: ignore[return-value]  # an int64 is what kernels call an int
