"""Pirates vs. Ninjas as a picture: dice with their faces and ranks, cups, destroyed dice, idle turns."""

from collections.abc import Sequence

from arena.core.game import Words
from arena.games.drawing import (
    MARGIN,
    WIDTH,
    Glyph,
    blank_die,
    box,
    circle,
    die,
    document,
    glyph,
    heading,
    label,
    shorten,
    turn_mark,
)
from arena.games.pirates_vs_ninjas.game import FACES, SIDES, dice_left, outcome, rank_counts
from arena.games.pirates_vs_ninjas.layout import (
    ATTACK,
    CREDIT,
    CUP,
    DESTROYED,
    IDLE,
    IDLE_TURNS,
    NINJAS,
    NUM_SIDES,
    PICK,
    PIRATES,
    SHRINE_DEBT,
    STAGE,
    ZONE,
)

PIRATE = Glyph(
    fill="M4 11C4 4 18 4 19 10L23 8L22 13L19 12C19 18 16 22 11.5 22S4 18 4 12Z",
    cut_line="M4.5 10.5C9 9 14 9 19 10.5M8.5 18.5H14",
    cut="M6.5 12.2H11L10.3 15.4H7.2ZM16 14a1.4 1.4 0 1 1 -2.8 0a1.4 1.4 0 1 1 2.8 0Z",
)
CANNON = Glyph(
    fill="M2 8L17 4.5L21.5 4L22.5 9L18 10.5L4 14.5C1 14.5 .5 9 2 8Z",
    line="M13.5 17a4.6 4.6 0 1 1 -9.2 0a4.6 4.6 0 1 1 9.2 0ZM13 19L20 21M9 17h.1",
    cut_line="M17.5 5L18.7 10",
)
SHIP = Glyph(
    fill="M2.5 15.5H21.5L18 21.5H6ZM13 3C19 5 19.5 11 13 13.5ZM10.8 4.5C6 6.5 5.5 11 10.8 13.2Z", line="M12 2V15.5"
)
SEA_MONSTER = Glyph(
    fill="M4 18C1.5 9 5 2 12.5 2C20 2 23 8.5 19 12C15.5 15 11 12.5 12.5 9.5C13.5 7.8 16 8.5 15.5 10"
    "C18 8.5 15.5 5.3 12.5 6C8.5 7 8.5 12.5 11 18Z",
    cut="M9 5.6a1.1 1.1 0 1 1 -2.2 0a1.1 1.1 0 1 1 2.2 0ZM7.2 9.5a1.1 1.1 0 1 1 -2.2 0a1.1 1.1 0 1 1 2.2 0Z"
    "M7.3 13.6a1.1 1.1 0 1 1 -2.2 0a1.1 1.1 0 1 1 2.2 0Z",
    line="M1.5 21C4 19 6 23 9 21S14 23 16.5 21S21 22.5 22.5 21",
)
CAPTAIN = Glyph(
    fill="M1.5 11.5C3 6 8 6.5 12 1.5C16 6.5 21 6 22.5 11.5C17 9.5 7 9.5 1.5 11.5Z"
    "M5.5 12C9 11 15 11 18.5 12C18.5 18 16 22.5 12 22.5S5.5 18 5.5 12Z",
    cut="M13.6 6.6a1.6 1.6 0 1 1 -3.2 0a1.6 1.6 0 1 1 3.2 0ZM7.4 13H11L10.4 15.8H8ZM16.2 14.4a1.3 1.3 0 1 1 -2.6 0"
    "a1.3 1.3 0 1 1 2.6 0Z",
    cut_line="M9 18.6C11 17.4 13 17.4 15 18.6",
)
JOLLY_ROGER = Glyph(
    fill="M12 1.5C7 1.5 4.5 4.8 4.5 8.6C4.5 11.6 6.2 12.6 7.4 13.6V16.5H16.6V13.6C17.8 12.6 19.5 11.6 19.5 8.6"
    "C19.5 4.8 17 1.5 12 1.5Z",
    cut="M10.6 8.8a2 2 0 1 1 -4 0a2 2 0 1 1 4 0ZM17.4 8.8a2 2 0 1 1 -4 0a2 2 0 1 1 4 0ZM12 10.6L10.9 12.8H13.1Z",
    line="M3 17.5L21 22.5M21 17.5L3 22.5",
)
NINJA = Glyph(
    fill="M21 13a9.5 9.5 0 1 1 -19 0a9.5 9.5 0 1 1 19 0ZM19 8L23.5 3.5L23.5 9Z",
    cut="M4.5 10.5C8 9.3 15 9.3 18.5 10.5V14C15 15.2 8 15.2 4.5 14Z",
    over="M9.6 12.4a1.5 1.5 0 1 1 -3 0a1.5 1.5 0 1 1 3 0ZM16.4 12.4a1.5 1.5 0 1 1 -3 0a1.5 1.5 0 1 1 3 0Z",
)
SHURIKEN = Glyph(
    fill="M12 .5L15 9L23.5 12L15 15L12 23.5L9 15L.5 12L9 9Z", cut="M14.2 12a2.2 2.2 0 1 1 -4.4 0a2.2 2.2 0 1 1 4.4 0Z"
)
KUJI_MAGIC = Glyph(line="M2 4H22M2 8H22M2 12H22M2 16H22M2 20H22M5 1.5V22.5M9.7 1.5V22.5M14.3 1.5V22.5M19 1.5V22.5")
DRAGON = Glyph(
    fill="M1.5 13L8 8.5L6.5 1.5L12.5 6.5L22.5 3L18.5 8L22.5 12L18 13.2L20.5 18L15.5 16.8L14.5 22.5L8 21L9.5 16.5L3 17Z",
    cut="M13.6 10a1.5 1.5 0 1 1 -3 0a1.5 1.5 0 1 1 3 0Z",
    cut_line="M3 14.8L9 13.8",
)
MASTER = Glyph(
    fill="M3.5 8L2.5 1.5L8 4.5L12 .5L16 4.5L21.5 1.5L20.5 8ZM20.5 14.6a8.5 8.5 0 1 1 -17 0a8.5 8.5 0 1 1 17 0Z",
    cut_line="M4 9H20",
    cut="M5.8 12.6C9 11.5 15 11.5 18.2 12.6V15.8C15 16.9 9 16.9 5.8 15.8Z",
    over="M10.4 14.2a1.4 1.4 0 1 1 -2.8 0a1.4 1.4 0 1 1 2.8 0ZM16.4 14.2a1.4 1.4 0 1 1 -2.8 0a1.4 1.4 0 1 1 2.8 0Z",
)
SHRINE = Glyph(fill="M1 2.5C8 4.5 16 4.5 23 2.5L22 7H2ZM4 10H20V12.6H4ZM5.5 7H8.5V22.5H5.5ZM15.5 7H18.5V22.5H15.5Z")
PICTURES = (
    (PIRATE, CANNON, SHIP, SEA_MONSTER, CAPTAIN, JOLLY_ROGER),
    (NINJA, SHURIKEN, KUJI_MAGIC, DRAGON, MASTER, SHRINE),
)
COLOUR = ("red", "blue")

SIDE_TOP, SIDE_HEIGHT, SIDE_GAP = 88, 168, 14
INNER_X = MARGIN + 14
DICE_X = INNER_X + 110
DIE, SMALL_DIE = 50, 33
LEGEND_TOP = SIDE_TOP + 2 * (SIDE_HEIGHT + SIDE_GAP) + 6
LEGEND_X = (0, 94, 200, 322, 458, 610)  # as wide as the longer of two names needs
HEIGHT = LEGEND_TOP + 64


def dice_row(side: int, packed: int, x: float, y: float, size: float) -> list[str]:
    """Draws the dice of a packed count, by rank."""
    ranks = [rank for rank, count in enumerate(rank_counts(packed), 1) for _ in range(count)]
    return [
        die(x + place * size * 1.16, y, PICTURES[side][rank - 1], str(rank), size=size, colour=COLOUR[side])
        for place, rank in enumerate(ranks)
    ]


def destroyed_row(side: int, packed: int, x: float, y: float) -> list[str]:
    """Draws the destroyed dice, small, or says that there are none."""
    return dice_row(side, packed, x, y, SMALL_DIE) or [label(x, y + 22, "none", colour="muted")]


def cup_row(count: int, x: float, y: float) -> list[str]:
    """Draws the dice in a Rally Cup, which have no face, and their number."""
    blanks = [blank_die(x + 22 + place * 17, y + 9, size=14) for place in range(count)]
    return [label(x, y + 22, str(count), size=17, bold=True), *blanks]


def side_panel(state: Words, side: int, name: str, y: float) -> list[str]:
    """Draws a side: who plays it, its Combat Zone, its Rally Cup, what it has lost."""
    is_to_act, has_won = state[0] == side, state[0] < 0 and outcome(state) == side
    is_marked = is_to_act or has_won
    num_dice, credit = dice_left(state, side), state[CREDIT + side]
    tally = f"{num_dice} dice left, rank {credit} destroyed" + (", wins" if has_won else "")
    low = y + 122
    return [
        box(
            *(MARGIN, y, WIDTH - 2 * MARGIN, SIDE_HEIGHT),
            edge="accent" if is_marked else "edge",
            line=2.5 if is_marked else 1.5,
        ),
        *([turn_mark(INNER_X - 6, y + 24)] if is_to_act else []),
        label(
            INNER_X + 12, y + 30, f"{SIDES[side]}: {shorten(name, 310, 17)}", size=17, bold=True, colour=COLOUR[side]
        ),
        label(WIDTH - MARGIN - 14, y + 30, tally, anchor="end"),
        label(INNER_X, y + 82, "Combat Zone", colour="muted"),
        *dice_row(side, state[ZONE + side], DICE_X, y + 52, DIE),
        label(INNER_X, low + 22, "Rally Cup", colour="muted"),
        *cup_row(state[CUP + side], DICE_X, low),
        label(INNER_X + 294, low + 22, "destroyed", colour="muted"),
        *destroyed_row(side, state[DESTROYED + side], INNER_X + 376, low),
    ]


def idle_turns(count: int) -> list[str]:
    """Draws how many of the idle turns that end the game have passed."""
    y = 64
    discs = [
        circle(MARGIN + 8 + turn * 22, y, 7, fill="ink" if turn < count else "paper", edge="ink")
        for turn in range(IDLE_TURNS)
    ]
    text = f"{count} of {IDLE_TURNS} idle turns in a row"
    return [*discs, label(MARGIN + 8 + IDLE_TURNS * 22, y + 5, text, colour="muted")]


def legend() -> list[str]:
    """Names the faces, a line a side."""
    drawn = []
    for line, side in enumerate((NINJAS, PIRATES)):
        y = LEGEND_TOP + 26 * line
        for place, face in enumerate(FACES[side]):
            x = MARGIN + LEGEND_X[place]
            drawn.append(glyph(PICTURES[side][place], x, y, 17, colour=COLOUR[side], ground="paper"))
            drawn.append(label(x + 21, y + 14, f"{place + 1} {face}", size=13.5, colour="muted"))
    return drawn


def status_of(state: Words, called: Sequence[str]) -> str:
    """Says what is being decided, or who has won."""
    if state[0] < 0:
        winner = outcome(state)
        return "a draw" if winner is None else f"{SIDES[winner]} win: {shorten(called[winner], 330, 17)}"
    tasks = {PICK: "choose the dice to rally", ATTACK: "attack after the rally"}
    owes = ", owing a rally" if state[SHRINE_DEBT] and state[0] == NINJAS else ""
    return f"{SIDES[state[0]]} {tasks.get(state[STAGE], 'to move')}{owes}"


def battle(state: Words, names: Sequence[str]) -> str:
    """Draws the whole battle, the Ninjas above the Pirates."""
    called = [names[side] if names else f"seat {side}" for side in range(NUM_SIDES)]
    status = status_of(state, called)
    body = [*heading("Pirates vs. Ninjas", status), *idle_turns(state[IDLE])]
    for place, side in enumerate((NINJAS, PIRATES)):
        body += side_panel(state, side, called[side], SIDE_TOP + place * (SIDE_HEIGHT + SIDE_GAP))
    body += legend()
    return document(f"Pirates vs. Ninjas: {status}", HEIGHT, body)
