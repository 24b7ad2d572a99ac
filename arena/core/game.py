"""What a game is to the arena: static facts, notation, and the few hooks that are not kernels.

A game is one folder: rules.py (kernels), evaluate.py (heuristic kernel), game.py (a subclass of Game), view.py
(the typed view), rules.md (the page that people read). Importing game.py imports neither numpy nor numba.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib import import_module, resources
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import msgspec

from arena.core.options import NoOptions, parse_options
from arena.errors import IllegalAction

if TYPE_CHECKING:
    from rich.console import RenderableType

    from arena.core.view import View

Action = int
Words = Sequence[int]  # a state or masked vector as plain integers


Ply = tuple[int, Action]  # the seat that acts and its action; a Move is one with names


class Move(NamedTuple):
    """An action and the seat that took it."""

    seat: int
    action: Action


class Game(ABC):
    """The facts and the text side of one game. Stateless: one instance serves every match."""

    name: ClassVar[str]
    """Identifier, as typed and stored."""
    title: ClassVar[str]
    """Name for people."""
    aliases: ClassVar[tuple[str, ...]] = ()
    """Short names, accepted wherever a game is named."""
    version: ClassVar[str]
    """Changes whenever any playthrough changes."""
    seats: ClassVar[range]
    """Numbers of seats that the game can be played with."""
    state_words: ClassVar[int]
    """W, the length of a state vector."""
    num_actions: ClassVar[int]
    """Action ids lie in [0, num_actions); nothing is allocated by it."""
    max_legal: ClassVar[int]
    """A, the most legal actions that a position can have."""
    max_plies: ClassVar[int]
    """No match is longer; the sweeps hold the rules to it."""
    has_evaluate: ClassVar[bool] = True
    """Whether evaluate.py has an `evaluate` kernel."""
    has_hidden_state: ClassVar[bool] = False
    """Whether `observe` masks anything."""
    has_hidden_actions: ClassVar[bool] = False
    """Whether some action is not seen by everyone at once; then `seen` must be overridden."""
    view_class: ClassVar[str]
    """Name of the typed view in view.py, a subclass of core.view.View."""
    Options: ClassVar[type[msgspec.Struct]] = NoOptions
    """The game's options with their defaults."""

    @property
    def package(self) -> str:
        """Dotted name of the game's folder."""
        return type(self).__module__.rpartition(".")[0]

    @cached_property
    def view_type(self) -> "type[View]":
        """The game's typed view."""
        view: type[View] = getattr(import_module(f"{self.package}.view"), self.view_class)
        return view

    def rules_text(self) -> str:
        """Returns the rules page, Markdown."""
        return resources.files(self.package).joinpath("rules.md").read_text(encoding="utf-8")

    # Options

    def parse_options(self, given: Mapping[str, str]) -> msgspec.Struct:
        """Makes the game's options from texts as typed; a game that takes files reads them here, into contents.

        Raises:
            BadOption: an unknown option, or a value out of its type or range.
        """
        return parse_options(self.Options, given, owner=f"game {self.name}")

    def encode_options(self, options: Any) -> list[int]:
        """Returns the options as the int64 words that the `deal` kernel takes; none for a game without options."""
        return []

    # Notation

    @abstractmethod
    def action_name(self, action: Action) -> str:
        """Returns the notation of an action id; the two are one to one."""

    @abstractmethod
    def parse_action(self, text: str) -> Action:
        """Returns the action id of a notation.

        Raises:
            IllegalAction: the text is no action of this game in any position.
        """

    def unknown_action(self, text: str) -> IllegalAction:
        """Returns the error for a text that is no action."""
        return IllegalAction(f"{text[:80]!r} is no action of {self.name}; see `arena games rules {self.name}`")

    # What the record says beyond actions

    @abstractmethod
    def setup(self, state: Words) -> dict[str, Any]:
        """Returns what chance laid out before the first ply (formats.md 1), from the complete state at ply 0."""

    def chance(self, before: Words, luck: Sequence[int], action: Action, after: Words) -> Any:
        """Returns what chance did within a ply (formats.md 1), or None.

        Args:
            before: the complete state before the ply.
            luck: the luck words before the ply.
            action: the ply's action.
            after: the complete state after it.
        """
        return None

    def seen(self, history: Sequence[Ply], num_seats: int, seat: int) -> Sequence[Ply]:
        """Returns what a seat has seen done, in the order in which it became visible; grows only at its end."""
        return history

    # Pictures

    @abstractmethod
    def render(self, words: Words, *, names: Sequence[str] = (), observer: int | None = None) -> "RenderableType":
        """Returns a rich renderable of a position.

        Args:
            words: a complete state, or a masked one.
            names: what to call the seats, as plain text; `seat 0` and so on where it is empty.
            observer: the seat whose masked vector it is; None for a complete state.
        """

    @abstractmethod
    def svg(self, words: Words, *, names: Sequence[str] = (), observer: int | None = None) -> str:
        """Returns a picture of a position as one `<svg>` element that needs nothing from elsewhere.

        It is drawn for a width of 800 pixels, can be read on light and on dark paper, has a `<title>`, escapes the
        names, and tells nothing by colour alone. What stays the same from one position to the next should stay the
        same line of its text: pages keep each distinct line once.

        Args:
            words: a complete state, or a masked one.
            names: what to call the seats, as plain text; `seat 0` and so on where it is empty.
            observer: the seat whose masked vector it is; None for a complete state.
        """
