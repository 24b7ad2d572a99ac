"""Tree search from a view: the Python side of ismcts.py, which bots use.

A search sees a view's masked vector and nothing else. With a number of simulations it is a function of the view and
the seed; with a time limit it also depends on the machine.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from arena.core.clock import Stopwatch, monotonic
from arena.core.game import Action, Game
from arena.kernels.rng import LUCK_WORDS, seed_luck
from arena.kernels.simulation import kernels_of
from arena.search import ismcts, playouts, tree
from arena.search.logarithms import logarithm_table
from arena.search.pointers import find_advice, kernel_table

if TYPE_CHECKING:
    from arena.core.view import View

PLAYOUTS = {"random": playouts.RANDOM, "greedy": playouts.GREEDY, "mixed": playouts.MIXED}
MOST_NODES = 1 << 20  # of a search with a time limit: 64 MB; past them it goes on without adding nodes
FASTEST_RATE = 4e6  # simulations a second that no game exceeds, to size the tree of a time limit
CHUNK_S = 0.0005  # simulated between two looks at the clock
MOST_AT_ONCE = int(FASTEST_RATE * CHUNK_S)
UNLIMITED = 1e9  # a widening that no number of actions reaches
KEPT_SEARCHES = 8  # room for so many searches in a tree that is kept from move to move
SPARE_NODES = 256  # for the root, and for decisions before it that were made in secret
PROOFS = {tree.WON: 1, tree.LOST: -1}
LOGS = logarithm_table()


@dataclass(frozen=True)
class SearchSettings:
    """How to search."""

    simulations: int = 1000
    """Simulations a move."""
    time_s: float | None = None
    """Seconds a move; when it is given, `simulations` does not count."""
    exploration: float = 1.0
    """Weight of the uncertainty in the bound that is followed; utilities lie in [0, 1]."""
    widening: float | None = None
    """A decision has at most 1 + widening * sqrt(visits) edges; None lets every action be tried at once."""
    candidates: int = 1
    """A new edge is the best by the game's heuristic of so many drawn by chance; 1 takes one by chance."""
    playout: Literal["random", "greedy", "mixed"] = "random"
    """How a simulation goes on where the tree ends."""
    playout_depth: int | None = None
    """Plies of a playout, after which the game's heuristic decides; None plays to the end."""
    determinizations: Literal["ismcts", "pimc"] = "ismcts"
    """One tree over all determinizations, or a tree of its own for each of `worlds`, where everyone sees everything."""
    worlds: int = 16
    """Number of determinizations of pimc; the simulations are shared out among them."""
    nodes: Literal["observed", "sequence"] = "observed"
    """What tells decisions apart: what their seat can see, or the actions since the root ("open loop")."""
    tree_reuse: bool = False
    """Whether the tree is kept for the bot's next move; only with observed nodes of one tree."""

    @classmethod
    def tuned_for(cls, game: Game, **given: Any) -> "SearchSettings":
        """Returns the settings that serve a game best, with what is given, and not None, in their place.

        A game says them in TUNED of its module search.py; `arena tune` finds them.
        """
        return cls(**{**(find_advice(game, "TUNED") or {}), **{k: v for k, v in given.items() if v is not None}})


@dataclass(frozen=True)
class SearchReport:
    """What a search found about the legal actions, in their order."""

    actions: tuple[Action, ...]
    """The legal actions."""
    visits: tuple[int, ...]
    """Simulations that went through each."""
    values: tuple[float, ...]
    """Their mean utility to the searching seat, in [0, 1]; 0 without a visit."""
    proofs: tuple[int, ...]
    """1 for a proven win, -1 for a proven loss, else 0."""

    @property
    def best(self) -> Action:
        """What is proven to win, else the action visited most; of equals the one of higher value, then of lower id."""
        order = range(len(self.actions))
        return self.actions[
            max(order, key=lambda place: (self.proofs[place], self.visits[place], self.values[place], -place))
        ]

    def interval(self, place: int) -> tuple[float, float]:
        """Returns 95 % bounds of a value (Wilson's, which hold for any outcome within [0, 1] as for a coin).

        They tell of the noise of simulations alone, not of what the search cannot see.
        """
        visits, value, z_squared = self.visits[place], self.values[place], 3.8415
        if visits == 0:
            return 0.0, 1.0
        centre = (value + z_squared / (2 * visits)) / (1 + z_squared / visits)
        spread = z_squared / visits * (value * (1 - value) + z_squared / (4 * visits))
        half = spread**0.5 / (1 + z_squared / visits)
        return max(0.0, centre - half), min(1.0, centre + half)


class Tree:
    """The arrays of a search tree with room for so many nodes and edges; memory is touched as they are added."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.nodes: npt.NDArray[np.int64] = np.empty(tree.NODE_WORDS * capacity, np.int64)
        self.edges: npt.NDArray[np.int64] = np.empty(tree.EDGE_WORDS * capacity + tree.FIRST_EDGE, np.int64)
        self.slots: npt.NDArray[np.int32] = np.zeros(2 * capacity, np.int32)
        self.counters: npt.NDArray[np.int64] = np.zeros(tree.NUM_COUNTERS, np.int64)
        self.clear()

    def clear(self) -> None:
        """Removes all nodes."""
        self.counters[tree.NEXT_NODE] = 0
        self.counters[tree.NEXT_EDGE] = tree.FIRST_EDGE

    def make_room(self, num_nodes: int) -> None:
        """Removes all nodes unless there is room for so many more."""
        if self.counters.item(tree.NEXT_EDGE) + tree.EDGE_WORDS * num_nodes > len(self.edges):
            self.clear()

    def edges_of(self, node: int) -> dict[Action, tuple[int, int, int]]:
        """Returns visits, total value (in 1 / VALUE_UNIT) and proof of the actions that were tried at a node."""
        found = {}
        edge = self.nodes.item(node + tree.PLACE) & tree.LOW
        while edge != tree.NO_EDGE:
            link, counts, total, child = self.edges[edge : edge + tree.EDGE_WORDS].tolist()
            found[link & tree.LOW] = (counts & tree.LOW, total, PROOFS.get(child, 0))
            edge = link >> 32
        return found


class Searcher:
    """Searches for one bot through one match: keeps the tree's memory, and the tree itself if it is to be reused."""

    def __init__(self, game: Game, settings: SearchSettings, stopwatch: Stopwatch = monotonic) -> None:
        self.game = game
        self.settings = settings
        self._table = kernel_table(game)  # what is compiled is loaded now, not when the first move's clock runs
        self._stopwatch = stopwatch
        is_pimc = settings.determinizations == "pimc"
        self._is_filled_once = is_pimc and game.has_hidden_state
        if settings.nodes == "sequence" and not is_pimc and not game.has_hidden_actions:
            self._keying = ismcts.SEQUENCE
        else:
            self._keying = ismcts.OBSERVED if game.has_hidden_state and not is_pimc else ismcts.EXACT
        self._worlds = settings.worlds if self._is_filled_once else 1
        self._is_redrawn = game.has_hidden_state and not is_pimc
        self._keeps_tree = settings.tree_reuse and not is_pimc and self._keying != ismcts.SEQUENCE
        self._most = self._simulations_at_most()
        self.tree = Tree(SPARE_NODES + self._most * (KEPT_SEARCHES if self._keeps_tree else 1))
        self._streams = np.empty(LUCK_WORDS + 1, np.uint64)
        self._widening = UNLIMITED if settings.widening is None else settings.widening
        self._depth = playouts.TO_THE_END if settings.playout_depth is None else settings.playout_depth

    def _simulations_at_most(self) -> int:
        if self.settings.time_s is None:
            return -(-self.settings.simulations // self._worlds)
        return min(MOST_NODES, 1000 + int(self.settings.time_s * FASTEST_RATE / self._worlds))

    def search(self, view: "View", seed: int) -> SearchReport:
        """Searches from a view whose seat is to act.

        Args:
            view: nothing but its masked vector is looked at.
            seed: 64 bits that everything drawn comes from.
        """
        began = self._stopwatch()
        seed_luck(np.uint64(seed), self._streams)
        masked = np.frombuffer(view.state, np.int64).copy()
        totals: dict[Action, tuple[int, int, int]] = {}
        for world in range(self._worlds):
            root = self._search_world(view, masked, began, (world + 1) / self._worlds)
            for action, (visits, total, proof) in self.tree.edges_of(root).items():
                old_visits, old_total, _ = totals.get(action, (0, 0, 0))
                # What is proven in one of several determinizations is proven for that one alone.
                totals[action] = (old_visits + visits, old_total + total, proof if self._worlds == 1 else 0)
        found = [totals.get(action, (0, 0, 0)) for action in view.legal]
        values = tuple(total / (visits * tree.VALUE_UNIT) if visits else 0.0 for visits, total, _ in found)
        return SearchReport(
            view.legal, tuple(visits for visits, _, _ in found), values, tuple(proof for _, _, proof in found)
        )

    def _search_world(self, view: "View", masked: npt.NDArray[np.int64], began: int, share: float) -> int:
        """Grows one tree, until its share of the time has passed, and returns its root."""
        state = masked
        if self._is_filled_once:
            state = masked.copy()
            kernels_of(self.game).determinize(state, view.seat, self._streams[:LUCK_WORDS])
        if self._keeps_tree:
            self.tree.make_room(self._most)
        else:
            self.tree.clear()
        grown = self.tree
        root = ismcts.node_of(self._table, state, view.seat, self._keying, grown.nodes, grown.slots, grown.counters)
        if self.settings.time_s is None:
            self._simulate_all(view, state, root)
        else:
            self._simulate_until(view, state, root, began + int(share * self.settings.time_s * 1e9))
        return root

    def _simulate(self, view: "View", state: npt.NDArray[np.int64], root: int, simulations: int) -> int:
        """Makes simulations, and returns how many; fewer only where it is proven who wins."""
        game, settings, grown = self.game, self.settings, self.tree
        made: int = ismcts.simulate(
            self._table, state, view.seat, view.num_seats, game.max_legal, game.max_plies, self._keying,
            int(self._is_redrawn), root, simulations, settings.exploration, self._widening,
            settings.candidates, PLAYOUTS[settings.playout], self._depth,
            self._streams[:LUCK_WORDS], self._streams[LUCK_WORDS:], grown.nodes, grown.edges, grown.slots,
            grown.counters, LOGS,
        )  # fmt: skip
        return made

    def _simulate_all(self, view: "View", state: npt.NDArray[np.int64], root: int) -> None:
        """Makes all simulations asked for, in chunks: compiled code cannot be interrupted, what lies between can."""
        left = self._most
        while left > 0 and self._simulate(view, state, root, min(left, MOST_AT_ONCE)) == min(left, MOST_AT_ONCE):
            left -= MOST_AT_ONCE

    def _simulate_until(self, view: "View", state: npt.NDArray[np.int64], root: int, end: int) -> None:
        """Simulates until the stopwatch shows `end`, in chunks sized by the speed of those before."""
        chunk, now = 8, self._stopwatch()
        while True:
            if self._simulate(view, state, root, chunk) < chunk:
                return
            before, now = now, self._stopwatch()
            left_s = (end - now) / 1e9
            if left_s <= 0:
                return
            rate = chunk * 1e9 / max(now - before, 1)
            chunk = max(1, min(2 * chunk, MOST_AT_ONCE, int(rate * min(left_s, CHUNK_S))))
