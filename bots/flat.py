"""Flat Monte Carlo: random playouts after each action, and the best mean wins."""

from typing import Annotated

import msgspec

import arena
from arena import Action, Bot, View


class FlatOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of flat."""

    simulations: Annotated[int, msgspec.Meta(ge=1, le=10_000_000)] = 1000
    """Playouts a move, shared out evenly among the actions."""
    playout_depth: Annotated[int, msgspec.Meta(ge=0)] | None = None
    """Plies of a playout, after which the game's heuristic decides; none plays to the end."""


class Flat(Bot[View]):
    """Takes the action whose playouts end best on average; of equals the first."""

    version = "1"
    Options = FlatOptions

    def act(self, view: View) -> Action:
        legal = view.legal
        if len(legal) == 1:
            return legal[0]
        values = arena.playout_values(view, self.options.simulations, view.rng, self.options.playout_depth)
        return legal[values.index(max(values))]
