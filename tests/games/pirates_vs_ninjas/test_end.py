"""The two ways to end ("End"), each with all its results."""

import pytest


def test_a_side_without_dice_loses(battle):
    position = battle(pirates=[1], ninjas=[1], credits=(0, 48)).play("a1x1")
    assert position.simulation.is_over
    assert position.legal == []
    assert position.simulation.returns() == (1.0, 0.0)
    assert position.simulation.scores() == (1, 0)


def test_ninjas_win_by_the_last_die_too(battle):
    position = battle(pirates=[5], ninjas=[5], to_act=1).play("master")
    assert position.simulation.is_over
    assert position.simulation.returns() == (0.0, 1.0)


def test_a_die_in_the_cup_keeps_a_side_alive(battle):
    position = battle(pirates=[1], ninjas=[1], cups=(0, 1)).play("a1x1")
    assert not position.simulation.is_over


def test_rogers_can_win_and_never_lose(battle):
    position = battle(pirates=[6, 6, 6, 6, 6], ninjas=[6, 6]).play("rogers")
    assert position.simulation.is_over
    assert position.simulation.scores() == (3, 0)
    assert position.simulation.returns() == (1.0, 0.0)


@pytest.mark.parametrize(
    ("cups", "credits", "returns"),
    [
        ((3, 2), (0, 20), (1.0, 0.0)),
        ((2, 3), (20, 0), (0.0, 1.0)),
        ((2, 2), (11, 10), (1.0, 0.0)),
        ((2, 2), (10, 11), (0.0, 1.0)),
        ((2, 2), (10, 10), (0.5, 0.5)),
    ],
)
def test_five_idle_turns_end_the_game(battle, cups, credits, returns):
    """More dice, cup and zone together; then more enemy rank destroyed; then a draw."""
    position = battle(pirates=[1], ninjas=[1], cups=cups, idle=4, credits=credits).play("rally", "r000000")
    assert position.idle == 5
    assert position.simulation.is_over
    assert position.simulation.returns() == returns
    assert position.simulation.scores() == (cups[0] + 1, cups[1] + 1)


def test_own_dice_lost_to_the_rogers_credit_nobody(battle):
    """Four dice each; the Ninjas have destroyed a 2, the Pirates a 1 and a 6 of their own."""
    position = battle(pirates=[6, 6, 6, 6], ninjas=[1], cups=(1, 3), credits=(1, 2), to_act=0).play("rogers")
    for side in (1, 0, 1, 0, 1):
        assert position.simulation.to_move == side
        position.play("rally")
        position.play(position.legal[0])
    assert position.simulation.is_over
    assert position.simulation.scores() == (4, 4)
    assert position.simulation.returns() == (0.0, 1.0)


def test_idle_turns_of_both_sides_count_together_and_a_destroyed_die_restarts_the_count(battle):
    position = battle(pirates=[1, 1], ninjas=[1, 2], cups=(1, 1))
    for idle in range(1, 5):
        position.play("rally")
        position.play(position.legal[0])
        assert position.idle == idle
    own = battle(pirates=[6, 6, 6, 6], ninjas=[1], idle=4).play("rogers")
    assert own.idle == 0, "an own die counts as destroyed"


@pytest.mark.parametrize("name", ["captain", "shrine"])
def test_captain_and_shrine_are_idle_turns(battle, name):
    position = battle(pirates=[5, 1], ninjas=[6, 6, 6], to_act=int(name == "shrine"), idle=4).play(name)
    assert position.idle == 5
    assert position.simulation.is_over


def test_the_fifth_idle_turn_may_be_the_one_after_a_shrine(battle):
    position = battle(pirates=[6], cups=(1, 2), to_act=1, owes_rally=True, idle=4).play("rally", "r000000")
    assert position.simulation.is_over
