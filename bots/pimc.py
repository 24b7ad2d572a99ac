"""Perfect-information Monte Carlo: a tree search in each of a few determinizations, as if everyone saw everything."""

from typing import Annotated

import msgspec

import arena
from arena import Action, Bot, MatchInfo, View


class PimcOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of pimc."""

    simulations: Annotated[int, msgspec.Meta(ge=1, le=10_000_000)] = 1000
    """Simulations a move, shared out among the worlds."""
    worlds: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 16
    """Number of determinizations; one suffices, and one is made, where nothing is hidden."""
    exploration: Annotated[float, msgspec.Meta(ge=0, le=100)] = 1.0
    """Weight of the uncertainty in the bound that the search follows."""


class Pimc(Bot[View]):
    """Takes the action that the searches together went through most often."""

    version = "1"
    Options = PimcOptions

    def start(self, match: MatchInfo) -> None:
        settings = arena.SearchSettings(determinizations="pimc", **msgspec.structs.asdict(self.options))
        self._searcher = arena.Searcher(arena.load_game(match.game), settings)

    def act(self, view: View) -> Action:
        if len(view.legal) == 1:
            return view.legal[0]
        return self._searcher.search(view, view.rng.getrandbits(64)).best
