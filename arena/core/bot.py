"""The base class of bots, and what a bot is told before and after a match."""

from typing import Any, ClassVar, Generic, TypeVar

import msgspec

from arena.core.game import Action
from arena.core.notes import checked_note
from arena.core.options import NoOptions
from arena.core.spec import Limits
from arena.core.view import View

V = TypeVar("V", bound=View)


class MatchInfo(msgspec.Struct, frozen=True):
    """What a bot is told before its first move."""

    match: str
    """The match's id."""
    game: str
    """The game's name."""
    players: int
    """Number of seats."""
    seat: int
    """The bot's own seat, from 0."""
    seed: int
    """The bot's own seed, below 2**53; nothing about the deal can be learnt from it."""
    limits: Limits
    """Time and memory limits."""


class Result(msgspec.Struct, frozen=True):
    """How a match ended, by seat."""

    scores: tuple[int, ...]
    """Points at the end."""
    ranks: tuple[int, ...]
    """Places, 1 best; equal results share a rank."""
    faults: tuple[str | None, ...]
    """Fault classes, None where the seat played on."""


class Bot(Generic[V]):
    """A program that chooses actions: subclass it and write `act`.

    A bot file holds one public subclass. A new object is made for every match and seat, so nothing is remembered
    from one match to the next.
    """

    version: ClassVar[str] = "1"
    """Declared by shipped bots; golden moves fail when behaviour changes under the same version."""
    games: ClassVar[tuple[str, ...]] = ()
    """Names of the games that it plays; empty for all."""
    Options: ClassVar[type[msgspec.Struct]] = NoOptions
    """Its options, a frozen msgspec Struct with a default for each field."""

    _arena_note: dict[str, float] | None = None  # goes with the next answer; the host takes it

    def __init__(self, options: Any = None) -> None:
        self.options: Any = options if options is not None else self.Options()

    def start(self, match: MatchInfo) -> None:
        """Is called once, before the first move."""

    def act(self, view: V) -> Action:
        """Returns one of `view.legal`."""
        raise NotImplementedError(f"{type(self).__name__} must define act(self, view)")

    def finish(self, result: Result) -> None:
        """Is called once, after the match."""

    def note(self, /, **numbers: float) -> None:
        """Gives numbers that go with the next answer: `arena bots show` and `arena bots log` average them.

        Of two numbers of one name for one answer, the later counts.

        Raises:
            ValueError: a value is no number from -1e300 to 1e300, a name is over 64 letters, or they are more than 32.
        """
        self._arena_note = checked_note({**(self._arena_note or {}), **numbers})
