"""Flat Monte Carlo: every legal action gets the same number of random playouts; there is no tree.

Shapes as in kernels/abi.py: W words a state, P seats, A the most legal actions; K entries of a kernel table.
"""

import random
from typing import TYPE_CHECKING, Any

import numpy as np

from arena.kernels.jit import kernel
from arena.kernels.rng import LUCK_WORDS, seed_luck
from arena.search.playouts import TO_THE_END, play_randomly, value_of
from arena.search.pointers import APPLY, APPLY_AT, DETERMINIZE, DETERMINIZE_AT, LEGAL, LEGAL_AT, kernel_table

if TYPE_CHECKING:
    from arena.core.view import View


@kernel("void", "int64[::1]", "int64[::1]", "int64", "int64", "int64", "int64", "uint64", "int64[::1]", "float64[::1]")
def playout_totals(
    table: Any, masked: Any, seat: int, num_seats: int, rounds: int, depth: int, seed: Any, legal_actions: Any,
    totals: Any,
) -> None:  # fmt: skip
    """Adds up, for each legal action, what `rounds` random playouts after it are worth to the seat.

    In each round all actions meet the same determinization and the same luck, so that what differs is the action.

    Args:
        masked: int64[W], the vector that the seat observes; read only.
        depth: the most plies of a playout, after which the heuristic decides.
        seed: uint64, of determinizations, chance and playouts.
        legal_actions: int64[A], overwritten.
        totals: float64[A], to whose first entries is added, in the order of the legal actions.
    """
    legal = LEGAL_AT(table[LEGAL])
    apply = APPLY_AT(table[APPLY])
    determinize = DETERMINIZE_AT(table[DETERMINIZE])
    truth = np.empty_like(masked)
    state = np.empty_like(masked)
    streams = np.empty(LUCK_WORDS + 1, np.uint64)
    luck = np.empty(LUCK_WORDS, np.uint64)
    choice = np.empty(1, np.uint64)
    values = np.empty(num_seats, np.float64)
    scratch = np.empty_like(legal_actions)
    for number in range(rounds):
        seed_luck(seed + np.uint64(number), streams)
        truth[:] = masked
        luck[:] = streams[:LUCK_WORDS]
        determinize(truth, seat, luck)
        streams[:LUCK_WORDS] = luck
        for index in range(legal(truth, legal_actions)):
            state[:] = truth
            luck[:] = streams[:LUCK_WORDS]
            choice[0] = streams[LUCK_WORDS]
            apply(state, legal_actions[index], luck)
            play_randomly(table, state, luck, choice, scratch, depth)
            value_of(table, state, values)
            totals[index] += values[seat]


def playout_values(view: "View", simulations: int, rng: random.Random, playout_depth: int | None = None) -> list[float]:
    """Returns the mean value, for the view's seat, of random playouts after each action of `view.legal`.

    The simulations are shared out evenly, rounded up to a whole number for each action. One word is drawn from `rng`.
    With `playout_depth` the game's heuristic decides after so many plies of a playout.
    """
    game = view.game
    rounds = -(-simulations // len(view.legal))
    depth = TO_THE_END if playout_depth is None else playout_depth
    masked = np.frombuffer(view.state, np.int64).copy()
    legal_actions, totals = np.empty(game.max_legal, np.int64), np.zeros(game.max_legal)
    playout_totals(
        kernel_table(game), masked, view.seat, view.num_seats, rounds, depth, rng.getrandbits(64), legal_actions, totals
    )
    return [total / rounds for total in totals[: len(view.legal)].tolist()]
