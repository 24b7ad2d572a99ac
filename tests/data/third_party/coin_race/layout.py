"""The words of a Coin Race state."""

NUM_SEATS = 1
PLACE = 2  # three words: how far each seat has come
STATE_WORDS = 5
GOAL = 8
NEAR = 6
HEAD_START = 4
WALK, TOSS = 0, 1
