"""What a user waits for before anything happens: compiling, loading, the help page."""

import os
import tempfile

from arena.bench.model import Benchmark, Effort, Goal, Measurement
from arena.bench.timing import python_seconds
from arena.games import all_games

LOADING = ("-m", "arena.bench.loading")
QUICK_GAMES = ("connect_four",)  # compiled in a quick run, which has no time for all


def cold_compile(effort: Effort) -> Measurement:
    """Measures a process that compiles all games, the drivers and the searches into an empty cache."""
    games = QUICK_GAMES if effort.is_quick else tuple(all_games())
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        env = {**os.environ, "ARENA_CACHE_DIR": folder}
        seconds = python_seconds(*LOADING, *games, env=env)
        again = python_seconds(*LOADING, *games, env=env)
    return Measurement((seconds,), details={"again from the cache, s": again}, is_whole=not effort.is_quick)


def warm_start(effort: Effort) -> Measurement:
    """Measures a process that loads the game which takes longest to load, from the cache, and plays a ply."""
    slowest = max(all_games(), key=lambda name: min(python_seconds(*LOADING, name) for _ in range(2)))
    samples = tuple(python_seconds(*LOADING, slowest) for _ in range(effort.few))
    return Measurement(samples, details={"nothing but Python, s": python_seconds("-c", "")})


def help_page(effort: Effort) -> Measurement:
    """Measures `arena --help`."""
    arguments = ("-m", "arena", "--help")
    python_seconds(*arguments)
    return Measurement(tuple(python_seconds(*arguments) for _ in range(effort.repeats)))


BENCHMARKS = (
    Benchmark("start-cold", "Compiling all games and searches, empty cache", "s", cold_compile, Goal(at_most=60)),
    Benchmark("start-warm", "A process that loads the slowest game to load", "s", warm_start, Goal(at_most=1)),
    Benchmark("start-help", "`arena --help`", "s", help_page, Goal(at_most=0.4)),
)
