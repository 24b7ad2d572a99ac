"""Random play of every game at every seat count: no crash, always a way to go on, and nothing lost.

A game's own invariants stand in invariants/<game>.py as a kernel, so that every position of 100,000 matches is checked.
"""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from arena.kernels import abi, jit
from arena.kernels.jit import IS_JIT_DISABLED, function_type
from arena.kernels.rng import LUCK_WORDS, below, seed_luck
from arena.kernels.simulation import kernels_of

FOLDER = Path(__file__).parent / "invariants"
BROKEN = None if IS_JIT_DISABLED else function_type("int64(int64[::1])")
EMPTY, TOO_MANY, UNSORTED, TOO_LONG = -1, -2, -3, -4
MEANING = {
    EMPTY: "no legal action",
    TOO_MANY: "too many legal actions",
    UNSORTED: "not ascending",
    TOO_LONG: "too long",
}


def uncached(returns, *arguments):
    """Compiles for this process alone: numba cannot find a test's own module again when it loads from its cache."""

    def decorate(function):
        return function if IS_JIT_DISABLED else jit.numba.njit(jit._signature(returns, arguments))(function)

    return decorate


@uncached("int64", "int64[::1]")
def nothing_broken(state):
    """Stands in for a game that has no invariants of its own."""
    return 0


@uncached(
    "int64", abi.DEAL, abi.LEGAL, abi.APPLY, BROKEN, "int64", "int64", "int64", "int64", "int64[::1]", "int64[::1]",
    "int64[::1]", "int64[::1]",
)  # fmt: skip
def fuzz(deal, legal, apply, broken, first_seed, num_matches, num_seats, max_plies, options, state, out, where):
    """Plays random matches; returns 0, or what is wrong at seed where[0], ply where[1]."""
    luck = np.empty(LUCK_WORDS, np.uint64)
    choice = np.empty(1, np.uint64)
    for seed in range(first_seed, first_seed + num_matches):
        seed_luck(np.uint64(seed), luck)
        choice[0] = luck[0] ^ luck[LUCK_WORDS - 1]
        deal(state, num_seats, options, luck)
        ply = 0
        where[0] = seed
        while True:
            where[1] = ply
            problem = broken(state)
            if problem:
                return problem
            if state[0] < 0:
                break
            count = legal(state, out)
            if count < 1:
                return EMPTY
            if count > out.shape[0]:
                return TOO_MANY
            for place in range(1, count):
                if out[place - 1] >= out[place]:
                    return UNSORTED
            apply(state, out[below(choice, 0, count)], luck)
            ply += 1
            if ply > max_plies:
                return TOO_LONG
    return 0


def invariants_of(name):
    path = FOLDER / f"{name}.py"
    if not path.exists():
        return nothing_broken
    spec = importlib.util.spec_from_file_location(f"invariants_{name}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return uncached("int64", "int64[::1]")(module.broken)


def run(game, num_seats, num_matches, broken=None):
    kernels = kernels_of(game)
    where = np.zeros(2, np.int64)
    problem = fuzz(
        kernels.deal, kernels.legal, kernels.apply, broken or invariants_of(game.name), 1, num_matches, num_seats,
        game.max_plies, np.array(game.encode_options(game.Options()), np.int64), np.zeros(game.state_words, np.int64),
        np.zeros(game.max_legal, np.int64), where,
    )  # fmt: skip
    assert problem == 0, f"seed {where[0]}, ply {where[1]}: {MEANING.get(problem, f'invariant {problem} is broken')}"


def test_random_play_breaks_nothing(game, num_seats):
    run(game, num_seats, 2_000)


@pytest.mark.slow
def test_random_play_of_100_000_matches_breaks_nothing(game, num_seats):
    run(game, num_seats, 100_000)


def test_our_games_have_invariants_of_their_own():
    assert {path.stem for path in FOLDER.glob("*.py")} >= {"connect_four", "ninjan", "pirates_vs_ninjas"}


def test_a_broken_invariant_is_noticed(game, num_seats):
    """The check can fail: an invariant that calls the first finished match broken is reported with its seed."""
    with pytest.raises(AssertionError, match="seed 1, ply"):
        run(game, num_seats, 1, ends_are_broken)


@uncached("int64", "int64[::1]")
def ends_are_broken(state):
    """Calls every finished match broken."""
    return 7 if state[0] < 0 else 0
