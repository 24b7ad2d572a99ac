"""What one seat may know at one ply, and the base of every game's typed view.

A view is lazy: it keeps the masked vector as bytes and decodes a field when it is asked for. The vector holds
nothing that the seat may not know, so whatever is built from it, `simulate` included, cannot leak.
"""

import base64
import random
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from arena.core.game import Action, Game, Move, Ply

if TYPE_CHECKING:
    from arena.kernels.simulation import Simulation


class Clock(msgspec.Struct, frozen=True):
    """Time left to a seat; None is no limit."""

    move_s: float | None = None
    """Seconds for this move, before the bank is touched."""
    bank_s: float | None = None
    """Seconds left in the match's bank."""


NO_CLOCK = Clock()


class BotRandom:
    """A bot's own generator for one match, made when first used: most bots never draw."""

    __slots__ = ("_generator", "seed")

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._generator: random.Random | None = None

    @property
    def generator(self) -> random.Random:
        """The generator, seeded once a match."""
        if self._generator is None:
            self._generator = random.Random(self.seed)
        return self._generator


class MoveMessage(msgspec.Struct, frozen=True):
    """A move in the line protocol."""

    seat: int
    """The seat that acted."""
    action: str
    """Its action, in notation."""


class View:
    """What one seat may know when it is asked to act. Read-only; games add typed fields in a subclass."""

    __slots__ = ("_moves", "_random", "_state", "clock", "game", "legal", "num_seats", "ply", "seat")

    Fields: ClassVar[type[msgspec.Struct]]
    """The named fields of the line protocol's `view`; each is a property of the view, of the same name."""

    def __init__(
        self,
        game: Game,
        state: bytes,
        num_seats: int,
        seat: int,
        ply: int,
        legal: tuple[Action, ...],
        moves: Sequence[Ply],
        rng: BotRandom,
        clock: Clock = NO_CLOCK,
    ) -> None:
        self.game = game
        self._state = state
        self.num_seats = num_seats
        self.seat = seat
        self.ply = ply
        self.legal = legal
        """Legal action ids, ascending; never empty."""
        self._moves = moves
        self._random = rng
        self.clock = clock

    @property
    def state(self) -> bytes:
        """The masked vector: W little-endian int64 words."""
        return self._state

    @property
    def words(self) -> memoryview:
        """The masked vector as integers, decoded in place."""
        return memoryview(self._state).cast("q")

    @property
    def moves(self) -> tuple[Move, ...]:
        """What this seat has seen done since it last answered, oldest first.

        An action that is made in secret (a Ninjan card) stands here when it is revealed, the seat's own included.
        A ply with one legal action is played without asking, and stands here for its own seat, too.
        """
        return tuple(Move(seat, action) for seat, action in self._moves)

    @property
    def rng(self) -> random.Random:
        """The bot's own generator, seeded for this seat of this match."""
        return self._random.generator

    def name(self, action: Action) -> str:
        """Returns the notation of an action."""
        return self.game.action_name(action)

    def parse(self, text: str) -> Action:
        """Returns the action of a notation; raises IllegalAction where it is none of this game."""
        return self.game.parse_action(text)

    def simulate(self, rng: random.Random | None = None) -> "Simulation":
        """Returns a determinization to play forward: a complete position that agrees with this view.

        The first call of a process imports numpy and numba and loads the game's kernels (about 0.5 s from a warm
        cache); later calls cost a few microseconds.
        """
        simulation: Simulation = import_module("arena.kernels.simulation").Simulation.from_view(self, rng or self.rng)
        return simulation

    def fields(self) -> msgspec.Struct:
        """Returns the named fields that the line protocol sends."""
        return self.Fields(**{name: getattr(self, name) for name in self.Fields.__struct_fields__})

    @classmethod
    def message_type(cls) -> type[msgspec.Struct]:
        """Returns the type of the line protocol's `view`, from which its schema is made."""
        parts = [("moves", list[MoveMessage]), ("state", str)]
        return msgspec.defstruct(cls.__name__, parts, bases=(cls.Fields,), kw_only=True)

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """Returns the JSON Schema of the line protocol's `view`."""
        return msgspec.json.schema(cls.message_type())

    def message(self) -> dict[str, Any]:
        """Returns the `view` object of the line protocol: the named fields, `moves` and `state`."""
        moves = [{"seat": seat, "action": self.name(action)} for seat, action in self._moves]
        fields = msgspec.to_builtins(self.fields())
        return {**fields, "moves": moves, "state": base64.b64encode(self._state).decode()}

    def __repr__(self) -> str:
        legal = " ".join(self.name(action) for action in self.legal)
        return f"<{type(self).__name__} seat={self.seat} ply={self.ply} legal=[{legal}]>"
