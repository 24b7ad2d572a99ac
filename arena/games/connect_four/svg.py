"""Connect Four as a picture: discs differ in shape as well as in colour, and four in a row are struck through."""

from collections.abc import Sequence

from arena.core.game import Words
from arena.games.connect_four.game import disc_at
from arena.games.connect_four.layout import COLUMNS, ROWS, WINNER
from arena.games.drawing import MARGIN, WIDTH, box, circle, document, heading, label, shorten, stroke, turn_mark

CELL = 60
RADIUS = 25
LEFT, TOP = MARGIN, 64
BOARD_WIDTH, BOARD_HEIGHT = COLUMNS * CELL + 20, ROWS * CELL + 20
PANEL_X = LEFT + BOARD_WIDTH + MARGIN
PANEL_HEIGHT = 116
HEIGHT = TOP + BOARD_HEIGHT + 44
COLOUR = ("red", "amber")
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


def centre(column: int, row: int) -> tuple[int, int]:
    """Returns the middle of a cell, rows counted from the bottom."""
    return LEFT + 10 + column * CELL + CELL // 2, TOP + 10 + (ROWS - 1 - row) * CELL + CELL // 2


def disc(x: float, y: float, seat: int) -> str:
    """Draws a disc: seat 0's carries a cross, seat 1's a ring."""
    if seat == 0:
        mark = stroke(f"M{x - 9} {y - 9}l18 18m0 -18l-18 18", colour="panel", line=5)
    else:
        mark = f'<circle cx="{x}" cy="{y}" r="12" fill="none" stroke-width="5" class="s-panel"/>'
    return f"<g>{circle(x, y, RADIUS, fill=COLOUR[seat], edge='ink')}{mark}</g>"


def cell(state: Words, column: int, row: int) -> str:
    """Draws a cell, empty or with its disc."""
    x, y = centre(column, row)
    seat = disc_at(state, column, row)
    return circle(x, y, RADIUS, fill="paper") if seat is None else disc(x, y, seat)


def winning_lines(state: Words) -> list[str]:
    """Strikes through every four in a row."""
    lines = []
    for column in range(COLUMNS):
        for row in range(ROWS):
            for across, up in DIRECTIONS:
                cells = [(column + step * across, row + step * up) for step in range(4)]
                if not all(0 <= c < COLUMNS and 0 <= r < ROWS for c, r in cells):
                    continue
                if {disc_at(state, c, r) for c, r in cells} == {state[WINNER]}:
                    (x, y), (end_x, end_y) = centre(*cells[0]), centre(*cells[3])
                    lines.append(stroke(f"M{x} {y}L{end_x} {end_y}", line=7))
    return lines


def standing(state: Words, seat: int) -> str:
    """Says how a seat stands."""
    if state[0] >= 0:
        return "to move" if state[0] == seat else "waits"
    return "draw" if state[WINNER] < 0 else ("wins" if state[WINNER] == seat else "loses")


def player(state: Words, seat: int, name: str) -> list[str]:
    """Draws a seat: its disc, its name, how it stands."""
    y = TOP + seat * (PANEL_HEIGHT + 16)
    is_marked = seat in (state[0], state[WINNER])
    drawn = [
        box(PANEL_X, y, WIDTH - MARGIN - PANEL_X, PANEL_HEIGHT, edge="accent" if is_marked else "edge", line=2),
        label(PANEL_X + 24, y + 34, shorten(name, WIDTH - MARGIN - PANEL_X - 36), bold=True),
        disc(PANEL_X + 49, y + 78, seat),
        label(PANEL_X + 88, y + 84, standing(state, seat), size=17, colour="accent" if is_marked else "muted"),
    ]
    return [*drawn, turn_mark(PANEL_X + 7, y + 29)] if state[0] == seat else drawn


def board(state: Words, names: Sequence[str]) -> str:
    """Draws the board, the column numbers, and the seats."""
    called = [names[seat] if names else f"seat {seat}" for seat in (0, 1)]
    winner = state[WINNER]
    short = [shorten(name, 340, 17) for name in called]
    status = f"{short[state[0]]} to move" if state[0] >= 0 else "draw" if winner < 0 else f"{short[winner]} wins"
    cells = [cell(state, column, row) for row in reversed(range(ROWS)) for column in range(COLUMNS)]
    numbers = [
        label(centre(column, 0)[0], TOP + BOARD_HEIGHT + 26, str(column + 1), size=17, anchor="middle")
        for column in range(COLUMNS)
    ]
    struck = winning_lines(state) if winner >= 0 else []
    frame = box(LEFT, TOP, BOARD_WIDTH, BOARD_HEIGHT, fill="board", edge="board", radius=12)
    seats = [line for seat in (0, 1) for line in player(state, seat, called[seat])]
    body = [*heading("Connect Four", status), frame, *cells, *struck, *numbers, *seats]
    return document(f"Connect Four: {status}", HEIGHT, body)
