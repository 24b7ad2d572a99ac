"""The heuristic is worth playing by: one ply ahead, it beats uniformly random play from both seats."""

import random

import pytest

from arena.games.pirates_vs_ninjas.game import GAME
from arena.kernels.simulation import Simulation

NUM_DEALS = 1000


def best_action(simulation, seat):
    """Returns the action with the best estimate after it; dice fall as luck has them, the same for all actions."""

    def value(action):
        child = simulation.clone()
        child.play(action)
        return child.evaluate()[seat]

    return max(simulation.legal, key=value)


@pytest.mark.parametrize("seat", [0, 1])
def test_greedy_play_beats_random_play(seat):
    points = 0.0
    for deal in range(NUM_DEALS):
        rng = random.Random(deal)
        match = Simulation.from_deal(GAME, [], 2, deal)
        while not match.is_over:
            if match.to_move == seat:
                # Looks ahead with luck of its own, never with the dice that will really fall.
                sight = Simulation.from_deal(GAME, [], 2, rng.getrandbits(64))
                sight._state[:] = match._state
                sight._legal = None
                match.play(best_action(sight, seat))
            else:
                match.play(rng.choice(match.legal))
        points += match.returns()[seat]
    assert points / NUM_DEALS >= 0.8


def test_estimates_are_exact_at_the_end(battle):
    for credits, values in (((1, 0), (1.0, 0.0)), ((0, 1), (0.0, 1.0)), ((1, 1), (0.5, 0.5))):
        position = battle(pirates=[1], ninjas=[1], cups=(1, 1), idle=4, credits=credits).play("rally", "r000000")
        out = position.simulation._state.astype(float)[:2]
        position.simulation._kernels.evaluate(position.simulation._state, out)
        assert tuple(out) == values


def test_estimates_follow_dice_and_readiness(battle):
    def value(**position):
        return battle(**position).simulation.evaluate()[0]

    assert value(pirates=[1, 1], ninjas=[1]) > value(pirates=[1], ninjas=[1]) == 0.5
    assert value(pirates=[4], ninjas=[1]) > 0.5 > value(ninjas=[1], cups=(1, 0))
