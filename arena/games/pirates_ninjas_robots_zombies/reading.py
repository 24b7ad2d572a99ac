"""What the words of a state say, in plain Python: for records, views and pictures, where numba must not be."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from arena.core.game import Words
from arena.games.pirates_ninjas_robots_zombies.layout import (
    BASE,
    CHARACTERS,
    HAND,
    NUM_CHARACTERS,
    NUM_PLACED,
    NUM_SEATS,
    NUM_TILES,
    OWNER,
    PART_FRONT,
    PART_SIZE,
    PILE,
    PLACED,
    PLACED_BITS,
    TILE_WORDS,
    TILES,
)
from arena.games.pirates_ninjas_robots_zombies.tiles import PICTURES, Tile, decode_tiles

PIECE_NAMES = (*(f"t{number}" for number in range(1, NUM_TILES + 1)), *CHARACTERS)
"""Pieces in notation."""
SECTION_NAMES = (*PICTURES, *CHARACTERS)
"""Sections by their four bits; those of a base by its letter."""
CELL_TEXT = re.compile(r"(0|-?[1-9][0-9]{0,2}),(0|-?[1-9][0-9]{0,2})", re.ASCII)


class Placed(NamedTuple):
    """A piece in play."""

    x: int
    y: int
    piece: int
    """A place in PIECE_NAMES."""
    facing: int
    """Quarter turns clockwise."""
    sections: tuple[int, ...]
    """Four places in SECTION_NAMES as they lie, clockwise from the top left."""
    icon: int

    @property
    def is_base(self) -> bool:
        """Whether it is a base rather than a tile."""
        return self.piece >= NUM_TILES


def cell_name(cell: int) -> str:
    """Returns a cell in notation: `2,-1`."""
    return f"{(cell & 255) - 128},{(cell >> 8) - 128}"


def parse_cell(text: str) -> int | None:
    """Returns the cell of a notation, None where it is none."""
    match = CELL_TEXT.fullmatch(text)
    if match is None:
        return None
    x, y = int(match[1]) + 128, int(match[2]) + 128
    return (y << 8) | x if 0 <= x < 256 and 0 <= y < 256 else None


def bits_of(mask: int) -> Iterator[int]:
    """Yields the bits of a mask, ascending."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


@lru_cache(maxsize=16)
def _decoded(words: tuple[int, ...]) -> tuple[Tile, ...]:
    return decode_tiles(words)


def tile_set(words: Words) -> tuple[Tile, ...]:
    """Returns the tiles of the match, by number."""
    return _decoded(tuple(words[TILES : TILES + TILE_WORDS]))


def turned(sections: tuple[int, ...], facing: int) -> tuple[int, ...]:
    """Returns sections after quarter turns clockwise."""
    return sections[4 - facing :] + sections[: 4 - facing]


def face_up(tiles: tuple[Tile, ...], piece: int) -> Tile:
    """Returns what a tile or a base shows; a base has its picture four times and no icon."""
    return tiles[piece] if piece < NUM_TILES else Tile(((BASE << 2) | (piece - NUM_TILES),) * 4, 0)


def layout_of(words: Words) -> list[Placed]:
    """Returns the pieces in play, by y, then x."""
    tiles = tile_set(words)
    placed = []
    for index in range(words[NUM_PLACED]):
        entry = (words[PLACED + index // 2] >> (32 * (index % 2))) & ((1 << PLACED_BITS) - 1)
        cell, facing, piece = entry >> 8, (entry >> 6) & 3, entry & 63
        shown = face_up(tiles, piece)
        sections = turned(shown.sections, facing)
        placed.append(Placed((cell & 255) - 128, (cell >> 8) - 128, piece, facing, sections, shown.icon))
    return placed


def owners(words: Words) -> list[int | None]:
    """Returns the seat of each character, None for the one that is out."""
    return [seat if seat >= 0 else None for seat in words[OWNER : OWNER + NUM_CHARACTERS]]


def characters_of(words: Words, seat: int) -> list[str]:
    """Returns the characters of a seat."""
    return [CHARACTERS[number] for number, owner in enumerate(owners(words)) if owner == seat]


def hand_names(words: Words, seat: int) -> list[str]:
    """Returns a hand in notation, as far as the words show it: tiles by number, then bases."""
    return [PIECE_NAMES[piece] for piece in bits_of(words[HAND + seat])]


def pile_numbers(words: Words) -> list[int]:
    """Returns the numbers of the tiles by their place in the pile, 0 where one has been drawn or is hidden."""
    return [(words[PILE + place // 8] >> (6 * (place % 8))) & 63 for place in range(NUM_TILES - 6)]


def pile_part(words: Words, seat: int) -> list[int]:
    """Returns the numbers of the tiles in a seat's part of the pile, the next first."""
    numbers, num_seats = pile_numbers(words), words[NUM_SEATS]
    front = words[PART_FRONT + seat]
    return [numbers[seat + num_seats * row] for row in range(front, front + words[PART_SIZE + seat])]
