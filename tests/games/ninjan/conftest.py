"""Positions of Ninjan written as cards, and played by notation."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from positions import Position

from arena.games.ninjan.game import ACTION_IDS, CARD_NAMES, GAME, cards_in, pile_cards, queue_seats
from arena.games.ninjan.layout import (
    BELOW,
    CHOSEN,
    CLAIMED,
    HAND,
    MAX_SEATS,
    NO_CARD,
    NONE,
    NUM_PILES,
    NUM_SEATS,
    PILE,
    PILE_SUM,
    ROUND,
    SCORE,
    SEEN,
    STATE_WORDS,
    TOP,
)
from arena.kernels.rng import LUCK_WORDS
from arena.kernels.simulation import Simulation, kernels_of

Cards = Sequence[str]


def mask_of(cards: Cards) -> int:
    return sum(1 << ACTION_IDS[card] for card in cards)


def value_of(card: str) -> int:
    return int(card[1:])


class Table(Position):
    """A position under test."""

    @property
    def piles(self) -> list[list[str]]:
        return [[CARD_NAMES[card] for card in pile_cards(self.words, pile)] for pile in range(NUM_PILES)]

    @property
    def queue(self) -> list[int]:
        return queue_seats(self.words)

    def hand(self, seat: int) -> set[str]:
        return {CARD_NAMES[card] for card in cards_in(self.words[HAND + seat])}

    def claimed(self, seat: int) -> set[str]:
        return {CARD_NAMES[card] for card in cards_in(self.words[CLAIMED + seat])}


def make_table(
    hands: Sequence[Cards],
    piles: Sequence[Cards],
    claimed: Sequence[Cards] = (),
    round_number: int = 8,
    seen: Cards | None = None,
) -> Table:
    """Lays out a position in which seat 0 is to choose.

    Args:
        hands: the cards of each seat.
        piles: three piles, the top card last.
        claimed: the cards before each seat; none where it is empty.
        round_number: from 0; hands need not fit it.
        seen: all cards ever revealed; those of the piles and the claimed ones where it is not given.
    """
    state = np.zeros(STATE_WORDS, np.int64)
    state[NUM_SEATS], state[ROUND] = len(hands), round_number
    state[CHOSEN : CHOSEN + MAX_SEATS] = NO_CARD
    for seat, hand in enumerate(hands):
        state[HAND + seat] = mask_of(hand)
    for number, pile in enumerate(piles):
        state[TOP + number] = ACTION_IDS[pile[-1]]
        state[PILE + number] = mask_of(pile)
        state[PILE_SUM + number] = sum(map(value_of, pile))
        for lower, card in zip([NONE, *map(ACTION_IDS.get, pile)], pile, strict=False):
            index = ACTION_IDS[card]
            state[BELOW + index // 8] |= lower << (8 * (index % 8))
    for seat, cards in enumerate(claimed):
        state[CLAIMED + seat] = mask_of(cards)
        state[SCORE + seat] = sum(map(value_of, cards))
    shown = [card for cards in (*piles, *claimed) for card in cards] if seen is None else seen
    state[SEEN] = mask_of(shown)
    luck = np.arange(LUCK_WORDS, dtype=np.uint64)
    return Table(Simulation(GAME, state, luck, len(hands), kernels_of(GAME)))


@pytest.fixture(scope="session")
def table() -> Callable[..., Table]:
    return make_table


@pytest.fixture(scope="session")
def dealt() -> Callable[[int, int], Table]:
    return lambda num_seats, seed: Table(Simulation.from_deal(GAME, [], num_seats, seed))


@pytest.fixture(scope="session")
def reference(load_beside):
    """The plain implementation of reference.py."""
    return load_beside(__file__, "reference")
