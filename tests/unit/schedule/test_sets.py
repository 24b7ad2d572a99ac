"""Which sets of entrants play: all, in an order whose every prefix is balanced, or an evenly chosen part."""

from collections import Counter
from itertools import combinations, islice
from math import comb

import pytest

from arena.schedule.sets import MAX_SETS, is_complete, rounds

COMPLETE = [(n, k) for k in range(2, 6) for n in range(k, 13)]
INCOMPLETE = [(101, 2, 12), (120, 2, 20), (40, 3, 40), (25, 4, 60), (26, 4, 60), (30, 5, 60)]


@pytest.mark.parametrize(("num_entrants", "players"), COMPLETE)
def test_complete_round_has_every_set_once(num_entrants, players):
    sets = next(rounds(num_entrants, players))
    assert sorted(sets) == list(combinations(range(num_entrants), players))
    assert len(sets) == comb(num_entrants, players)


@pytest.mark.parametrize(("num_entrants", "players"), COMPLETE)
def test_every_prefix_is_balanced(num_entrants, players):
    """After any number of blocks of two rounds, nobody has played more than two or three more than another (D7)."""
    bound = 2 if num_entrants <= 10 else 3
    played = [0] * num_entrants
    for sets in islice(rounds(num_entrants, players), 2):
        for members in sets:
            for member in members:
                played[member] += 1
            assert max(played) - min(played) <= bound
        assert len(set(played)) == 1, "a round is even"


@pytest.mark.parametrize(("num_entrants", "players"), [(6, 2), (7, 3), (8, 4)])
def test_everybody_has_played_soon(num_entrants, players):
    """Not all blocks of one entrant first: after as many blocks as there are entrants everyone has played (D7)."""
    first = next(rounds(num_entrants, players))[:num_entrants]
    assert {member for members in first for member in members} == set(range(num_entrants))


@pytest.mark.parametrize(
    ("num_entrants", "players", "expected"),
    [(2, 2, True), (100, 2, True), (101, 2, False), (20, 4, True), (21, 4, False), (5, 5, True), (32, 3, True)],
)
def test_complete_up_to_a_bound(num_entrants, players, expected):
    assert is_complete(num_entrants, players) == expected == (comb(num_entrants, players) <= MAX_SETS)


@pytest.mark.parametrize(("num_entrants", "players", "num_rounds"), INCOMPLETE)
def test_incomplete_design_is_even(num_entrants, players, num_rounds):
    """Equal games after each round, within three at any time; pairs meet nearly equally often."""
    games, pairs = [0] * num_entrants, Counter()
    for sets in islice(rounds(num_entrants, players), num_rounds):
        assert len(set(sets)) == len(sets)
        for members in sets:
            assert len(set(members)) == players
            for member in members:
                games[member] += 1
            assert max(games) - min(games) <= 3
            pairs.update(combinations(members, 2))
        assert len(set(games)) == 1
    counts = [pairs[pair] for pair in combinations(range(num_entrants), 2)]
    assert all(first < second for first, second in pairs)
    mean = sum(counts) / len(counts)
    assert max(counts) - min(counts) <= 4
    assert max(abs(count - mean) for count in counts) < 3


@pytest.mark.parametrize(("num_entrants", "players"), [(101, 2), (40, 3)])
def test_incomplete_design_repeats_and_grows_only_at_its_end(num_entrants, players):
    first = list(islice(rounds(num_entrants, players), 5))
    assert list(islice(rounds(num_entrants, players), 8))[:5] == first
    assert first[0] != first[1]


@pytest.mark.parametrize("num_entrants", [101, 120])
def test_pairs_of_an_incomplete_design_meet_once_before_any_meets_twice(num_entrants):
    met = Counter(pair for sets in islice(rounds(num_entrants, 2), num_entrants // 2) for pair in sets)
    assert set(met.values()) == {1}
    assert len(met) == comb(num_entrants, 2)
