"""Connect Four: facts, notation, record and picture."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from arena.core.game import Action, Game, Words
from arena.games.connect_four.layout import COLUMN_BITS, COLUMNS, DISCS, OPENING, ROWS, STATE_WORDS

if TYPE_CHECKING:
    from rich.console import RenderableType


class ConnectFourOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of Connect Four."""

    opening: Annotated[int, msgspec.Meta(ge=0, le=16)] = 2
    """Random plies before the first decision; 0 starts from the empty board."""


def disc_at(words: Words, column: int, row: int) -> int | None:
    """Returns the seat whose disc lies in a cell, rows counted from the bottom, or None."""
    cell = 1 << (column * COLUMN_BITS + row)
    return next((seat for seat in (0, 1) if words[DISCS + seat] & cell), None)


class ConnectFour(Game):
    """Four in a row on 7 columns by 6 rows; a deal is a random opening."""

    name = "connect_four"
    title = "Connect Four"
    aliases = ("c4",)
    version = "1"
    seats = range(2, 3)
    state_words = STATE_WORDS
    num_actions = COLUMNS
    max_legal = COLUMNS
    max_plies = COLUMNS * ROWS
    view_class = "ConnectFourView"
    Options = ConnectFourOptions

    def encode_options(self, options: Any) -> list[int]:
        return [options.opening]

    def action_name(self, action: Action) -> str:
        return str(action + 1)

    def parse_action(self, text: str) -> Action:
        if len(text) == 1 and text in "1234567":
            return int(text) - 1
        raise self.unknown_action(text)

    def setup(self, state: Words) -> dict[str, Any]:
        digits = f"{state[OPENING]:o}"[1:]  # the leading 1 marks the length
        return {"opening": [str(int(digit) + 1) for digit in digits]}

    def render(self, words: Words, *, names: Sequence[str] = (), observer: int | None = None) -> "RenderableType":
        from arena.games.connect_four.render import board

        return board(words, names)

    def svg(self, words: Words, *, names: Sequence[str] = (), observer: int | None = None) -> str:
        from arena.games.connect_four.svg import board

        return board(words, names)


GAME = ConnectFour()
