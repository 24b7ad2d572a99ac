"""All benchmarks, and finding them by name."""

from collections.abc import Sequence

from arena.bench import author, greedy, hosts, playouts, ratings, searches, startup, tournaments
from arena.bench.model import Benchmark
from arena.core.options import nearest
from arena.errors import UnknownName

ALL: tuple[Benchmark, ...] = (
    *playouts.BENCHMARKS,
    *searches.BENCHMARKS,
    *greedy.BENCHMARKS,
    *author.BENCHMARKS,
    *hosts.BENCHMARKS,
    *ratings.BENCHMARKS,
    *startup.BENCHMARKS,
    *tournaments.BENCHMARKS,
)


def find(names: Sequence[str]) -> tuple[Benchmark, ...]:
    """Returns the benchmarks with these names, or in groups of these names, in the registry's order; all for none.

    Raises:
        UnknownName: a name is neither.
    """
    wanted: set[str] = set()
    for name in names:
        found = {each.name for each in ALL if name in (each.name, each.name.partition("-")[0])}
        if not found:
            known = [each.name for each in ALL]
            raise UnknownName(f"there is no benchmark {name!r}.{nearest(name, known)} See `arena bench --list`")
        wanted |= found
    return tuple(each for each in ALL if not names or each.name in wanted)
