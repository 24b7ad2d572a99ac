"""Who knows what: deals and determinizations are uniform, and no seat can tell what another chose in secret."""

from collections import Counter
from itertools import combinations

import msgspec
import numpy as np
import pytest
from scipy.stats import chisquare

from arena.core.view import BotRandom
from arena.games.ninjan.game import CARD_NAMES, GAME
from arena.games.ninjan.layout import (
    CHOSEN,
    HAND,
    HAND_CARDS,
    MAX_SEATS,
    NO_CARD,
    NUM_CARDS,
    NUM_PILES,
    STATE_WORDS,
    TOP,
)
from arena.kernels.rng import LUCK_WORDS, seed_luck
from arena.kernels.simulation import kernels_of

ALPHA = 1e-4  # seeds are fixed: this says how odd a sample may look, not how often the test fails


def view_of(position, seat, history=()):
    legal = position.simulation.legal if position.seat == seat else ()
    num_seats = position.simulation.num_seats
    moves = GAME.seen(history, num_seats, seat)
    observed = position.simulation.observed(seat)
    return GAME.view_type(GAME, observed, num_seats, seat, len(history), legal, moves, BotRandom(1))


@pytest.mark.parametrize("num_seats", [2, 5])
def test_deals_are_uniform(num_seats):
    """Each card lies in each place as often as any other card."""
    num_deals, kernels = 6000, kernels_of(GAME)
    state, luck = np.zeros(STATE_WORDS, np.int64), np.zeros(LUCK_WORDS, np.uint64)
    counts = np.zeros((num_seats + NUM_PILES, NUM_CARDS), int)
    cards = np.arange(NUM_CARDS)
    for seed in range(num_deals):
        seed_luck(np.uint64(seed), luck)
        kernels.deal(state, num_seats, np.zeros(0, np.int64), luck)
        hands = state[HAND : HAND + num_seats, None] >> cards & 1
        assert (hands.sum(axis=1) == HAND_CARDS).all()
        assert hands.sum(axis=0).max() == 1
        counts[:num_seats] += hands
        counts[np.arange(num_seats, num_seats + NUM_PILES), state[TOP : TOP + NUM_PILES]] += 1
    for seat in range(num_seats):
        # Of a hand's nine cards none is drawn twice, so its counts vary by less than those of single draws.
        expected = num_deals * HAND_CARDS / NUM_CARDS
        spread = ((counts[seat] - expected) ** 2).sum() / expected / (1 - HAND_CARDS / NUM_CARDS)
        assert 15 < spread < 95
    for pile in range(num_seats, num_seats + NUM_PILES):
        assert chisquare(counts[pile]).pvalue > ALPHA


def test_determinizations_of_two_seats_are_uniform(table):
    """Seat 1 to choose, seat 0 has chosen: of five unseen cards one is chosen and one in hand, 20 ways."""
    unseen = ["R1", "P4", "S-6", "S2", "S10"]
    own = ["R2", "R3"]
    seen = [card for card in CARD_NAMES if card not in (*unseen, *own)]
    position = table([unseen[:2], own], [["P1"], ["P2"], ["P3"]], round_number=7, seen=seen).play("R1")
    view, rng = view_of(position, 1), BotRandom(7).generator
    ways = Counter()
    for _ in range(8000):
        words = view.simulate(rng).words()
        assert words[HAND + 1] == position.words[HAND + 1]
        ways[words[CHOSEN], words[HAND]] += 1
    indices = [CARD_NAMES.index(card) for card in unseen]
    assert set(ways) == {(chosen, 1 << card) for chosen in indices for card in indices if card != chosen}
    assert chisquare(list(ways.values())).pvalue > ALPHA


def test_determinizations_of_three_seats_are_uniform(table):
    """Seat 1 to choose: seat 0 has chosen and keeps one card, seat 2 has two, of six unseen: 180 ways."""
    unseen = ["R1", "P4", "P5", "S-6", "S2", "S10"]
    own = ["R2", "R3"]
    seen = [card for card in CARD_NAMES if card not in (*unseen, *own)]
    hands = [unseen[:2], own, unseen[2:4]]
    position = table(hands, [["P1"], ["P2"], ["P3"]], round_number=7, seen=seen).play("R1")
    view, rng = view_of(position, 1), BotRandom(8).generator
    ways = Counter()
    for _ in range(18_000):
        words = view.simulate(rng).words()
        ways[words[CHOSEN], words[HAND], words[HAND + 2]] += 1
    indices = {CARD_NAMES.index(card) for card in unseen}
    expected = {
        (chosen, 1 << card, (1 << a) | (1 << b))
        for chosen in indices
        for card in indices - {chosen}
        for a, b in combinations(sorted(indices - {chosen, card}), 2)
    }
    assert set(ways) == expected
    assert chisquare(list(ways.values())).pvalue > ALPHA


@pytest.mark.parametrize("num_seats", [2, 3, 4, 5])
def test_determinizations_agree_with_the_view(dealt, num_seats):
    """Every card is in one place, hands have their sizes, and what was revealed stays where it is."""
    position, rng = dealt(num_seats, 31), BotRandom(3).generator
    while position.seat is not None:
        for seat in range(num_seats):
            other = view_of(position, seat).simulate(rng)
            words, truth = other.words(), position.words
            chosen = [card for card in words[CHOSEN : CHOSEN + num_seats] if card != NO_CARD]
            assert other.to_move == position.seat
            sizes = [mask.bit_count() for mask in words[HAND : HAND + num_seats]]
            assert sizes == [mask.bit_count() for mask in truth[HAND : HAND + num_seats]]
            assert len(chosen) == sum(card != NO_CARD for card in truth[CHOSEN : CHOSEN + num_seats])
            assert words[HAND + seat] == truth[HAND + seat]
            assert words[CHOSEN + seat] == truth[CHOSEN + seat]
            hands = [card for mask in words[HAND : HAND + num_seats] for card in range(NUM_CARDS) if mask >> card & 1]
            assert len({*hands, *chosen}) == len(hands) + len(chosen)
            hidden = {*range(HAND, HAND + MAX_SEATS), *range(CHOSEN, CHOSEN + MAX_SEATS)}
            assert all(words[i] == truth[i] for i in range(STATE_WORDS) if i not in hidden)
        position.play(position.legal[len(position.legal) // 2])


@pytest.mark.parametrize("num_seats", [2, 3, 5])
def test_later_seats_cannot_tell_what_was_chosen(dealt, num_seats):
    """Whatever seat 0 chooses, all others have the same view, message, legal actions and moves until the reveal."""
    before = dealt(num_seats, 4)
    seen = Counter()
    for card in before.legal:
        position = before.clone().play(card)
        history = [(0, GAME.parse_action(card))]
        for seat in range(1, num_seats):
            assert position.seat == seat
            for observer in range(1, num_seats):
                view = view_of(position, observer, history)
                assert view.moves == ()
                assert view.chosen[0] is None
                seen[seat, observer, view.state, msgspec.json.encode(view.message()), view.legal] += 1
            history.append((seat, GAME.parse_action(position.legal[0])))
            if seat < num_seats - 1:
                position.play(position.legal[0])
    assert len(seen) == (num_seats - 1) ** 2
    assert set(seen.values()) == {9}


def test_own_choice_is_known_and_revealed_to_all(dealt):
    position, history = dealt(3, 12), []
    cards = []
    for seat in range(3):
        cards.append(position.legal[seat])
        history.append((seat, GAME.parse_action(cards[-1])))
        position.play(cards[-1])
        if seat == 0:
            assert view_of(position, 0, history).chosen == [cards[0], None, None]
            assert cards[0] not in view_of(position, 0, history).hand
            assert cards[0] not in view_of(position, 0, history).revealed
    for seat in range(3):
        view = view_of(position, seat, history)
        assert view.chosen == cards
        assert [(move.seat, view.name(move.action)) for move in view.moves] == list(enumerate(cards))
        assert set(cards) <= set(view.revealed)
