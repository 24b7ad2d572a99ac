"""The heuristic: what it says in the midst of a turn, and that a greedy player lives well by it."""

import random

import pytest

from arena.core.view import BotRandom
from arena.games.pirates_ninjas_robots_zombies.game import GAME

NUM_DEALS = 12
HANDS = ("t1 t2 t3", "t46 t47 t48")
TILES = {1: "P P P P", 2: "P! P! P! P!", 3: "Z Z Z Z", 10: "P P P P", 11: "N N N N"}


def worth(position, *names):
    """Returns seat 0's estimated utility after some plies."""
    return position.clone().play(*names).simulation.evaluate()[0]


def test_a_chosen_piece_counts_as_if_it_lay_where_it_helps(table):
    position = table({"0,0": "t10", "1,0": "t11"}, HANDS, tiles=TILES)
    assert worth(position, "t1") > worth(position, "t2") > worth(position, "t3")
    assert worth(position, "t1") == pytest.approx(worth(position, "t1", "-1,0/0"), abs=0.02)
    assert worth(position, "P") == pytest.approx(worth(position, "P", "-1,0/0"), abs=0.02)


def test_a_base_to_move_counts_as_if_it_lay_where_it_helps(table):
    lost = {"0,0": "t10", "1,0": "t11", "2,0": "P"}
    well = {"0,0": "t10", "1,0": "t11", "-1,0": "P"}
    chosen = worth(table(lost, HANDS, tiles=TILES), ">P")
    assert chosen == pytest.approx(worth(table(lost, HANDS, tiles=TILES), ">P", "-1,0/0"))
    assert chosen > worth(table(lost, HANDS, tiles=TILES), ">P", "1,1/0")
    assert chosen == pytest.approx(worth(table(well, HANDS, tiles=TILES), ">P"))


def test_whose_turn_is_next_is_ahead(dealt):
    """Nothing lies yet and all bases are in hand, so half a turn is all that tells the seats apart."""
    for num_seats in (2, 3, 4):
        simulation = dealt(num_seats, 1).simulation
        first, *others = simulation.evaluate()
        assert first > 0.5 > others[0] == others[-1]
        simulation.play(simulation.legal[0])  # the turn is under way: the next one is seat 1's
        chosen = simulation.evaluate()
        simulation.play(simulation.legal[0])
        assert chosen[0] == pytest.approx(simulation.evaluate()[0], abs=0.02)


def test_a_placement_that_negates_an_opponent_is_worth_more(table):
    tiles = {1: "R! R! R! R!", 10: "R R R R", 11: "N N N N"}
    position = table({"0,0": "t10", "1,0": "t11"}, HANDS, tiles=tiles)
    assert worth(position, "t1", "-1,0/0") > worth(position, "t1", "2,0/0")


def test_a_swap_that_helps_shows_from_its_first_cell_on(table):
    tiles = {1: "Z Z Z Z swap", 10: "P P P P", 11: "N N N N", 12: "P P P P"}
    position = table({"0,0": "t10", "1,0": "t11", "2,0": "t12"}, HANDS, tiles=tiles).play("t1", "3,0/0")
    chain = ["1,0", "2,0", "/0", "/0"]
    values = [worth(position, *chain[:step]) for step in range(1, 5)]
    assert min(values) > worth(position, "-")
    assert values == pytest.approx([values[0]] * 4)


def test_a_replace_that_helps_shows_from_its_cell_on(table):
    tiles = {1: "Z Z Z Z replace", 2: "P P P P", 10: "P P P P", 11: "P! N N P!"}
    position = table({"0,0": "t10", "1,0": "t11"}, HANDS, tiles=tiles).play("t1", "2,0/0")
    chain = ["1,0", "t2", "/0"]
    values = [worth(position, *chain[:step]) for step in range(1, 4)]
    assert min(values) > worth(position, "-")
    assert values[0] >= values[1] == values[2]


def greedy_action(simulation, seat, rng):
    """Returns the action after which the heuristic likes a determinization best."""
    legal = simulation.legal
    view = GAME.view_type(GAME, simulation.observed(seat), simulation.num_seats, seat, 0, legal, (), BotRandom(0))
    imagined = view.simulate(rng)
    values = []
    for action in legal:
        after = imagined.clone()
        after.play(action)
        values.append(after.evaluate()[seat])
    return legal[values.index(max(values))]


def returns_of_greedy(simulation, seat, rng):
    while not simulation.is_over:
        is_greedy = simulation.to_move == seat and len(simulation.legal) > 1
        simulation.play(greedy_action(simulation, seat, rng) if is_greedy else rng.choice(simulation.legal))
    return simulation.returns()[seat]


@pytest.mark.parametrize("num_seats", [2, 3, 4])
def test_greedy_beats_random(dealt, num_seats):
    rng = random.Random(6)
    points = [
        returns_of_greedy(dealt(num_seats, deal).simulation, seat, rng)
        for deal in range(NUM_DEALS)
        for seat in range(num_seats)
    ]
    assert sum(points) / len(points) > 0.9
