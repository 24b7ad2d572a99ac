"""OpenSpiel as a peer: its C++ rollouts and searches, timed from within its own compiled code.

OpenSpiel has no call that makes many rollouts. Its MCTS bot makes as many as it is told to value a leaf, so a bot of
two simulations and n rollouts a leaf spends nearly all of its time in 2 n rollouts, none of it in Python.
"""

import random
from functools import cache
from importlib import import_module
from itertools import count
from typing import Any

from arena.bench.timing import Load
from arena.core.view import View
from arena.errors import MissingExtra

EXTRA = "openspiel"
EXPLORATION = 1.4
MEMORY_MB = 1000
LEAVES = 2  # simulations of a bot that is there for its rollouts


@cache
def openspiel() -> Any:
    """Returns the module pyspiel, None where the extra is not installed."""
    try:
        return import_module("pyspiel")
    except ImportError:
        return None


def require_openspiel(name: str) -> None:
    """Raises MissingExtra for a benchmark that needs OpenSpiel where it is not installed."""
    if openspiel() is None:
        raise MissingExtra(
            f"benchmark {name!r} compares with OpenSpiel, which is not installed; "
            f"the extra brings it: pip install 'bot-arena[{EXTRA}]'"
        )


def first_decision(game: str) -> Any:
    """Returns the first state of an OpenSpiel game where a player decides, chance taking its first outcome before."""
    state = openspiel().load_game(game).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    return state


def rollouts(game: str) -> Load | None:
    """Returns a load of C++ random rollouts from the first decision of a game."""
    if openspiel() is None:
        return None
    pyspiel, state, seeds = openspiel(), first_decision(game), count(1)

    def load(number: int) -> float:
        each, seed = -(-number // LEAVES), next(seeds)
        evaluator = pyspiel.RandomRolloutEvaluator(each, seed)
        bot = pyspiel.MCTSBot(
            state.get_game(), evaluator, EXPLORATION, LEAVES, MEMORY_MB, False, seed, False
        )  # the flags: does not solve, says nothing
        return float(each * bot.mcts_search(state).explore_count)

    return load


def mcts(game: str, simulations: int) -> Load | None:
    """Returns a load of searches by the C++ MCTS bot with one rollout a leaf; its unit is a simulation."""
    if openspiel() is None:
        return None
    pyspiel, state, seeds = openspiel(), first_decision(game), count(1)

    def load(number: int) -> float:
        done = 0
        for _ in range(-(-number // simulations)):
            seed = next(seeds)
            evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
            bot = pyspiel.MCTSBot(
                state.get_game(), evaluator, EXPLORATION, simulations, MEMORY_MB, False, seed, False
            )  # the flags as above
            done += bot.mcts_search(state).explore_count
        return done

    return load


def ismcts(game: str, simulations: int) -> Load | None:
    """Returns a load of searches by the C++ information-set MCTS bot; its unit is a simulation."""
    if openspiel() is None:
        return None
    pyspiel, state, seeds = openspiel(), first_decision(game), count(1)

    def load(number: int) -> float:
        searches = -(-number // simulations)
        for _ in range(searches):
            seed = next(seeds)
            pyspiel.ISMCTSBot(seed, pyspiel.RandomRolloutEvaluator(1, seed), EXPLORATION, simulations).step(state)
        return searches * simulations

    return load


def python_ismcts(view: View, simulations: int) -> Load | None:
    """Returns a load of searches of a Ninjan view by the Python information-set MCTS bot; its unit is a simulation."""
    if openspiel() is None:
        return None
    wrapped = import_module("arena.bench.openspiel_ninjan")  # only to be had with the extra
    state, seeds = wrapped.state_of(view), count(1)

    def load(number: int) -> float:
        searches = -(-number // simulations)
        for _ in range(searches):
            wrapped.make_search(state, simulations, EXPLORATION, next(seeds)).step(state)
        return searches * simulations

    return load


def mean_plies(game: str, number: int) -> float:
    """Returns the decisions of a random rollout from the first decision, on average; played from Python, untimed."""
    rng = random.Random(1)
    root, plies = first_decision(game), 0
    for _ in range(number):
        state = root.clone()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(actions, chances)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                plies += 1
    return plies / number
