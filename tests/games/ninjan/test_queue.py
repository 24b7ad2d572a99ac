"""The order in which chosen cards resolve: every pair and triple of cards, and four and five drawn."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.ninjan.game import CARD_NAMES, GAME
from arena.games.ninjan.layout import CHOSEN, HAND, NUM_CARDS, NUM_SEATS, QUEUE, STAGE, STATE_WORDS
from arena.kernels.rng import LUCK_WORDS
from arena.kernels.simulation import kernels_of

VALUES_OF_A_SUIT = 16


class Resolver:
    """Lets seats choose cards and reads the queue that comes of it."""

    def __init__(self, num_seats: int) -> None:
        self.apply = kernels_of(GAME).apply
        self.state = np.zeros(STATE_WORDS, np.int64)
        self.state[NUM_SEATS] = num_seats
        self.last = num_seats - 1
        self.luck = np.zeros(LUCK_WORDS, np.uint64)

    def order(self, cards: tuple[int, ...]) -> list[int]:
        """Returns the cards in the order in which they resolve."""
        state, last = self.state, self.last
        state[0] = state[STAGE] = last
        state[CHOSEN : CHOSEN + last] = cards[:-1]
        state[HAND + last] = 1 << cards[-1]
        self.apply(state, cards[-1], self.luck)
        queue = state.item(QUEUE)
        assert state[0] == queue & 7
        return [cards[(queue >> (3 * place)) & 7] for place in range(last + 1)]


def test_every_pair(reference):
    resolver = Resolver(2)
    for pair in permutations(range(NUM_CARDS), 2):
        names = [CARD_NAMES[card] for card in resolver.order(pair)]
        assert names == reference.in_order([CARD_NAMES[card] for card in pair])


def test_every_triple(reference):
    """All sets of three against the reference; each in all six seatings, which change nothing."""
    resolver = Resolver(3)
    expected = {}
    for triple in permutations(range(NUM_CARDS), 3):
        key = tuple(sorted(triple))
        if key not in expected:
            expected[key] = reference.in_order([CARD_NAMES[card] for card in key])
        assert [CARD_NAMES[card] for card in resolver.order(triple)] == expected[key]


@pytest.mark.parametrize("num_seats", [4, 5])
def test_more_seats(num_seats, reference):
    """Cards from few values, so that pairs and triples of equal values stand beside others."""
    cards = st.sampled_from([suit * VALUES_OF_A_SUIT + rank for suit in range(3) for rank in (0, 6, 15)])

    @settings(max_examples=400, database=None)
    @given(st.lists(cards, min_size=num_seats, max_size=num_seats, unique=True))
    def is_in_order(chosen):
        names = [CARD_NAMES[card] for card in Resolver(num_seats).order(tuple(chosen))]
        assert names == reference.in_order([CARD_NAMES[card] for card in chosen])

    is_in_order()
