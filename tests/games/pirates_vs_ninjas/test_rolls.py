"""Set-up, rally, the Hero limit after every kind of roll, and whose dice are whose."""

from collections import Counter

import pytest

from arena.core.luck import Luck
from arena.games.pirates_vs_ninjas.game import GAME, rolled_faces
from arena.games.pirates_vs_ninjas.layout import ROLLED
from arena.kernels.rng import TABLE

SEEDS = range(200)


def limited(ranks):
    """Applies the Hero limit to a list of ranks."""
    heroes = ranks.count(5)
    return sorted([rank for rank in ranks if rank != 5] + [5] * min(heroes, 1) + [1] * max(heroes - 1, 0))


def test_worked_case_of_the_hero_limit():
    assert limited([5, 5, 5, 1]) == [1, 1, 1, 5]


def test_setup_keeps_faces_as_rolled_and_limits_heroes(dealt):
    surplus = 0
    for seed in SEEDS:
        position = dealt(seed)
        setup = GAME.setup(position.words)
        assert position.zones == [limited(faces) for faces in setup["rolled"]]
        assert setup["first"] == position.simulation.to_move
        surplus += sum(faces.count(5) > 1 for faces in setup["rolled"])
    assert surplus > len(SEEDS) / 2


def test_setup_faces_are_the_first_of_each_sides_stream(dealt, luck_of):
    for seed in SEEDS:
        position, luck = dealt(seed), Luck(luck_of(seed))
        faces = [[luck.below(side, 6) + 1 for _ in range(9)] for side in (0, 1)]
        assert [rolled_faces(position.words[ROLLED + side]) for side in (0, 1)] == faces


def test_first_side_has_more_of_the_lowest_rank_that_differs(dealt):
    for seed in range(2000):
        position = dealt(seed)
        counts = [[zone.count(rank) for rank in range(1, 7)] for zone in position.zones]
        if counts[0] != counts[1]:
            assert position.simulation.to_move == (0 if counts[0] > counts[1] else 1)


def test_equal_zones_are_decided_by_the_table(dealt, luck_of):
    firsts = Counter()
    for seed in range(60_000):
        position = dealt(seed)
        if position.zones[0] == position.zones[1]:
            firsts[position.simulation.to_move] += 1
            assert Luck(luck_of(seed)).below(TABLE, 2) == position.simulation.to_move
    assert min(firsts[0], firsts[1]) > 5


def test_hero_limit_after_a_rally(battle):
    surplus = 0
    for seed in SEEDS:
        position = battle(pirates=[1, 2, 5], ninjas=[1], cups=(5, 0), seed=seed).play("rally")
        faces = position.rolled("r100000")
        assert len(faces) == 6
        assert position.zones[0] == limited([2, 5, *faces])
        surplus += 5 in faces
    assert surplus > len(SEEDS) / 3


def test_hero_limit_when_the_standing_hero_is_rolled_too(battle):
    for seed in SEEDS:
        position = battle(pirates=[5], ninjas=[1], cups=(3, 0), seed=seed).play("rally")
        faces = position.rolled("r000010")
        assert len(faces) == 4
        assert position.zones[0] == limited(faces)


def test_hero_limit_after_the_forced_roll_of_a_captain(battle):
    surplus = 0
    for seed in SEEDS:
        position = battle(pirates=[5], ninjas=[1, 5, 6], cups=(0, 6), seed=seed)
        faces = position.rolled("captain")
        assert position.zones[1] == limited(faces)
        surplus += faces.count(5) > 1
    assert surplus > len(SEEDS) / 3


def test_hero_limit_after_the_rally_of_a_shrine(battle):
    for seed in SEEDS:
        position = battle(pirates=[1], ninjas=[5, 2], cups=(0, 7), to_act=1, owes_rally=True, seed=seed).play("rally")
        faces = position.rolled("r000000")
        assert position.zones[1] == limited([2, 5, *faces])


def test_a_side_rolls_from_its_own_stream_alone(battle):
    for name, stream in (("captain", 1), ("r010000", 0)):
        position = battle(pirates=[2, 5], ninjas=[1, 2, 3], cups=(1, 1))
        if name != "captain":
            position.play("rally")
        before = position.simulation.luck_words()
        position.play(name)
        after = position.simulation.luck_words()
        assert [index for index in range(6) if before[index] != after[index]] == [stream]


def test_picks_are_all_choices_of_zone_dice(battle):
    position = battle(pirates=[1, 1, 5], ninjas=[1], cups=(1, 0)).play("rally")
    picks = {f"r{ones}000{hero}0" for ones in range(3) for hero in range(2)}
    assert set(position.legal) == picks
    assert len(position.legal) == len(picks)


def test_with_an_empty_cup_at_least_one_die_is_picked(battle):
    position = battle(pirates=[1, 6], ninjas=[1]).play("rally")
    assert sorted(position.legal) == ["r000001", "r100000", "r100001"]
    assert battle(cups=(2, 0), ninjas=[1]).play("rally").legal == ["r000000"]


def test_the_most_picks_are_max_legal(battle):
    position = battle(pirates=[1, 1, 2, 2, 3, 3, 4, 5, 6], ninjas=[1]).play("rally")
    assert len(position.legal) == GAME.max_legal


def test_rally_announced_is_still_the_same_turn(battle):
    position = battle(pirates=[1], ninjas=[6], idle=2).play("rally")
    assert position.simulation.to_move == 0
    assert position.idle == 2
    position.play("r100000")
    assert position.simulation.to_move == 1
    assert position.idle == 3


@pytest.mark.parametrize("name", ["a1x1", "rally", "v1x2", "rogers"])
def test_actions_without_a_roll_have_no_chance(battle, name):
    position = battle(pirates=[1, 1, 1, 6, 6, 6, 6], ninjas=[1, 2])
    before, luck = position.words, position.simulation.luck_words()
    position.play(name)
    assert GAME.chance(before, luck, GAME.parse_action(name), position.words) is None
    assert position.simulation.luck_words() == luck
