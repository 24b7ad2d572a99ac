"""Search gives the same to the bit with and without compilation."""

import pytest

from arena.games import all_games

PROGRAM = """
import random, sys
from arena.games import load_game
from arena.games.conformance import Subject
from arena.search.flat import playout_values
from arena.search.lookahead import lookahead
from arena.search.searcher import Searcher, SearchSettings

SETTINGS = (
    {},
    {"playout": "greedy", "playout_depth": 2, "candidates": 3, "widening": 0.7},
    {"playout": "mixed", "playout_depth": 4, "nodes": "sequence"},
    {"determinizations": "pimc", "worlds": 2, "tree_reuse": True},
)
subject = Subject(load_game(sys.argv[1]), 2, 3)
rng = random.Random(1)
searchers = [
    Searcher(subject.game, SearchSettings(**{"simulations": 15, "playout_depth": 5, **settings}))
    for settings in SETTINGS
]
for number, (simulation, history) in enumerate(subject.positions()):
    if len(simulation.legal) > 1 and number % 3 == 0 and number <= 30:
        view = subject.view(simulation, simulation.to_move, simulation.legal, list(history))
        print(lookahead(view, 2, rng), playout_values(view, len(view.legal), rng, 3))
        for searcher in searchers:
            print(searcher.search(view, number))
"""


@pytest.mark.parametrize("name", list(all_games()))
def test_plain_python_agrees(run_python, name):
    compiled = run_python("-c", PROGRAM, name).stdout
    plain = run_python("-c", PROGRAM, name, env={"NUMBA_DISABLE_JIT": "1"}).stdout
    assert len(compiled.splitlines()) >= 10
    assert plain == compiled
