"""Leaf counts of fixed deals, kept as text and counted again by the plain reference for the shallow ones."""

from copy import deepcopy
from pathlib import Path

import numpy as np
import pytest

from arena.games.pirates_ninjas_robots_zombies.game import GAME
from arena.kernels.drivers import perft
from arena.kernels.rng import LUCK_WORDS, seed_luck
from arena.kernels.simulation import kernels_of

KEPT = [
    tuple(map(int, line.split()))
    for line in Path(__file__).with_name("perft.txt").read_text().splitlines()
    if line and not line.startswith("#")
]
COUNTED_TWICE = 3000  # leaves up to which the reference counts, too


def count_leaves(num_seats, seed, depth):
    kernels = kernels_of(GAME)
    states = np.zeros((depth + 1, GAME.state_words), np.int64)
    lucks = np.zeros((depth + 1, LUCK_WORDS), np.uint64)
    seed_luck(np.uint64(seed), lucks[0])
    kernels.deal(states[0], num_seats, np.array(GAME.encode_options(GAME.parse_options({})), np.int64), lucks[0])
    return perft(kernels.legal, kernels.apply, states, lucks, np.zeros((depth + 1, GAME.max_legal), np.int64), depth)


def reference_leaves(model, depth):
    if depth == 1:
        return len(model.legal())
    total = 0
    for name in model.legal():
        child = deepcopy(model)
        child.play(name)
        total += reference_leaves(child, depth - 1)
    return total


@pytest.mark.parametrize(("num_seats", "seed", "depth", "leaves"), KEPT)
def test_leaf_counts(num_seats, seed, depth, leaves):
    assert count_leaves(num_seats, seed, depth) == leaves


@pytest.mark.parametrize(("num_seats", "seed", "depth", "leaves"), [row for row in KEPT if row[3] <= COUNTED_TWICE])
def test_leaf_counts_of_the_reference(dealt, reference, num_seats, seed, depth, leaves):
    assert reference_leaves(reference(dealt(num_seats, seed)), depth) == leaves
