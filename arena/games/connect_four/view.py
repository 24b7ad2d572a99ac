"""What a seat of Connect Four may know: everything."""

import msgspec

from arena.core.view import View
from arena.games.connect_four.game import disc_at
from arena.games.connect_four.layout import COLUMNS, OPENING, ROWS


class ConnectFourFields(msgspec.Struct, frozen=True):
    """The named fields of a view."""

    board: list[str]
    """Six rows from the top, seven characters each: `0` and `1` for the seats' discs, `.` for an empty cell."""
    opening: list[str]
    """The random plies before the first decision, as columns `1` to `7`."""


class ConnectFourView(View):
    """A view of Connect Four; `fields` says what its properties hold."""

    __slots__ = ()
    Fields = ConnectFourFields

    def disc(self, column: int, row: int) -> int | None:
        """Returns the seat whose disc lies in a cell, or None; columns and rows from 0, rows from the bottom."""
        return disc_at(self.words, column, row)

    @property
    def board(self) -> list[str]:
        """Six rows from the top: `0` and `1` for the seats' discs, `.` for an empty cell."""
        words = self.words
        cells = [[disc_at(words, column, row) for column in range(COLUMNS)] for row in reversed(range(ROWS))]
        return ["".join("." if seat is None else str(seat) for seat in row) for row in cells]

    @property
    def opening(self) -> list[str]:
        """The random plies before the first decision."""
        return [str(int(digit) + 1) for digit in f"{self.words[OPENING]:o}"[1:]]
