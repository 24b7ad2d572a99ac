"""Perft from Python: leaf counts of a deal, the check on the rules that everyone can repeat."""

from collections.abc import Iterator

import numpy as np

from arena.core.game import Game
from arena.kernels.drivers import perft
from arena.kernels.rng import LUCK_WORDS, seed_luck
from arena.kernels.simulation import kernels_of


def perft_counts(game: Game, options: list[int], num_seats: int, deal: int, depth: int) -> Iterator[int]:
    """Yields the number of action sequences of 1, 2, ... depth plies from a deal."""
    kernels = kernels_of(game)
    states = np.zeros((depth + 1, game.state_words), np.int64)
    lucks = np.zeros((depth + 1, LUCK_WORDS), np.uint64)
    outs = np.zeros((depth + 1, game.max_legal), np.int64)
    seed_luck(np.uint64(deal), lucks[0])
    kernels.deal(states[0], num_seats, np.array(options, np.int64), lucks[0])
    for level in range(1, depth + 1):
        yield int(perft(kernels.legal, kernels.apply, states, lucks, outs, level))
