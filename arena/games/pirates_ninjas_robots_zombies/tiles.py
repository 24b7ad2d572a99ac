"""Tile sets: reading and checking the CSV, and the words in which a state holds them.

A row is the text of a CSV line, `1,P,P,P,N,`: number, sections clockwise from the top left, icon. Rows are kept in
this canonical form, so that equal sets are equal options whatever file they came from.
"""

import csv
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from arena.errors import BadOption
from arena.games.pirates_ninjas_robots_zombies.layout import NUM_TILES, TILE_BITS, TILES_PER_WORD

HEADER = ("tile", "top_left", "top_right", "bottom_right", "bottom_left", "icon")
PICTURES = ("P", "N", "R", "Z", "p", "n", "r", "z", "P!", "N!", "R!", "Z!")
"""Sections by their four bits."""
ICONS = ("", "rotate", "swap", "replace")
"""Icons by their two bits."""
DEFAULT_FILE = "pnrz_tiles.csv"
MAX_LETTERS = 1 << 16  # of a file of tiles, which has 2,000; a device never ends


class Tile(NamedTuple):
    """What is printed on a tile."""

    sections: tuple[int, ...]
    """Four places in PICTURES, clockwise from the top left."""
    icon: int
    """A place in ICONS."""

    def row(self, number: int) -> str:
        """Returns the CSV line of the tile."""
        return ",".join([str(number), *(PICTURES[section] for section in self.sections), ICONS[self.icon]])


def parse_line(fields: Sequence[str], where: str) -> tuple[int, Tile]:
    """Reads one line of a tile set.

    Raises:
        BadOption: what is wrong with it, beginning with `where`.
    """
    if len(fields) != len(HEADER):
        raise BadOption(f"{where}: {len(fields)} fields; give {len(HEADER)}: {','.join(HEADER)}")
    number, *pictures, icon = (field.strip() for field in fields)
    if not (number.isascii() and number.isdigit() and 1 <= int(number) <= NUM_TILES):
        raise BadOption(f"{where}: {number!r} is no tile number; give a whole number from 1 to {NUM_TILES}")
    for column, picture in zip(HEADER[1:], pictures, strict=False):
        if picture not in PICTURES:
            raise BadOption(f"{where}: {column} {picture!r} is no picture; give one of {' '.join(PICTURES)}")
    if icon not in ICONS:
        raise BadOption(f"{where}: {icon!r} is no icon; give {', '.join(ICONS[1:])} or nothing")
    return int(number), Tile(tuple(map(PICTURES.index, pictures)), ICONS.index(icon))


def parse_lines(lines: Iterable[tuple[int, Sequence[str]]], source: str) -> tuple[Tile, ...]:
    """Reads the lines of a tile set, each with its number in the source, and returns the tiles by number.

    Raises:
        BadOption: a line that is wrong, a tile that is there twice, or one that is missing.
    """
    tiles: dict[int, Tile] = {}
    line_of: dict[int, int] = {}
    for line, fields in lines:
        where = f"{source}, line {line}"
        number, tile = parse_line(fields, where)
        if number in tiles:
            raise BadOption(f"{where}: tile {number} is already on line {line_of[number]}; give each tile once")
        tiles[number], line_of[number] = tile, line
    missing = [str(number) for number in range(1, NUM_TILES + 1) if number not in tiles]
    if missing:
        raise BadOption(f"{source}: {len(tiles)} of {NUM_TILES} tiles; add the missing: {', '.join(missing)}")
    return tuple(tiles[number] for number in range(1, NUM_TILES + 1))


def split_line(text: str, source: str, line: int) -> list[str]:
    """Splits a line of CSV into its fields; raises BadOption where a quotation mark is left open or misplaced."""
    try:
        return next(csv.reader([text], strict=True))
    except csv.Error as error:
        raise BadOption(f"{source}, line {line}: no CSV: {error}") from None


def parse_csv(text: str, source: str) -> tuple[Tile, ...]:
    """Reads a tile set from the text of a CSV file; empty lines are passed over.

    Raises:
        BadOption: the header or a line is wrong; the message begins with the source and the line.
    """
    numbered = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    lines = [(number, split_line(line, source, number)) for number, line in numbered]
    if not lines or tuple(field.strip() for field in lines[0][1]) != HEADER:
        line = lines[0][0] if lines else 1
        raise BadOption(f"{source}, line {line}: the header is missing; begin with {','.join(HEADER)}")
    return parse_lines(lines[1:], source)


def read_tiles(path: str) -> tuple[Tile, ...]:
    """Reads a tile set from a file.

    Raises:
        BadOption: the file cannot be read, is not UTF-8, or holds no tile set.
    """
    try:
        with Path(path).expanduser().open(encoding="utf-8-sig") as file:
            text = file.read(MAX_LETTERS + 1)
    except OSError as error:
        raise BadOption(f"tiles={path}: {error.strerror or error}; give a CSV file of {NUM_TILES} tiles") from None
    except ValueError:
        raise BadOption(f"tiles={path}: not UTF-8 text; give a CSV file of {NUM_TILES} tiles") from None
    if len(text) > MAX_LETTERS:
        raise BadOption(f"tiles={path}: more than {MAX_LETTERS:,} letters; give a CSV file of {NUM_TILES} tiles")
    return parse_csv(text, f"tiles={path}")


def rows_of(tiles: Sequence[Tile]) -> tuple[str, ...]:
    """Returns the 54 rows of a tile set."""
    return tuple(tile.row(number) for number, tile in enumerate(tiles, 1))


def parse_rows(rows: Sequence[str]) -> tuple[Tile, ...]:
    """Reads a tile set from its rows, as a record or a stored configuration has them.

    Raises:
        BadOption: they are no tile set.
    """
    return parse_lines([(line, row.split(",")) for line, row in enumerate(rows, 1)], "tiles")


@cache
def default_tiles() -> tuple[Tile, ...]:
    """Returns the tile set that comes with the game."""
    text = resources.files(__package__).joinpath(DEFAULT_FILE).read_text(encoding="utf-8")
    return parse_csv(text, DEFAULT_FILE)


def encode_tiles(tiles: Sequence[Tile]) -> list[int]:
    """Packs a tile set into words, three tiles each (layout.py)."""
    words = [0] * (NUM_TILES // TILES_PER_WORD)
    for index, tile in enumerate(tiles):
        bits = tile.icon << 16
        for place, section in enumerate(tile.sections):
            bits |= section << (4 * place)
        words[index // TILES_PER_WORD] |= bits << (TILE_BITS * (index % TILES_PER_WORD))
    return words


def decode_tiles(words: Sequence[int]) -> tuple[Tile, ...]:
    """Unpacks what encode_tiles packed."""
    tiles = []
    for index in range(NUM_TILES):
        bits = words[index // TILES_PER_WORD] >> (TILE_BITS * (index % TILES_PER_WORD))
        tiles.append(Tile(tuple((bits >> (4 * place)) & 15 for place in range(4)), (bits >> 16) & 3))
    return tuple(tiles)
