"""The luck of a match in plain Python: the same streams as kernels/rng.py, without numba.

For what tells of chance outside the kernels: a record's `chance` is derived again from the luck words that stood
before a ply.
"""

from collections.abc import Sequence

MASK = (1 << 64) - 1
GAMMA = 0x9E3779B97F4A7C15
MIX_A = 0xBF58476D1CE4E5B9
MIX_B = 0x94D049BB133111EB


class Luck:
    """Draws from the streams of some luck words as the kernels would; the words given stay as they are."""

    def __init__(self, words: Sequence[int]) -> None:
        self.words = list(words)
        """The streams as they stand, one unsigned 64-bit word each."""

    def next_word(self, stream: int) -> int:
        """Draws 64 uniform bits (splitmix64)."""
        state = (self.words[stream] + GAMMA) & MASK
        self.words[stream] = state
        z = ((state ^ (state >> 30)) * MIX_A) & MASK
        z = ((z ^ (z >> 27)) * MIX_B) & MASK
        return z ^ (z >> 31)

    def below(self, stream: int, bound: int) -> int:
        """Draws an integer uniform in [0, bound), exactly; bound is in 1..2**32 and is not checked."""
        threshold = (1 << 32) % bound
        while True:
            product = (self.next_word(stream) >> 32) * bound
            if product & 0xFFFFFFFF >= threshold:
                return product >> 32
