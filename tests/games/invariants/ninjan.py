"""What holds in every position of Ninjan."""

from arena.games.ninjan.layout import (
    ALL_CARDS,
    CHOSEN,
    CLAIMED,
    HAND,
    HAND_CARDS,
    NUM_PILES,
    NUM_SEATS,
    PILE,
    ROUND,
    SCORE,
    SEEN,
    STAGE,
)
from arena.games.ninjan.rules import card_value
from arena.kernels.jit import count_ones


def broken(state):
    """Returns 0, or the number of the rule that does not hold."""
    num_seats = state[NUM_SEATS]
    seen_places, everything = 0, 0
    for pile in range(NUM_PILES):
        everything |= state[PILE + pile]
        seen_places += count_ones(state[PILE + pile])
    for seat in range(num_seats):
        everything |= state[HAND + seat] | state[CLAIMED + seat]
        seen_places += count_ones(state[CLAIMED + seat])
    hidden = 0
    for seat in range(num_seats):
        hidden += count_ones(state[HAND + seat])
        if state[CHOSEN + seat] >= 0:
            everything |= 1 << state[CHOSEN + seat]
    # A chosen card lies nowhere else until it is resolved.
    waiting = state[STAGE] if state[STAGE] < num_seats else 2 * num_seats - state[STAGE]
    if seen_places + hidden + waiting != HAND_CARDS * num_seats + NUM_PILES:
        return 1
    if count_ones(everything) != HAND_CARDS * num_seats + NUM_PILES or everything & ~ALL_CARDS:
        return 2
    for seat in range(num_seats):
        total, cards = 0, state[CLAIMED + seat]
        for card in range(48):
            if (cards >> card) & 1:
                total += card_value(card)
        if total != state[SCORE + seat]:
            return 3
        has_chosen = seat < state[STAGE] or state[STAGE] >= num_seats
        if count_ones(state[HAND + seat]) != HAND_CARDS - state[ROUND] - (1 if has_chosen else 0):
            return 4
        if state[HAND + seat] & state[SEEN]:
            return 5
    return 0
