"""Ninjan as an OpenSpiel game over our kernels, so that OpenSpiel's own searches can play it. Needs the extra.

OpenSpiel's Python search asks a state for everything itself, so what it asks in a simulation is answered here in
Python, without the way through pyspiel and back that the methods of pyspiel.State take. A state's `clone` therefore
carries no history, and only Python's algorithms can search the game.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
import pyspiel
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

from arena.core.game import Action
from arena.core.view import View
from arena.games import load_game
from arena.kernels.abi import TERMINAL, TO_ACT
from arena.kernels.rng import LUCK_WORDS, seed_luck
from arena.kernels.simulation import kernels_of

NINJAN = load_game("ninjan")
TYPE = pyspiel.GameType(
    short_name="arena_ninjan",
    long_name="Ninjan, as the arena plays it",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,  # the deal is the game's parameter
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=NINJAN.seats.stop - 1,
    min_num_players=NINJAN.seats.start,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=False,
    provides_observation_tensor=False,
    parameter_specification={"players": 2, "deal": 0},
)


class NinjanGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    """One deal of Ninjan: its parameters are the number of players and the seed of the deal."""

    def __init__(self, params: dict[str, int] | None = None) -> None:
        chosen = {"players": 2, "deal": 0, **(params or {})}
        info = pyspiel.GameInfo(
            num_distinct_actions=NINJAN.num_actions,
            max_chance_outcomes=0,
            num_players=chosen["players"],
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=NINJAN.max_plies,
        )
        super().__init__(TYPE, info, chosen)
        self.num_seats = chosen["players"]
        self.deal = chosen["deal"]

    def new_initial_state(self) -> "NinjanState":
        """Returns the first position of the deal."""
        words = np.zeros(NINJAN.state_words, np.int64)
        KERNELS.deal(words, self.num_seats, NO_OPTIONS, fresh_luck(self.deal))
        return NinjanState(self, words)


class NinjanState(pyspiel.State):  # type: ignore[misc]  # pyspiel has no types
    """A position of Ninjan, complete or masked for the seat to act."""

    def __init__(self, game: NinjanGame, words: npt.NDArray[np.int64]) -> None:
        super().__init__(game)
        self.game = game
        self.words = words
        """The state vector; is changed in place."""

    def clone(self) -> "NinjanState":
        """Returns a copy."""
        return NinjanState(self.game, self.words.copy())

    def get_game(self) -> NinjanGame:
        """Returns the game."""
        return self.game

    def current_player(self) -> int:
        """Returns the seat to act, or OpenSpiel's mark of the end."""
        seat = self.words.item(TO_ACT)
        return ENDED if seat == TERMINAL else seat

    def is_terminal(self) -> bool:
        """Says whether the match is over."""
        return self.words.item(TO_ACT) == TERMINAL

    def is_chance_node(self) -> bool:
        """Says that chance never acts: it has dealt before the first position."""
        return False

    def legal_actions(self, player: int | None = None) -> list[Action]:
        """Returns the actions of the seat to act, ascending; none for any other."""
        if player is not None and player != self.words.item(TO_ACT):
            return []
        legal: list[Action] = OUT[: KERNELS.legal(self.words, OUT)].tolist()
        return legal

    def apply_action(self, action: Action) -> None:
        """Plays an action, unchecked as the kernels play it."""
        KERNELS.apply(self.words, action, NO_LUCK)  # no chance after the deal: nothing draws from it

    def returns(self) -> list[float]:
        """Returns the utilities in [-1, 1], which add up to 0; all 0 before the end."""
        if not self.is_terminal():
            return [0.0] * self.game.num_seats
        utilities = np.empty(self.game.num_seats)
        KERNELS.returns(self.words, utilities)
        return [2.0 * each - 1.0 for each in utilities.tolist()]

    def information_state_string(self, player: int | None = None) -> str:
        """Returns what a seat may know, the seat to act unless told: the words of `observe`, in hex."""
        KERNELS.observe(self.words, self.words.item(TO_ACT) if player is None else player, MASKED)
        return MASKED.tobytes().hex()

    def action_to_string(self, *arguments: int) -> str:
        """Returns the notation of an action: the last argument, behind that of a player or alone."""
        return NINJAN.action_name(arguments[-1])

    def __str__(self) -> str:
        return " ".join(map(str, self.words.tolist()))


KERNELS = kernels_of(NINJAN)
NO_OPTIONS = np.empty(0, np.int64)
NO_LUCK = np.zeros(LUCK_WORDS, np.uint64)
# Buffers of calls that are over before the next begins.
OUT = np.empty(NINJAN.max_legal, np.int64)
MASKED = np.empty(NINJAN.state_words, np.int64)
ENDED = int(pyspiel.PlayerId.TERMINAL)


def fresh_luck(seed: int) -> npt.NDArray[np.uint64]:
    """Returns the luck of a seed."""
    luck = np.empty(LUCK_WORDS, np.uint64)
    seed_luck(np.uint64(seed), luck)
    return luck


def state_of(view: View) -> NinjanState:
    """Returns the masked position of a view: nothing that its seat may not know is in it."""
    return NinjanState(NinjanGame({"players": view.num_seats}), np.frombuffer(view.state, np.int64).copy())


class Resampler:
    """Draws complete positions that agree with what a seat knows, for ISMCTSBot.set_resampler."""

    def __init__(self, seed: int) -> None:
        self._luck = fresh_luck(seed)

    def __call__(self, state: NinjanState, player: int) -> NinjanState:
        """Returns a determinization of what the player knows of a state."""
        words = np.empty_like(state.words)
        KERNELS.observe(state.words, player, words)  # whatever else the state holds goes no further
        KERNELS.determinize(words, player, self._luck)
        return NinjanState(state.game, words)


def make_search(state: NinjanState, simulations: int, uct_c: float, seed: int) -> Any:
    """Returns OpenSpiel's Python ISMCTSBot for a position: a random rollout a leaf, worlds without limit."""
    bot = ISMCTSBot(
        state.game,
        RandomRolloutEvaluator(1, np.random.RandomState([seed, 0])),
        uct_c,
        simulations,
        random_state=np.random.RandomState([seed, 1]),
    )
    bot.set_resampler(Resampler(seed))
    return bot
