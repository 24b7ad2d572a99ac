"""Information-set Monte Carlo tree search."""

from typing import Annotated, Literal

import msgspec

import arena
from arena import Action, Bot, MatchInfo, View


class MctsOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of mcts."""

    simulations: Annotated[int, msgspec.Meta(ge=1, le=10_000_000)] = 1000
    """Simulations a move; with them it plays the same on every machine."""
    time_s: Annotated[float, msgspec.Meta(gt=0, le=3600)] | None = None
    """Seconds a move; when it is given, simulations does not count."""
    exploration: Annotated[float, msgspec.Meta(ge=0, le=100)] = 1.0
    """Weight of the uncertainty in the bound that the search follows."""
    widening: Annotated[float, msgspec.Meta(gt=0, le=1000)] | None = None
    """A decision has at most 1 + widening * sqrt(visits) actions in the tree; none lets all be tried at once."""
    candidates: Annotated[int, msgspec.Meta(ge=1, le=10_000)] = 1
    """A new action in the tree is the heuristic's best of so many drawn by chance."""
    playout: Literal["random", "greedy", "mixed"] = "random"
    """How a simulation goes on where the tree ends."""
    playout_depth: Annotated[int, msgspec.Meta(ge=0)] | None = None
    """Plies of a playout, after which the game's heuristic decides; none plays to the end."""
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
            self._searcher = arena.Searcher(view.game, self._settings())
        drawn = view.rng.getrandbits(64)
        seed = self.options.seed
        return self._searcher.search(view, drawn if seed is None else seed + view.ply).best

    def _settings(self) -> "arena.SearchSettings":
        options = msgspec.structs.asdict(self.options)
        del options["seed"]
        return arena.SearchSettings(**options)
