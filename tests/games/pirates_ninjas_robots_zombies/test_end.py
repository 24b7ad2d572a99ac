"""Draws, borrowed draws, and the final round."""

import pytest


def play_plainly(table):
    """Plays the first tile or base of the hand to the first free cell, and declines what an icon offers."""
    seat = table.seat
    table.play(table.legal[0])
    table.play(table.legal[0])
    if table.seat == seat and table.legal[0] == "-":
        table.play("-")


@pytest.mark.parametrize(("num_seats", "parts"), [(2, [24, 24]), (3, [15, 15, 15]), (4, [11, 11, 10, 10])])
def test_the_pile_is_dealt_out_in_parts(dealt, num_seats, parts):
    table = dealt(num_seats, 3)
    assert [len(part) for part in table.pile] == parts
    assert all(len(table.hand(seat)) == 3 + (2 if num_seats == 2 else 1) for seat in range(num_seats))


def test_a_seat_draws_the_first_tile_of_its_part(table):
    position = table({"0,0": "t1"}, pile=[[10, 11, 12], [20, 21]]).play("t52", "1,0/0", "-")
    assert "t10" in position.hand(0)
    assert position.pile == [[11, 12], [20, 21]]
    position.play("t48", "2,0/0")
    assert "t20" in position.hand(1)
    assert position.pile == [[11, 12], [21]]


def test_a_base_that_is_played_draws_too(table):
    position = table({"0,0": "t1"}, ("t51", "t48"), pile=[[10], [20]]).play("P", "1,0/0")
    assert position.hand(0) == {"t51", "N", "t10"}


@pytest.mark.parametrize(
    ("pile", "drawn", "left"),
    [
        ([[], [20, 21, 22]], "t22", [[], [20, 21]]),
        ([[], [20], [30, 31]], "t31", [[], [20], [30]]),
        ([[], [20, 21], [30, 31]], "t21", [[], [20], [30, 31]]),
        ([[], [], [30]], "t30", [[], [], []]),
    ],
)
def test_an_empty_part_borrows_the_last_of_the_largest(table, pile, drawn, left):
    hands = ("t51 t52", "t48 t49", "t45 t46")[: len(pile)]
    position = table({"0,0": "t1"}, hands, "012-" if len(pile) == 3 else "0011", pile=pile).play("t52", "1,0/0", "-")
    assert drawn in position.hand(0)
    assert position.pile == left


def test_a_seats_draws_do_not_depend_on_others(dealt):
    quiet, busy = dealt(2, 5), dealt(2, 5)
    for table in (quiet, busy):
        play_plainly(table)
    play_plainly(quiet)
    base = next(name for name in busy.legal if name in "PNRZ")
    busy.play(base, busy.clone().play(base).legal[-1])
    for table in (quiet, busy):
        play_plainly(table)
    assert quiet.hand(0) == busy.hand(0)


@pytest.mark.parametrize("num_seats", [2, 3, 4])
def test_the_last_draw_leaves_everyone_one_turn(dealt, num_seats):
    table = dealt(num_seats, 4)
    turns = 0
    while any(table.pile):
        assert table.turns_left == -1
        play_plainly(table)
        turns += 1
    assert turns == 54 - 3 * num_seats
    drawer = (turns - 1) % num_seats
    last_turns = []
    for left in range(num_seats, 0, -1):
        assert table.turns_left == left
        last_turns.append(table.seat)
        hand = len(table.hand(table.seat))
        play_plainly(table)
        assert len(table.hand(last_turns[-1])) == hand - 1, "nothing is left to draw"
    assert last_turns == [(drawer + 1 + step) % num_seats for step in range(num_seats)]
    assert table.seat is None
    assert table.legal == []


def test_a_base_move_is_a_turn_of_the_final_round(table):
    position = table({"0,0": "t1", "1,0": "P"}, pile=[[], []], turns_left=2)
    position.play(">P", "0,1/0")
    assert (position.turns_left, position.seat) == (1, 1)
    position.play("t48", "1,0/0")
    assert position.seat is None


def test_the_chance_of_a_ply_is_the_tile_drawn(table):
    from arena.games.pirates_ninjas_robots_zombies.game import GAME

    position = table({"0,0": "t1"}, pile=[[], [20, 21]])
    drawn = []
    for name in ("t51", "1,0/0", "-"):
        before = position.words
        position.play(name)
        drawn.append(GAME.chance(before, position.simulation.luck_words(), GAME.parse_action(name), position.words))
    assert drawn == [None, None, {"drawn": 21}]


def test_equal_points_share_the_rank(table):
    tiles = {1: "P P R R", 48: "Z! Z! Z! Z!", 51: "N! N! N! N!"}
    position = table({"0,0": "t1"}, tiles=tiles, pile=[[], []], turns_left=2)
    position.play("t51", "0,1/0", "t48", "0,-1/0")
    assert position.scores == [2, 2]
    assert position.simulation.returns() == (0.5, 0.5)
