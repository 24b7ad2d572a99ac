"""The search finds the forced wins and blocks of Connect Four that exhaustive search finds."""

import importlib.util
import sys
from pathlib import Path

import pytest

from arena.core.bot import MatchInfo
from arena.core.spec import Limits
from arena.games.connect_four.layout import DISCS
from arena.hosts.roster import load_bot

NUM_POSITIONS = 40
DEEPER = 14  # a longer win is a win, too: what is played instead is searched to here


@pytest.fixture(scope="module")
def tactics():
    spec = importlib.util.spec_from_file_location("tactics", Path(__file__).with_name("tactics.py"))
    module = importlib.util.module_from_spec(spec)
    sys.modules["tactics"] = module  # where the cache of compiled kernels looks for it
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def positions(tactics, position):
    return tactics.tactical_positions(position, NUM_POSITIONS)


def test_solver_knows_a_win_in_three(tactics):
    """Three discs in a row with both ends free win on the next ply but one, whoever is to act."""
    row = sum(1 << (7 * column) for column in (2, 3, 4))
    other = sum(1 << (7 * column + 1) for column in (2, 3, 4))
    assert tactics.solve(row, 0, 1) == tactics.WIN
    assert tactics.solve(0, row, 1) == tactics.OPEN
    assert tactics.solve(0, row, 2) == tactics.LOSS
    assert tactics.solve(other, row, 1) == tactics.OPEN  # its own row hangs over empty cells at both ends


@pytest.mark.parametrize("seed", [1, 2])
def test_finds_wins_and_blocks(tactics, positions, view_of, seed):
    mcts = load_bot("mcts")
    missed = []
    for number, (simulation, history, solutions) in enumerate(positions):
        bot = mcts(mcts.Options(simulations=20_000))
        bot.start(MatchInfo("0" * 32, "connect_four", 2, simulation.to_move, 1, Limits()))
        action = bot.act(view_of(simulation, history, seed))
        if action not in solutions and not wins_later(tactics, simulation, action):
            missed.append((number, action, solutions))
    assert not missed


def wins_later(tactics, simulation, action):
    """Says whether an action wins within DEEPER plies."""
    after = simulation.clone()
    after.play(action)
    words = after.words()
    own, other = words[DISCS + after.to_move], words[DISCS + 1 - after.to_move]
    return tactics.solve(own, other, DEEPER - 1) == tactics.LOSS
