"""What a seat of Pirates vs. Ninjas may know: everything but the dice to come."""

import msgspec

from arena.core.view import View
from arena.games.pirates_vs_ninjas.game import rank_counts, rolled_faces
from arena.games.pirates_vs_ninjas.layout import (
    CREDIT,
    CUP,
    DESTROYED,
    IDLE,
    NUM_SIDES,
    ROLLED,
    SHRINE_DEBT,
    STAGE,
    ZONE,
)

STAGES = ("what", "pick", "attack")


class PiratesVsNinjasFields(msgspec.Struct, frozen=True):
    """The named fields of a view; seat 0 is the Pirates, seat 1 the Ninjas."""

    stage: str
    """What is to be decided: `what`, `pick` (which Combat dice roll beside the cup), `attack` (after a Shrine)."""
    zones: list[list[int]]
    """The Combat Zones, by seat: how many dice of ranks 1 to 6."""
    cups: list[int]
    """The dice in the Rally Cups, by seat."""
    destroyed: list[list[int]]
    """The destroyed dice of each seat: how many of ranks 1 to 6."""
    credits: list[int]
    """The total rank of the enemy dice that each seat has destroyed."""
    idle_turns: int
    """Turns in a row in which no die was destroyed; the fifth ends the game."""
    owes_rally: bool
    """Whether a Shrine has been used and the Ninjas' next turn is a rally and an attack."""
    rolled: list[list[int]]
    """The faces of the set-up, by seat, in the order rolled, before the Hero limit."""


class PiratesVsNinjasView(View):
    """A view of Pirates vs. Ninjas; `PiratesVsNinjasFields` says what its properties hold."""

    __slots__ = ()
    Fields = PiratesVsNinjasFields

    @property
    def stage(self) -> str:
        """What is to be decided: `what`, `pick` or `attack`."""
        return STAGES[self.words[STAGE]]

    @property
    def zones(self) -> list[list[int]]:
        """The Combat Zones, by seat: how many dice of ranks 1 to 6."""
        words = self.words
        return [rank_counts(words[ZONE + side]) for side in range(NUM_SIDES)]

    @property
    def cups(self) -> list[int]:
        """The dice in the Rally Cups, by seat."""
        return list(self.words[CUP : CUP + NUM_SIDES])

    @property
    def destroyed(self) -> list[list[int]]:
        """The destroyed dice of each seat: how many of ranks 1 to 6."""
        words = self.words
        return [rank_counts(words[DESTROYED + side]) for side in range(NUM_SIDES)]

    @property
    def credits(self) -> list[int]:
        """The total rank of the enemy dice that each seat has destroyed."""
        return list(self.words[CREDIT : CREDIT + NUM_SIDES])

    @property
    def idle_turns(self) -> int:
        """Turns in a row in which no die was destroyed."""
        return self.words[IDLE]

    @property
    def owes_rally(self) -> bool:
        """Whether a Shrine has been used and the Ninjas' next turn is a rally and an attack."""
        return bool(self.words[SHRINE_DEBT])

    @property
    def rolled(self) -> list[list[int]]:
        """The faces of the set-up, by seat, in the order rolled, before the Hero limit."""
        words = self.words
        return [rolled_faces(words[ROLLED + side]) for side in range(NUM_SIDES)]
