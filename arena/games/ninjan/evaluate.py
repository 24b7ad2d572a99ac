"""Heuristic of Ninjan: points claimed, and what the cards of this round and of the hands are likely to bring."""

from typing import Any

import numpy as np

from arena.games.ninjan.layout import CHOSEN, HAND, MAX_SEATS, NUM_PILES, NUM_SEATS, PILE_SUM, QUEUE, SCORE, STAGE, TOP
from arena.games.ninjan.rules import beaten_suit, card_suit
from arena.kernels.abi import evaluate_kernel
from arena.kernels.jit import count_ones, helper

SUIT_MASK = (1 << 16) - 1
FUTURE = 0.35  # the share of a pile's worth that one card of the right suit in hand is expected to bring in later
SCALE = 14.0  # a lead of this many points is worth three quarters of the way from an even chance to a sure win


@helper
def claim_value(state: Any, card: int) -> float:
    """Returns the worth of the best pile that a card could claim now; nothing without one, and a loss is taken."""
    beaten = beaten_suit(card_suit(card))
    best = -1000
    for pile in range(NUM_PILES):
        if card_suit(state[TOP + pile]) == beaten and state[PILE_SUM + pile] > best:
            best = state[PILE_SUM + pile]
    return 0.0 if best == -1000 else float(best)


@helper
def prospects(state: Any, seat: int) -> float:
    """Returns what a hand may make of the piles as they lie: each pile is worth something to who can beat its top."""
    hand = state[HAND + seat]
    total = 0.0
    for pile in range(NUM_PILES):
        suit = card_suit(state[TOP + pile])
        beater = suit + 1 if suit < 2 else 0
        count = count_ones(hand & (SUIT_MASK << (16 * beater)))
        # The second card that could claim a pile adds less than the first.
        total += FUTURE * state[PILE_SUM + pile] * count / (1.0 + count)
    return total


@evaluate_kernel
def evaluate(state: Any, out: Any) -> None:
    """Writes the estimated utility of each seat in [0, 1]: the mean, over opponents, of a squashed lead."""
    num_seats = state[NUM_SEATS]
    is_resolving = state[STAGE] >= num_seats
    worths = np.empty(MAX_SEATS, np.float64)
    for seat in range(num_seats):
        worth = state[SCORE + seat] + prospects(state, seat)
        if is_resolving:
            # Cards that are still to resolve, those later in the queue discounted: the table changes before them.
            weight = 0.9
            for place in range(state[STAGE] - num_seats, num_seats):
                if ((state[QUEUE] >> (3 * place)) & 7) == seat:
                    worth += weight * claim_value(state, state[CHOSEN + seat])
                weight *= 0.6
        elif state[CHOSEN + seat] >= 0:
            worth += 0.6 * claim_value(state, state[CHOSEN + seat])
        worths[seat] = worth
    # Leads are taken against each opponent and squashed by a rational function: no libm call decides.
    for seat in range(num_seats):
        total = 0.0
        for other in range(num_seats):
            lead = worths[seat] - worths[other]
            total += 0.5 + 0.5 * lead / (SCALE / 3.0 + abs(lead)) if other != seat else 0.0
        out[seat] = total / (num_seats - 1)
