"""OpenSpiel's information-set tree search, the Python one, as a bot for Ninjan: needs the extra `openspiel`."""

from typing import Annotated

import msgspec

from arena import Action, Bot
from arena.bench.openspiel_ninjan import make_search, state_of
from arena.games.ninjan.view import NinjanView

# The arena loads a game's kernels ahead of bots whose source names `simulate` (docs/reference/sandbox.md). This one
# needs them, by way of what it imports; without the word it would compile them in its own empty cache.


class OpenSpielIsmctsOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of openspiel_ismcts."""

    simulations: Annotated[int, msgspec.Meta(ge=2, le=10_000_000)] = 100
    """Simulations a move, each in a world of its own; with 1 it would choose without having tried anything."""
    uct_c: Annotated[float, msgspec.Meta(ge=0, le=100)] = 1.0
    """Weight of the uncertainty; utilities reach from -1 to 1, so half of this compares with one of 0 to 1.

    The default is the best of 0.5, 0.7, 1, 1.4 and 2 at 100 simulations against greedy, over 120 deals in both
    seatings: shares of 0.30, 0.34, 0.38, 0.34 and 0.34, each within 0.06.
    """


class OpenSpielIsmcts(Bot[NinjanView]):
    """Searches each decision afresh and takes the action that was gone through most often."""

    games = ("ninjan",)
    Options = OpenSpielIsmctsOptions

    def act(self, view: NinjanView) -> Action:
        state = state_of(view)
        search = make_search(state, self.options.simulations, self.options.uct_c, view.rng.getrandbits(32))
        return int(search.step(state))
