"""Connect Four by exhaustive search, and positions whose solution within ten plies is known from it."""

import random

import numpy as np

from arena.games.connect_four.layout import COLUMN_BITS, COLUMN_MASK, COLUMNS, DISCS, ROWS
from arena.games.connect_four.rules import has_four
from arena.kernels.jit import kernel

DEPTH = 10
WIN, OPEN, LOSS = 1, 0, -1


@kernel("int64", "int64", "int64", "int64[:,::1]", "int64")
def search(first, second, levels, depth):
    """Fills `levels`, int64[depth + 1, 4], and returns what is forced; see `solve`."""
    level = 0
    levels[0, 0], levels[0, 1], levels[0, 2], levels[0, 3] = first, second, 0, -2
    while True:
        own, other, column, best = levels[level, 0], levels[level, 1], levels[level, 2], levels[level, 3]
        filled = own | other
        if column == 0:
            for drop in range(COLUMNS):
                cell = (filled + (1 << (drop * COLUMN_BITS))) & (COLUMN_MASK << (drop * COLUMN_BITS))
                if (filled >> (drop * COLUMN_BITS + ROWS - 1)) & 1 == 0 and has_four(own | cell):
                    best = 1
            if best < 1 and depth - level <= 1:
                best = 0
        while column < COLUMNS and (filled >> (column * COLUMN_BITS + ROWS - 1)) & 1:
            column += 1
        if best >= 1 or column == COLUMNS or depth - level <= 1:
            value = 0 if best == -2 else best
            if level == 0:
                return value
            level -= 1
            levels[level, 3] = max(levels[level, 3], -value)
            continue
        levels[level, 2] = column + 1
        level += 1
        cell = (filled + (1 << (column * COLUMN_BITS))) & (COLUMN_MASK << (column * COLUMN_BITS))
        levels[level, 0], levels[level, 1], levels[level, 2], levels[level, 3] = other, own | cell, 0, -2


def solve(own, other, depth):
    """Returns what is forced within `depth` plies for the side to act, whose discs are `own`: WIN, LOSS, or OPEN."""
    return search(own, other, np.zeros((depth + 1, 4), np.int64), depth)


def outcomes(simulation, depth=DEPTH):
    """Returns what each legal column leads to for the side to act, its own ply counted in `depth`."""
    found = {}
    for column in simulation.legal:
        after = simulation.clone()
        after.play(column)
        if after.is_over:
            found[column] = WIN if after.returns()[simulation.to_move] == 1 else OPEN
        else:
            words = after.words()
            found[column] = -solve(words[DISCS + after.to_move], words[DISCS + 1 - after.to_move], depth - 1)
    return found


def tactical_positions(position, number, seed=1):
    """Returns that many positions with the columns that solve them, in equal parts forced wins and forced blocks.

    A win takes at least three plies more than the one that is looked for; in a block every other column loses.
    """
    wins, blocks = [], []
    rng = random.Random(seed)
    while min(len(wins), len(blocks)) < number // 2:
        deal = rng.randrange(1 << 30)
        try:
            simulation, history = position("connect_four", 2, rng.randrange(10, 24), deal)
        except IndexError:
            continue  # the random plies ended the match
        found = outcomes(simulation)
        good = [column for column, value in found.items() if value == WIN]
        safe = [column for column, value in found.items() if value == OPEN]
        if good and len(good) <= 2 and max(outcomes(simulation, 3).values()) < WIN:
            wins.append((simulation, history, good))
        elif not good and len(safe) == 1 and len(found) > 2:
            blocks.append((simulation, history, safe))
    return wins[: number // 2] + blocks[: number // 2]
