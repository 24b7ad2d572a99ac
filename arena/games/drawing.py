"""Pictures as SVG: the few shapes that the games draw with, in colours that follow the reader's light or dark.

Coordinates are pixels of a picture WIDTH wide. Every function returns one line of markup, an element: pages that
hold many pictures keep each distinct line once. Nothing outside the picture is referred to, glyphs included: they
are paths of our own, since no font can be counted on to have them.
"""

import unicodedata
from collections.abc import Iterable
from html import escape as escape_markup
from typing import NamedTuple

WIDTH = 800
MARGIN = 24

# Name, then the colour on light and on dark paper.
PALETTE = {
    "paper": ("#faf8f3", "#15181c"),
    "panel": ("#ffffff", "#20252b"),
    "faint": ("#efece4", "#2b3138"),
    "edge": ("#b3ad9f", "#566069"),
    "ink": ("#1c1f23", "#eceff2"),
    "muted": ("#5b5f66", "#a9b0b9"),
    "accent": ("#0b6e4f", "#5fd3a4"),
    "red": ("#b3261e", "#ff9187"),
    "blue": ("#0b57a4", "#86bbff"),
    "amber": ("#855600", "#f2c14e"),
    "board": ("#3461ae", "#2d4d86"),
}
LIGHT, DARK = 0, 1
ROOT = "arena-picture"
KEPT_FORMATS = "\u200c\u200d"  # joiners, which scripts and emoji need; marks that turn the line round are dropped
LETTER_WIDTHS = (
    (" !'(),.:;I[]`ijl|", 0.46),
    ("%@MWmw…", 1.12),
    ("abcdefghknopqrstuvxyz0123456789-/", 0.74),
)
TURN = "M0 -7L11 0L0 7Z"


class Glyph(NamedTuple):
    """A picture in a box of 24 by 24, as path data."""

    fill: str = ""
    """Filled in the glyph's colour."""
    line: str = ""
    """Drawn as lines in the glyph's colour."""
    cut: str = ""
    """Filled in the ground's colour, over both."""
    cut_line: str = ""
    """Drawn as lines in the ground's colour."""
    over: str = ""
    """Filled in the glyph's colour again, on top."""


def colours(theme: int) -> str:
    """Returns the declarations of the palette's variables for LIGHT or DARK."""
    return "".join(f"--arena-{name}:{shades[theme]};" for name, shades in PALETTE.items())


def stylesheet() -> str:
    """Returns the style of a picture; a renderer without variables keeps the light colours."""
    rules = "".join(
        f".{ROOT} .f-{name}{{fill:{light};fill:var(--arena-{name})}}"
        f".{ROOT} .s-{name}{{stroke:{light};stroke:var(--arena-{name})}}"
        for name, (light, _) in PALETTE.items()
    )
    text = (
        f".{ROOT} text{{font-family:system-ui,'Segoe UI','DejaVu Sans',sans-serif;font-variant-numeric:tabular-nums}}"
    )
    dark = f"@media(prefers-color-scheme:dark){{.{ROOT}{{{colours(DARK)}}}}}"
    return f".{ROOT}{{{colours(LIGHT)}}}{dark}{text}{rules}"


STYLE = f"<style>{stylesheet()}</style>"


def plain(text: str) -> str:
    """Returns a text without what XML forbids and without marks that change the direction of what follows."""
    return "".join(
        char
        for char in text
        if char in KEPT_FORMATS
        or (unicodedata.category(char) not in ("Cc", "Cf", "Cs") and ord(char) & 0xFFFE != 0xFFFE)
    )


def escape(text: str) -> str:
    """Returns a text as it may stand in markup, in an attribute too."""
    return escape_markup(plain(text))


def letter_width(char: str) -> float:
    """Returns about how wide a letter is in units of its size, in the widest of the usual fonts, in bold."""
    if unicodedata.combining(char):
        return 0.0
    if unicodedata.east_asian_width(char) in "WF":
        return 1.3
    return next((width for letters, width in LETTER_WIDTHS if char in letters), 0.9)


def shorten(text: str, room: float, size: float = 15) -> str:
    """Returns a text cut to a number of pixels, with an ellipsis where it was cut.

    What draws the text is not known, so its width is an estimate on the safe side.
    """
    clean = plain(text)
    kept, width = "", 0.0
    for char in clean:
        width += letter_width(char) * size
        if width > room:
            # The ellipsis needs a place of its own.
            return kept[:-2] + "…"
        kept += char
    return clean


def number(value: float) -> str:
    """Returns a coordinate without needless digits."""
    return f"{value:.1f}".removesuffix(".0")


def label(
    x: float,
    y: float,
    content: str,
    *,
    size: float = 15,
    colour: str = "ink",
    anchor: str = "start",
    bold: bool = False,
) -> str:
    """Draws a line of text on a baseline; the text is escaped here."""
    weight = ' font-weight="700"' if bold else ""
    place = "" if anchor == "start" else f' text-anchor="{anchor}"'
    at = f'x="{number(x)}" y="{number(y)}"'
    return f'<text {at} font-size="{number(size)}"{weight}{place} class="f-{colour}">{escape(content)}</text>'


def box(
    x: float, y: float, width: float, height: float, *, fill: str = "panel", edge: str = "edge", line: float = 1.5,
    radius: float = 8, dashed: bool = False,
) -> str:  # fmt: skip
    """Draws a rectangle with round corners."""
    shape = f'x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}" rx="{number(radius)}"'
    dashes = ' stroke-dasharray="4 4"' if dashed else ""
    return f'<rect {shape} stroke-width="{number(line)}"{dashes} class="f-{fill} s-{edge}"/>'


def circle(x: float, y: float, radius: float, *, fill: str, edge: str = "edge", line: float = 1.5) -> str:
    """Draws a disc."""
    shape = f'cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"'
    return f'<circle {shape} stroke-width="{number(line)}" class="f-{fill} s-{edge}"/>'


def stroke(data: str, *, colour: str = "ink", line: float = 2) -> str:
    """Draws path data as a line."""
    look = 'fill="none" stroke-linecap="round" stroke-linejoin="round"'
    return f'<path d="{data}" {look} stroke-width="{number(line)}" class="s-{colour}"/>'


def glyph(picture: Glyph, x: float, y: float, size: float, *, colour: str = "ink", ground: str = "panel") -> str:
    """Draws a glyph with its upper left corner at x, y."""
    parts = []
    for data, fill in ((picture.fill, colour), (picture.cut, ground), (picture.over, colour)):
        parts.append(f'<path d="{data}" class="f-{fill}"/>' if data else "")
    for place, data, line in ((1, picture.line, colour), (3, picture.cut_line, ground)):
        parts.insert(place, stroke(data, colour=line) if data else "")
    return f'<g transform="translate({number(x)} {number(y)}) scale({size / 24:.3g})">{"".join(parts)}</g>'


def die(
    x: float, y: float, picture: Glyph, rank: str, *, size: float = 46, colour: str = "ink", line: float = 1.5
) -> str:
    """Draws a die: the picture of its face, and its rank in the lower right corner."""
    parts = (
        box(x, y, size, size, edge=colour, line=line, radius=size / 6),
        glyph(picture, x + size * 0.1, y + size * 0.1, size * 0.58, colour=colour),
        label(x + size * 0.93, y + size * 0.92, rank, size=size * 0.34, anchor="end", bold=True),
    )
    return f"<g>{''.join(parts)}</g>"


def blank_die(x: float, y: float, *, size: float = 46) -> str:
    """Draws a die without a face."""
    return box(x, y, size, size, fill="faint", radius=size / 6, dashed=True)


def card(
    x: float, y: float, picture: Glyph, name: str, *, width: float = 54, height: float = 30, colour: str = "ink",
    line: float = 1.5,
) -> str:  # fmt: skip
    """Draws a card: the picture of its suit beside its name, or above it where the card is higher than wide."""
    is_tall = height > width
    size = width * 0.62 if is_tall else height * 0.6
    left = x + (width - size) / 2 if is_tall else x + 4
    top = y + 6 if is_tall else y + (height - size) / 2
    middle = x + width / 2 if is_tall else x + size + 2 + (width - size) / 2
    base = y + height - 9 if is_tall else y + height / 2 + 5
    parts = (
        box(x, y, width, height, edge=colour, line=line, radius=5),
        glyph(picture, left, top, size, colour=colour),
        label(middle, base, name, size=width * 0.34 if is_tall else 14, anchor="middle", bold=True),
    )
    return f"<g>{''.join(parts)}</g>"


def card_back(x: float, y: float, *, width: float = 54, height: float = 30) -> str:
    """Draws a card face down."""
    weave = stroke(f"M{number(x + 6)} {number(y + height / 2)}h{number(width - 12)}", colour="edge")
    return f"<g>{box(x, y, width, height, fill='faint', radius=5)}{weave}</g>"


def turn_mark(x: float, y: float) -> str:
    """Draws the triangle that says whose turn it is; y is its middle."""
    return f'<path transform="translate({number(x)} {number(y)})" d="{TURN}" class="f-accent"/>'


def heading(title: str, status: str) -> list[str]:
    """Draws the title of a picture and, beside it, what is going on."""
    return [
        label(MARGIN, 36, title, size=22, bold=True),
        label(WIDTH - MARGIN, 36, status, size=17, anchor="end"),
    ]


def document(title: str, height: float, body: Iterable[str]) -> str:
    """Returns a whole picture: one `<svg>` element, an element a line, with a title for who cannot see it."""
    size = f'viewBox="0 0 {WIDTH} {number(height)}" width="{WIDTH}" height="{number(height)}"'
    name = escape(title)
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" class="{ROOT}" {size} role="img" aria-label="{name}">'
    ground = box(0, 0, WIDTH, height, fill="paper", edge="paper", radius=0)
    return "\n".join([opening, f"<title>{name}</title>", STYLE, ground, *body, "</svg>"])
