"""The board in a terminal of any width.

Columns come in an order of importance and are left out from its end, so that no line wraps. Names are cut by the
cells that they take, not by characters.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.box import HORIZONTALS
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, JustifyMethod, OverflowMethod, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from leaderboards.board import Leaderboard, LiveRow, Row
from leaderboards.report.names import safe_name
from leaderboards.statistics.tables import SeatRow

# Cells: between columns; what a name needs at least and gets at most; the same for the plot.
_GAP = 2
_NAME_LEAST, _NAME_WANTED, _NAME_MOST = 4, 16, 40
_PLOT_LEAST, _PLOT_MOST = 15, 41


@dataclass(frozen=True)
class _Column:
    """A column before it is known whether there is room for it; `cells` has one entry a row."""

    title: str
    cells: tuple[str, ...]
    is_text: bool = False

    @property
    def width(self) -> int:
        """The cells that the widest entry takes."""
        return max(cell_len(text) for text in (self.title, *self.cells))


@dataclass(frozen=True)
class BoardText:
    """A board to be printed by rich; asks the console for its width and whether it can show more than ASCII.

    Attributes:
        board: what is shown.
    """

    board: Leaderboard

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = max(options.max_width, 1)
        yield _heading(self.board)
        if self.board.rows:
            yield _board_table(self.board.rows, width, options.ascii_only)
        else:
            yield Text("no entrants")
        if self.board.seats:
            yield Text("")
            yield _seat_table(self.board.seats, width, options.ascii_only)
        for note in self.board.notes:
            yield Text(f"note: {safe_name(note)}", overflow="fold")
        if self.board.digest:
            yield Text(f"digest {safe_name(self.board.digest)}", no_wrap=True, overflow="ellipsis")


@dataclass(frozen=True)
class LiveText:
    """A board of a run in progress, to be printed by rich.

    Attributes:
        rows: what is shown, best first.
        most_rows: how many of them; 0 for all.
    """

    rows: Sequence[LiveRow]
    most_rows: int = 0

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        rows = self.rows[: self.most_rows] if self.most_rows else self.rows
        columns = {
            "rank": _Column("#", tuple(str(row.rank) for row in rows)),
            "bot": _Column("bot", tuple(safe_name(row.entrant) for row in rows), is_text=True),
            "skill": _Column("skill", tuple(f"{row.skill:.2f}" for row in rows)),
            "score": _Column("score", tuple(f"{row.score_share:.3f}" for row in rows)),
            "matches": _Column("matches", tuple(str(row.matches) for row in rows)),
        }
        chosen = _fit(columns, ("skill", "score", "matches"), max(options.max_width, 1))
        yield _table(columns, chosen, [False] * len(rows), max(options.max_width, 1), options.ascii_only)


def to_text(board: Leaderboard, width: int = 80, *, ascii_only: bool = False) -> str:
    """Returns the board as plain text, no line of it longer than the width in cells.

    Args:
        board: what is shown.
        width: of the lines, in cells; at least 1.
        ascii_only: draw with ASCII alone. Names stay as they are.
    """
    return plain(BoardText(board), width, ascii_only=ascii_only)


def plain(renderable: RenderableType, width: int = 80, *, ascii_only: bool = False) -> str:
    """Returns what rich prints, without colours and without blanks at the ends of lines."""
    console = Console(width=max(width, 1), color_system=None, force_terminal=False, legacy_windows=False)
    options = console.options.update(width=max(width, 1))
    if ascii_only:
        options.encoding = "ascii"
    lines = console.render_lines(renderable, options, pad=False)
    return "".join("".join(part.text for part in line).rstrip() + "\n" for line in lines)


def _heading(board: Leaderboard) -> Text:
    """Says what the board is of."""
    seats = "-".join(str(n) for n in dict.fromkeys([*board.players[:1], *board.players[-1:]]))
    parts = [safe_name(board.game), f"{seats or 'no'} players", f"{board.matches} matches", f"{board.blocks} blocks"]
    return Text(", ".join([*parts, board.rating]), no_wrap=True, overflow="ellipsis", style="bold")


def _board_table(rows: Sequence[Row], width: int, ascii_only: bool) -> Table:
    """Lays out the entrants."""
    columns = _board_columns(rows)
    importance = ("skill", "score", "range", "matches", "faults", "plot", "mu", "sigma", "note", "think")
    chosen = _fit(columns, importance, width)
    if "plot" in chosen:
        used = sum(columns[key].width for key in chosen if key != "plot") + _GAP * (len(chosen) - 1)
        size = min(_PLOT_MOST, max(_PLOT_LEAST, width - used))
        columns["plot"] = _Column("score, 95 %", _plots(rows, size, ascii_only), is_text=True)
    ends = [i + 1 < len(rows) and rows[i + 1].group != row.group for i, row in enumerate(rows)]
    return _table(columns, chosen, ends, width, ascii_only)


def _board_columns(rows: Sequence[Row]) -> dict[str, _Column]:
    """Makes all columns, from left to right."""

    def column(title: str, cell: Callable[[Row], str], is_text: bool = False) -> _Column:
        return _Column(title, tuple(cell(row) for row in rows), is_text)

    columns = {
        "rank": column("#", lambda row: str(row.rank)),
        "range": column("range", lambda row: "{}-{}".format(*row.rank_interval)),
        "bot": column("bot", lambda row: safe_name(row.entrant), is_text=True),
        "skill": column("skill", lambda row: f"{row.skill:.2f}"),
        "mu": column("mu", lambda row: f"{row.mu:.2f}"),
        "sigma": column("sigma", lambda row: f"{row.sigma:.2f}"),
        "matches": column("matches", lambda row: str(row.matches)),
        "score": column("score", lambda row: f"{row.score_share:.3f}"),
        # Holds the place until it is known how much room there is.
        "plot": column("score, 95 %", lambda row: " " * _PLOT_LEAST, is_text=True),
        "faults": column("faults", lambda row: str(sum(row.faults.values()))),
        "think": column("ms/move", lambda row: "" if row.think_ms_mean is None else f"{row.think_ms_mean:.3g}"),
        "note": column("note", lambda row: row.note, is_text=True),
    }
    for key in ("note", "think"):
        if not any(columns[key].cells):
            del columns[key]
    return columns


def _fit(columns: dict[str, _Column], importance: Sequence[str], width: int) -> list[str]:
    """Returns the columns that there is room for, from left to right; rank and name always."""
    name = columns["bot"].width
    room = width - columns["rank"].width - _GAP - min(name, _NAME_WANTED)
    chosen = {"rank", "bot"}
    for key in importance:
        if key in columns:
            need = columns[key].width + _GAP
            if need > room:
                break
            room -= need
            chosen.add(key)
    return [key for key in columns if key in chosen]


def _table(columns: dict[str, _Column], chosen: list[str], ends: list[bool], width: int, ascii_only: bool) -> Table:
    """Builds the table; what is left of the width is the name's."""
    others = sum(columns[key].width for key in chosen if key != "bot") + _GAP * (len(chosen) - 1)
    name = max(min(columns["bot"].width, _NAME_MOST, width - others), min(_NAME_LEAST, width))
    table = _bare_table()
    for key in chosen:
        justify: JustifyMethod = "left" if columns[key].is_text else "right"
        size = name if key == "bot" else columns[key].width
        table.add_column(
            Text(columns[key].title), justify=justify, no_wrap=True, overflow=_overflow(ascii_only), width=size
        )
    for i, end in enumerate(ends):
        table.add_row(*(Text(columns[key].cells[i]) for key in chosen), end_section=end)
    return table


def _overflow(ascii_only: bool) -> OverflowMethod:
    """Returns how names that are too long are cut."""
    return "crop" if ascii_only else "ellipsis"


def _seat_table(seats: Sequence[SeatRow], width: int, ascii_only: bool) -> Table:
    """Lays out how the seats fared."""
    columns = {
        "players": _Column("players", tuple(str(seat.players) for seat in seats)),
        "seat": _Column("seat", tuple(str(seat.seat) for seat in seats)),
        "matches": _Column("matches", tuple(str(seat.matches) for seat in seats)),
        "score": _Column("score", tuple(f"{seat.score_share:.3f}" for seat in seats)),
        "interval": _Column("95 %", tuple("{:.3f}-{:.3f}".format(*seat.score_share_interval) for seat in seats)),
        "first": _Column("first", tuple(f"{seat.win_share:.3f}" for seat in seats)),
    }
    chosen = {"players"}
    room = width - columns["players"].width
    for key in ("seat", "score", "interval", "first", "matches"):
        if columns[key].width + _GAP > room:
            break
        room -= columns[key].width + _GAP
        chosen.add(key)
    table = _bare_table()
    for key in columns:
        if key in chosen:
            table.add_column(columns[key].title, justify="right", no_wrap=True, overflow=_overflow(ascii_only))
    for i, seat in enumerate(seats):
        last = i + 1 < len(seats) and seats[i + 1].players != seat.players
        table.add_row(*(Text(column.cells[i]) for key, column in columns.items() if key in chosen), end_section=last)
    return table


def _bare_table() -> Table:
    """Returns a table with rules below the head and between sections, and nothing around."""
    return Table(box=HORIZONTALS, show_edge=False, padding=(0, _GAP, 0, 0), pad_edge=False, collapse_padding=True)


def _plots(rows: Sequence[Row], size: int, ascii_only: bool) -> tuple[str, ...]:
    """Draws the intervals of the scores on one common scale, from the lowest end to the highest."""
    left, line, right, point = "|-|o" if ascii_only else "├─┤●"
    low = min(row.score_share_interval[0] for row in rows)
    scale = (size - 1) / max(max(row.score_share_interval[1] for row in rows) - low, 1e-9)
    plots: list[str] = []
    for row in rows:
        start, end = (round((value - low) * scale) for value in row.score_share_interval)
        cells = [" "] * size
        cells[start : end + 1] = line * (end + 1 - start)
        cells[start], cells[end] = left, right
        cells[round((row.score_share - low) * scale)] = point
        plots.append("".join(cells))
    return tuple(plots)
