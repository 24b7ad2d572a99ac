"""Compiled drivers do what the same loops through the Python face of the kernels do."""

import numpy as np
import pytest

from arena.games import load_game
from arena.kernels.drivers import playout, playouts
from arena.kernels.rng import LUCK_WORDS, below, seed_luck
from arena.kernels.simulation import Simulation, kernels_of

NINJAN = load_game("ninjan")


def options_of(game):
    return np.array(game.encode_options(game.parse_options({})), np.int64)


def slow_playout(position, choice):
    """Plays to the end, drawing from a stream as the driver does; returns the plies."""
    plies = 0
    while not position.is_over:
        position.play(position.legal[below(choice, 0, len(position.legal))])
        plies += 1
    return plies


@pytest.mark.parametrize("num_seats", [2, 5])
def test_playout(num_seats):
    kernels = kernels_of(NINJAN)
    position = Simulation.from_deal(NINJAN, [], num_seats, 8)
    state, luck = np.array(position.words()), np.array(position.luck_words(), np.uint64)
    fast, slow = np.array([77], np.uint64), np.array([77], np.uint64)
    out = np.empty(NINJAN.max_legal, np.int64)
    plies = playout(kernels.legal, kernels.apply, state, luck, out, fast)
    assert plies == slow_playout(position, slow) == 18 * num_seats
    assert tuple(state.tolist()) == position.words()
    assert tuple(luck.tolist()) == position.luck_words()
    assert fast == slow


@pytest.mark.parametrize(("name", "num_seats"), [("ninjan", 3), ("connect_four", 2)])
def test_playouts(name, num_seats):
    game, seed, count = load_game(name), 1000, 25
    kernels, options = kernels_of(game), options_of(load_game(name))
    totals = np.zeros(num_seats)
    plies = playouts(
        kernels.deal, kernels.legal, kernels.apply, kernels.returns, count, num_seats, options, np.uint64(seed),
        np.empty(game.state_words, np.int64), np.empty(game.max_legal, np.int64), totals,
    )  # fmt: skip
    expected, expected_plies = np.zeros(num_seats), 0
    for number in range(seed, seed + count):
        luck = np.empty(LUCK_WORDS, np.uint64)
        seed_luck(np.uint64(number), luck)
        choice = np.array([luck[0] ^ luck[1] ^ np.uint64(seed)])
        position = Simulation.from_deal(game, options.tolist(), num_seats, number)
        expected_plies += slow_playout(position, choice)
        expected += position.returns()
    assert plies == expected_plies
    assert totals.tolist() == expected.tolist()
    assert totals.sum() == pytest.approx(count * num_seats / 2)
