"""Chance for kernels: known values of splitmix64, exact uniformity, streams that have nothing to do with each other."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from arena.kernels.rng import LUCK_WORDS, MAX_SEATS, TABLE, below, mix, next_word, seed_luck

ALPHA = 1e-4
# The first outputs of splitmix64 from state 1234567, as many implementations publish them for comparison.
KNOWN = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821]


def luck_of(seed):
    luck = np.empty(LUCK_WORDS, np.uint64)
    seed_luck(np.uint64(seed), luck)
    return luck


def test_known_values():
    luck = np.array([1234567], np.uint64)
    assert [int(next_word(luck, 0)) for _ in KNOWN] == KNOWN


def test_a_stream_for_each_seat_and_the_table():
    assert (MAX_SEATS, TABLE, LUCK_WORDS) == (5, 5, 6)


@pytest.mark.parametrize("bound", [1, 2, 3, 6, 7, 48, 1000])
def test_below_is_uniform(bound):
    luck = luck_of(bound)
    counts = np.bincount([below(luck, 0, bound) for _ in range(20_000)], minlength=bound)
    assert len(counts) == bound
    assert bound == 1 or chisquare(counts).pvalue > ALPHA


@settings(max_examples=200)
@given(st.integers(0, 2**64 - 1), st.integers(1, 2**32), st.integers(0, LUCK_WORDS - 1))
def test_below_stays_in_bounds_and_draws_from_one_stream(seed, bound, stream):
    luck = luck_of(seed)
    before = luck.copy()
    draws = [below(luck, stream, bound) for _ in range(5)]
    assert all(0 <= draw < bound for draw in draws)
    assert luck[stream] != before[stream]
    others = [i for i in range(LUCK_WORDS) if i != stream]
    assert (luck[others] == before[others]).all()


def test_below_reaches_both_ends_of_a_large_bound():
    luck, bound = luck_of(9), 2**32
    draws = np.array([below(luck, 0, bound) for _ in range(4000)])
    assert draws.min() < bound / 500
    assert draws.max() > bound - bound / 500
    assert chisquare(np.histogram(draws, 16, (0, bound))[0]).pvalue > ALPHA


def test_below_rejects_what_would_favour_some_numbers():
    """A bound of three quarters of 2**32: without rejection a third of the numbers came up twice as often."""
    luck, bound = luck_of(10), 3 << 30
    draws = np.array([below(luck, 0, bound) for _ in range(12_000)])
    assert chisquare(np.bincount(draws % 3, minlength=3)).pvalue > ALPHA
    assert chisquare(np.histogram(draws, 12, (0, bound))[0]).pvalue > ALPHA


def test_mix_is_a_bijection_as_far_as_tried():
    rng = np.random.default_rng(1)
    words = np.unique(np.concatenate([np.arange(50_000, dtype=np.uint64), rng.integers(0, 2**63, 50_000, np.uint64)]))
    assert len({int(mix(word)) for word in words}) == len(words)


def test_streams_of_all_seeds_differ():
    """100,000 seeds that follow each other, six streams each: 600,000 different starts."""
    luck = np.empty(LUCK_WORDS, np.uint64)
    starts = np.empty((100_000, LUCK_WORDS), np.uint64)
    for seed in range(len(starts)):
        seed_luck(np.uint64(seed), luck)
        starts[seed] = luck
    assert len(np.unique(starts)) == starts.size
    ones = np.unpackbits(starts.view(np.uint8)).mean()
    assert abs(ones - 0.5) < 0.001


@pytest.mark.parametrize("other", range(1, LUCK_WORDS))
def test_streams_of_one_seed_are_independent(other):
    """Pairs of draws from two streams, and from one stream and the next seed's, fall evenly on a 6 x 6 board."""
    counts = np.zeros((2, 36), int)
    for seed in range(6000):
        luck, following = luck_of(seed), luck_of(seed + 1)
        first = below(luck, 0, 6)
        counts[0, 6 * first + below(luck, other, 6)] += 1
        counts[1, 6 * first + below(following, other, 6)] += 1
    assert chisquare(counts[0]).pvalue > ALPHA
    assert chisquare(counts[1]).pvalue > ALPHA


def test_streams_do_not_run_after_each_other():
    """No stream meets another of its seed within a thousand draws."""
    for seed in range(50):
        luck = luck_of(seed)
        states = set()
        for _ in range(1000):
            for stream in range(LUCK_WORDS):
                next_word(luck, stream)
                states.add(int(luck[stream]))
        assert len(states) == 1000 * LUCK_WORDS
