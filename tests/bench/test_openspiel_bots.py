"""The bots of docs/strength, by which OpenSpiel's searches play in runs of the arena."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from arena import MatchInfo, load_game
from arena.core.spec import Limits
from arena.games.conformance import Subject
from arena.hosts.roster import load_file

pytest.importorskip("pyspiel", reason="the extra openspiel is not installed")

BOTS = Path(__file__).resolve().parents[2] / "docs" / "strength"
MCTS, ISMCTS = BOTS / "openspiel_mcts.py", BOTS / "openspiel_ismcts.py"

Runner = Callable[..., subprocess.CompletedProcess[str]]


@pytest.mark.parametrize(
    ("game", "bot", "opponent"),
    [("connect_four", MCTS, "mcts:simulations=50"), ("ninjan", ISMCTS, "greedy")],
    ids=["connect_four", "ninjan"],
)
def test_plays_a_match_of_the_arena(run_python: Runner, game: str, bot: Path, opponent: str) -> None:
    path = f"{bot}:simulations=50"
    for lineup in ((path, opponent), (opponent, path)):
        done = run_python("-m", "arena", "match", game, *lineup, "--sandbox", "trusted", "--seed", "1", "--json")
        (played,) = json.loads(done.stdout)["matches"]
        assert played["faults"] == [None, None]
        assert f"{bot.stem}:simulations=50" in played["bots"]


@pytest.mark.parametrize(("game", "bot"), [("connect_four", MCTS), ("ninjan", ISMCTS)], ids=["connect_four", "ninjan"])
def test_is_no_weak_opponent(run_python: Runner, game: str, bot: Path) -> None:
    """Of 16 matches against random it wins 13: one that sees the position wrongly would, one time in a hundred."""
    lineup = (f"{bot}:simulations=100", "random", "--sandbox", "trusted", "--seed", "2", "-n", "16", "--json")
    matches = json.loads(run_python("-m", "arena", "match", game, *lineup).stdout)["matches"]
    assert [played["ranks"] for played in matches].count([1, 2]) >= 13


def test_makes_all_simulations_that_it_is_told_to() -> None:
    subject = Subject(load_game("connect_four"), 2, seed=3)
    kind = load_file(MCTS)
    position, history = next(each for each in subject.positions() if len(each[1]) == 4)
    seat = position.to_move
    assert seat is not None
    for simulations in (1, 300):
        bot = kind(kind.Options(simulations=simulations))
        bot.start(MatchInfo("test", "connect_four", 2, seat, 1, Limits()))
        root = bot.search(subject.view(position, seat, position.legal, history))
        assert root.explore_count == simulations
