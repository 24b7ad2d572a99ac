"""Determinizations: every way to fill in what is hidden is equally likely, and agrees with what is known."""

import random

import pytest
from scipy.stats import chisquare

from arena.core.seeding import derive
from arena.games.ninjan.game import cards_in
from arena.games.ninjan.layout import ALL_CARDS, CHOSEN, HAND, SEEN
from arena.games.pirates_ninjas_robots_zombies import layout as pnrz

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


def unseen_tiles(view):
    """Returns the tiles that lie neither in play nor in the own hand nor, known to all, in another."""
    laid = {
        view.words[pnrz.PLACED + place // 2] >> 32 * (place % 2) & 63 for place in range(view.words[pnrz.NUM_PLACED])
    }
    held = {tile for seat in range(view.num_seats) for tile in cards_in(view.words[pnrz.HAND + seat])}
    return set(range(pnrz.NUM_TILES)) - laid - held


def hidden_places(view, world):
    """Yields a world's hidden places of pnrz, the gaps of a hand as one, with the tile there."""
    for other in {*range(view.num_seats)} - {view.seat}:
        for tile in cards_in(world[pnrz.HAND + other] & ~view.words[pnrz.HAND + other]):
            yield f"hand {other}", tile
    for place in range(8 * pnrz.PILE_WORDS):
        number = world[pnrz.PILE + place // 8] >> 6 * (place % 8) & 63
        if number:
            yield f"pile {place}", number - 1


@pytest.mark.parametrize(("num_seats", "plies"), [(2, 40), (3, 60), (4, 20)])
def test_each_unseen_tile_is_as_likely_in_each_hidden_place(position, view_of, num_seats, plies):
    simulation, history = position("pnrz", num_seats, plies)
    view = view_of(simulation, history)
    unseen = unseen_tiles(view)
    found, places = {}, set()
    for world in worlds(view):
        for place, tile in hidden_places(view, world):
            places.add(place)
            found[place, tile] = found.get((place, tile), 0) + 1
    assert {tile for _, tile in found} == unseen
    assert len(places) > 3
    # Some thirty places are tested at once, which the bound on p allows for.
    for place in places:
        assert chisquare([found.get((place, tile), 0) for tile in unseen]).pvalue > SMALLEST_P / 10


def test_tiles_that_all_have_seen_stay_where_they_are(position, view_of):
    """What replace took into a hand is known: no determinization may move it."""
    seen = 0
    for deal in range(30):
        simulation, history = position("pnrz", 2, 60, deal=deal)
        view = view_of(simulation, history)
        known = view.words[pnrz.KNOWN + 1 - view.seat] & view.words[pnrz.HAND + 1 - view.seat]
        seen += bin(known).count("1")
        rng = random.Random(deal)
        for _ in range(50):
            assert view.simulate(rng).words()[pnrz.HAND + 1 - view.seat] & known == known
    assert seen > 5


def test_sizes_of_hands_are_kept(position, view_of):
    simulation, history = position("ninjan", 4, 21)
    truth = simulation.words()
    for world in worlds(view_of(simulation, history))[:500]:
        for seat in range(4):
            assert len(list(cards_in(world[HAND + seat]))) == len(list(cards_in(truth[HAND + seat])))
            assert (world[CHOSEN + seat] >= 0) == (truth[CHOSEN + seat] >= 0)
