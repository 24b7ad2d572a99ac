"""Random matches against the plain implementation, ply by ply."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.ninjan.game import GAME
from arena.games.ninjan.layout import SEEN


@pytest.mark.parametrize("num_seats", [2, 3, 4, 5])
def test_matches_agree(num_seats, dealt, reference):
    @settings(max_examples=40, database=None)
    @given(st.integers(0, 2**64 - 1), st.randoms(use_true_random=False))
    def agree(seed, rng):
        position = dealt(num_seats, seed)
        setup = GAME.setup(position.words)
        model = reference.Reference(setup["hands"], setup["piles"])
        while True:
            assert position.seat == model.seat
            assert set(position.legal) == model.legal()
            assert position.piles == model.piles
            assert position.queue == model.queue
            assert position.scores == model.scores()
            assert sum(1 << reference.DECK.index(card) for card in model.revealed) == position.words[SEEN]
            for seat in range(num_seats):
                assert position.hand(seat) == set(model.hands[seat])
                assert position.claimed(seat) == set(model.claimed[seat])
            if model.seat is None:
                break
            action = rng.choice(sorted(model.legal()))
            model.play(action)
            position.play(action)

    agree()


def test_notation_is_that_of_the_page(reference):
    assert [GAME.action_name(action) for action in range(GAME.num_actions)] == [*reference.DECK, "@1", "@2", "@3"]
