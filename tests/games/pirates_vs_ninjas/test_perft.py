"""Leaf counts of fixed deals, kept as text and counted again by the plain reference for the shallow ones."""

from copy import deepcopy
from pathlib import Path

import numpy as np
import pytest

from arena.games.pirates_vs_ninjas.game import GAME
from arena.kernels.drivers import perft
from arena.kernels.rng import LUCK_WORDS, seed_luck
from arena.kernels.simulation import kernels_of

GOLDEN = [
    tuple(map(int, line.split()))
    for line in Path(__file__).with_name("perft.txt").read_text().splitlines()
    if line and not line.startswith("#")
]
COUNTED_TWICE = 500  # leaves up to which the reference counts, too


def count_leaves(seed, depth):
    kernels = kernels_of(GAME)
    states = np.zeros((depth + 1, GAME.state_words), np.int64)
    lucks = np.zeros((depth + 1, LUCK_WORDS), np.uint64)
    seed_luck(np.uint64(seed), lucks[0])
    kernels.deal(states[0], 2, np.zeros(0, np.int64), lucks[0])
    return perft(kernels.legal, kernels.apply, states, lucks, np.zeros((depth + 1, GAME.max_legal), np.int64), depth)


def reference_leaves(model, depth):
    if depth == 0:
        return 1
    total = 0
    for name in sorted(model.legal()):
        child = deepcopy(model)
        child.play(name)
        total += reference_leaves(child, depth - 1)
    return total


@pytest.mark.parametrize(("seed", "depth", "leaves"), GOLDEN)
def test_leaf_counts(seed, depth, leaves):
    assert count_leaves(seed, depth) == leaves


@pytest.mark.parametrize(("seed", "depth", "leaves"), [row for row in GOLDEN if row[2] <= COUNTED_TWICE])
def test_leaf_counts_of_the_reference(reference, seed, depth, leaves):
    assert reference_leaves(reference(seed), depth) == leaves
