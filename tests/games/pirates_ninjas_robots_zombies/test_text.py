"""Notation, record, view and text picture."""

import io

import pytest
from rich.console import Console

from arena.core.view import BotRandom
from arena.errors import IllegalAction
from arena.games import load_game
from arena.games.pirates_ninjas_robots_zombies.game import GAME
from arena.games.pirates_ninjas_robots_zombies.layout import AT, AT_FACING, NUM_ACTIONS
from arena.games.pirates_ninjas_robots_zombies.view import PlacedPiece

NAMES = ["t1", "t54", "P", "Z", ">P", ">Z", "/0", "/3", "-", "-128,-128", "2,-1", "-1,0/2", "127,127/3"]
NONSENSE = ["t0", "t55", "t01", "p", ">p", "/4", "--", "2,-1/4", "2,-1/", "-0,1", "01,1", "1, 1", "128,0", "0,0/٣"]


def view_of(position, seat):
    simulation = position.simulation
    legal = simulation.legal if seat == position.seat else ()
    return GAME.view_type(GAME, simulation.observed(seat), simulation.num_seats, seat, 0, legal, (), BotRandom(0))


def drawn(renderable, width):
    console = Console(width=width, file=io.StringIO(), record=True)
    console.print(renderable)
    return console.export_text()


def test_the_short_name():
    assert load_game("PNRZ") is GAME


@pytest.mark.parametrize("name", NAMES)
def test_names_lead_to_ids_and_back(name):
    action = GAME.parse_action(name)
    assert 0 <= action < NUM_ACTIONS
    assert GAME.action_name(action) == name


@pytest.mark.parametrize("name", NONSENSE)
def test_nonsense_is_refused(name):
    with pytest.raises(IllegalAction):
        GAME.parse_action(name)


def test_ids_of_cells_go_by_y_then_x():
    names = ["1,-1", "-1,0", "0,0", "-2,1"]
    for texts, start in ((names, AT), ([f"{name}/0" for name in names], AT_FACING)):
        ids = [GAME.parse_action(text) for text in texts]
        assert ids == sorted(ids)
        assert ids[0] >= start


@pytest.mark.parametrize("num_seats", [2, 3, 4])
def test_the_setup_says_what_chance_laid_out(dealt, num_seats):
    table = dealt(num_seats, 11)
    setup = GAME.setup(table.words)
    assert set(setup) == {"characters", "hands", "pile"}
    characters = [name for names in setup["characters"] for name in names]
    assert [len(names) for names in setup["characters"]] == [2 if num_seats == 2 else 1] * num_seats
    assert len(set(characters)) == len(characters)
    tiles = [number for part in (*setup["hands"], *setup["pile"]) for number in part]
    assert sorted(tiles) == list(range(1, 55))


def test_every_way_to_give_out_characters_comes_up(dealt):
    ways = {tuple(map(tuple, GAME.setup(dealt(3, seed).words)["characters"])) for seed in range(400)}
    assert len(ways) == 24


def test_the_view_has_all_that_is_public(table):
    layout = {"0,0": "t29/1", "1,0": "P", "2,0": "R"}
    position = table(layout, ("t51 t52", "t48 t49"), pile=[[10, 11], [12]], known=("t51", ""), moved=2)
    position.play("t52", "0,1/0", "0,0", "t51")
    view = view_of(position, 1)
    assert (view.decision, view.chosen, view.cells, view.incoming) == ("replace facing", "t52", ["0,0"], "t51")
    assert view.layout[0] == PlacedPiece(0, 0, "t29", 1, ["N", "p", "P", "Z"], "rotate")
    assert view.layout[1] == PlacedPiece(1, 0, "P", 0, ["P"] * 4, "")
    assert view.hand == ["t48", "t49", "Z"]
    assert view.characters == [["P", "N"], ["R", "Z"]]
    assert view.bases_in_hand == [["N"], ["Z"]]
    assert view.known == [["t51"], []]
    assert view.hand_sizes == [2, 3]
    assert view.pile_sizes == [2, 1]
    assert view.moved_base == [False, True]
    assert view.turns_left is None
    assert view.scores == position.scores
    assert view.tiles[28] == "29,p,P,Z,N,rotate"


def test_the_final_round_is_public(table):
    assert view_of(table({"0,0": "t1"}, pile=[[], []], turns_left=2), 1).turns_left == 2


def test_the_message_shows_no_hidden_tile(dealt):
    table = dealt(2, 1)
    message = view_of(table, 0).message()
    assert message["hand"] == sorted(table.hand(0) - set("PNRZ"), key=lambda name: int(name[1:])) + [
        name for name in "PNRZ" if name in table.hand(0)
    ]
    assert message["known"] == [[], []]


def test_the_picture_shows_layout_hands_and_points(table):
    position = table({"0,0": "t41/1", "1,0": "P", "0,1": "t29"}, ("t21", "t24 t28"))
    text = drawn(GAME.render(position.words, names=["ann", "bob"]), 80)
    lines = [line.rstrip() for line in text.splitlines()]
    assert lines[1:6] == [
        "      0    1",
        "   1 p P ~",
        "     N Z",
        "   0 Z P!%PPPP",
        "     R n  PPPP",
    ]
    assert "t21:pPPP" in text
    assert "ann" in text
    assert "bob" in text
    assert "P5" in text


def test_the_picture_for_a_seat_hides_the_other_hand(table):
    position = table({"0,0": "t1"}, ("t21", "t24 t28"))
    masked = memoryview(position.simulation.observed(0)).cast("q").tolist()
    text = drawn(GAME.render(masked, observer=0), 80)
    assert "t21" in text
    assert "t24" not in text
    assert "2 hidden" in text


def test_a_wide_layout_is_cut_to_the_width(table):
    position = table({f"{x},0": f"t{x + 1}" for x in range(40)})
    for width in (20, 40):
        text = drawn(GAME.render(position.words), width)
        assert max(map(len, text.splitlines())) <= width
        assert "not shown" in text
    assert "not shown" not in drawn(GAME.render(position.words), 240)
