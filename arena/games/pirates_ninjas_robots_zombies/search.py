"""What pnrz tells a search beyond its rules (arena/search/pointers.py)."""

from typing import Any

import numpy as np

from arena.games.pirates_ninjas_robots_zombies.board import entry_at, find_piece, piece_sections, turned
from arena.games.pirates_ninjas_robots_zombies.evaluate import (
    GRID_SPOTS,
    NUM_CONTACTS,
    SCRATCH_ROWS,
    estimate_gains,
    fill_grid,
    find_contacts,
    lead,
    weigh,
)
from arena.games.pirates_ninjas_robots_zombies.layout import (
    AT_FACING,
    CHOSEN,
    MIN_X,
    MOVE_WHERE,
    NUM_CHARACTERS,
    NUM_PLACED,
    STAGE,
    WHERE,
)
from arena.games.pirates_ninjas_robots_zombies.regions import NUM_SECTIONS
from arena.kernels.jit import kernel

# From `arena tune`; docs/strength.md has the evidence.
TUNED = {"exploration": 0.05, "widening": 0.5, "candidates": 30, "playout_depth": 0}


@kernel("int64", "int64[::1]", "int64[::1]", "int64", "float64[::1]")
def order(state: Any, actions: Any, count: int, out: Any) -> int:
    """Scores the places for the chosen piece by what it would gain there, as evaluate.py estimates it.

    The regions are found once for all places, so that ordering hundreds of them costs what valuing one does. Decisions
    of other stages are few, or rare, and get no order.
    """
    stage = state[STAGE]
    if (stage != WHERE and stage != MOVE_WHERE) or state[NUM_PLACED] == 0:
        return 0
    scratch = np.empty((SCRATCH_ROWS, NUM_SECTIONS), np.int64)
    worths = np.empty(NUM_CHARACTERS, np.float64)
    gains = np.empty(NUM_CHARACTERS, np.float64)
    contacts = np.empty(NUM_CONTACTS, np.int64)
    grid = np.zeros(GRID_SPOTS, np.int64)
    hole = find_piece(state, state[CHOSEN]) if stage == MOVE_WHERE else -1
    weigh(state, hole, scratch, worths)
    width = fill_grid(state, hole, grid)
    min_x = state[MIN_X] - 2
    min_y = (entry_at(state, 0) >> 16) - 2
    sections = piece_sections(state, state[CHOSEN])
    last_cell = -1
    for index in range(count):
        place = actions[index] - AT_FACING
        cell = place >> 2
        if cell != last_cell:
            find_contacts(grid, ((cell >> 8) - min_y) * width + (cell & 255) - min_x, width, contacts)
            last_cell = cell
        estimate_gains(turned(sections, place & 3), contacts, scratch, gains)
        out[index] = lead(state, gains)
    return 1
