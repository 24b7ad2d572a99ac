"""The plain streams draw what the kernels draw."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.luck import Luck
from arena.kernels.rng import LUCK_WORDS, below, next_word

WORDS = st.lists(st.integers(0, 2**64 - 1), min_size=LUCK_WORDS, max_size=LUCK_WORDS)
DRAWS = st.lists(st.tuples(st.integers(0, LUCK_WORDS - 1), st.integers(1, 2**32)), min_size=1, max_size=30)


@settings(deadline=None)
@given(WORDS, DRAWS)
def test_below_is_that_of_the_kernels(words, draws):
    kernel_luck, luck = np.array(words, np.uint64), Luck(words)
    for stream, bound in draws:
        assert luck.below(stream, bound) == int(below(kernel_luck, stream, bound))
        assert luck.words == kernel_luck.tolist()


@given(WORDS, st.integers(0, LUCK_WORDS - 1))
def test_next_word_is_that_of_the_kernels_and_leaves_the_given_words(words, stream):
    kernel_luck, given_words = np.array(words, np.uint64), tuple(words)
    assert Luck(given_words).next_word(stream) == int(next_word(kernel_luck, stream))
    assert list(given_words) == words


def test_rejected_draws_are_drawn_again():
    """A bound just above 2**31 rejects nearly half of all draws."""
    bound = 2**31 + 1
    kernel_luck, luck = np.arange(LUCK_WORDS, dtype=np.uint64), Luck(range(LUCK_WORDS))
    draws = [luck.below(0, bound) for _ in range(200)]
    assert draws == [int(below(kernel_luck, 0, bound)) for _ in range(200)]
    assert luck.words == kernel_luck.tolist()
