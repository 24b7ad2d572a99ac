"""Information-set Monte Carlo tree search."""

from typing import Annotated, Literal

import msgspec

import arena
from arena import Action, Bot, MatchInfo, View

# What measured best against greedy and among each other (docs/decisions/0010-search.md); a game that is not here is
# searched by the first line.
TO_THE_END = 1_000_000
UNTUNED = {"exploration": 0.7, "widening": None, "candidates": 1, "playout_depth": TO_THE_END}
TUNED: dict[str, dict[str, float | None]] = {
    "connect_four": {"exploration": 1.4, "widening": None, "candidates": 1, "playout_depth": TO_THE_END},
    "ninjan": {"exploration": 0.3, "widening": 0.5, "candidates": 4, "playout_depth": 6},
    "pirates_vs_ninjas": {"exploration": 0.3, "widening": 0.5, "candidates": 4, "playout_depth": 6},
    "pirates_ninjas_robots_zombies": {"exploration": 0.05, "widening": 1.0, "candidates": 30, "playout_depth": 0},
}


class MctsOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of mcts."""

    simulations: Annotated[int, msgspec.Meta(ge=1, le=10_000_000)] = 1000
    """Simulations a move; with them it plays the same on every machine."""
    time_s: Annotated[float, msgspec.Meta(gt=0, le=3600)] | None = None
    """Seconds a move; when it is given, simulations does not count."""
    exploration: Annotated[float, msgspec.Meta(ge=0, le=100)] | None = None
    """Weight of the uncertainty in the bound that the search follows; none takes the game's tuned value."""
    widening: Annotated[float, msgspec.Meta(gt=0, le=1000)] | None = None
    """A decision has at most 1 + widening * sqrt(visits) actions in the tree, 1000 lets all in; none: as tuned."""
    candidates: Annotated[int, msgspec.Meta(ge=1, le=10_000)] | None = None
    """A new action in the tree is the heuristic's best of so many drawn by chance; none: as tuned."""
    playout: Literal["random", "greedy", "mixed"] = "random"
    """How a simulation goes on where the tree ends."""
    playout_depth: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] | None = None
    """Plies of a playout, after which the game's heuristic decides, 1000000 for the end; none: as tuned."""
    determinizations: Literal["ismcts", "pimc"] = "ismcts"
    """One tree over all determinizations, or one for each of a few."""
    nodes: Literal["observed", "sequence"] = "observed"
    """What tells decisions apart: what their seat can see, or the actions since the root."""
    tree_reuse: bool = False
    """Whether the tree is kept for the next move."""
    seed: Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)] | None = None
    """Seed of all its choices; none takes the match's."""


class Mcts(Bot[View]):
    """Takes the action that the search went through most often."""

    version = "1"
    Options = MctsOptions

    def start(self, match: MatchInfo) -> None:
        self._searcher: arena.Searcher | None = None

    def act(self, view: View) -> Action:
        if len(view.legal) == 1:
            return view.legal[0]
        if self._searcher is None:
            self._searcher = arena.Searcher(view.game, self._settings(view.game.name))
        drawn = view.rng.getrandbits(64)
        seed = self.options.seed
        return self._searcher.search(view, drawn if seed is None else seed + view.ply).best

    def _settings(self, game: str) -> "arena.SearchSettings":
        given = msgspec.structs.asdict(self.options)
        del given["seed"]
        tuned = TUNED.get(game, UNTUNED)
        settings = {name: tuned[name] if value is None and name in tuned else value for name, value in given.items()}
        return arena.SearchSettings(**settings)
