"""Matches that were really played, to be stored."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from arena.core.spec import Conditions, GameRef, Limits
from arena.executors.base import make_host
from arena.games import load_game
from arena.hosts.roster import parse_entrant
from arena.match.referee import play_match
from arena.schedule.plan import make_plan
from arena.store.store import Played, Store


def make_conditions(game: str = "connect_four", players: int = 2, run_seed: int = 2**127 + 1) -> Conditions:
    rules = load_game(game)
    reference = GameRef(rules.name, rules.version, msgspec.to_builtins(rules.parse_options({})))
    return Conditions(reference, players, Limits(), run_seed)


@pytest.fixture(scope="session")
def conditions() -> Callable[..., Conditions]:
    return make_conditions


@pytest.fixture(scope="session")
def played() -> list[Played]:
    """Twelve matches of two bots."""
    bots = [parse_entrant("random"), parse_entrant("random#2")]
    specs = [match for block in make_plan(make_conditions(), bots, 6).blocks() for match in block.matches]
    return [Played(spec, play_match(spec, make_host), "inline", 1) for spec in specs]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "arena.db"


@pytest.fixture
def store(path: Path):
    with Store(path, create=True) as opened:
        yield opened
