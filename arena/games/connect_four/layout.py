"""The words of a Connect Four state and the shape of its bitboards; imported where numba must not be."""

COLUMNS, ROWS = 7, 6
COLUMN_BITS = ROWS + 1
COLUMN_MASK = (1 << COLUMN_BITS) - 1
BOTTOM = sum(1 << (column * COLUMN_BITS) for column in range(COLUMNS))
FULL = BOTTOM * ((1 << ROWS) - 1)

DISCS = 1  # two words: the discs of seat 0 and of seat 1, as masks
WINNER = 3  # the seat that made four in a row, or NOBODY
OPENING = 4  # columns of the random opening, base 8, the last ply in the lowest digit, behind a leading 1
STATE_WORDS = 5
NOBODY = -1
