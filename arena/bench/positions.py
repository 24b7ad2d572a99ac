"""Positions and loads that several benchmarks share."""

from collections.abc import Iterator
from functools import cache

import numpy as np

from arena.core.game import Game
from arena.core.seeding import derive
from arena.core.view import BotRandom, View
from arena.games import load_game
from arena.kernels.drivers import playouts
from arena.kernels.rng import below
from arena.kernels.simulation import Simulation, kernels_of

SEED = 20


def option_words(game: Game, **options: str) -> list[int]:
    """Returns a game's option words for options as typed."""
    return game.encode_options(game.parse_options(options))


class Playouts:
    """Whole random matches from fresh deals, in compiled code; counts their plies as it goes."""

    def __init__(self, name: str, num_seats: int, **options: str) -> None:
        game = load_game(name)
        self._kernels = kernels_of(game)
        self._num_seats = num_seats
        self._options = np.array(option_words(game, **options), np.int64)
        self._state = np.zeros(game.state_words, np.int64)
        self._out = np.empty(game.max_legal, np.int64)
        self._totals = np.zeros(num_seats)
        self.matches = 0
        """Matches played so far; the next has the luck of that number."""
        self.plies = 0
        """Plies of all of them."""

    def __call__(self, number: int) -> float:
        """Plays that many matches; is a load."""
        rules = self._kernels
        seed = np.uint64(SEED + self.matches)
        self.plies += playouts(
            rules.deal, rules.legal, rules.apply, rules.returns, number, self._num_seats, self._options, seed,
            self._state, self._out, self._totals,
        )  # fmt: skip
        self.matches += number
        return number

    @property
    def mean_plies(self) -> float:
        """Plies a match so far."""
        return self.plies / self.matches


def view_of(simulation: Simulation, ply: int) -> View:
    """Returns what the seat to act knows of a position."""
    seat = simulation.to_move
    assert seat is not None
    state = simulation.observed(seat)
    rng = BotRandom(derive(SEED, ply))
    return simulation.game.view_type(simulation.game, state, simulation.num_seats, seat, ply, simulation.legal, (), rng)


def first_view(name: str, num_seats: int, **options: str) -> View:
    """Returns what the first seat to act knows of a fresh deal."""
    game = load_game(name)
    return view_of(Simulation.from_deal(game, option_words(game, **options), num_seats, SEED), 0)


def random_match(game: Game, num_seats: int, deal: int) -> Iterator[Simulation]:
    """Yields the positions of a random match before each ply; the object is the same and changes as it is played."""
    simulation = Simulation.from_deal(game, option_words(game), num_seats, deal)
    choice = np.array([derive(SEED, deal)], np.uint64)
    while not simulation.is_over:
        yield simulation
        simulation.play(simulation.legal[below(choice, 0, len(simulation.legal))])


@cache
def decisions(name: str, num_seats: int, matches: int) -> tuple[View, ...]:
    """Returns the views of all plies of random matches at which there is something to decide."""
    game = load_game(name)
    return tuple(
        view_of(simulation, ply)
        for deal in range(matches)
        for ply, simulation in enumerate(random_match(game, num_seats, deal))
        if len(simulation.legal) > 1
    )
