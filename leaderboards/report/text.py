"""The board in a terminal of any width.

Columns come in an order of importance and are left out from its end, so that no line wraps. Names are cut by the
cells that they take, not by characters.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.text import Text

from arena.core.wording import counted
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
            yield from _board_lines(self.board.rows, width, options.ascii_only)
        else:
            yield Text("no entrants")
        if self.board.seats:
            yield Text("")
            yield from _seat_lines(self.board.seats, width, options.ascii_only)
        if self.board.notes or self.board.digest:
            yield Text("")
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
        yield from _lines(columns, chosen, [False] * len(rows), max(options.max_width, 1), options.ascii_only)


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
    parts = [safe_name(board.game), f"{seats or 'no'} players", counted(board.matches, "match", "matches")]
    parts.append(counted(board.blocks, "block"))
    return Text(", ".join([*parts, board.rating]), no_wrap=True, overflow="ellipsis", style="bold")


def _board_lines(rows: Sequence[Row], width: int, ascii_only: bool) -> Iterator[Text]:
    """Lays out the entrants."""
    columns = _board_columns(rows)
    importance = ("skill", "score", "range", "matches", "faults", "plot", "mu", "sigma", "note", "think")
    chosen = _fit(columns, importance, width)
    if "plot" in chosen:
        used = sum(columns[key].width for key in chosen if key != "plot") + _GAP * (len(chosen) - 1)
        size = min(_PLOT_MOST, max(_PLOT_LEAST, width - used))
        columns["plot"] = _Column("score, 95 %", _plots(rows, size, ascii_only), is_text=True)
    ends = [i + 1 < len(rows) and rows[i + 1].group != row.group for i, row in enumerate(rows)]
    return _lines(columns, chosen, ends, width, ascii_only)


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


def _lines(
    columns: dict[str, _Column], chosen: Sequence[str], ends: Sequence[bool], width: int, ascii_only: bool
) -> Iterator[Text]:
    """Draws a table line by line; what is left of the width is the name's, and a rule follows where a group ends."""
    sizes = {key: columns[key].width for key in chosen}
    if "bot" in sizes:
        others = sum(sizes.values()) - sizes["bot"] + _GAP * (len(chosen) - 1)
        sizes["bot"] = max(min(sizes["bot"], _NAME_MOST, width - others), _NAME_LEAST)
    rule = ("-" if ascii_only else "─") * min(width, sum(sizes.values()) + _GAP * (len(chosen) - 1))

    def line(cells: Sequence[str], style: str = "") -> Text:
        parts = [
            _cell(text, sizes[key], columns[key].is_text, ascii_only) for key, text in zip(chosen, cells, strict=True)
        ]
        text = (" " * _GAP).join(parts)
        return Text(_cut(text.rstrip(), width, ascii_only), style=style, no_wrap=True, overflow="crop")

    yield line([columns[key].title for key in chosen], "bold")
    yield Text(rule, no_wrap=True, overflow="crop")
    for i, end in enumerate(ends):
        yield line([columns[key].cells[i] for key in chosen])
        if end:
            yield Text(rule, style="dim", no_wrap=True, overflow="crop")


def _cell(text: str, size: int, is_text: bool, ascii_only: bool) -> str:
    """Returns a text in exactly so many cells: words to the left, numbers to the right."""
    cut = _cut(text, size, ascii_only)
    blanks = " " * (size - cell_len(cut))
    return cut + blanks if is_text else blanks + cut


def _cut(text: str, size: int, ascii_only: bool) -> str:
    """Returns a text in at most so many cells, with a mark where something is left out."""
    if cell_len(text) <= size:
        return text
    return set_cell_size(text, max(size - 1, 0)).rstrip() + ("~" if ascii_only else "…")


def _seat_lines(seats: Sequence[SeatRow], width: int, ascii_only: bool) -> Iterator[Text]:
    """Lays out how the seats fared."""
    columns = {
        "players": _Column("players", tuple(str(seat.players) for seat in seats)),
        "seat": _Column("seat", tuple(str(seat.seat) for seat in seats)),
        "matches": _Column("matches", tuple(str(seat.matches) for seat in seats)),
        "score": _Column("score", tuple(f"{seat.score_share:.3f}" for seat in seats)),
        "interval": _Column("95 %", tuple("{:.3f}-{:.3f}".format(*seat.score_share_interval) for seat in seats)),
        "first": _Column("first", tuple(f"{seat.win_share:.3f}" for seat in seats)),
    }
    room = width - columns["players"].width - columns["seat"].width - _GAP
    chosen = {"players", "seat"}
    for key in ("score", "interval", "first", "matches"):
        room -= columns[key].width + _GAP
        if room < 0:
            break
        chosen.add(key)
    ends = [i + 1 < len(seats) and seats[i + 1].players != seat.players for i, seat in enumerate(seats)]
    return _lines(columns, [key for key in columns if key in chosen], ends, width, ascii_only)


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
