"""A position to play forward, for bots and tests: the kernels behind a small Python face."""

import random
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from arena.core.game import Action, Game
from arena.errors import IllegalAction
from arena.kernels.abi import TO_ACT, Kernels, load_kernels
from arena.kernels.rng import LUCK_WORDS, seed_luck

if TYPE_CHECKING:
    from arena.core.view import View

kernels_of = cache(load_kernels)
"""Returns the kernels of a game, loaded once a process."""


class Simulation:
    """One complete position and the luck that will meet it.

    From a view it is a determinization: hidden cards are drawn anew, and the luck is the caller's, never the match's.
    Each method is one or two kernel calls of about a microsecond.
    """

    __slots__ = ("_kernels", "_legal", "_luck", "_state", "game", "num_seats")

    def __init__(
        self, game: Game, state: npt.NDArray[np.int64], luck: npt.NDArray[np.uint64], num_seats: int, kernels: Kernels
    ) -> None:
        self.game = game
        self.num_seats = num_seats
        self._state = state
        self._luck = luck
        self._kernels = kernels
        self._legal: tuple[Action, ...] | None = None

    @classmethod
    def from_view(cls, view: "View", rng: random.Random) -> "Simulation":
        """Draws a complete position that agrees with a view, every one equally likely."""
        kernels = kernels_of(view.game)
        state = np.frombuffer(view.state, np.int64).copy()
        luck = np.empty(LUCK_WORDS, np.uint64)
        seed_luck(np.uint64(rng.getrandbits(64)), luck)
        kernels.determinize(state, view.seat, luck)
        return cls(view.game, state, luck, view.num_seats, kernels)

    @classmethod
    def from_deal(cls, game: Game, options: list[int], num_seats: int, deal: int) -> "Simulation":
        """Returns the first position of a match, with the luck of its deal."""
        kernels = kernels_of(game)
        state = np.zeros(game.state_words, np.int64)
        luck = np.empty(LUCK_WORDS, np.uint64)
        seed_luck(np.uint64(deal), luck)
        kernels.deal(state, num_seats, np.array(options, np.int64), luck)
        return cls(game, state, luck, num_seats, kernels)

    @property
    def to_move(self) -> int | None:
        """The seat to act, None when the match is over."""
        seat = self._state.item(TO_ACT)
        return seat if seat >= 0 else None

    @property
    def is_over(self) -> bool:
        """Whether the match is over."""
        return self._state.item(TO_ACT) < 0

    @property
    def legal(self) -> tuple[Action, ...]:
        """Legal action ids, ascending; empty when the match is over."""
        if self._legal is None:
            out = np.empty(self.game.max_legal, np.int64)
            count = self._kernels.legal(self._state, out)
            self._legal = tuple(out[:count].tolist())
        return self._legal

    def play(self, action: Action) -> None:
        """Plays an action and all chance that it triggers.

        Raises:
            IllegalAction: the action is not legal here.
        """
        if action not in self.legal:
            name = self.game.action_name(action) if 0 <= action < self.game.num_actions else str(action)
            raise IllegalAction(f"{name} is not legal here; legal: {' '.join(map(self.game.action_name, self.legal))}")
        self._legal = None
        self._kernels.apply(self._state, action, self._luck)

    def clone(self) -> "Simulation":
        """Returns a copy that meets the same luck when it is played the same way."""
        copy = Simulation(self.game, self._state.copy(), self._luck.copy(), self.num_seats, self._kernels)
        copy._legal = self._legal
        return copy

    def scores(self) -> tuple[int, ...]:
        """Returns the points so far, by seat."""
        out = np.zeros(self.num_seats, np.int64)
        self._kernels.scores(self._state, out)
        return tuple(out.tolist())

    def returns(self) -> tuple[float, ...]:
        """Returns each seat's utility in [0, 1] by the ranks; meaningful when the match is over."""
        out = np.zeros(self.num_seats, np.float64)
        self._kernels.returns(self._state, out)
        return tuple(out.tolist())

    def evaluate(self) -> tuple[float, ...]:
        """Returns each seat's estimated utility in [0, 1], by the game's heuristic; all equal where it has none."""
        out = np.full(self.num_seats, 0.5)
        if self.is_over:
            self._kernels.returns(self._state, out)
        elif self._kernels.evaluate is not None:
            self._kernels.evaluate(self._state, out)
        return tuple(out.tolist())

    def words(self) -> tuple[int, ...]:
        """Returns the complete state as integers."""
        return tuple(self._state.tolist())

    def luck_words(self) -> tuple[int, ...]:
        """Returns the luck as integers."""
        return tuple(self._luck.tolist())

    def observed(self, seat: int) -> bytes:
        """Returns the vector masked for a seat, as a view holds it."""
        out = np.empty_like(self._state)
        self._kernels.observe(self._state, seat, out)
        return out.tobytes()
