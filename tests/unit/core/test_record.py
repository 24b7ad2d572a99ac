"""Ranks, and actions as they are stored."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.record import actions_digest, pack_actions, rank_scores, unpack_actions

KEYS = st.lists(st.integers(-5, 5), min_size=1, max_size=6)


@pytest.mark.parametrize(
    ("keys", "ranks"),
    [
        ([3, 1, 2], (1, 3, 2)),
        ([5, 5, 1], (1, 1, 3)),
        ([1, 5, 5], (3, 1, 1)),
        ([0, 0, 0], (1, 1, 1)),
        ([-1, -7], (1, 2)),
        ([(1.0, 0.5), (0.0, 9.0), (1.0, 0.5)], (1, 3, 1)),
        ([(0.0, -1.0), (0.0, 4.0), (0.0, 0.0)], (3, 1, 2)),
        ([7], (1,)),
    ],
)
def test_ranks(keys, ranks):
    assert rank_scores(keys) == ranks


@given(KEYS, st.randoms(use_true_random=False))
def test_ranks_go_with_their_seats(keys, rng):
    order = list(range(len(keys)))
    rng.shuffle(order)
    ranks = rank_scores(keys)
    assert rank_scores([keys[i] for i in order]) == tuple(ranks[i] for i in order)
    assert [sorted(ranks).index(rank) + 1 for rank in ranks] == list(ranks)
    assert all((ranks[i] < ranks[j]) == (keys[i] > keys[j]) for i in order for j in order)


@given(st.lists(st.integers(0, 2**31 - 1), max_size=50))
def test_actions_come_back(actions):
    data = pack_actions(actions)
    assert len(data) == 4 * len(actions)
    assert unpack_actions(data) == actions


def test_packed_form_is_little_endian_and_stays():
    assert pack_actions([1, 50, 2**31 - 1]) == bytes.fromhex("01000000 32000000 ffffff7f")
    assert len(actions_digest(pack_actions([1]))) == 16
    assert actions_digest(pack_actions([1, 2])) != actions_digest(pack_actions([2, 1]))
