"""Kernel helpers over the layout: what lies where, and how it looks in each facing.

What lies in a cell is an entry, cell << 8 | facing << 6 | piece; entries stand in ascending order of cells, two to a
word. Sections of a piece are 16 bits, clockwise from the top left, the first lowest ("Decisions and notation").
"""

from typing import Any

from arena.games.pirates_ninjas_robots_zombies.layout import (
    BASE,
    HAND,
    HAND_SIZE,
    KNOWN,
    MAX_PLACED,
    MIN_X,
    NUM_PLACED,
    NUM_TILES,
    PLACED,
    PLACED_BITS,
    TILE_BITS,
    TILES,
    TILES_PER_WORD,
)
from arena.kernels.jit import helper

ENTRY_MASK = (1 << PLACED_BITS) - 1
ALL_SECTIONS = (1 << 16) - 1
SAME_IN_ALL = 0x1111  # a section times this is a piece that shows it four times


@helper
def entry_at(state: Any, index: int) -> int:
    """Returns the entry at a place of the order of cells."""
    return (state[PLACED + (index >> 1)] >> ((index & 1) << 5)) & ENTRY_MASK  # type: ignore[no-any-return]


@helper
def set_entry(state: Any, index: int, entry: int) -> None:
    """Overwrites the entry at a place of the order."""
    word = PLACED + (index >> 1)
    shift = (index & 1) << 5
    state[word] = (state[word] & ~(ENTRY_MASK << shift)) | (entry << shift)


@helper
def insert_entry(state: Any, entry: int) -> None:
    """Adds an entry whose cell is empty, where its cell belongs in the order."""
    index = state[NUM_PLACED]
    state[NUM_PLACED] = index + 1
    state[MIN_X] = min(state[MIN_X], (entry >> 8) & 255) if index else (entry >> 8) & 255
    while index > 0 and entry_at(state, index - 1) > entry:
        set_entry(state, index, entry_at(state, index - 1))
        index -= 1
    set_entry(state, index, entry)


@helper
def remove_entry(state: Any, index: int) -> None:
    """Takes the entry at a place out of the order."""
    last = state[NUM_PLACED] - 1
    while index < last:
        set_entry(state, index, entry_at(state, index + 1))
        index += 1
    set_entry(state, last, 0)
    state[NUM_PLACED] = last
    least = 255
    for place in range(last):
        least = min(least, (entry_at(state, place) >> 8) & 255)
    state[MIN_X] = least


@helper
def find_cell(state: Any, cell: int) -> int:
    """Returns the place of a cell that is taken."""
    index = 0
    while index < MAX_PLACED - 1 and entry_at(state, index) >> 8 != cell:
        index += 1
    return index


@helper
def find_piece(state: Any, piece: int) -> int:
    """Returns the place of a piece that is in play."""
    index = 0
    while index < MAX_PLACED - 1 and entry_at(state, index) & 63 != piece:
        index += 1
    return index


@helper
def tile_bits(state: Any, tile: int) -> int:
    """Returns the sections and, above them, the icon of a tile."""
    return state[TILES + tile // TILES_PER_WORD] >> (TILE_BITS * (tile % TILES_PER_WORD))  # type: ignore[no-any-return]


@helper
def piece_sections(state: Any, piece: int) -> int:
    """Returns the sections of a piece that faces up."""
    if piece >= NUM_TILES:
        return ((BASE << 2) | (piece - NUM_TILES)) * SAME_IN_ALL
    return tile_bits(state, piece) & ALL_SECTIONS


@helper
def turned(sections: int, facing: int) -> int:
    """Returns sections after k quarter turns clockwise: each goes k places on."""
    shift = 4 * facing
    return ((sections << shift) | (sections >> (16 - shift))) & ALL_SECTIONS


@helper
def count_facings(sections: int) -> int:
    """Returns how many facings look different; they are the first so many, since what looks alike repeats."""
    if turned(sections, 2) != sections:
        return 4
    return 2 if turned(sections, 1) != sections else 1


@helper
def take_from_hand(state: Any, seat: int, piece: int) -> None:
    """Takes a piece out of a hand, known or not."""
    state[HAND + seat] &= ~(1 << piece)
    state[KNOWN + seat] &= ~(1 << piece)
    state[HAND_SIZE + seat] -= 1
