"""One ply ahead: what each legal action is worth by the game's heuristic, averaged over determinizations.

Shapes as in kernels/abi.py: W words a state, P seats, A the most legal actions; K entries of a kernel table.
"""

import random
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from arena.kernels.abi import TO_ACT
from arena.kernels.jit import helper, kernel
from arena.kernels.rng import LUCK_WORDS, seed_luck
from arena.search.pointers import (
    APPLY,
    APPLY_AT,
    DETERMINIZE,
    DETERMINIZE_AT,
    EVALUATE,
    EVALUATE_AT,
    LEGAL,
    LEGAL_AT,
    RETURNS,
    RETURNS_AT,
    kernel_table,
)

if TYPE_CHECKING:
    from arena.core.view import View


@helper
def differs(luck: npt.NDArray[np.uint64], other: npt.NDArray[np.uint64]) -> bool:
    """Says whether anything was drawn between two copies of the luck."""
    difference = np.uint64(0)
    for stream in range(LUCK_WORDS):
        difference |= luck[stream] ^ other[stream]
    return bool(difference != np.uint64(0))


@kernel("int64", "int64[::1]", "int64[::1]", "int64", "int64", "int64", "uint64", "int64[::1]", "float64[::1]")
def lookahead_totals(
    table: Any,
    masked: npt.NDArray[np.int64],
    seat: int,
    num_seats: int,
    determinizations: int,
    seed: Any,
    legal_actions: npt.NDArray[np.int64],
    totals: npt.NDArray[np.float64],
) -> int:
    """Adds up, for each legal action, the seat's value after it over determinizations of a masked vector.

    Returns how many determinizations were made: one where neither hidden cards nor chance had a part in it.

    Args:
        masked: int64[W], the vector that the seat observes; read only.
        seed: uint64, of the determinizations and of what chance does after the action.
        legal_actions: int64[A], overwritten.
        totals: float64[A], to whose first entries is added, in the order of the legal actions.
    """
    legal = LEGAL_AT(table[LEGAL])
    apply = APPLY_AT(table[APPLY])
    returns = RETURNS_AT(table[RETURNS])
    determinize = DETERMINIZE_AT(table[DETERMINIZE])
    evaluate = EVALUATE_AT(table[EVALUATE])
    truth = np.empty_like(masked)
    after = np.empty_like(masked)
    luck = np.empty(LUCK_WORDS, np.uint64)
    luck_before = np.empty(LUCK_WORDS, np.uint64)
    luck_after = np.empty(LUCK_WORDS, np.uint64)
    values = np.empty(num_seats, np.float64)
    for number in range(determinizations):
        seed_luck(seed + np.uint64(number), luck)
        luck_before[:] = luck
        truth[:] = masked
        determinize(truth, seat, luck)
        is_certain = not differs(luck_before, luck)
        for index in range(legal(truth, legal_actions)):
            after[:] = truth
            # Every action meets the same luck, so that their difference is not the difference of two dice.
            luck_after[:] = luck
            apply(after, legal_actions[index], luck_after)
            is_certain = is_certain and not differs(luck, luck_after)
            if after[TO_ACT] < 0:
                returns(after, values)
            else:
                evaluate(after, values)
            totals[index] += values[seat]
        if is_certain:
            return 1
    return determinizations


def lookahead(view: "View", determinizations: int, rng: random.Random) -> list[float]:
    """Returns the mean value, for the view's seat, of each action of `view.legal` one ply ahead.

    A position after the action is valued by the game's `evaluate`, a finished one by `returns`; both lie in [0, 1].
    What the seat cannot see is drawn anew for each determinization. One word is drawn from `rng`.
    """
    game = view.game
    masked = np.frombuffer(view.state, np.int64).copy()  # compiled code takes no read-only array
    legal_actions, totals = np.empty(game.max_legal, np.int64), np.zeros(game.max_legal)
    made = lookahead_totals(
        kernel_table(game),
        masked,
        view.seat,
        view.num_seats,
        determinizations,
        rng.getrandbits(64),
        legal_actions,
        totals,
    )
    return [total / made for total in totals[: len(view.legal)].tolist()]
