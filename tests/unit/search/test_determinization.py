"""Determinizations: every way to fill in what is hidden is equally likely, and agrees with what is known."""

import random

import pytest
from scipy.stats import chisquare

from arena.core.seeding import derive
from arena.games.ninjan.game import cards_in
from arena.games.ninjan.layout import ALL_CARDS, CHOSEN, HAND, SEEN

NUM_WORLDS = 20_000
SMALLEST_P = 1e-4  # seeded: a fair draw that falls below it would do so in every run


def worlds(view):
    rng = random.Random(derive("worlds", view.ply))
    return [view.simulate(rng).words() for _ in range(NUM_WORLDS)]


@pytest.mark.parametrize("plies", [0, 2, 7, 12])
def test_each_unseen_card_is_as_likely_in_each_hidden_place(position, view_of, plies):
    simulation, history = position("ninjan", 3, plies)
    view = view_of(simulation, history)
    words = view.words
    own = words[HAND + view.seat] | (1 << words[CHOSEN + view.seat] if words[CHOSEN + view.seat] >= 0 else 0)
    unseen = list(cards_in(ALL_CARDS & ~(words[SEEN] | own)))
    found = worlds(view)
    for other in {0, 1, 2} - {view.seat}:
        held = dict.fromkeys(unseen, 0)
        for world in found:
            for card in cards_in(world[HAND + other]):
                held[card] += 1  # a card that is seen or one's own would be a KeyError
        assert chisquare(list(held.values())).pvalue > SMALLEST_P
        if words[CHOSEN + other] < 0 and found[0][CHOSEN + other] >= 0:
            chosen = dict.fromkeys(unseen, 0)
            for world in found:
                chosen[world[CHOSEN + other]] += 1
            assert chisquare(list(chosen.values())).pvalue > SMALLEST_P


def test_pairs_of_cards_are_as_likely_as_each_other(position, view_of):
    """Late in a match a hidden hand is two cards: all pairs of unseen cards must come equally often."""
    simulation, history = position("ninjan", 2, 4 * 7)
    view = view_of(simulation, history)
    hands = {}
    for world in worlds(view):
        hand = world[HAND + 1 - view.seat]
        hands[hand] = hands.get(hand, 0) + 1
    unseen = bin(ALL_CARDS & ~(view.words[SEEN] | view.words[HAND + view.seat])).count("1")
    assert len(hands) == unseen * (unseen - 1) // 2
    assert chisquare(list(hands.values())).pvalue > SMALLEST_P


def test_sizes_of_hands_are_kept(position, view_of):
    simulation, history = position("ninjan", 4, 21)
    truth = simulation.words()
    for world in worlds(view_of(simulation, history))[:500]:
        for seat in range(4):
            assert len(list(cards_in(world[HAND + seat]))) == len(list(cards_in(truth[HAND + seat])))
            assert (world[CHOSEN + seat] >= 0) == (truth[CHOSEN + seat] >= 0)
