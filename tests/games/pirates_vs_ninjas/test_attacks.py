"""What each attack needs and does, by the rules page's "A turn" and its worked cases."""

import pytest

from arena.errors import IllegalAction


def attacks(battle):
    return {name for name in battle.legal if name != "rally"}


def test_strike_hits_its_own_rank_and_lower(battle):
    position = battle(pirates=[3], ninjas=[1, 2, 3, 4, 5, 6])
    assert attacks(position) == {"a3x1", "a3x2", "a3x3"}
    position.play("a3x2")
    assert position.zones == [[], [1, 3, 4, 5, 6]]
    assert position.cups == [1, 0]
    assert position.destroyed == [[], [2]]
    assert position.credits == [2, 0]


@pytest.mark.parametrize("rank", [5, 6])
def test_ranks_5_and_6_do_not_strike(battle, rank):
    assert not any(name.startswith("a") for name in battle(pirates=[rank], ninjas=[1, 1, 2]).legal)


@pytest.mark.parametrize("rank", [1, 2, 3, 4])
def test_volley_hits_the_next_rank_only(battle, rank):
    position = battle(ninjas=[rank] * 3, pirates=[1, 2, 3, 4, 5, 6], to_act=1)
    assert {name for name in position.legal if name.startswith("v")} == {f"v{rank}x{rank + 1}"}
    position.play(f"v{rank}x{rank + 1}")
    assert position.zones[1] == []
    assert position.cups == [0, 3]
    assert position.destroyed == [[rank + 1], []]
    assert position.credits == [0, rank + 1]


@pytest.mark.parametrize("rank", [5, 6])
def test_no_volley_of_ranks_5_and_6(battle, rank):
    assert battle(pirates=[rank] * 3, ninjas=[1], to_act=0).legal[-1:] == ["rally"]
    assert not any(name.startswith("v") for name in battle(pirates=[rank] * 3, ninjas=[1, 6]).legal)


def test_two_dice_are_no_volley(battle):
    assert attacks(battle(pirates=[2, 2], ninjas=[3, 3])) == set()


def test_volley_and_master_destroy_a_captain_where_no_strike_can(battle):
    position = battle(pirates=[5], ninjas=[4, 4, 4, 5], to_act=1)
    assert attacks(position) == {"v4x5", "master"}
    with pytest.raises(IllegalAction, match="a4x5"):
        position.clone().play("a4x5")
    assert position.clone().play("v4x5").destroyed[0] == [5]
    by_master = position.clone().play("master")
    assert by_master.destroyed == [[5], []]
    assert by_master.zones == [[], [4, 4, 4]]
    assert by_master.cups == [0, 1]
    assert by_master.credits == [0, 5]


def test_master_needs_a_captain(battle):
    assert attacks(battle(pirates=[6], ninjas=[5], to_act=1)) == set()


def test_captain_is_always_allowed_and_rerolls_zone_and_cup(battle):
    position = battle(pirates=[5, 6], ninjas=[6, 6], cups=(0, 4))
    assert "captain" in position.legal
    faces = position.rolled("captain")
    assert len(faces) == 6
    assert position.cups == [1, 0]
    assert len(position.zones[1]) == 6
    assert position.zones[0] == [6]
    assert position.idle == 1
    assert position.simulation.to_move == 1


def test_captain_belongs_to_the_pirates_and_master_to_the_ninjas(battle):
    assert "master" not in battle(pirates=[5], ninjas=[5]).legal
    assert "captain" not in battle(pirates=[5], ninjas=[5], to_act=1).legal


def test_rogers_destroy_every_rank_6_left_on_both_sides(battle):
    position = battle(pirates=[6, 6, 6, 6, 6, 1], ninjas=[6, 6, 2])
    position.play("rogers")
    assert position.zones == [[1], [2]]
    assert position.cups == [3, 0]
    assert position.destroyed == [[6, 6], [6, 6]]
    assert position.credits == [12, 0]


def test_fourth_jolly_roger_is_destroyed_and_credits_nobody(battle):
    position = battle(pirates=[6, 6, 6, 6], ninjas=[1, 2], idle=3)
    assert "rogers" in position.legal
    position.play("rogers")
    assert position.destroyed == [[6], []]
    assert position.credits == [0, 0]
    assert position.idle == 0


def test_three_jolly_rogers_alone_may_not_fire(battle):
    assert "rogers" not in battle(pirates=[6, 6, 6], ninjas=[1, 2]).legal
    assert "rogers" in battle(pirates=[6, 6, 6], ninjas=[6]).legal
    assert "rogers" not in battle(pirates=[6, 6], ninjas=[6, 6]).legal


def test_ninjas_have_no_rogers_and_pirates_no_shrine(battle):
    assert attacks(battle(pirates=[6], ninjas=[6, 6, 6, 6], to_act=1)) == {"shrine"}
    assert attacks(battle(pirates=[6, 6, 6, 6], ninjas=[6])) == {"rogers"}


def test_after_shrine_with_all_dice_in_the_cup_pirates_have_captain_rally_or_rogers(battle):
    position = battle(pirates=[1, 2, 3, 4, 4, 4, 5], ninjas=[1, 2, 3, 4, 5, 6, 6, 6, 6], to_act=1).play("shrine")
    assert position.zones[1] == []
    assert position.cups == [0, 9]
    assert position.owes_rally
    assert position.legal == ["captain", "rally"]
    with_rogers = battle(pirates=[1, 6, 6, 6, 6], ninjas=[6, 6, 6], to_act=1).play("shrine")
    assert with_rogers.legal == ["rogers", "rally"]


def test_dice_in_a_cup_cannot_be_hit(battle):
    position = battle(pirates=[4, 4, 4, 6, 6, 6], ninjas=[], cups=(0, 3))
    assert position.legal == ["rally"]
