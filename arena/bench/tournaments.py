"""Whole tournaments, from the schedule to the database: on one core, on Ray beside a Pool, and a worker's memory."""

import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path

import msgspec
import psutil

from arena.bench.model import Benchmark, Effort, Goal, Measurement
from arena.bench.pool import PoolExecutor
from arena.bench.timing import Load, calibrated, compare, rate
from arena.core.spec import Conditions, GameRef, Limits
from arena.errors import InfrastructureError
from arena.executors.base import Executor
from arena.executors.inline import InlineExecutor
from arena.executors.ray import RayExecutor
from arena.games import load_game
from arena.hosts.roster import parse_entrant
from arena.schedule.plan import make_plan
from arena.store.store import Store
from arena.tournament import Tournament

WORKERS = 2
LONGER = 4  # a sample of a tournament: a batch alone lasts 0.2 s
FIRST_MATCHES = 200  # played before the clock starts: every worker has loaded what it needs by then
MEMORY_MATCHES, QUICK_MEMORY_MATCHES = 4_000, 200
MEGABYTE = 1e6
RAY_TITLE = "ray::_Worker"

_seeds = count(1)


@contextmanager
def new_store() -> Iterator[Store]:
    """Opens an empty database, and removes it in the end."""
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder, Store(Path(folder) / "a.db", create=True) as new:
        yield new


def play(executor: Executor, store: Store, bots: Sequence[str], num_matches: int) -> float:
    """Plays a new Ninjan tournament of two seats into a database and returns the number of matches.

    Raises:
        InfrastructureError: some matches could not be played, so that the time says nothing.
    """
    game = load_game("ninjan")
    reference = GameRef(game.name, game.version, msgspec.to_builtins(game.Options()))
    conditions = Conditions(reference, 2, Limits(), next(_seeds))
    plan = make_plan(conditions, [parse_entrant(bot) for bot in bots], -(-num_matches // 2))
    progress = Tournament("bench", plan, store, executor).play()
    if progress.played != plan.num_matches:
        raise InfrastructureError(f"{plan.num_matches - progress.played} matches of the benchmark were not played")
    return progress.played


def load_of(executor: Executor, store: Store) -> Load:
    """Returns a load of tournaments of random against random; its unit is a match."""
    return lambda number: play(executor, store, ("random", "random#2"), number)


def inline(effort: Effort) -> Measurement:
    """Measures a tournament of random against random in this process."""
    longer = msgspec.structs.replace(effort, sample_s=LONGER * effort.sample_s, repeats=effort.few)
    with new_store() as store:
        return compare(longer, load_of(InlineExecutor(), store))


def started(make: type[PoolExecutor] | type[RayExecutor]) -> tuple[PoolExecutor | RayExecutor, float]:
    """Starts an executor, plays the first matches, and returns it with the seconds that both took."""
    begun = time.perf_counter()
    executor = make(WORKERS)
    with new_store() as store:
        load_of(executor, store)(FIRST_MATCHES)
    return executor, time.perf_counter() - begun


def by_turns(ours: Executor, peer: Executor, effort: Effort) -> tuple[list[float], list[float]]:
    """Returns the matches a second of both over a load that lasts long enough, in parts, each part as many matches."""
    own, others = [], []
    with new_store() as own_store, new_store() as peer_store:
        own_load, peer_load = load_of(ours, own_store), load_of(peer, peer_store)
        number = calibrated(peer_load, effort.load_s / effort.parts)
        for _ in range(effort.parts):
            own.append(rate(own_load, number))
            others.append(rate(peer_load, number))
    return own, others


def ray_and_pool(effort: Effort) -> Measurement:
    """Measures tournaments on two Ray workers and on two processes of a Pool, by turns."""
    with ExitStack() as stack:
        # The Pool first: processes must not be made once Ray runs in this one.
        pool, pool_s = started(PoolExecutor)
        stack.callback(pool.close)
        cluster, ray_s = started(RayExecutor)
        stack.callback(cluster.close)
        own, others = by_turns(cluster, pool, effort)
    return Measurement(tuple(own), tuple(others), {"start, s": ray_s, "peer's start, s": pool_s})


def ray_worker() -> psutil.Process:
    """Returns the process of the one worker of a cluster that this process has started.

    Raises:
        InfrastructureError: there is none.
    """
    for process in psutil.Process().children(recursive=True):
        # Ray writes what a worker does over its command line: the class of its actor.
        if "".join(process.cmdline()[:1]).startswith(RAY_TITLE):
            return process
    raise InfrastructureError(f"no process of this cluster is called {RAY_TITLE}")


def worker_memory(effort: Effort) -> Measurement:
    """Measures what a Ray worker holds for itself alone after matches of random against greedy."""
    executor = RayExecutor(1)
    try:
        number = QUICK_MEMORY_MATCHES if effort.is_quick else MEMORY_MATCHES
        with new_store() as store:
            play(executor, store, ("random", "greedy"), number)
        memory = ray_worker().memory_full_info()
    finally:
        executor.close()
    details = {"resident, MB": memory.rss / MEGABYTE, "matches": number}
    return Measurement((memory.uss / MEGABYTE,), details=details)


BENCHMARKS = (
    Benchmark(
        "tournament-inline",
        "Ninjan, 2 seats, random against random: matches played and stored, one core",
        "/s",
        inline,
        Goal(at_least=3_000),
    ),
    Benchmark(
        "tournament-ray",
        "The same on 2 Ray workers",
        "/s",
        ray_and_pool,
        Goal(at_least=0.95, of_ratio=True),
        "multiprocessing.Pool, 2 processes",
    ),
    Benchmark(
        "tournament-memory",
        "Unique memory of a Ray worker after random against greedy",
        "MB",
        worker_memory,
        Goal(at_most=200),
    ),
)
