"""The Python face of the kernels: a position of one's own, to be played forward."""

import pytest

from arena.errors import IllegalAction
from arena.games import load_game
from arena.kernels.simulation import Simulation

NINJAN = load_game("ninjan")


@pytest.fixture
def position():
    return Simulation.from_deal(NINJAN, [], 3, 1)


def test_clone_is_apart_and_meets_the_same_luck(position):
    before = position.words()
    copy = position.clone()
    copy.play(copy.legal[0])
    assert position.words() == before
    position.play(position.legal[0])
    assert (position.words(), position.luck_words(), position.legal) == (copy.words(), copy.luck_words(), copy.legal)


@pytest.mark.parametrize("action", [-1, 50, 51, 10**30, -(10**30)])
def test_illegal_action_is_refused_and_changes_nothing(position, action):
    before = position.words()
    with pytest.raises(IllegalAction, match=r"is not legal here; legal: [RPS]"):
        position.play(action)
    assert position.words() == before


def test_nothing_is_legal_after_the_end(position):
    while not position.is_over:
        assert position.to_move is not None
        position.play(position.legal[0])
    assert (position.to_move, position.legal) == (None, ())
    with pytest.raises(IllegalAction):
        position.play(0)


def test_evaluate_is_exact_at_the_end(position):
    while not position.is_over:
        assert all(0 <= value <= 1 for value in position.evaluate())
        position.play(position.legal[-1])
    assert position.evaluate() == position.returns()
