"""Boards for other programs and for documents: JSON, CSV, Markdown."""

import msgspec

from arena.core.wording import counted
from leaderboards.board import Leaderboard, Row, encode
from leaderboards.csv_lines import csv_line
from leaderboards.report.names import markdown_name
from leaderboards.results import FAULT_CLASSES

_CSV_COLUMNS = (
    "rank",
    "rank_low",
    "rank_high",
    "group",
    "bot",
    "version",
    "options",
    "entrant",
    "skill",
    "mu",
    "sigma",
    "matches",
    "score_share",
    "score_share_low",
    "score_share_high",
    *(f"faults_{name}" for name in FAULT_CLASSES),
    "think_ms_mean",
    "note",
)


def to_json(board: Leaderboard) -> str:
    """Returns one JSON object (formats.md, section 4) and a line end."""
    return encode(board).decode() + "\n"


def to_csv(board: Leaderboard) -> str:
    """Returns the rows as CSV (RFC 4180, line ends `\\n`), names as they are."""
    lines = [csv_line(_CSV_COLUMNS)]
    for row in board.rows:
        think = "" if row.think_ms_mean is None else row.think_ms_mean
        options = msgspec.json.encode(row.options).decode()
        lines.append(
            csv_line(
                (
                    *(row.rank, *row.rank_interval, row.group, row.bot, row.version, options, row.entrant),
                    *(row.skill, row.mu, row.sigma, row.matches, row.score_share, *row.score_share_interval),
                    *(row.faults.get(name, 0) for name in FAULT_CLASSES),
                    *(think, row.note),
                )
            )
        )
    return "".join(lines)


def to_markdown(board: Leaderboard) -> str:
    """Returns the board as GitHub-flavoured Markdown: the table, the seats, the notes."""
    counts = f"{counted(board.matches, 'match', 'matches')} in {counted(board.blocks, 'block')}, rating {board.rating}"
    lines = [f"### {markdown_name(board.game)}", "", counts, ""]
    lines += _table(
        ("rank", "bot", "skill", "mu", "sigma", "score", "95 %", "matches", "faults", "group"),
        [_cells(row) for row in board.rows],
    )
    if board.seats:
        lines.append("")
        lines += _table(
            ("players", "seat", "matches", "score", "95 %", "first places"),
            [
                (
                    *(f"{seat.players}", f"{seat.seat}", f"{seat.matches}", f"{seat.score_share:.3f}"),
                    *(_interval(seat.score_share_interval), f"{seat.win_share:.3f}"),
                )
                for seat in board.seats
            ],
        )
    lines += [f"\n{markdown_name(note)}" for note in board.notes]
    if board.digest:
        lines += ["", f"digest `{board.digest}`"]
    return "\n".join(lines) + "\n"


def _cells(row: Row) -> tuple[str, ...]:
    """Returns the cells of one entrant."""
    low, high = row.rank_interval
    return (
        f"{row.rank} ({low}-{high})",
        markdown_name(row.entrant),
        f"{row.skill:.2f}",
        f"{row.mu:.2f}",
        f"{row.sigma:.2f}",
        f"{row.score_share:.3f}",
        _interval(row.score_share_interval),
        f"{row.matches}",
        f"{sum(row.faults.values())}",
        f"{row.group}",
    )


def _interval(ends: tuple[float, float]) -> str:
    """Returns an interval of shares."""
    return f"{ends[0]:.3f}-{ends[1]:.3f}"


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> list[str]:
    """Returns the lines of a table, numbers to the right and names to the left."""
    ruler = ["---" if name == "bot" else "---:" for name in head]
    return [f"| {' | '.join(cells)} |" for cells in (head, ruler, *rows)]
