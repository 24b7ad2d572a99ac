"""What a seat imagines: consistent with all that is public, and every possibility equally often."""

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from arena.games.pirates_ninjas_robots_zombies.game import GAME
from arena.games.pirates_ninjas_robots_zombies.reading import hand_names, layout_of, pile_part
from arena.kernels.rng import LUCK_WORDS, seed_luck
from arena.kernels.simulation import kernels_of

LEVEL = 1e-4  # the seeds are fixed, so a test that passes always passes


def imagine(table, seat, luck):
    """Returns the words of a determinization."""
    state = np.frombuffer(table.simulation.observed(seat), np.int64).copy()
    kernels_of(GAME).determinize(state, seat, luck)
    return state.tolist()


def make_luck(seed):
    luck = np.empty(LUCK_WORDS, np.uint64)
    seed_luck(np.uint64(seed), luck)
    return luck


@pytest.mark.parametrize("num_seats", [2, 3, 4])
@settings(max_examples=10, database=None)
@given(seed=st.integers(0, 2**32))
def test_agrees_with_what_is_public(dealt, num_seats, seed):
    rng = random.Random(seed)
    table, luck = dealt(num_seats, seed), make_luck(seed)
    while table.seat is not None:
        for seat in range(num_seats):
            words = imagine(table, seat, luck)
            hands = [set(hand_names(words, other)) for other in range(num_seats)]
            parts = [pile_part(words, other) for other in range(num_seats)]
            assert hands[seat] == table.hand(seat)
            assert layout_of(words) == layout_of(table.words)
            assert [len(part) for part in parts] == [len(part) for part in table.pile]
            for other in range(num_seats):
                assert len(hands[other]) == len(table.hand(other))
                assert {piece for piece in hands[other] if piece in "PNRZ"} == table.hand(other) & set("PNRZ")
                assert table.known(other) <= hands[other]
            tiles = [int(name[1:]) for hand in hands for name in hand if name not in "PNRZ"]
            tiles += [number for part in parts for number in part] + [
                placed.piece + 1 for placed in layout_of(words) if not placed.is_base
            ]
            assert sorted(tiles) == list(range(1, 55))
        table.play(rng.choice(table.legal))


def test_every_way_to_deal_the_unseen_is_equally_likely(table):
    """Of five unseen tiles two lie in the other hand, and three in the pile in some order: 60 ways."""
    layout = {f"{number},0": f"t{number}" for number in range(1, 47)}
    position = table(layout, ("t47 t48", "t49 t50 t51"), pile=[[52, 53], [54]], known=("", "t51"))
    luck = make_luck(3)
    ways = Counter()
    for _ in range(12_000):
        words = imagine(position, 0, luck)
        hand = {name for name in hand_names(words, 1) if name[0] == "t"}
        assert "t51" in hand
        ways[(*sorted(hand), *pile_part(words, 0), *pile_part(words, 1))] += 1
    assert len(ways) == 60
    assert chisquare(list(ways.values())).pvalue > LEVEL


def test_every_unseen_tile_is_equally_likely_in_every_hand(dealt):
    table, luck = dealt(4, 9), make_luck(4)
    counts = {seat: Counter() for seat in (1, 2, 3)}
    for _ in range(6_000):
        words = imagine(table, 0, luck)
        for seat, counter in counts.items():
            counter.update(name for name in hand_names(words, seat) if name[0] == "t")
    for counter in counts.values():
        assert len(counter) == 51
        assert chisquare(list(counter.values())).pvalue > LEVEL


def test_nobody_else_sees_a_hand_or_the_pile(dealt):
    table = dealt(3, 2)
    words = memoryview(table.simulation.observed(1)).cast("q").tolist()
    assert set(hand_names(words, 1)) == table.hand(1)
    assert all(set(hand_names(words, other)) == table.hand(other) & set("PNRZ") for other in (0, 2))
    assert not any(number for seat in range(3) for number in pile_part(words, seat))
