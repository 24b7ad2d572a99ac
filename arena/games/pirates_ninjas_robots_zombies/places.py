"""Kernels that list where a piece may go: free cells at the sides of the layout, and where a base may move.

A row of the layout is a mask: bit b stands for x = MIN_X - 1 + b. The layout is connected, so its rows follow each
other without a gap, and at 50 cells it is never wider than a mask is long ("Layout").
"""

from typing import Any

import numpy as np

from arena.games.pirates_ninjas_robots_zombies.board import count_facings, entry_at
from arena.games.pirates_ninjas_robots_zombies.layout import AT_FACING, MAX_PLACED, MIN_X, NUM_PLACED, ORIGIN
from arena.kernels.jit import count_ones, count_trailing_zeros, helper, kernel

MAX_ROWS = MAX_PLACED + 2  # with an empty row below and above
ALL_COLUMNS = (1 << (MAX_PLACED + 2)) - 1


@helper
def emit_row(out: Any, count: int, free: int, first_cell: int, num_facings: int) -> int:
    """Writes the actions of a row's free cells, ascending, and returns the new count.

    Four places are written for each cell, whatever the number of facings: the next cell overwrites what is too much.
    """
    while free:
        action = AT_FACING + ((first_cell + count_trailing_zeros(free)) << 2)
        for facing in range(4):
            out[count + facing] = action + facing
        count += num_facings
        free &= free - 1
    return count


@kernel("int64", "int64[::1]", "int64[::1]", "int64")
def list_places(state: Any, out: Any, sections: int) -> int:
    """Lists cell and facing for a piece from the hand ("Layout", "Decisions" 2).

    The rows run through three scalars, the one below, the one itself and the one above, so nothing is allocated.
    """
    num_facings = count_facings(sections)
    num_placed = state[NUM_PLACED]
    if num_placed == 0:
        return emit_row(out, 0, 1, ORIGIN, num_facings)
    min_x = state[MIN_X] - 1
    y = (entry_at(state, 0) >> 16) - 1
    index = 0
    count = 0
    below = 0
    row = 0
    while True:
        above = 0
        while index < num_placed and entry_at(state, index) >> 16 == y + 1:
            above |= 1 << (((entry_at(state, index) >> 8) & 255) - min_x)
            index += 1
        if below | row | above == 0:
            return count
        free = ((row << 1) | (row >> 1) | below | above) & ~row
        count = emit_row(out, count, free, (y << 8) | min_x, num_facings)
        below = row
        row = above
        y += 1


@helper
def spread(part: Any, rows: Any, num_rows: int) -> None:
    """Grows a part of the layout, a mask a row, to all that it is connected with."""
    is_growing = True
    while is_growing:
        is_growing = False
        for row in range(1, num_rows - 1):
            before = part[row]
            mask = (before | part[row - 1] | part[row + 1]) & rows[row]
            sideways = (mask | (mask << 1) | (mask >> 1)) & rows[row]
            while sideways != mask:
                mask = sideways
                sideways = (mask | (mask << 1) | (mask >> 1)) & rows[row]
            part[row] = mask
            is_growing = is_growing or mask != before


@helper
def rows_without(state: Any, hole: int, rows: Any) -> int:
    """Fills in the rows of the layout without the piece at a place of the order; returns how many rows there are."""
    min_x = state[MIN_X] - 1
    min_y = (entry_at(state, 0) >> 16) - 1
    num_placed = state[NUM_PLACED]
    for index in range(num_placed):
        entry = entry_at(state, index)
        rows[(entry >> 16) - min_y] |= 0 if index == hole else 1 << (((entry >> 8) & 255) - min_x)
    return (entry_at(state, num_placed - 1) >> 16) - min_y + 2


@kernel("int64", "int64[::1]", "int64", "int64[::1]")
def find_targets(state: Any, hole: int, targets: Any) -> int:
    """Finds the free cells where the base at a place of the order may move; returns how many there are.

    The rest of the layout may fall apart without the base, and may be joined again by it: a target touches every part
    of the rest ("A turn", Move).

    Args:
        state: int64[W].
        hole: the base's place in the order.
        targets: int64[MAX_ROWS], overwritten with a mask a row; row 0 is the one below the layout.
    """
    rows = np.zeros(MAX_ROWS, np.int64)
    part = np.empty(MAX_ROWS, np.int64)
    num_rows = rows_without(state, hole, rows)
    entry = entry_at(state, hole)
    targets[:] = 0
    for row in range(num_rows):
        targets[row] = ALL_COLUMNS & ~rows[row]
    targets[(entry >> 16) - (entry_at(state, 0) >> 16) + 1] &= ~(1 << (((entry >> 8) & 255) - state[MIN_X] + 1))
    rest = rows.copy()
    for first in range(1, num_rows):
        while rest[first]:
            part[:] = 0
            part[first] = rest[first] & -rest[first]
            spread(part, rows, num_rows)
            targets[0] &= part[1]
            for row in range(1, num_rows):
                targets[row] &= (part[row] << 1) | (part[row] >> 1) | part[row - 1] | part[(row + 1) % MAX_ROWS]
                rest[row] &= ~part[row]
    count = 0
    for row in range(num_rows):
        count += count_ones(targets[row])
    return count


@kernel("int64", "int64[::1]", "int64[::1]", "int64")
def list_targets(state: Any, out: Any, hole: int) -> int:
    """Lists the cells where the base at a place of the order may move, facing up."""
    targets = np.empty(MAX_ROWS, np.int64)
    find_targets(state, hole, targets)
    count = 0
    first_cell = (((entry_at(state, 0) >> 16) - 1) << 8) | (state[MIN_X] - 1)
    for row in range(MAX_ROWS):
        count = emit_row(out, count, targets[row], first_cell + (row << 8), 1)
    return count


@helper
def square_bit(entry: int, centre: int) -> int:
    """Returns the bit of an entry in the 3 x 3 square around another one, rows from below; 0 where it is outside."""
    column = ((entry >> 8) & 255) - ((centre >> 8) & 255) + 1
    row = (entry >> 16) - (centre >> 16) + 1
    return 1 << (3 * row + column) if 0 <= column <= 2 else 0


@helper
def surroundings(state: Any, hole: int) -> int:
    """Returns which cells of the 3 x 3 square around a place of the order are taken, as nine bits.

    The order goes by rows, so the walk from the place to either side ends with the row next to its own.
    """
    centre = entry_at(state, hole)
    y = centre >> 16
    square = 0
    index = hole - 1
    while index >= 0 and entry_at(state, index) >> 16 >= y - 1:
        square |= square_bit(entry_at(state, index), centre)
        index -= 1
    index = hole + 1
    while index < state[NUM_PLACED] and entry_at(state, index) >> 16 <= y + 1:
        square |= square_bit(entry_at(state, index), centre)
        index += 1
    return square


@helper
def count_local_parts(square: int) -> int:
    """Returns into how many parts the side cells of a square fall that hang together only within it.

    Two side cells hang together where the corner between them is taken; all four corners close a ring, which makes
    one link too many, so the result is then 0: one part, too.
    """
    sides = (square >> 1) & 1, (square >> 5) & 1, (square >> 7) & 1, (square >> 3) & 1
    corners = (square >> 2) & 1, (square >> 8) & 1, (square >> 6) & 1, square & 1
    links = 0
    for place in range(4):
        links += sides[place] & corners[place] & sides[(place + 1) & 3]
    return sides[0] + sides[1] + sides[2] + sides[3] - links


@kernel("int64", "int64[::1]", "int64")
def can_move(state: Any, hole: int) -> int:
    """Returns whether the base at a place of the order has somewhere to go: 1 or 0.

    Where the cells at its sides hang together without it, the rest of the layout does, and has free cells around; only
    otherwise is the whole layout searched.
    """
    if state[NUM_PLACED] < 2:
        return 0
    if count_local_parts(surroundings(state, hole)) <= 1:
        return 1
    return 1 if find_targets(state, hole, np.empty(MAX_ROWS, np.int64)) > 0 else 0
