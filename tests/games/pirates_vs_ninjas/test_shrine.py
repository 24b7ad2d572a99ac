"""The turn after a Shrine ("After a Shrine")."""

from arena.games.pirates_vs_ninjas.layout import ATTACK, WHAT

SEEDS = range(60)


def shrine(battle, seed=1, pirates=(1, 1, 2, 3, 5, 6), extra=(1, 5)):
    return battle(pirates=pirates, ninjas=[*extra, 6, 6, 6], cups=(0, 2), to_act=1, seed=seed).play("shrine")


def test_shrine_puts_the_whole_zone_into_the_cup(battle):
    position = shrine(battle)
    assert position.zones[1] == []
    assert position.cups == [0, 7]
    assert position.idle == 1
    assert position.simulation.to_move == 0


def test_next_turn_is_a_rally_and_then_an_attack(battle):
    position = shrine(battle).play("rally", "r100000")
    assert position.simulation.to_move == 1
    assert position.legal == ["rally"]
    position.play("rally")
    assert position.legal == ["r000000"]
    position.play("r000000")
    assert position.stage == ATTACK
    assert position.simulation.to_move == 1
    assert not position.owes_rally
    assert "rally" not in position.legal
    idle = position.idle
    strike = next(name for name in position.legal if name.startswith("a"))
    position.play(strike)
    assert position.simulation.to_move == 0
    assert (idle, position.idle) == (2, 0)
    assert position.stage == WHAT


def test_both_parts_are_one_turn(battle):
    """An attack that destroys nothing (another Shrine) makes the turn idle, once."""
    for seed in range(2000):
        position = battle(pirates=[1], cups=(0, 9), to_act=1, owes_rally=True, idle=1, seed=seed)
        position.play("rally", "r000000")
        if "shrine" in position.legal:
            position.play("shrine")
            assert position.idle == 2
            assert position.owes_rally
            assert position.cups == [0, 9]
            assert position.simulation.to_move == 0
            return
    raise AssertionError("no roll of nine dice held three Shrines")


def test_the_turn_ends_after_the_roll_where_no_attack_is_legal(battle):
    seen = set()
    for seed in SEEDS:
        position = battle(pirates=[6], cups=(2, 2), to_act=1, owes_rally=True, idle=2, seed=seed)
        position.play("rally", "r000000")
        assert position.simulation.to_move == 0
        assert position.idle == 3
        assert not position.owes_rally
        seen.add(tuple(position.zones[1]))
    assert len(seen) > 10


def test_a_captain_between_shrine_and_rally_is_not_that_rally(battle):
    for seed in SEEDS:
        position = shrine(battle, seed)
        faces = position.rolled("captain")
        assert len(faces) == 7
        assert position.cups == [1, 0]
        assert len(position.zones[1]) == 7
        assert position.owes_rally
        assert position.legal == ["rally"]
        position.play("rally")
        # The cup is empty: at least one die of the zone has to be rolled.
        assert "r000000" not in position.legal
        counts = [position.zones[1].count(rank) for rank in range(1, 7)]
        everything = "r" + "".join(map(str, counts))
        assert everything in position.legal
        assert len(position.rolled(everything)) == 7
        assert not position.owes_rally


def test_zone_dice_may_be_rolled_beside_the_cup(battle):
    position = battle(pirates=[1], ninjas=[2, 2, 4], cups=(0, 3), to_act=1, owes_rally=True).play("rally")
    assert set(position.legal) == {f"r0{twos}0{fours}00" for twos in range(3) for fours in range(2)}


def test_rogers_in_between_can_destroy_nothing_of_the_cup(battle):
    position = shrine(battle, pirates=[6, 6, 6, 6]).play("rogers")
    assert position.destroyed == [[6], []]
    assert position.cups[1] == 7
    assert position.legal == ["rally"]
