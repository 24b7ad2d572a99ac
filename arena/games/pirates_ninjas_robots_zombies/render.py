"""The game as terminal text: the layout with four letters a tile, cut to the width, the seats and their hands.

A tile is two lines of two sections, each two columns wide: `P ` a character, `p ` its bonus item, `P!` its arch-enemy,
`PP` a base, reversed. The mark after the first line is the icon: `~` rotate, `%` swap, `&` replace.
"""

from collections.abc import Sequence

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from arena.core.game import Words
from arena.games.pirates_ninjas_robots_zombies.layout import (
    CHARACTERS,
    CHOSEN,
    HAND_SIZE,
    NO_PIECE,
    NUM_SEATS,
    NUM_TILES,
    PART_SIZE,
    STAGE,
    TURNS_LEFT,
)
from arena.games.pirates_ninjas_robots_zombies.reading import (
    PIECE_NAMES,
    SECTION_NAMES,
    Placed,
    characters_of,
    hand_names,
    layout_of,
    tile_set,
)
from arena.games.pirates_ninjas_robots_zombies.scoring import best_regions, points_of
from arena.games.pirates_ninjas_robots_zombies.tiles import PICTURES
from arena.games.pirates_ninjas_robots_zombies.view import DECISIONS

STYLES = {"P": "red", "N": "blue", "R": "yellow", "Z": "green"}
ICON_MARKS = " ~%&"
CELL_COLUMNS = 5
MARGIN = 5  # columns for the y beside the rows


def section_text(section: int) -> Text:
    """Draws a section in two columns, in its character's colour; a base is reversed."""
    name = SECTION_NAMES[section]
    style = STYLES[name[0].upper()]
    if section >= len(PICTURES):
        return Text(f"{name}{name}", f"bold {style} reverse")
    return Text(f"{name:2}", f"bold {style}" if len(name) == 1 else f"{style} underline")


def piece_rows(placed: Placed) -> tuple[Text, Text]:
    """Draws a piece as two lines of CELL_COLUMNS columns."""
    top_left, top_right, bottom_right, bottom_left = map(section_text, placed.sections)
    mark = Text(ICON_MARKS[placed.icon], "bold")
    return Text.assemble(top_left, top_right, mark), Text.assemble(bottom_left, bottom_right, " ")


class LayoutPicture:
    """The layout, drawn when its width is known: where it is too wide, the columns at its ends are left out."""

    def __init__(self, layout: Sequence[Placed]) -> None:
        self.layout = layout

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if not self.layout:
            yield Text("no tile in play", "dim")
            return
        left, right = self._columns(max(1, (options.max_width - MARGIN) // CELL_COLUMNS))
        hidden = [placed for placed in self.layout if not left <= placed.x <= right]
        yield self._ruler(left, right)
        bottom, top = min(placed.y for placed in self.layout), max(placed.y for placed in self.layout)
        for y in range(top, bottom - 1, -1):
            yield from self._rows(y, left, right)
        if hidden:
            yield Text(f"{len(hidden)} not shown", "dim")

    def _columns(self, room: int) -> tuple[int, int]:
        """Returns the first and last x to draw: of all windows that fit, the leftmost with the most pieces."""
        xs = [placed.x for placed in self.layout]
        starts = range(min(xs), max(min(xs), max(xs) - room + 1) + 1)
        left = max(starts, key=lambda start: (sum(start <= x < start + room for x in xs), -start))
        return left, min(left + room - 1, max(xs))

    @staticmethod
    def _ruler(left: int, right: int) -> Text:
        numbers = "".join(f"{x:^{CELL_COLUMNS - 1}} " for x in range(left, right + 1))
        return Text(" " * MARGIN + numbers, "dim", no_wrap=True)

    def _rows(self, y: int, left: int, right: int) -> tuple[Text, Text]:
        """Draws a row of the lattice as two lines, its y before the first."""
        pieces = {placed.x: piece_rows(placed) for placed in self.layout if placed.y == y}
        nothing = Text(" " * CELL_COLUMNS)
        lines = Text(f"{y:>{MARGIN - 1}} ", "dim", no_wrap=True), Text(" " * MARGIN, no_wrap=True)
        for half, line in enumerate(lines):
            for x in range(left, right + 1):
                line.append_text(pieces[x][half] if x in pieces else nothing)
        return lines


def hand_text(words: Words, seat: int, called: str) -> Text:
    """Draws a seat's hand, each tile with its pictures; tiles that the words do not show are counted."""
    tiles = tile_set(words)
    names = hand_names(words, seat)
    parts = [Text(f" hand of {called}", "dim")]
    for name in names:
        if name in CHARACTERS:
            parts.append(Text(name, f"bold {STYLES[name]} reverse"))
            continue
        tile = tiles[int(name[1:]) - 1]
        pictures = Text("").join(
            Text(PICTURES[section], STYLES[PICTURES[section][0].upper()]) for section in tile.sections
        )
        parts.append(Text.assemble((f"{name}:", "dim"), pictures, ICON_MARKS[tile.icon].strip()))
    num_hidden = words[HAND_SIZE + seat] - len(names)
    if num_hidden:
        parts.append(Text(f"{num_hidden} hidden", "dim"))
    return Text("  ").join(parts)


def seats_table(words: Words, called: Sequence[str]) -> Table:
    """Draws a line a seat: characters with their best regions, points, the sizes of its part of the pile and hand."""
    table = Table(box=None, padding=(0, 1), header_style="dim")
    for column in ("", "seat", "best", "points", "pile", "hand"):
        table.add_column(column, justify="right" if column in ("points", "pile", "hand") else "left")
    regions = dict(zip(CHARACTERS, best_regions(words), strict=True))
    points = points_of(words)
    for seat in range(words[NUM_SEATS]):
        is_to_act = words[0] == seat
        best = Text(" ").join(
            Text(f"{character}{region.points if region else 0}", f"bold {STYLES[character]}")
            for character, region in ((character, regions[character]) for character in characters_of(words, seat))
        )
        table.add_row(
            Text("▶" if is_to_act else ""),
            Text(called[seat], "bold" if is_to_act else ""),
            best,
            Text(str(points[seat])),
            Text(str(words[PART_SIZE + seat])),
            Text(str(words[HAND_SIZE + seat])),
        )
    return table


def heading(words: Words) -> Text:
    """Says what is being decided, about which piece, and how far off the end is."""
    if words[0] < 0:
        return Text("Pirates, Ninjas, Robots, & Zombies, the end", "bold")
    chosen = words[CHOSEN]
    about = f" {PIECE_NAMES[chosen]}" if chosen != NO_PIECE else ""
    if NUM_TILES <= chosen < NO_PIECE:
        about = f" base{about}"
    left = f", {words[TURNS_LEFT]} turns left" if words[TURNS_LEFT] >= 0 else ""
    return Text(f"Pirates, Ninjas, Robots, & Zombies: {DECISIONS[words[STAGE]]}{about}{left}", "bold")


def table(words: Words, names: Sequence[str]) -> RenderableType:
    """Draws the whole table; what an observer may not see is not in the words."""
    called = [names[seat] if names else f"seat {seat}" for seat in range(words[NUM_SEATS])]
    hands = [hand_text(words, seat, name) for seat, name in enumerate(called)]
    return Group(heading(words), LayoutPicture(layout_of(words)), seats_table(words, called), *hands)
