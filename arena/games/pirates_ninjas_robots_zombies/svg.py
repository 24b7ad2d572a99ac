"""The game as a picture: tiles with a glyph a section, bases, icons, hands; at the end the best regions.

The layout is drawn in units of its own, CELL a cell, inside one scaled group: so a tile is the same line of markup in
every picture of a match, however far the layout has grown. Arch-enemies stand out light on dark, bonus items in a
ring, bases large: nothing is told by colour alone.
"""

from collections.abc import Iterable, Sequence

from arena.core.game import Words
from arena.games.drawing import (
    MARGIN,
    WIDTH,
    Glyph,
    box,
    card_back,
    circle,
    document,
    glyph,
    label,
    number,
    shorten,
    stroke,
    turn_mark,
)
from arena.games.pirates_ninjas_robots_zombies.layout import (
    BASE,
    BONUS,
    CHARACTERS,
    CHOSEN,
    ENEMY,
    FIRST_CELL,
    HAND_SIZE,
    MOVED,
    NO_PIECE,
    NUM_SEATS,
    NUM_TILES,
    PART_SIZE,
    SECOND_CELL,
    STAGE,
    TURNS_LEFT,
)
from arena.games.pirates_ninjas_robots_zombies.reading import (
    PIECE_NAMES,
    Placed,
    characters_of,
    face_up,
    hand_names,
    layout_of,
    owners,
    tile_set,
)
from arena.games.pirates_ninjas_robots_zombies.scoring import Region, best_regions, points_of

SKULL = Glyph(
    fill="M12 1.5C6 1.5 2.8 5.6 2.8 10.3C2.8 13.4 4.4 15.4 6.6 16.4V21.5H17.4V16.4C19.6 15.4 21.2 13.4 21.2 10.3"
    "C21.2 5.6 18 1.5 12 1.5Z",
    cut="M10.6 10.6a2.5 2.5 0 1 1 -5 0a2.5 2.5 0 1 1 5 0ZM18.4 10.6a2.5 2.5 0 1 1 -5 0a2.5 2.5 0 1 1 5 0Z"
    "M12 13L10.5 16H13.5Z",
    cut_line="M10 21.5V18.8M14 21.5V18.8",
)
HOOD = Glyph(
    fill="M21 13a9.3 9.3 0 1 1 -18.6 0a9.3 9.3 0 1 1 18.6 0ZM19 8.5L23.5 3.5L23.2 10Z",
    cut="M4.6 10.4C8 9.2 15.4 9.2 18.8 10.4V14.4C15.4 15.6 8 15.6 4.6 14.4Z",
    over="M9.8 12.4a1.6 1.6 0 1 1 -3.2 0a1.6 1.6 0 1 1 3.2 0ZM16.8 12.4a1.6 1.6 0 1 1 -3.2 0a1.6 1.6 0 1 1 3.2 0Z",
)
ROBOT = Glyph(
    fill="M4 7.5H20V21.5H4ZM1 11.5H3V17H1ZM21 11.5H23V17H21ZM13.9 3.2a1.9 1.9 0 1 1 -3.8 0a1.9 1.9 0 1 1 3.8 0Z",
    line="M12 3V8",
    cut="M7 10.5H10.6V14H7ZM13.4 10.5H17V14H13.4Z",
    cut_line="M8 18H16",
)
HAND = Glyph(
    fill="M8.2 21V14.2L4.4 10.2C3.5 9.1 5.2 7.6 6.3 8.5L8.6 10.6V4.6C8.6 3.2 10.9 3.2 10.9 4.6V9.4H11.5V3"
    "C11.5 1.6 13.8 1.6 13.8 3V9.4H14.4V4.4C14.4 3 16.7 3 16.7 4.4V10.6H17.3V7C17.3 5.8 19.4 5.8 19.4 7V14.5L17.6 21Z",
    line="M2.5 21.5H7M19 21.5H22",
)
CHEST = Glyph(
    fill="M2.5 10.5C2.5 6 5 4 8 4H16C19 4 21.5 6 21.5 10.5V20.5H2.5Z",
    cut_line="M2.5 11.5H21.5",
    cut="M9.6 9.4H14.4V15.4H9.6Z",
    over="M11.2 11.4H12.8V13.8H11.2Z",
)
STAR = Glyph(fill="M12 1L15 8.4L23 9L16.8 14.1L18.8 22L12 17.7L5.2 22L7.2 14.1L1 9L9 8.4Z")
BATTERY = Glyph(fill="M5 5.5H19V22.5H5ZM9 2H15V5.5H9Z", cut="M13.4 7.5L7.8 15H11.3L10.2 20.5L16.2 12.8H12.6Z")
BRAIN = Glyph(
    fill="M12 4C10 1.6 6.3 2.4 5.8 5C3.2 5.3 1.7 8.2 3 10.5C1 12.4 1.7 15.8 4.1 16.6C4.4 20 8 21.4 10.1 19.6"
    "C11 21.2 13 21.2 13.9 19.6C16 21.4 19.6 20 19.9 16.6C22.3 15.8 23 12.4 21 10.5C22.3 8.2 20.8 5.3 18.2 5"
    "C17.7 2.4 14 1.6 12 4Z",
    cut_line="M12 5V19.5M7.4 7.4C9.4 7.4 9.4 10.6 7 11M16.6 7.4C14.6 7.4 14.6 10.6 17 11M6.4 15C8 14 9.4 15 9 17"
    "M17.6 15C16 14 14.6 15 15 17",
)
KRAKEN = Glyph(
    fill="M12 1C7 1 5 4.8 5 8.6C5 11.4 6.2 13.2 7.4 14.2H16.6C17.8 13.2 19 11.4 19 8.6C19 4.8 17 1 12 1Z",
    cut="M11 9.6a1.6 1.6 0 1 1 -3.2 0a1.6 1.6 0 1 1 3.2 0ZM16.2 9.6a1.6 1.6 0 1 1 -3.2 0a1.6 1.6 0 1 1 3.2 0Z",
    line="M8 14C8 18.5 2.5 16.5 2.5 21M10.8 14C10.8 18.5 8 19 8.3 22.5M13.2 14C13.2 18.5 16 19 15.7 22.5"
    "M16 14C16 18.5 21.5 16.5 21.5 21",
)
DRAGON = Glyph(
    fill="M1.5 12.5L7.5 9L6 2L11.5 6.2L16 1.5L16.2 6.8C19.8 8 22 10.6 22.8 14.2L18.6 14.4L20.6 18.4L15.6 16.2"
    "C12.6 16.6 11.6 19 11.8 22.5H4.6C5.4 19.5 4.4 17.6 2.6 16.6L6 14.6Z",
    cut="M15.6 10.4a1.5 1.5 0 1 1 -3 0a1.5 1.5 0 1 1 3 0Z",
)
HELMET = Glyph(
    fill="M2.8 14.5C2.8 7.5 7 3.5 12 3.5S21.2 7.5 21.2 14.5H23V17.5H1V14.5Z",
    cut="M12 6.2L13.2 9H16L13.8 10.8L14.6 13.6L12 12L9.4 13.6L10.2 10.8L8 9H10.8Z",
    line="M5 18C6 22.4 18 22.4 19 18",
)
CROSSHAIR = Glyph(
    fill="M13.8 12a1.8 1.8 0 1 1 -3.6 0a1.8 1.8 0 1 1 3.6 0Z",
    line="M20 12a8 8 0 1 1 -16 0a8 8 0 1 1 16 0ZM12 1V7M12 17V23M1 12H7M17 12H23",
)
SHIP = Glyph(
    fill="M1.5 15.5H22.5C22 19 20 21.5 17.5 21.5H6.5C4 21.5 2 19 1.5 15.5ZM5.4 6H10.4V13.5H4.2Z"
    "M13 3.6H18.2L20 13.5H13Z",
    line="M8 3.5V15M15.6 1.5V15",
)
CASTLE = Glyph(
    fill="M2 22V8H5V10.5H7.5V8H10V12.5H14V8H16.5V10.5H19V8H22V22H14.6V18.6C14.6 15.4 9.4 15.4 9.4 18.6V22Z"
    "M12.6 1.5L18 3.8L12.6 6Z",
    line="M12 2V13",
)
FACTORY = Glyph(
    fill="M2 22V10L7.6 14V10L13.2 14V10L17 12.7V4H20.6V22Z",
    cut="M4.6 16.5H7.4V19.3H4.6ZM9.6 16.5H12.4V19.3H9.6ZM14.6 16.5H17.4V19.3H14.6Z",
    line="M16 1.8C17.6 3 19.4 .6 21.6 1.8",
)
GRAVE = Glyph(
    fill="M5.5 20.5V9.5C5.5 .8 18.5 .8 18.5 9.5V20.5Z", cut_line="M12 6.5V14.5M8.8 9.4H15.2", line="M2 21.6H22"
)
TURN_ICON = Glyph(line="M19.5 12.5A7.5 7.5 0 1 1 16 6.2M16.6 1.5V7H11")
SWAP_ICON = Glyph(line="M3 8H20M15.5 3.5L20 8L15.5 12.5M21 16H4M8.5 11.5L4 16L8.5 20.5")
REPLACE_ICON = Glyph(line="M12 1.5V14M7 9.5L12 14.5L17 9.5M3.5 16V21.5H20.5V16")

PICTURES = (
    (SKULL, HOOD, ROBOT, HAND),
    (CHEST, STAR, BATTERY, BRAIN),
    (KRAKEN, DRAGON, HELMET, CROSSHAIR),
    (SHIP, CASTLE, FACTORY, GRAVE),
)
"""By kind and character, as a section's bits have them."""
ICONS = (None, TURN_ICON, SWAP_ICON, REPLACE_ICON)
COLOUR = ("red", "blue", "amber", "accent")

TITLE = "Pirates, Ninjas, Robots, & Zombies"
CELL = 100
HALF = CELL / 2
CORNERS = ((0.0, 0.0), (HALF, 0.0), (HALF, HALF), (0.0, HALF))  # clockwise from the top left, y downward
AXIS = 26  # pixels for the coordinates at the left and below
TOP = 92
MAX_CELL, MAX_HEIGHT = 84, 620  # pixels
HAND_CELL, HAND_STEP = 52, 62
SEAT_HEIGHT = 124
INNER_X = MARGIN + 14
HAND_X = INNER_X + 250


def drawn_section(section: int, x: float, y: float) -> str:
    """Draws a section in a square of HALF by HALF."""
    kind, character = section >> 2, section & 3
    colour, picture = COLOUR[character], PICTURES[kind][character]
    size, inset = 38.0, 6.0
    if kind == ENEMY:
        ground = box(x + 3, y + 3, HALF - 6, HALF - 6, fill=colour, edge=colour, radius=8)
        return ground + glyph(picture, x + 9, y + 9, 32, colour="panel", ground=colour)
    if kind == BONUS:
        ring = circle(x + HALF / 2, y + HALF / 2, 22, fill="panel", edge=colour, line=3)
        return ring + glyph(picture, x + 11, y + 11, 28, colour=colour)
    return glyph(picture, x + inset, y + inset, size, colour=colour)


def drawn_icon(icon: int) -> str:
    """Draws an icon in the middle of a tile."""
    picture = ICONS[icon]
    if picture is None:
        return ""
    disc = circle(HALF, HALF, 15, fill="ink", edge="panel", line=2)
    return disc + glyph(picture, HALF - 10, HALF - 10, 20, colour="panel", ground="ink")


def drawn_piece(sections: Sequence[int], icon: int) -> str:
    """Draws a tile or base in a square of CELL by CELL at the origin."""
    kind, character = sections[0] >> 2, sections[0] & 3
    if kind == BASE:
        frame = box(2, 2, CELL - 4, CELL - 4, edge=COLOUR[character], line=6, radius=10)
        return frame + glyph(PICTURES[BASE][character], 15, 15, 70, colour=COLOUR[character])
    corners = "".join(drawn_section(section, x, y) for section, (x, y) in zip(sections, CORNERS, strict=True))
    return box(2, 2, CELL - 4, CELL - 4, line=2, radius=8) + corners + drawn_icon(icon)


def at(x: float, y: float, scale: float, content: str) -> str:
    """Moves and scales what is drawn at the origin."""
    size = f" scale({scale:.3g})" if scale != 1 else ""
    return f'<g transform="translate({number(x)} {number(y)}){size}">{content}</g>'


# The layout


class Frame:
    """Where the layout stands in the picture: its extent in cells, and pixels a cell."""

    def __init__(self, layout: Sequence[Placed]) -> None:
        xs, ys = [placed.x for placed in layout] or [0], [placed.y for placed in layout] or [0]
        self.left, self.right, self.bottom, self.top = min(xs), max(xs), min(ys), max(ys)
        columns, rows = self.right - self.left + 1, self.top - self.bottom + 1
        self.cell = min(MAX_CELL, (WIDTH - 2 * MARGIN - AXIS) / columns, MAX_HEIGHT / rows)
        self.x = AXIS + (WIDTH - AXIS - columns * self.cell) / 2
        """Pixels from the left to the leftmost cell."""
        self.height = rows * self.cell

    def corner(self, x: float, y: float) -> tuple[float, float]:
        """Returns the pixels of a point of the lattice: (x, y) is the lower left corner of that cell."""
        return self.x + (x - self.left) * self.cell, TOP + (self.top + 1 - y) * self.cell

    @property
    def opening(self) -> str:
        """The group in which the layout is drawn: cell (x, y) has its upper left corner at CELL x, -CELL (y + 1)."""
        x, y = self.corner(0, 0)
        return f'<g transform="translate({number(x)} {number(y)}) scale({self.cell / CELL:.4g})">'

    def axes(self) -> list[str]:
        """Draws the coordinates, at small cells only every fifth."""
        step = 1 if self.cell >= 30 else 5
        drawn = []
        for x in range(self.left, self.right + 1):
            if x % step == 0:
                place = self.corner(x + 0.5, self.bottom)
                drawn.append(label(place[0], place[1] + 18, str(x), size=13, colour="muted", anchor="middle"))
        for y in range(self.bottom, self.top + 1):
            if y % step == 0:
                place = self.corner(self.left, y + 0.5)
                drawn.append(label(place[0] - 7, place[1] + 5, str(y), size=13, colour="muted", anchor="end"))
        return drawn


def named_cells(words: Words, layout: Sequence[Placed]) -> list[str]:
    """Frames the cells that the turn is about: the piece just played or to be moved, those of a swap or replace."""
    cells = [((cell & 255) - 128, (cell >> 8) - 128) for cell in (words[FIRST_CELL], words[SECOND_CELL]) if cell]
    cells += [(placed.x, placed.y) for placed in layout if placed.piece == words[CHOSEN]]
    return [stroke(f"M{CELL * x} {-CELL * (y + 1)}h{CELL}v{CELL}h{-CELL}Z", line=7) for x, y in sorted(set(cells))]


def outline(region: Region) -> str:
    """Draws the border of a region, a light line within a dark one."""
    path = ""
    for x, y in sorted(region.spots):
        left, top = HALF * x, -HALF * (y + 1)
        sides = (
            ((x - 1, y), left, top, "v"),
            ((x + 1, y), left + HALF, top, "v"),
            ((x, y + 1), left, top, "h"),
            ((x, y - 1), left, top + HALF, "h"),
        )
        path += "".join(
            f"M{number(start_x)} {number(start_y)}{way}{number(HALF)}"
            for other, start_x, start_y, way in sides
            if other not in region.spots
        )
    return stroke(path, colour="ink", line=10) + stroke(path, colour=COLOUR[region.character], line=5)


def crossed_out(region: Region) -> Iterable[str]:
    """Strikes out the sections of a region that do not score."""
    for x, y in sorted(region.negated):
        yield stroke(f"M{number(HALF * x + 6)} {number(-HALF * y - 6)}l38 -38", line=5)


def badge(region: Region, frame: Frame) -> str:
    """Draws a region's points on its border, above its upper left section."""
    x, y = min(region.spots, key=lambda spot: (-spot[1], spot[0]))
    left, top = frame.corner(x / 2, (y + 1) / 2)
    text = f"{CHARACTERS[region.character]} {region.points}"
    width = 14 + 8 * len(text)
    shape = box(left - 6, top - 16, width, 20, edge=COLOUR[region.character], line=2, radius=6)
    return f"<g>{shape}{label(left - 6 + width / 2, top - 1, text, size=14, bold=True, anchor='middle')}</g>"


def drawn_layout(words: Words, frame: Frame) -> list[str]:
    """Draws the pieces in play and, at the end, the best region of every character that counts for someone."""
    layout = layout_of(words)
    if not layout:
        x, y = frame.corner(0, 1)
        return [box(x, y, frame.cell, frame.cell, fill="faint", dashed=True), *frame.axes()]
    pieces = [
        at(CELL * placed.x, -CELL * (placed.y + 1), 1, drawn_piece(placed.sections, placed.icon)) for placed in layout
    ]
    best = zip(best_regions(words), owners(words), strict=True) if words[0] < 0 else ()
    regions = [region for region, owner in best if region is not None and owner is not None]
    borders = [outline(region) for region in regions]
    crosses = [cross for region in regions for cross in crossed_out(region)]
    inside = [*pieces, *named_cells(words, layout), *borders, *crosses]
    return [*frame.axes(), frame.opening, *inside, "</g>", *(badge(region, frame) for region in regions)]


# The seats


def drawn_hand(words: Words, seat: int) -> list[str]:
    """Draws a hand: tiles and bases with their names, and as many backs as there are tiles that are not shown."""
    tiles = tile_set(words)
    names = hand_names(words, seat)
    y = 42
    drawn = []
    for place, name in enumerate(names):
        x = HAND_X + place * HAND_STEP
        tile = face_up(tiles, PIECE_NAMES.index(name))
        is_chosen = words[0] == seat and PIECE_NAMES.index(name) == words[CHOSEN]
        drawn.append(at(x, y, HAND_CELL / CELL, drawn_piece(tile.sections, tile.icon)))
        drawn.append(label(x + HAND_CELL / 2, y + HAND_CELL + 15, name, size=13, anchor="middle", bold=is_chosen))
    for place in range(len(names), words[HAND_SIZE + seat]):
        drawn.append(card_back(HAND_X + place * HAND_STEP, y, width=HAND_CELL, height=HAND_CELL))
    return drawn


def drawn_characters(words: Words, seat: int) -> list[str]:
    """Draws a seat's characters, each with the points of its best region."""
    regions = dict(zip(CHARACTERS, best_regions(words), strict=True))
    drawn = []
    for place, name in enumerate(characters_of(words, seat)):
        region, character = regions[name], CHARACTERS.index(name)
        left = INNER_X + place * 92
        drawn.append(glyph(PICTURES[0][character], left, 46, 28, colour=COLOUR[character]))
        drawn.append(label(left + 35, 66, f"{name} {region.points if region else 0}", size=16))
    return drawn


def drawn_seat(words: Words, seat: int, name: str) -> list[str]:
    """Draws a seat at the top: name, points, characters, its part of the pile, hand."""
    points = points_of(words)
    is_to_act = words[0] == seat
    is_first = words[0] < 0 and points[seat] == max(points)
    is_marked = is_to_act or is_first
    tally = f"{points[seat]} points" + (", first" if is_first else "")
    pile = f"{words[PART_SIZE + seat]} in its pile" + (", has moved a base" if words[MOVED] >> seat & 1 else "")
    return [
        box(
            *(MARGIN, 0, WIDTH - 2 * MARGIN, SEAT_HEIGHT),
            edge="accent" if is_marked else "edge",
            line=2.5 if is_marked else 1.5,
        ),
        *([turn_mark(INNER_X - 6, 22)] if is_to_act else []),
        label(INNER_X + 12, 28, shorten(name, 480, 17), size=17, bold=True),
        label(WIDTH - MARGIN - 14, 28, tally, size=17, anchor="end"),
        *drawn_characters(words, seat),
        label(INNER_X, 104, pile, size=14, colour="muted"),
        *drawn_hand(words, seat),
    ]


TASKS = (
    "chooses what to play",
    "lays {piece}",
    "moves its {piece}",
    "may rotate a tile",
    "may swap: the first of two",
    "may replace a piece",
    "swaps: the second of two",
    "swaps: turns the first",
    "swaps: turns the second",
    "replaces: what goes in",
    "replaces: turns it",
)
"""What the seat to act does, by stage."""
BASE_NAMES = ("ship", "castle", "factory", "graveyard")


def piece_name(piece: int) -> str:
    """Returns what a piece is called in a sentence."""
    if piece == NO_PIECE:
        return ""
    return PIECE_NAMES[piece] if piece < NUM_TILES else BASE_NAMES[piece - NUM_TILES]


def status_of(words: Words, called: Sequence[str]) -> str:
    """Says what is being decided, or who has won."""
    if words[0] < 0:
        points = points_of(words)
        best = [name for name, score in zip(called, points, strict=True) if score == max(points)]
        return f"{shorten(best[0], 600, 17)} wins" if len(best) == 1 else f"{len(best)} share the first place"
    task = TASKS[words[STAGE]].format(piece=piece_name(words[CHOSEN]))
    left = f", {words[TURNS_LEFT]} turns left" if words[TURNS_LEFT] >= 0 else ""
    return f"{shorten(called[words[0]], 440, 17)} {task}{left}"


def table(words: Words, names: Sequence[str]) -> str:
    """Draws the whole table; what an observer may not see is not in the words."""
    called = [names[seat] if names else f"seat {seat}" for seat in range(words[NUM_SEATS])]
    status = status_of(words, called)
    frame = Frame(layout_of(words))
    title = label(MARGIN, 36, TITLE, size=22, bold=True)
    body = [title, label(MARGIN, 64, status, size=17), *drawn_layout(words, frame)]
    y = TOP + frame.height + AXIS + 12
    for seat, name in enumerate(called):
        # The panel is drawn at the top and moved down, so its lines stay the same while the layout grows.
        body += [f'<g transform="translate(0 {number(y)})">', *drawn_seat(words, seat, name), "</g>"]
        y += SEAT_HEIGHT + 12
    return document(f"{TITLE}: {status}", y + 8, body)
