"""One ply ahead, and flat playouts: values in the order of the legal actions, from the view alone."""

import random

import pytest

from arena.core.seeding import derive
from arena.games import all_games
from arena.search.flat import playout_values
from arena.search.lookahead import lookahead


@pytest.mark.parametrize("name", list(all_games()))
def test_a_value_for_each_action(position, view_of, name):
    simulation, history = position(name, 2, 3)
    view = view_of(simulation, history)
    for values in (lookahead(view, 4, random.Random(1)), playout_values(view, 60, random.Random(1), 3)):
        assert len(values) == len(view.legal)
        assert all(0 <= value <= 1 for value in values)


def test_without_chance_it_is_the_heuristic_itself(position, view_of):
    simulation, history = position("connect_four", 2, 5)
    values = lookahead(view_of(simulation, history), 8, random.Random(1))
    for action, value in zip(simulation.legal, values, strict=True):
        after = simulation.clone()
        after.play(action)
        assert value == after.evaluate()[simulation.to_move]


def test_hidden_cards_are_averaged_over(position, view_of):
    """The mean over determinizations is that of the same determinizations, evaluated one by one through Python."""
    simulation, history = position("ninjan", 3, 3)
    view = view_of(simulation, history)
    many = lookahead(view, 4000, random.Random(1))
    totals = [0.0] * len(view.legal)
    for number in range(4000):
        world = view.simulate(random.Random(derive("worlds", number)))
        for place, action in enumerate(view.legal):
            after = world.clone()
            after.play(action)
            totals[place] += after.evaluate()[view.seat]
    for value, total in zip(many, totals, strict=True):
        assert value == pytest.approx(total / 4000, abs=0.01)


def test_same_generator_same_values(position, view_of):
    simulation, history = position("ninjan", 2, 4)
    view = view_of(simulation, history)
    assert lookahead(view, 5, random.Random(3)) == lookahead(view, 5, random.Random(3))
    assert playout_values(view, 50, random.Random(3)) == playout_values(view, 50, random.Random(3))
    assert playout_values(view, 50, random.Random(3)) != playout_values(view, 50, random.Random(4))
