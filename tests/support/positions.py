"""A position under test, whatever the game: its actions are notation."""

from dataclasses import dataclass
from typing import Self

from arena.kernels.simulation import Simulation


@dataclass(frozen=True)
class Position:
    """What tests of a game's rules look at and play on."""

    simulation: Simulation

    @property
    def words(self) -> tuple[int, ...]:
        return self.simulation.words()

    @property
    def seat(self) -> int | None:
        return self.simulation.to_move

    @property
    def legal(self) -> list[str]:
        return [self.simulation.game.action_name(action) for action in self.simulation.legal]

    @property
    def scores(self) -> list[int]:
        return list(self.simulation.scores())

    def play(self, *names: str) -> Self:
        for name in names:
            self.simulation.play(self.simulation.game.parse_action(name))
        return self

    def clone(self) -> Self:
        return type(self)(self.simulation.clone())
