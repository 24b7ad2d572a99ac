"""Kernels of Connect Four, on bitboards.

A column is seven bits, the lowest six of them cells from the bottom up and the seventh always empty, so that lines
never run from one column into the next. Shapes as in kernels/abi.py; W is STATE_WORDS.
"""

from typing import Any

import numpy as np

from arena.games.connect_four.layout import (
    BOTTOM,
    COLUMN_BITS,
    COLUMN_MASK,
    COLUMNS,
    DISCS,
    FULL,
    NOBODY,
    OPENING,
    ROWS,
    WINNER,
)
from arena.kernels.abi import (
    TERMINAL,
    TO_ACT,
    apply_kernel,
    deal_kernel,
    determinize_kernel,
    legal_kernel,
    observe_kernel,
    returns_kernel,
    scores_kernel,
)
from arena.kernels.jit import helper
from arena.kernels.rng import TABLE, below

TOP = BOTTOM << (ROWS - 1)  # the highest cell of each column


@helper
def has_four(discs: int) -> bool:
    """Says whether a mask of discs holds four in a row."""
    upward = discs & (discs >> 1)
    level = discs & (discs >> COLUMN_BITS)
    rising = discs & (discs >> (COLUMN_BITS + 1))
    falling = discs & (discs >> (COLUMN_BITS - 1))
    fours = (
        (upward & (upward >> 2))
        | (level & (level >> (2 * COLUMN_BITS)))
        | (rising & (rising >> (2 * (COLUMN_BITS + 1))))
        | (falling & (falling >> (2 * (COLUMN_BITS - 1))))
    )
    return fours != 0


@helper
def drop(state: Any, column: int) -> None:
    """Drops the disc of the seat to act into a column that has room."""
    seat = state[TO_ACT]
    first = state[DISCS]
    second = state[DISCS + 1]
    filled = first | second
    cell = (filled + (1 << (column * COLUMN_BITS))) & (COLUMN_MASK << (column * COLUMN_BITS))
    # A branch, because seats take turns and it is foreseen; a load by index would wait for the seat.
    discs = (first if seat == 0 else second) | cell
    state[DISCS + seat] = discs
    if has_four(discs):
        state[WINNER] = seat
        state[TO_ACT] = TERMINAL
    elif (filled | cell) == FULL:
        state[TO_ACT] = TERMINAL
    else:
        state[TO_ACT] = 1 - seat


@legal_kernel
def legal(state: Any, out: Any) -> int:
    """Lists the columns with room."""
    if state[TO_ACT] < 0:
        return 0
    filled = state[DISCS] | state[DISCS + 1]
    if filled & TOP == 0:
        # Most positions. A column once full stays full, so the branch is foreseen, and these stores wait for nothing.
        for column in range(COLUMNS):
            out[column] = column
        return COLUMNS
    room = FULL & ~filled
    count = 0
    for column in range(COLUMNS):
        out[count] = column
        # Written always and counted if there is room: no branch that half of the time is foreseen wrongly.
        count += (room >> (column * COLUMN_BITS + ROWS - 1)) & 1
    return count


@helper
def clear(state: Any) -> None:
    """Writes the empty board."""
    state[TO_ACT] = 0
    state[DISCS] = 0
    state[DISCS + 1] = 0
    state[WINNER] = NOBODY
    state[OPENING] = 1


@deal_kernel
def deal(state: Any, num_seats: int, options: Any, luck: Any) -> None:
    """Writes the position after options[0] random plies, drawn again from the start when they end the match."""
    clear(state)
    if options[0] == 0:
        return
    columns = np.empty(COLUMNS, np.int64)
    while True:
        opening = 1
        for _ in range(options[0]):
            column = columns[below(luck, TABLE, legal(state, columns))]
            drop(state, column)
            opening = opening * 8 + column
            if state[TO_ACT] < 0:
                break
        if state[TO_ACT] >= 0:
            state[OPENING] = opening
            return
        clear(state)


@apply_kernel
def apply(state: Any, action: int, luck: Any) -> None:
    """Drops a disc; there is no chance after the opening."""
    drop(state, action)


@scores_kernel
def scores(state: Any, out: Any) -> None:
    """Writes 1 for the winner and 0 otherwise."""
    out[0] = 0
    out[1] = 0
    if state[WINNER] >= 0:
        out[state[WINNER]] = 1


@returns_kernel
def returns(state: Any, out: Any) -> None:
    """Writes 1 for a win, 0.5 for a draw, 0 for a loss."""
    winner = state[WINNER]
    out[0] = 0.5 if winner < 0 else 1.0 - winner
    out[1] = 0.5 if winner < 0 else float(winner)


@observe_kernel
def observe(state: Any, seat: int, out: Any) -> None:
    """Copies the state: nothing is hidden."""
    out[:] = state


@determinize_kernel
def determinize(state: Any, seat: int, luck: Any) -> None:
    """Leaves the state as it is: nothing is hidden."""
