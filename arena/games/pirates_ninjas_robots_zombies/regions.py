"""Kernels that find regions and score them ("Scoring").

A section has the index 4 * place of its piece in the order of cells + its place clockwise from the top left. Shapes:
S is NUM_SECTIONS. A region is named by one of its sections, its root.
"""

from typing import Any

import numpy as np

from arena.games.pirates_ninjas_robots_zombies.board import entry_at, piece_sections, turned
from arena.games.pirates_ninjas_robots_zombies.layout import (
    BASE,
    BONUS,
    CHARACTER,
    ENEMY,
    MAX_PLACED,
    NUM_CHARACTERS,
    NUM_PLACED,
    NUM_SEATS,
    OWNER,
)
from arena.kernels.jit import helper, kernel

NUM_SECTIONS = 4 * MAX_PLACED
BASE_POINTS = 5


@helper
def section_points(section: int) -> int:
    """Returns what a section is worth unless it is negated; a base counts at its first section alone."""
    kind = section >> 2
    return (1 if kind == CHARACTER else 0) + (3 if kind == BONUS else 0)


@helper
def root_of(parent: Any, index: int) -> int:
    """Returns the root of a section, halving the way for the next one."""
    while parent[index] != index:
        parent[index] = parent[parent[index]]
        index = parent[index]
    return index


@helper
def meet(sections: Any, parent: Any, points: Any, one: int, two: int) -> None:
    """Lets two neighbours of one character join, or the arch-enemy among them negate the other."""
    a = sections[one]
    b = sections[two]
    if (a ^ b) & 3:
        return
    if a >> 2 == ENEMY or b >> 2 == ENEMY:
        points[one] = 0 if a >> 2 != BASE else points[one]
        points[two] = 0 if b >> 2 != BASE else points[two]
        return
    parent[root_of(parent, one)] = root_of(parent, two)


@helper
def lay_out(state: Any, sections: Any, parent: Any, points: Any) -> None:
    """Fills in the sections of the layout, each a region of its own."""
    for place in range(state[NUM_PLACED]):
        entry = entry_at(state, place)
        bits = turned(piece_sections(state, entry & 63), (entry >> 6) & 3)
        for corner in range(4):
            index = 4 * place + corner
            section = (bits >> (4 * corner)) & 15
            sections[index] = section
            parent[index] = index
            points[index] = section_points(section)
        if bits & 15 >= BASE << 2:
            points[4 * place] = BASE_POINTS


@helper
def join_neighbours(state: Any, sections: Any, parent: Any, points: Any, hole: int) -> None:
    """Lets all neighbours meet, within tiles and across them, in one pass with a second finger a row above."""
    num_placed = state[NUM_PLACED]
    upper = 0
    for place in range(num_placed):
        if place == hole:
            continue
        cell = entry_at(state, place) >> 8
        for corner in range(4):
            meet(sections, parent, points, 4 * place + corner, 4 * place + ((corner + 1) & 3))
        right = place + 1
        if right < num_placed and right != hole and entry_at(state, right) >> 8 == cell + 1:
            for step in range(2):
                meet(sections, parent, points, 4 * place + 1 + step, 4 * right + 3 * step)
        while upper < num_placed and entry_at(state, upper) >> 8 < cell + 256:
            upper += 1
        if upper < num_placed and upper != hole and entry_at(state, upper) >> 8 == cell + 256:
            for step in range(2):
                meet(sections, parent, points, 4 * place + step, 4 * upper + 3 - step)


@kernel("void", "int64[::1]", "int64", "int64[::1]", "int64[::1]", "int64[::1]", "int64[::1]", "int64[::1]")
def find_regions(state: Any, hole: int, sections: Any, parent: Any, points: Any, totals: Any, best: Any) -> None:
    """Finds all regions and their scores.

    Args:
        state: int64[W].
        hole: the place in the order of a piece to leave out, or -1.
        sections: int64[S], overwritten: what each section shows; those of the hole, too.
        parent: int64[S], overwritten: the root of each section.
        points: int64[S], overwritten: what each section scores, negation taken into account.
        totals: int64[S], overwritten: at each root, the score of its region.
        best: int64[4], overwritten: the best score of each character.
    """
    lay_out(state, sections, parent, points)
    join_neighbours(state, sections, parent, points, hole)
    best[:] = 0
    num_sections = 4 * state[NUM_PLACED]
    totals[:num_sections] = 0
    for index in range(num_sections):
        if index >> 2 != hole:
            root = root_of(parent, index)
            parent[index] = root
            totals[root] += points[index]
            character = sections[index] & 3
            best[character] = max(best[character], totals[root])


@kernel("void", "int64[::1]", "int64[::1]")
def add_up(state: Any, out: Any) -> None:
    """Writes each seat's points: the sum of its characters' best regions."""
    sections = np.empty(NUM_SECTIONS, np.int64)
    parent = np.empty(NUM_SECTIONS, np.int64)
    points = np.empty(NUM_SECTIONS, np.int64)
    totals = np.empty(NUM_SECTIONS, np.int64)
    best = np.empty(NUM_CHARACTERS, np.int64)
    find_regions(state, -1, sections, parent, points, totals, best)
    for seat in range(state[NUM_SEATS]):
        out[seat] = 0
    for character in range(NUM_CHARACTERS):
        if state[OWNER + character] >= 0:
            out[state[OWNER + character]] += best[character]
