"""Tree search, in simulations a second, beside OpenSpiel's."""

from functools import partial
from itertools import count

import msgspec
import numpy as np

from arena.bench import peers
from arena.bench.model import Benchmark, Effort, Goal, Measurement
from arena.bench.positions import SEED, Playouts, first_view
from arena.bench.timing import Load, compare
from arena.core.view import View
from arena.search.searcher import Searcher, SearchSettings, Tree

SIMULATIONS = 10_000
FEW_SIMULATIONS = 1_000
COUNTED_MATCHES = 1_000
POKER = "leduc_poker"


def search_load(view: View, simulations: int) -> Load:
    """Returns a load of searches of one view, each with another seed; its unit is a simulation."""
    searcher = Searcher(view.game, SearchSettings(simulations=simulations))
    seeds = count(SEED)

    def load(number: int) -> float:
        return sum(sum(searcher.search(view, next(seeds)).visits) for _ in range(-(-number // simulations)))

    return load


def connect_four(simulations: int, effort: Effort) -> Measurement:
    """Measures searches of the empty board with random playouts."""
    view = first_view("connect_four", 2, opening="0")
    return compare(effort, search_load(view, simulations), peers.mcts("connect_four", simulations))


def first_turn(name: str, effort: Effort) -> Measurement:
    """Measures searches of the first decision of a deal of two seats."""
    fewer = msgspec.structs.replace(effort, repeats=effort.few)
    return compare(fewer, search_load(first_view(name, 2), SIMULATIONS))


def ninjan(effort: Effort) -> Measurement:
    """Measures searches of Ninjan with three seats beside OpenSpiel's information-set search of poker, plies too.

    A simulation goes from the root to the end of the match, so its plies are those of a match; of both games they
    are counted in random matches.
    """
    view = first_view("ninjan", 3)
    measured = compare(effort, search_load(view, SIMULATIONS), peers.ismcts(POKER, SIMULATIONS))
    matches = Playouts("ninjan", 3)
    matches(COUNTED_MATCHES)
    details = {"plies a simulation": matches.mean_plies}
    details["plies/s"] = matches.mean_plies * float(np.median(measured.ours))
    if measured.peer:
        details["peer's plies a simulation"] = peers.mean_plies(POKER, COUNTED_MATCHES)
        details["peer's plies/s"] = details["peer's plies a simulation"] * float(np.median(measured.peer))
    return Measurement(measured.ours, measured.peer, details)


def ninjan_in_python(effort: Effort) -> Measurement:
    """Measures searches of the first decision of two seats, both searches over our kernels."""
    view = first_view("ninjan", 2)
    return compare(effort, search_load(view, FEW_SIMULATIONS), peers.python_ismcts(view, FEW_SIMULATIONS))


def node_bytes(effort: Effort) -> Measurement:
    """Measures what a tree's arrays take for each node that there is room for, beyond what an empty one takes."""

    def size(capacity: int) -> int:
        tree = Tree(capacity)
        return sum(array.nbytes for array in (tree.nodes, tree.edges, tree.slots, tree.counters))

    return Measurement(((size(2 * SIMULATIONS) - size(SIMULATIONS)) / SIMULATIONS,))


BENCHMARKS = (
    Benchmark(
        "search-connect_four-1000",
        "Connect Four, 1,000 simulations from the empty board",
        "/s",
        partial(connect_four, FEW_SIMULATIONS),
        Goal(at_least=12, of_ratio=True),
        "OpenSpiel MCTSBot, C++, one rollout a leaf",
        peers.EXTRA,
    ),
    Benchmark(
        "search-connect_four-10000",
        "Connect Four, 10,000 simulations from the empty board",
        "/s",
        partial(connect_four, SIMULATIONS),
        Goal(at_least=12, of_ratio=True),
        "OpenSpiel MCTSBot, C++, one rollout a leaf",
        peers.EXTRA,
    ),
    Benchmark(
        "search-ninjan",
        "Ninjan, 3 seats, 10,000 simulations from the first decision",
        "/s",
        ninjan,
        Goal(at_least=300_000),
        "OpenSpiel ISMCTSBot, C++, leduc_poker",
        peers.EXTRA,
    ),
    Benchmark(
        "search-ninjan-python",
        "Ninjan, 2 seats, 1,000 simulations from the first decision",
        "/s",
        ninjan_in_python,
        peer="OpenSpiel ISMCTSBot, Python, the same game",
        extra=peers.EXTRA,
    ),
    Benchmark(
        "search-pvn",
        "Pirates vs. Ninjas, 10,000 simulations from the first decision",
        "/s",
        partial(first_turn, "pvn"),
        Goal(at_least=50_000),
    ),
    Benchmark(
        "search-pnrz",
        "pnrz, 2 seats, 10,000 simulations from the first decision",
        "/s",
        partial(first_turn, "pnrz"),
        Goal(at_least=5_000),
    ),
    Benchmark("search-node", "Memory of a node of the search tree", "bytes", node_bytes, Goal(at_most=64)),
)
