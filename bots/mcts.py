"""Information-set Monte Carlo tree search."""

from typing import Annotated, ClassVar, Literal

import msgspec

import arena
from arena import Action, Bot, MatchInfo, View


class MctsOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of mcts; those that are none take the value that tuning found for the game."""

    exclusive: ClassVar[tuple[tuple[str, ...], ...]] = (("simulations", "time_s"),)

    simulations: Annotated[int, msgspec.Meta(ge=1, le=10_000_000)] = 1000
    """Simulations a move; with them it plays the same on every machine."""
    time_s: Annotated[float, msgspec.Meta(gt=0, le=3600)] | None = None
    """Seconds a move, in place of simulations; what it plays then depends on the machine."""
    exploration: Annotated[float, msgspec.Meta(ge=0, le=100)] | None = None
    """Weight of the uncertainty in the bound that the search follows."""
    widening: Annotated[float, msgspec.Meta(gt=0, le=1000)] | None = None
    """A decision has at most 1 + widening * sqrt(visits) actions in the tree, 1000 lets all in."""
    candidates: Annotated[int, msgspec.Meta(ge=1, le=10_000)] | None = None
    """A new action in the tree is the heuristic's best of so many drawn by chance."""
    playout: Literal["random", "greedy", "mixed"] | None = None
    """How a simulation goes on where the tree ends."""
    playout_depth: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] | None = None
    """Plies of a playout, after which the game's heuristic decides, 1000000 for the end."""
    determinizations: Literal["ismcts", "pimc"] = "ismcts"
    """One tree over all determinizations, or one for each of a few."""
    nodes: Literal["observed", "sequence"] = "observed"
    """What tells decisions apart: what their seat can see, or the actions since the root."""
    tree_reuse: bool = False
    """Whether the tree is kept for the next move."""
    seed: Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)] | None = None
    """Seed of all its choices; none takes the match's."""

    def __post_init__(self) -> None:
        if self.nodes == "sequence" and self.determinizations == "pimc":
            raise ValueError("nodes=sequence names nodes of the one tree that determinizations=pimc does without")
        if self.tree_reuse and (self.nodes == "sequence" or self.determinizations == "pimc"):
            raise ValueError("tree_reuse=true keeps one tree of observed nodes; leave nodes and determinizations out")


class Mcts(Bot[View]):
    """Takes the action that the search went through most often."""

    version = "2"
    Options = MctsOptions

    def start(self, match: MatchInfo) -> None:
        given = msgspec.structs.asdict(self.options)
        del given["seed"]
        game = arena.load_game(match.game)
        self._searcher = arena.Searcher(game, arena.SearchSettings.tuned_for(game, **given))

    def act(self, view: View) -> Action:
        if len(view.legal) == 1:
            return view.legal[0]
        drawn = view.rng.getrandbits(64)
        seed = self.options.seed
        return self._searcher.search(view, drawn if seed is None else seed + view.ply).best
