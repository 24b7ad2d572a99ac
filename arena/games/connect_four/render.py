"""Connect Four as terminal text: discs differ in shape as well as in colour."""

from collections.abc import Sequence

from rich.text import Text

from arena.core.game import Words
from arena.games.connect_four.game import disc_at
from arena.games.connect_four.layout import COLUMNS, ROWS

DISC = (("●", "bold red"), ("○", "bold yellow"))


def board(words: Words, names: Sequence[str]) -> Text:
    """Draws the board with the column numbers under it and says whose turn it is."""
    text = Text()
    for row in reversed(range(ROWS)):
        text.append(" │", "blue")
        for column in range(COLUMNS):
            seat = disc_at(words, column, row)
            glyph, style = ("·", "dim") if seat is None else DISC[seat]
            text.append(f" {glyph}", style)
        text.append(" │\n", "blue")
    text.append(f" ╰{'──' * COLUMNS}─╯\n", "blue")
    text.append("   " + " ".join(str(column + 1) for column in range(COLUMNS)) + "\n", "dim")
    for seat in (0, 1):
        glyph, style = DISC[seat]
        text.append(f" {glyph} ", style)
        name = names[seat] if names else f"seat {seat}"
        text.append(name + (" to move" if words[0] == seat else "") + "\n", "bold" if words[0] == seat else "")
    text.right_crop(1)
    return text
