"""The Pool that Ray is compared with does the same work."""

from pathlib import Path

import msgspec
import pytest

from arena.bench.pool import PoolExecutor
from arena.core.spec import Conditions, GameRef, Limits
from arena.executors.base import Executor
from arena.executors.inline import InlineExecutor
from arena.games import load_game
from arena.hosts.roster import parse_entrant
from arena.schedule.plan import make_plan
from arena.store.store import Store
from arena.tournament import Tournament

DEALS = 30


def played(executor: Executor, path: Path) -> list[tuple[str, tuple[int, ...], bytes]]:
    """Plays a small run and returns what is stored of each match, clocks left out."""
    game = load_game("ninjan")
    conditions = Conditions(GameRef(game.name, game.version, msgspec.to_builtins(game.Options())), 2, Limits(), 7)
    plan = make_plan(conditions, [parse_entrant("random"), parse_entrant("greedy")], DEALS)
    with Store(path, create=True) as store:
        Tournament("pool", plan, store, executor).play()
        outcomes = [store.find_match(spec.id).outcome for block in plan.blocks() for spec in block.matches]
    return [(outcome.match, outcome.scores, outcome.actions) for outcome in outcomes]


@pytest.fixture
def pool():
    executor = PoolExecutor(2)
    yield executor
    executor.close()


def test_the_pool_stores_what_the_inline_executor_stores(pool: PoolExecutor, tmp_path: Path) -> None:
    by_pool = played(pool, tmp_path / "pool.db")
    assert len(by_pool) == 2 * DEALS
    assert by_pool == played(InlineExecutor(), tmp_path / "inline.db")
