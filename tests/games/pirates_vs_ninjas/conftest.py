"""Positions of Pirates vs. Ninjas written as dice, and played by notation."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from positions import Position

from arena.games.pirates_vs_ninjas.game import GAME, rank_counts
from arena.games.pirates_vs_ninjas.layout import (
    CREDIT,
    CUP,
    DESTROYED,
    IDLE,
    SHRINE_DEBT,
    STAGE,
    STATE_WORDS,
    ZONE,
    dice,
)
from arena.kernels.rng import LUCK_WORDS, seed_luck
from arena.kernels.simulation import Simulation, kernels_of


class Battle(Position):
    """A position under test: dice as sorted lists of ranks, actions in notation."""

    @property
    def zones(self) -> list[list[int]]:
        return [self._ranks(ZONE + side) for side in (0, 1)]

    @property
    def cups(self) -> list[int]:
        return list(self.words[CUP : CUP + 2])

    @property
    def destroyed(self) -> list[list[int]]:
        return [self._ranks(DESTROYED + side) for side in (0, 1)]

    @property
    def credits(self) -> list[int]:
        return list(self.words[CREDIT : CREDIT + 2])

    @property
    def idle(self) -> int:
        return self.words[IDLE]

    @property
    def stage(self) -> int:
        return self.words[STAGE]

    @property
    def owes_rally(self) -> bool:
        return self.words[SHRINE_DEBT] == 1

    def _ranks(self, word: int) -> list[int]:
        return [rank for rank, count in enumerate(rank_counts(self.words[word]), 1) for _ in range(count)]

    def rolled(self, name: str) -> list[int]:
        """Plays an action and returns the faces that it rolled."""
        before, luck = self.words, self.simulation.luck_words()
        action = GAME.parse_action(name)
        self.simulation.play(action)
        [[_, faces]] = GAME.chance(before, luck, action, self.words)["rolled"]
        return list(faces)


def make_luck(seed: int) -> list[int]:
    """Returns the luck words of a seed, all streams at their start."""
    luck = np.empty(LUCK_WORDS, np.uint64)
    seed_luck(np.uint64(seed), luck)
    return luck.tolist()


def make_battle(
    pirates: Sequence[int] = (),
    ninjas: Sequence[int] = (),
    cups: tuple[int, int] = (0, 0),
    to_act: int = 0,
    idle: int = 0,
    owes_rally: bool = False,
    credits: tuple[int, int] = (0, 0),
    seed: int = 1,
) -> Battle:
    """Lays out a position; `pirates` and `ninjas` are the ranks in their Combat Zones."""
    state = np.zeros(STATE_WORDS, np.int64)
    state[0] = to_act
    for side, ranks in enumerate((pirates, ninjas)):
        state[ZONE + side] = sum(dice(rank) for rank in ranks)
        state[CUP + side] = cups[side]
        state[CREDIT + side] = credits[side]
    state[IDLE] = idle
    state[SHRINE_DEBT] = owes_rally
    return Battle(Simulation(GAME, state, np.array(make_luck(seed), np.uint64), 2, kernels_of(GAME)))


@pytest.fixture(scope="session")
def luck_of() -> Callable[[int], list[int]]:
    return make_luck


@pytest.fixture(scope="session")
def reference(load_beside: Callable[[str, str], Any]) -> Callable[[int], Any]:
    """Returns a deal's first position in the plain implementation of reference.py."""
    module = load_beside(__file__, "reference")
    return lambda seed: module.Reference(make_luck(seed))


@pytest.fixture(scope="session")
def battle() -> Callable[..., Battle]:
    return make_battle


@pytest.fixture(scope="session")
def dealt() -> Callable[[int], Battle]:
    return lambda seed: Battle(Simulation.from_deal(GAME, [], 2, seed))
