"""Kernels of Ninjan; the sections named here are those of the rules page (rules.md).

A card is an index: suit * 16 + rank, suits Rock, Paper, Scissors, ranks the values -6..-1, 1..10 in ascending order.
Sets of cards are masks. Shapes as in kernels/abi.py; W is STATE_WORDS, n the number of seats.
"""

from typing import Any

import numpy as np

from arena.games.ninjan.layout import (
    ALL_CARDS,
    BELOW,
    CHOSEN,
    CLAIMED,
    HAND,
    HAND_CARDS,
    NO_CARD,
    NONE,
    NUM_CARDS,
    NUM_PILES,
    NUM_ROUNDS,
    NUM_SEATS,
    PAPER,
    PILE,
    PILE_ACTION,
    PILE_SUM,
    QUEUE,
    ROCK,
    ROUND,
    SCISSORS,
    SCORE,
    SEEN,
    STAGE,
    SUIT_CARDS,
    TOP,
)
from arena.kernels.abi import (
    TERMINAL,
    TO_ACT,
    apply_kernel,
    deal_kernel,
    determinize_kernel,
    legal_kernel,
    observe_kernel,
    returns_kernel,
    scores_kernel,
)
from arena.kernels.jit import count_ones, count_trailing_zeros, helper
from arena.kernels.rng import MAX_SEATS, TABLE, below


@helper
def card_value(card: int) -> int:
    """Returns the value of a card: -6..-1 or 1..10."""
    rank = card & (SUIT_CARDS - 1)
    return rank - 6 + (rank >= 6)


@helper
def card_suit(card: int) -> int:
    """Returns the suit of a card."""
    return card >> 4


@helper
def beaten_suit(suit: int) -> int:
    """Returns the suit that a suit beats: Paper Rock, Rock Scissors, Scissors Paper."""
    return suit - 1 if suit > 0 else SCISSORS


@helper
def set_below(state: Any, card: int, lower: int) -> None:
    """Links a card of a pile to the card under it."""
    word = BELOW + (card >> 3)
    shift = 8 * (card & 7)
    state[word] = (state[word] & ~(NONE << shift)) | (lower << shift)


@helper
def start_pile(state: Any, pile: int, card: int) -> None:
    """Makes a pile of one card."""
    state[TOP + pile] = card
    state[PILE + pile] = 1 << card
    state[PILE_SUM + pile] = card_value(card)
    set_below(state, card, NONE)


@helper
def draw_card(deck: Any, drawn: int, luck: Any) -> int:
    """Draws a card from a deck whose first `drawn` are gone (a step of a Fisher-Yates shuffle)."""
    place = drawn + below(luck, TABLE, NUM_CARDS - drawn)
    card: int = deck[place]
    deck[place] = deck[drawn]
    return card


@deal_kernel
def deal(state: Any, num_seats: int, options: Any, luck: Any) -> None:
    """Deals nine cards a seat and three piles; the rest stay out ("Set-up").

    The cards are drawn one by one from the front of a shuffle that goes only as far as it is needed.
    """
    state[:] = 0
    state[NUM_SEATS] = num_seats
    for seat in range(MAX_SEATS):
        state[CHOSEN + seat] = NO_CARD
    deck = np.arange(NUM_CARDS)
    drawn = 0
    for seat in range(num_seats):
        hand = 0
        for _ in range(HAND_CARDS):
            hand |= 1 << draw_card(deck, drawn, luck)
            drawn += 1
        state[HAND + seat] = hand
    for pile in range(NUM_PILES):
        card = draw_card(deck, drawn, luck)
        drawn += 1
        start_pile(state, pile, card)
        state[SEEN] |= 1 << card


@legal_kernel
def legal(state: Any, out: Any) -> int:
    """Lists the hand while choosing, the piles that may be taken or laid on while resolving ("A round", 1 and 3)."""
    seat = state[TO_ACT]
    if seat < 0:
        return 0
    if state[STAGE] < state[NUM_SEATS]:
        hand = state[HAND + seat]
        # All nine places are written, past the count with nonsense: a loop of fixed length costs a third of one
        # whose end the processor cannot foresee.
        rest = hand
        for place in range(HAND_CARDS):
            out[place] = count_trailing_zeros(rest)
            rest &= rest - 1
        return count_ones(hand)
    beaten = beaten_suit(card_suit(state[CHOSEN + seat]))
    piles = 0
    for pile in range(NUM_PILES):
        piles |= (card_suit(state[TOP + pile]) == beaten) << pile
    piles = piles if piles else (1 << NUM_PILES) - 1
    count = 0
    for pile in range(NUM_PILES):
        out[count] = PILE_ACTION + pile
        count += (piles >> pile) & 1
    return count


@helper
def resolution_queue(state: Any) -> int:
    """Returns the packed queue of a round in which every seat has chosen ("A round", 3)."""
    num_seats = state[NUM_SEATS]
    queue = 0
    for seat in range(num_seats):
        card = state[CHOSEN + seat]
        rank = card & (SUIT_CARDS - 1)
        place = 0
        num_equal = 0
        for other in range(num_seats):
            other_card = state[CHOSEN + other]
            other_rank = other_card & (SUIT_CARDS - 1)
            place += other_rank > rank
            is_equal = 1 if other_rank == rank and other != seat else 0
            num_equal += is_equal
            place += is_equal & (1 if beaten_suit(card_suit(other_card)) == card_suit(card) else 0)
        if num_equal == 2:
            # All three suits: each is beaten by one of the others, so the order is set: Rock, Scissors, Paper.
            suit = card_suit(card)
            place += (1 if suit == PAPER else 0) - (1 if suit == ROCK else 0)
        queue |= seat << (3 * place)
    return queue


@helper
def choose(state: Any, card: int) -> None:
    """Lays a card of the seat to act aside in secret; the last seat's choice reveals them all."""
    seat = state[TO_ACT]
    state[HAND + seat] &= ~(1 << card)
    state[CHOSEN + seat] = card
    stage = state[STAGE] + 1
    state[STAGE] = stage
    num_seats = state[NUM_SEATS]
    if stage < num_seats:
        state[TO_ACT] = stage
        return
    revealed = 0
    for other in range(num_seats):
        revealed |= 1 << state[CHOSEN + other]
    state[SEEN] |= revealed
    queue = resolution_queue(state)
    state[QUEUE] = queue
    state[TO_ACT] = queue & 7


@helper
def resolve(state: Any, pile: int) -> None:
    """Lets the card of the seat to act claim a pile, or lays it there, and passes on to the next in the queue."""
    seat = state[TO_ACT]
    card = state[CHOSEN + seat]
    top = state[TOP + pile]
    # Claim and lay in one line of arithmetic: which of them it is cannot be foreseen, and a wrongly foreseen branch
    # costs more than doing both. `taken` is all ones for a claim and zero for a lay.
    taken = -(1 if card_suit(top) == beaten_suit(card_suit(card)) else 0)
    cards = state[PILE + pile]
    total = state[PILE_SUM + pile]
    state[CLAIMED + seat] |= cards & taken
    state[SCORE + seat] += total & taken
    state[PILE + pile] = (cards & ~taken) | (1 << card)
    state[PILE_SUM + pile] = (total & ~taken) + card_value(card)
    state[TOP + pile] = card
    set_below(state, card, (top & ~taken) | (NONE & taken))
    num_seats = state[NUM_SEATS]
    stage = state[STAGE] + 1
    if stage < 2 * num_seats:
        state[STAGE] = stage
        state[TO_ACT] = (state[QUEUE] >> (3 * (stage - num_seats))) & 7
        return
    state[STAGE] = 0
    state[QUEUE] = 0
    for other in range(num_seats):
        state[CHOSEN + other] = NO_CARD
    state[ROUND] += 1
    state[TO_ACT] = 0 if state[ROUND] < NUM_ROUNDS else TERMINAL


@apply_kernel
def apply(state: Any, action: int, luck: Any) -> None:
    """Chooses a card or resolves one on a pile; there is no chance after the deal."""
    if action < PILE_ACTION:
        choose(state, action)
    else:
        resolve(state, action - PILE_ACTION)


@scores_kernel
def scores(state: Any, out: Any) -> None:
    """Writes the sum of the values that each seat has claimed."""
    for seat in range(state[NUM_SEATS]):
        out[seat] = state[SCORE + seat]


@returns_kernel
def returns(state: Any, out: Any) -> None:
    """Writes each seat's share of the others beaten, ties counting half ("End")."""
    num_seats = state[NUM_SEATS]
    for seat in range(num_seats):
        twice = 0
        for other in range(num_seats):
            # One by one: without compilation these are numpy's booleans, whose sum is an `or`.
            twice += state[SCORE + other] < state[SCORE + seat]
            twice += state[SCORE + other] <= state[SCORE + seat]
        out[seat] = 0.5 * (twice - 1) / (num_seats - 1)


@observe_kernel
def observe(state: Any, seat: int, out: Any) -> None:
    """Masks other hands, and others' chosen cards until the reveal ("Who knows what")."""
    out[:] = state
    is_choosing = state[STAGE] < state[NUM_SEATS]
    for other in range(state[NUM_SEATS]):
        if other != seat:
            out[HAND + other] = 0
            if is_choosing:
                out[CHOSEN + other] = NO_CARD


@determinize_kernel
def determinize(state: Any, seat: int, luck: Any) -> None:
    """Deals the unseen cards to the other seats' hands and secret choices, every way equally likely.

    A chosen card is one place of its own, so it is uniform among the unseen like any other.
    """
    num_seats = state[NUM_SEATS]
    is_choosing = state[STAGE] < num_seats
    own = state[HAND + seat]
    if is_choosing and state[CHOSEN + seat] >= 0:
        own |= 1 << state[CHOSEN + seat]
    unseen = ALL_CARDS & ~(state[SEEN] | own)
    # Places left in each hand, four bits a seat, and one bit a seat for a secret choice.
    rooms = 0
    secrets = 0
    free_places = 0
    # While resolving, this round's card has left every hand.
    hand_cards = NUM_ROUNDS - state[ROUND] - (0 if is_choosing else 1)
    for other in range(num_seats):
        if other != seat:
            free_places += hand_cards
            has_chosen = is_choosing and other < state[STAGE]
            rooms |= (hand_cards - (1 if has_chosen else 0)) << (4 * other)
            if has_chosen:
                secrets |= 1 << other
    left = count_ones(unseen)
    while free_places > 0:
        card = count_trailing_zeros(unseen)
        unseen &= unseen - 1
        place = below(luck, TABLE, left)
        left -= 1
        if place >= free_places:
            continue
        free_places -= 1
        for other in range(num_seats):
            secret = (secrets >> other) & 1
            if place < secret:
                state[CHOSEN + other] = card
                secrets &= ~(1 << other)
                break
            place -= secret
            room = (rooms >> (4 * other)) & 15
            if place < room:
                state[HAND + other] |= 1 << card
                rooms -= 1 << (4 * other)
                break
            place -= room
