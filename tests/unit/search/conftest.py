"""Positions to search from."""

import random

import pytest

from arena.core.game import Move
from arena.core.view import BotRandom
from arena.games import load_game
from arena.kernels.simulation import Simulation


@pytest.fixture(scope="session")
def view_of():
    """Returns a function that makes the view of the seat to act."""

    def view(simulation, history=(), seed=1):
        game, seat = simulation.game, simulation.to_move
        seen = game.seen(list(history), simulation.num_seats, seat)
        return game.view_type(
            game, simulation.observed(seat), simulation.num_seats, seat, len(history), simulation.legal, seen,
            BotRandom(seed),
        )  # fmt: skip

    return view


@pytest.fixture(scope="session")
def position():
    """Returns a function that plays some random plies from a deal, and on to a position with a choice."""

    def play(name, num_seats, plies, deal=1, **options):
        game = load_game(name)
        words = game.encode_options(game.parse_options({key: str(value) for key, value in options.items()}))
        simulation, rng, history = Simulation.from_deal(game, words, num_seats, deal), random.Random(deal), []
        while len(history) < plies or len(simulation.legal) < 2:
            action = rng.choice(simulation.legal)
            history.append(Move(simulation.to_move, action))
            simulation.play(action)
        return simulation, history

    return play
