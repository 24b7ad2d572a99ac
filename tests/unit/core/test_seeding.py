"""Seeds come from the contents of a path: no two paths meet, and nothing else has a part in them."""

import random
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.seeding import bot_seed, deal_seed, derive, format_seed, fresh_run_seed

NUM_IDS = 1_000_000
PARTS = st.lists(st.one_of(st.text(), st.integers(), st.binary()), max_size=4)


def test_known_values():
    """Written down once: a stored run must find its deals again with any later version."""
    assert derive() == 0xE4A6A0577479B2B4
    assert derive(1, "ninjan", 3, 17) == deal_seed(1, "ninjan", 3, 17)
    assert format_seed(deal_seed(1, "ninjan", 3, 17)) == "bfd9721a3015321a"
    assert bot_seed(1, "ab" * 16, 2) == 5375315793339202


def test_a_million_deals_all_differ():
    """Two runs, two games, all numbers of players: a mistake in any part of the path shows."""
    paths = product((1, 2), ("ninjan", "connect_four"), range(2, 6), range(NUM_IDS // 16))
    seeds = {deal_seed(*path) for path in paths}
    assert len(seeds) == NUM_IDS
    assert max(seeds) < 2**64


def test_a_million_bot_seeds_all_differ():
    """Each match id is 32 hex digits; five seats each."""
    matches = (f"{number * 0x9E3779B97F4A7C15:032x}" for number in range(NUM_IDS // 5))
    seeds = {bot_seed(1, match, seat) for match in matches for seat in range(5)}
    assert len(seeds) == NUM_IDS
    assert max(seeds) < 2**53


@given(PARTS, PARTS)
def test_other_paths_give_other_seeds(first, second):
    assert (derive(*first) == derive(*second)) == ([(type(p), p) for p in first] == [(type(p), p) for p in second])


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("a", "bc"), ("ab", "c")),
        (("abc",), ("ab", "c")),
        ((1,), ("1",)),
        (("1",), (b"1",)),
        ((1, 23), (12, 3)),
        ((1, 2), (2, 1)),
        ((-1,), (1,)),
        ((), ("",)),
        (("",), ("", "")),
        (("s1:a",), ("a",)),
        (("a", "s1:b"), ("a", "b")),
        (("é",), ("e\N{COMBINING ACUTE ACCENT}",)),
        ((2**64,), (0,)),
    ],
)
def test_parts_are_not_confusable(first, second):
    assert derive(*first) != derive(*second)


def test_bot_seed_tells_nothing_of_the_deal():
    """Bot seeds hang on the match's id; bits of them and of the deal's seed agree as often as not."""
    agreeing = sum((deal_seed(5, "ninjan", 2, i) ^ bot_seed(5, f"{i:032x}", 0)).bit_count() for i in range(4000))
    assert abs(agreeing / 4000 - 32) < 0.5


def test_fresh_run_seeds_differ_and_are_long():
    seeds = [fresh_run_seed() for _ in range(50)]
    assert len(set(seeds)) == 50
    assert 100 < max(seed.bit_length() for seed in seeds) <= 128


def test_fresh_run_seed_leaves_the_global_generator_alone():
    state = random.getstate()
    fresh_run_seed()
    assert random.getstate() == state


@pytest.mark.parametrize(("seed", "text"), [(0, "0" * 16), (2**64 - 1, "f" * 16), (0xABC, "0000000000000abc")])
def test_format(seed, text):
    assert format_seed(seed) == text
    assert int(format_seed(seed), 16) == seed


def test_seeds_are_spread_evenly():
    counts = [0] * 16
    for number in range(16_000):
        counts[deal_seed(1, "ninjan", 2, number) >> 60] += 1
    assert all(850 < count < 1150 for count in counts)
