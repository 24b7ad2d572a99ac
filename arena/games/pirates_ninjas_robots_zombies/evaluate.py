"""Heuristic: best regions as they are, something for the second best and for bases in hand, and in the midst of a turn
what the turn may still bring.

A worth is a number of points a character. Greedy looks one ply ahead, so a piece that is chosen counts as if it lay
where it helps most; that is estimated from the regions without laying it. Rarer decisions (the cells and facings of a
swap or replace) are tried out on a copy.
"""

from typing import Any

import numpy as np

from arena.games.pirates_ninjas_robots_zombies.board import (
    count_facings,
    entry_at,
    find_cell,
    find_piece,
    piece_sections,
    turned,
)
from arena.games.pirates_ninjas_robots_zombies.layout import (
    BASE,
    CHOSEN,
    ENEMY,
    FIRST_CELL,
    FIRST_FACING,
    HAND,
    INCOMING,
    MIN_X,
    MOVE_WHERE,
    NOBODY,
    NUM_CHARACTERS,
    NUM_PLACED,
    NUM_SEATS,
    NUM_TILES,
    OWNER,
    REPLACE_FACING,
    REPLACE_WITH,
    SECOND_CELL,
    STAGE,
    SWAP_FACING_FIRST,
    SWAP_FACING_SECOND,
    SWAP_SECOND,
    TURNS_LEFT,
    WHAT,
    WHERE,
)
from arena.games.pirates_ninjas_robots_zombies.regions import BASE_POINTS, NUM_SECTIONS, find_regions, section_points
from arena.games.pirates_ninjas_robots_zombies.rules import replace, swap
from arena.kernels.abi import TO_ACT, evaluate_kernel
from arena.kernels.jit import count_trailing_zeros, helper, kernel

SECOND_BEST = 0.2  # the share of the second best region that counts: it may be joined to the best
BASE_IN_HAND = 3.5  # of the five points that it will bring when it is laid at the best region
TEMPO = 2.2  # half of the lead that a turn brings: without it, positions with one turn more or less are worlds apart
SCALE = 12.0  # a lead of this many points is worth three quarters of the way from an even chance to a sure win

# Rows of the scratch array, int64[SCRATCH_ROWS, S]: what find_regions writes, a row each.
SECTIONS, PARENT, POINTS, TOTALS, BEST = 0, 1, 2, 3, 4
SCRATCH_ROWS = 5
NUM_CONTACTS = 8  # a cell's four sections touch two sections outside each


@helper
def add_prospects(state: Any, scratch: Any, hole: int, worths: Any) -> None:
    """Writes the worth of each character: best region, a share of the second best, its base in hand."""
    second = np.zeros(NUM_CHARACTERS, np.int64)
    is_best_seen = 0
    for index in range(4 * state[NUM_PLACED]):
        if scratch[PARENT, index] == index and index >> 2 != hole:
            character = scratch[SECTIONS, index] & 3
            total = scratch[TOTALS, index]
            if total == scratch[BEST, character] and (is_best_seen >> character) & 1 == 0:
                is_best_seen |= 1 << character
            else:
                second[character] = max(second[character], total)
    for character in range(NUM_CHARACTERS):
        worths[character] = scratch[BEST, character] + SECOND_BEST * second[character]
        seat = state[OWNER + character]
        if seat >= 0:
            piece = NUM_TILES + character
            is_waiting = (state[HAND + seat] >> piece) & 1 and state[CHOSEN] != piece
            worths[character] += BASE_IN_HAND if is_waiting else 0.0


@kernel("void", "int64[::1]", "int64", "int64[:,::1]", "float64[::1]")
def weigh(state: Any, hole: int, scratch: Any, worths: Any) -> None:
    """Finds the regions, without the piece at a place of the order (or -1), and writes each character's worth."""
    best = scratch[BEST, :NUM_CHARACTERS]
    find_regions(state, hole, scratch[SECTIONS], scratch[PARENT], scratch[POINTS], scratch[TOTALS], best)
    add_prospects(state, scratch, hole, worths)


@helper
def lead(state: Any, worths: Any) -> float:
    """Returns what the worths mean to the seat to act: its own, less the mean of the others'."""
    total = 0.0
    for character in range(NUM_CHARACTERS):
        seat = state[OWNER + character]
        if seat == state[TO_ACT]:
            total += worths[character]
        elif seat >= 0:
            total -= worths[character] / (state[NUM_SEATS] - 1)
    return total


# A piece that is chosen but not laid


@helper
def find_contacts(grid: Any, spot: int, width: int, contacts: Any) -> int:
    """Writes the section outside that each of a cell's sides touches, or -1; returns whether there is any.

    Contact 2 d + h is on side d (up, right, down, left); it touches the cell's own section (d + h) & 3.
    """
    steps = (width, 1, -width, -1)
    has_any = 0
    for side in range(4):
        place = grid[spot + steps[side]] - 1
        has_any |= place >= 0
        for half in range(2):
            contacts[2 * side + half] = 4 * place + ((side + 3 - half) & 3) if place >= 0 else -1
    return has_any


@helper
def own_points(bits: int, corner: int) -> int:
    """Returns what a section of a piece is worth by itself, its own neighbours within the piece considered."""
    section = (bits >> (4 * corner)) & 15
    if section >> 2 == BASE:
        return BASE_POINTS if corner == 0 else 0
    enemy = (ENEMY << 2) | (section & 3)
    after = (bits >> (4 * ((corner + 1) & 3))) & 15
    before = (bits >> (4 * ((corner + 3) & 3))) & 15
    return 0 if enemy in (after, before) else section_points(section)


@helper
def is_counted(contacts: Any, scratch: Any, linked: int, contact: int) -> bool:
    """Returns whether the region of a contact is already joined through an earlier one."""
    root = scratch[PARENT, contacts[contact]]
    is_joined = False
    for earlier in range(contact):
        is_joined |= (linked >> earlier) & 1 == 1 and scratch[PARENT, contacts[earlier]] == root
    return is_joined


@kernel("void", "int64", "int64[::1]", "int64[:,::1]", "float64[::1]")
def estimate_gains(bits: int, contacts: Any, scratch: Any, gains: Any) -> None:
    """Writes what each character's best region would gain by a piece that has these contacts.

    All sections of a character on the piece are taken to hang together, which two in opposite corners do not.
    """
    joined = np.zeros(NUM_CHARACTERS, np.int64)
    losses = np.zeros(NUM_CHARACTERS, np.int64)
    linked = 0
    negated = 0
    for contact in range(NUM_CONTACTS):
        index = contacts[contact]
        corner = ((contact >> 1) + (contact & 1)) & 3
        mine = (bits >> (4 * corner)) & 15
        if index < 0 or (scratch[SECTIONS, index] ^ mine) & 3:
            continue
        character = mine & 3
        if mine >> 2 == ENEMY:
            is_in_best = scratch[TOTALS, scratch[PARENT, index]] == scratch[BEST, character]
            is_base = scratch[SECTIONS, index] >> 2 == BASE
            losses[character] += scratch[POINTS, index] if is_in_best and not is_base else 0
        elif scratch[SECTIONS, index] >> 2 == ENEMY:
            negated |= 1 << corner if mine >> 2 != BASE else 0
        elif not is_counted(contacts, scratch, linked, contact):
            linked |= 1 << contact
            joined[character] += scratch[TOTALS, scratch[PARENT, index]]
    for corner in range(4):
        mine = (bits >> (4 * corner)) & 15
        if mine >> 2 != ENEMY and (negated >> corner) & 1 == 0:
            joined[mine & 3] += own_points(bits, corner)
    for character in range(NUM_CHARACTERS):
        before = scratch[BEST, character]
        gains[character] = max(before - losses[character], joined[character]) - before


@kernel("int64", "int64[::1]", "int64", "int64[::1]")
def fill_grid(state: Any, hole: int, grid: Any) -> int:
    """Writes, a spot a cell, 1 + the place of its piece in the order, -1 for the hole; returns the width of a row.

    Two empty spots surround the layout on all sides: free cells, and what they look at.
    """
    num_placed = state[NUM_PLACED]
    min_x = state[MIN_X] - 2
    min_y = (entry_at(state, 0) >> 16) - 2
    width = 0
    for place in range(num_placed):
        width = max(width, ((entry_at(state, place) >> 8) & 255) - min_x + 3)
    for place in range(num_placed):
        entry = entry_at(state, place)
        spot = ((entry >> 16) - min_y) * width + ((entry >> 8) & 255) - min_x
        grid[spot] = place + 1 if place != hole else -1
    return width


# w + h of a connected layout of N cells is at most N + 1, so with the rim its grid has at most 30 x 30 spots.
GRID_SPOTS = 30 * 30


@kernel("void", "int64[::1]", "int64", "int64[:,::1]", "float64[::1]")
def add_best_place(state: Any, hole: int, scratch: Any, worths: Any) -> None:
    """Adds to the worths what the chosen piece would gain where it helps the seat to act most."""
    grid = np.zeros(GRID_SPOTS, np.int64)
    contacts = np.empty(NUM_CONTACTS, np.int64)
    gains = np.zeros(NUM_CHARACTERS, np.float64)
    best_gains = np.zeros(NUM_CHARACTERS, np.float64)
    sections = piece_sections(state, state[CHOSEN])
    num_facings = count_facings(sections)
    num_placed = state[NUM_PLACED]
    if num_placed == 0:
        contacts[:] = -1
        estimate_gains(sections, contacts, scratch, best_gains)
        num_spots = 0
        width = 1
    else:
        width = fill_grid(state, hole, grid)
        height = (entry_at(state, num_placed - 1) >> 16) - (entry_at(state, 0) >> 16) + 5
        num_spots = width * (height - 1)
    best = -1.0e9
    for spot in range(width, num_spots):
        if grid[spot] == 0 and find_contacts(grid, spot, width, contacts):
            for facing in range(num_facings):
                estimate_gains(turned(sections, facing), contacts, scratch, gains)
                value = lead(state, gains)
                if value > best:
                    best = value
                    best_gains[:] = gains
    for character in range(NUM_CHARACTERS):
        worths[character] += best_gains[character]


# Decisions that are tried out


@helper
def keep_better(trial: Any, scratch: Any, trial_worths: Any, best: float, worths: Any) -> float:
    """Weighs a position that was tried, keeps its worths if they are the best so far, and returns the best lead."""
    weigh(trial, -1, scratch, trial_worths)
    value = lead(trial, trial_worths)
    if value > best:
        worths[:] = trial_worths
        return value
    return best


@kernel("void", "int64[::1]", "int64[:,::1]", "float64[::1]")
def try_swaps(state: Any, scratch: Any, worths: Any) -> None:
    """Writes the worths of the best swap that can still come of the decisions taken.

    Before the second cell is chosen, each is tried with the facings as they are; then all facings that are open.
    """
    trial = state.copy()
    trial_worths = np.empty(NUM_CHARACTERS, np.float64)
    stage = state[STAGE]
    first = find_cell(state, state[FIRST_CELL])
    start = first + 1 if stage == SWAP_SECOND else find_cell(state, state[SECOND_CELL])
    end = state[NUM_PLACED] if stage == SWAP_SECOND else start + 1
    best = -1.0e9
    for second in range(start, end):
        lower = entry_at(state, first)
        upper = entry_at(state, second)
        first_start = state[FIRST_FACING]
        first_end = first_start + 1
        second_start = 0
        second_end = count_facings(piece_sections(state, upper & 63))
        if stage == SWAP_SECOND:
            first_start = (lower >> 6) & 3
            first_end = first_start + 1
            second_start = (upper >> 6) & 3
            second_end = second_start + 1
        elif stage == SWAP_FACING_FIRST:
            first_end = count_facings(piece_sections(state, lower & 63))
        for first_facing in range(first_start, first_end):
            for second_facing in range(second_start, second_end):
                trial[:] = state
                trial[SECOND_CELL] = upper >> 8
                trial[FIRST_FACING] = first_facing
                swap(trial, second_facing)
                best = keep_better(trial, scratch, trial_worths, best, worths)


@kernel("void", "int64[::1]", "int64[:,::1]", "float64[::1]")
def try_replaces(state: Any, scratch: Any, worths: Any) -> None:
    """Writes the worths of the best replace that can still come of the decisions taken."""
    trial = state.copy()
    trial_worths = np.empty(NUM_CHARACTERS, np.float64)
    pieces = state[HAND + state[TO_ACT]] if state[STAGE] == REPLACE_WITH else 1 << state[INCOMING]
    best = -1.0e9
    while pieces:
        piece = count_trailing_zeros(pieces)
        pieces &= pieces - 1
        for facing in range(count_facings(piece_sections(state, piece))):
            trial[:] = state
            trial[INCOMING] = piece
            replace(trial, facing)
            best = keep_better(trial, scratch, trial_worths, best, worths)


@kernel("void", "int64[::1]", "float64[::1]")
def expect(state: Any, worths: Any) -> None:
    """Writes each character's worth, with what the seat to act may still make of its turn."""
    scratch = np.empty((SCRATCH_ROWS, NUM_SECTIONS), np.int64)
    stage = state[STAGE]
    if SWAP_SECOND <= stage <= SWAP_FACING_SECOND:
        try_swaps(state, scratch, worths)
    elif REPLACE_WITH <= stage <= REPLACE_FACING:
        try_replaces(state, scratch, worths)
    else:
        hole = find_piece(state, state[CHOSEN]) if stage == MOVE_WHERE else -1
        weigh(state, hole, scratch, worths)
        if stage in (WHERE, MOVE_WHERE):
            add_best_place(state, hole, scratch, worths)


@helper
def next_mover(state: Any) -> int:
    """Returns whose turn is the next to begin, or NOBODY where none is."""
    if state[STAGE] == WHAT:
        return state[TO_ACT]  # type: ignore[no-any-return]
    if state[TURNS_LEFT] == 1:
        return NOBODY
    return state[TO_ACT] + 1 if state[TO_ACT] + 1 < state[NUM_SEATS] else 0


@evaluate_kernel
def evaluate(state: Any, out: Any) -> None:
    """Writes the estimated utility of each seat in [0, 1]: the mean, over opponents, of a squashed lead."""
    num_seats = state[NUM_SEATS]
    worths = np.empty(NUM_CHARACTERS, np.float64)
    expect(state, worths)
    totals = np.zeros(num_seats, np.float64)
    for character in range(NUM_CHARACTERS):
        if state[OWNER + character] >= 0:
            totals[state[OWNER + character]] += worths[character]
    mover = next_mover(state)
    if mover >= 0:
        totals[mover] += TEMPO
    # Leads are taken against each opponent and squashed by a rational function: no libm call decides.
    for seat in range(num_seats):
        utility = 0.0
        for other in range(num_seats):
            gap = totals[seat] - totals[other]
            utility += 0.5 + 0.5 * gap / (SCALE / 3.0 + abs(gap)) if other != seat else 0.0
        out[seat] = utility / (num_seats - 1)
