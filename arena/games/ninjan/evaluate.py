"""Heuristic of Ninjan: points claimed, and what the cards of this round and of the hands are likely to bring.

The weights are rounded least-squares estimates of the final lead, from 6,000 matches of one-ply play with random
plies strewn in; docs/decisions/0010-search.md has the method.
"""

from typing import Any

import numpy as np

from arena.games.ninjan.layout import (
    CHOSEN,
    HAND,
    MAX_SEATS,
    NUM_PILES,
    NUM_ROUNDS,
    NUM_SEATS,
    PILE_SUM,
    QUEUE,
    ROUND,
    SCORE,
    STAGE,
    TOP,
)
from arena.games.ninjan.rules import beaten_suit, card_suit
from arena.kernels.abi import evaluate_kernel
from arena.kernels.jit import count_ones, helper

SUIT_MASK = (1 << 16) - 1
# Cards of all suits whose rank (place in the suit) has a given bit set, and those of positive value.
EVERY_SUIT = 1 + (1 << 16) + (1 << 32)
RANK_BITS = (0xAAAA * EVERY_SUIT, 0xCCCC * EVERY_SUIT, 0xF0F0 * EVERY_SUIT, 0xFF00 * EVERY_SUIT)
POSITIVE = 0xFFC0 * EVERY_SUIT

FUTURE = 0.4  # share of a pile's worth that many cards of the right suit would bring in, over the rounds to come
CHOSEN_SHARE = 0.6  # share of the best pile that a card chosen in secret could claim now
FIRST_SHARE = 1.0  # the same for the revealed card that resolves next
LATER_SHARE = 0.35  # and for those behind it: the table changes before them
HOLD = 0.015  # worth of a point of value in hand, for each round it can still be kept: high cards resolve first
SPREAD = 4.2  # a lead of this many points, times the root of the rounds left, wins three times of four


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
def prospects(state: Any, hand: int) -> float:
    """Returns what a hand may make of the piles as they lie: each pile is worth something to who can beat its top."""
    total = 0.0
    for pile in range(NUM_PILES):
        suit = card_suit(state[TOP + pile])
        beater = suit + 1 if suit < 2 else 0
        count = count_ones(hand & (SUIT_MASK << (16 * beater)))
        # The second card that could claim a pile adds less than the first.
        total += state[PILE_SUM + pile] * count / (1.0 + count)
    return FUTURE * total


@helper
def hand_value(hand: int) -> int:
    """Returns the sum of a hand's values: a value is the rank less 6, and one more from rank 6 on (there is no 0)."""
    total = count_ones(hand & POSITIVE) - 6 * count_ones(hand)
    for bit in range(4):
        total += count_ones(hand & RANK_BITS[bit]) << bit
    return total


@helper
def pending(state: Any, seat: int) -> float:
    """Returns what the card that a seat has on the table this round is likely to claim."""
    num_seats = state[NUM_SEATS]
    if state[STAGE] < num_seats:
        return CHOSEN_SHARE * claim_value(state, state[CHOSEN + seat]) if state[CHOSEN + seat] >= 0 else 0.0
    share = FIRST_SHARE
    for place in range(state[STAGE] - num_seats, num_seats):
        if ((state[QUEUE] >> (3 * place)) & 7) == seat:
            return share * claim_value(state, state[CHOSEN + seat])
        share = LATER_SHARE
    return 0.0


@evaluate_kernel
def evaluate(state: Any, out: Any) -> None:
    """Writes the estimated utility of each seat in [0, 1]: the mean, over opponents, of a squashed lead."""
    num_seats = state[NUM_SEATS]
    rounds_after = NUM_ROUNDS - 1 - state[ROUND]
    worths = np.empty(MAX_SEATS, np.float64)
    for seat in range(num_seats):
        hand = state[HAND + seat]
        worths[seat] = state[SCORE + seat] + pending(state, seat) + prospects(state, hand)
        worths[seat] += HOLD * rounds_after * hand_value(hand)
    # What is still to come adds up like independent rounds, so its spread grows as the root of their number.
    # Leads are squashed by a rational function: no libm call decides.
    even = SPREAD * np.sqrt(rounds_after + 1.0)
    for seat in range(num_seats):
        total = 0.0
        for other in range(num_seats):
            lead = worths[seat] - worths[other]
            total += 0.5 + 0.5 * lead / (even + abs(lead)) if other != seat else 0.0
        out[seat] = total / (num_seats - 1)
