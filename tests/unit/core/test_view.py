"""The base of views: lazy, read-only, with a generator of its own."""

import random

import pytest

from arena.core.view import BotRandom
from arena.errors import IllegalAction
from arena.games import load_game
from arena.games.conformance import Subject

NINJAN = load_game("ninjan")


@pytest.fixture
def view():
    subject = Subject(NINJAN, 2, 1)
    position = subject.deal()
    return subject.view(position, 0, position.legal, [])


def test_generator_is_made_once_and_is_of_the_seed():
    source, same = BotRandom(9), random.Random(9)
    assert source.generator is source.generator
    assert [source.generator.random() for _ in range(3)] == [same.random() for _ in range(3)]


def test_names_lead_back(view):
    assert [view.parse(view.name(action)) for action in view.legal] == list(view.legal)
    with pytest.raises(IllegalAction, match="'castle' is no action of ninjan"):
        view.parse("castle")


def test_simulate_draws_from_the_generator_that_is_given(view):
    assert view.simulate(random.Random(1)).words() == view.simulate(random.Random(1)).words()
    assert view.simulate(random.Random(1)).words() != view.simulate(random.Random(2)).words()


def test_simulations_are_apart(view):
    first, second = view.simulate(random.Random(1)), view.simulate(random.Random(1))
    first.play(first.legal[0])
    assert second.to_move == 0
    assert view.simulate(random.Random(1)).words() == second.words()


def test_text_shows_seat_ply_and_legal_actions(view):
    assert repr(view).startswith("<NinjanView seat=0 ply=0 legal=[")
    assert all(view.name(action) in repr(view) for action in view.legal)
