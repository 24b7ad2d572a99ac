"""Reports: they fit, they name everyone, and no name disturbs them."""

import csv
import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from leaderboards.report import BoardText, LiveText, plain, safe_name, to_csv, to_json, to_markdown, to_text
from leaderboards.results import MatchRow, from_rows
from leaderboards.standings import live_standings, standings

MARKS = "\u200e\u200f\u202a\u202b\u202d\u202e\u2066\u2067"
EVIL = [
    "[bold red]x[/]",
    "\x1b[31mred",
    "a\u202eb",
    "日本語の名前" * 5,
    "pipe|pipe",
    "line\nline",
    "e\u0301" * 9,
    "🤖 bot",
    "   ",
]


def board_of(names):
    rows = []
    for i in range(len(names) - 1):
        for k in range(6):
            won = (1, 2) if (i + k) % 3 else (2, 1)
            rows.append(MatchRow(f"m{i}-{k}", (names[i], names[i + 1]), won, deal=str(k)))
    return standings(from_rows("gäme", rows), digest="0123456789abcdef" * 4)


@pytest.fixture(scope="module", name="evil")
def _evil():
    return board_of(EVIL)


@pytest.mark.parametrize("width", [*range(1, 45), 60, 80, 100, 120, 200])
@pytest.mark.parametrize("ascii_only", [False, True])
def test_no_line_is_too_long_at_any_width(evil, width, ascii_only):
    text = to_text(evil, width, ascii_only=ascii_only)
    # A letter of two cells cannot be shown in one.
    assert max(cell_len(line) for line in text.splitlines()) <= max(width, 2)
    assert "\x1b" not in text and "\u202e" not in text
    table = text.splitlines()[: 3 + 2 * len(EVIL)]
    assert [line.split()[0] for line in table if line.strip()[:1].isdigit()][: len(EVIL)] == [
        str(row.rank)[:width] for row in evil.rows
    ] or width < 8


@pytest.mark.parametrize(
    ("width", "columns"),
    [
        (30, ["#", "bot", "skill"]),
        (40, ["#", "range", "bot", "skill", "score"]),
        (80, ["#", "range", "bot", "skill", "matches", "score", "score, 95 %", "faults"]),
        (120, ["#", "range", "bot", "skill", "mu", "sigma", "matches", "score", "score, 95 %", "faults"]),
    ],
)
def test_columns_go_in_order_of_importance(width, columns):
    head = to_text(board_of(["greedy", "mcts:simulations=500", "random"]), width).splitlines()[1]
    assert [title.strip() for title in head.split("  ") if title.strip()] == columns


def test_plots_have_their_point_between_their_ends(evil):
    lines = [line for line in to_text(evil, 120).splitlines() if "●" in line]
    assert len(lines) == len(EVIL)
    for line in lines:
        plot = line[line.index(next(c for c in line if c in "├●")) :]
        for end in "├┤":
            if end in plot:
                assert (plot.index(end) < plot.index("●")) == (end == "├")


def test_groups_are_separated_by_rules():
    rows = [MatchRow(f"m{i}", ("strong", "weak"), (1, 2) if i % 10 else (2, 1)) for i in range(200)]
    lines = to_text(standings(from_rows("g", rows)), 80).splitlines()
    strong, weak = (next(i for i, line in enumerate(lines) if name in line) for name in ("strong", "weak"))
    assert weak == strong + 2 and set(lines[strong + 1]) == {"─"}


def test_markup_in_names_is_shown_and_not_obeyed(evil):
    console = Console(width=120, force_terminal=True, color_system="truecolor", file=io.StringIO())
    console.print(BoardText(evil))
    out = console.file.getvalue()
    assert "[bold red]x[/]" in out and "\x1b[31m" not in out


@given(st.text(max_size=30))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_any_name_is_safe(name):
    shown = safe_name(name)
    assert shown.strip() and len(shown.splitlines()) == 1
    assert not any(ord(c) < 32 or 127 <= ord(c) < 160 or c in MARKS for c in shown)
    assert safe_name(shown) == shown


@given(st.lists(st.text(min_size=1, max_size=20), min_size=2, max_size=4, unique=True), st.integers(1, 130))
@settings(max_examples=30, deadline=None, derandomize=True)
def test_no_name_breaks_a_report(names, width):
    board = board_of(names)
    for line in to_text(board, width).splitlines():
        assert cell_len(line) <= max(width, 2)
    rows = list(csv.DictReader(io.StringIO(to_csv(board), newline="")))
    assert {row["entrant"] for row in rows} == set(names)
    table = [line for line in to_markdown(board).splitlines() if line.startswith("|")]
    assert len({line.replace("\\|", "").count("|") for line in table[: 2 + len(names)]}) == 1
    assert {row["entrant"] for row in json.loads(to_json(board))["rows"]} == set(names)


def test_safe_names_keep_what_is_harmless():
    assert safe_name("mcts:simulations=500") == "mcts:simulations=500"
    assert safe_name("Žluťoučký 日本 🤖 שלום") == "Žluťoučký 日本 🤖 שלום"
    assert safe_name("a\x1b[0mb\u202ec\x00") == "a�[0mb�c�"


def test_the_seats_the_notes_and_the_digest_are_below_the_board(evil):
    text = to_text(evil, 100)
    assert text.index("bot") < text.index("players  seat") < text.index("digest 0123")
    assert "0.333" in text[text.index("players  seat") :]
    markdown = to_markdown(evil)
    assert "| players | seat |" in markdown and "digest `0123" in markdown and "pipe\\|pipe" in markdown


def test_a_live_board_fits():
    tallies = {(("a" * 50, "日本語" * 9), (1, 2)): 5, (("c", "a" * 50), (2, 1)): 3}
    for width in (1, 10, 30, 80):
        lines = plain(LiveText(live_standings(tallies), most_rows=2), width).splitlines()
        assert len(lines) == 4 and max(cell_len(line) for line in lines) <= max(width, 2)


def test_a_board_of_nobody():
    board = standings(from_rows("g", []))
    assert "no entrants" in to_text(board, 40)
    assert to_csv(board).count("\n") == 1 and json.loads(to_json(board))["rows"] == []
