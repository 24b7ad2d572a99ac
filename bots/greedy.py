"""Looks one ply ahead with the game's own heuristic."""

from typing import Annotated

import msgspec

import arena
from arena import Action, Bot, View


class GreedyOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of greedy."""

    determinizations: Annotated[int, msgspec.Meta(ge=1, le=10_000)] = 8
    """How many ways to fill in what it cannot see; one suffices, and one is made, where nothing is hidden."""


class Greedy(Bot[View]):
    """Takes the action that leaves it best off on average; ties are broken by chance, from its own generator."""

    version = "1"
    Options = GreedyOptions

    def act(self, view: View) -> Action:
        legal = view.legal
        if len(legal) == 1:
            return legal[0]
        rng = view.rng
        values = arena.lookahead(view, self.options.determinizations, rng)
        # Values a rounding error apart are ties: which of them comes out ahead would be an accident of arithmetic.
        floor = max(values) - 1e-12
        best = [action for action, value in zip(legal, values, strict=True) if value >= floor]
        return best[0] if len(best) == 1 else best[int(rng.random() * len(best))]
