"""The words of a state, the pieces, the cells and the action ids; imported where numba must not be.

A piece is a number: the 54 tiles (0..53, one less than their number in notation), then the four bases by character.
A facing is k quarter turns clockwise. A cell is (y + 128) << 8 | (x + 128), so ascending cells go by y, then x.
The widest that a layout can drift is one cell a turn, and there are at most 100 turns, so eight bits an axis do.
"""

MAX_SEATS = 4
NUM_CHARACTERS = 4
CHARACTERS = "PNRZ"
NUM_TILES = 54
NUM_PIECES = NUM_TILES + NUM_CHARACTERS
ALL_TILES = (1 << NUM_TILES) - 1
ALL_BASES = ((1 << NUM_CHARACTERS) - 1) << NUM_TILES
HAND_TILES = 3
MAX_PLACED = 50  # two seats: each of 48 plays draws a tile, and the final round brings two more

# A section is four bits: the character, and above it what the picture is.
CHARACTER, BONUS, ENEMY, BASE = 0, 1, 2, 3
# A tile is 18 bits: four sections clockwise from the top left, the first lowest, then its icon; three tiles a word.
NO_ICON, ROTATE_ICON, SWAP_ICON, REPLACE_ICON = 0, 1, 2, 3
TILE_BITS = 18
TILES_PER_WORD = 3
TILE_WORDS = NUM_TILES // TILES_PER_WORD

ORIGIN = (128 << 8) | 128
# What lies in a cell is 24 bits, two to a word, in ascending order of cells: cell << 8 | facing << 6 | piece.
PLACED_BITS = 24

# Stages of a turn; the stage that an icon opens is FIRST_ICON_STAGE + icon.
WHAT, WHERE, MOVE_WHERE = 0, 1, 2
ROTATE, SWAP_FIRST, REPLACE_TAKE = 3, 4, 5
SWAP_SECOND, SWAP_FACING_FIRST, SWAP_FACING_SECOND = 6, 7, 8
REPLACE_WITH, REPLACE_FACING = 9, 10
FIRST_ICON_STAGE = ROTATE - ROTATE_ICON

# Action ids
PLAY = 0  # + piece
MOVE = NUM_PIECES  # + character: the base to move
FACE = MOVE + NUM_CHARACTERS  # + facing
DECLINE = FACE + 4
AT = 128  # + cell
AT_FACING = 1 << 17  # + cell << 2 | facing
NUM_ACTIONS = AT_FACING + (1 << 18)
MAX_LEGAL = 4 * (2 * MAX_PLACED + 2)  # a layout of N cells has at most 2 N + 2 free cells at its sides

# The state
NUM_SEATS = 1  # n
STAGE = 2
CHOSEN = 3  # the piece that this turn is about, NO_PIECE while it is not chosen
FIRST_CELL = 4  # swap: the lower cell; replace: the cell; 0 otherwise
SECOND_CELL = 5  # swap: the higher cell; 0 otherwise
FIRST_FACING = 6  # swap: how the piece of the first cell will lie in the second
INCOMING = 7  # replace: the piece that goes in, NO_PIECE otherwise
NUM_PLACED = 8
MIN_X = 9  # the least x of the layout, plus 128
TURNS_LEFT = 10  # of the final round; NO_END before it
MOVED = 11  # mask of the seats whose last turn was a base move
OWNER = 12  # four words: the seat of each character, or NOBODY
HAND = OWNER + NUM_CHARACTERS  # four words: mask of the pieces in each hand, the chosen one until it is placed
KNOWN = HAND + MAX_SEATS  # four words: mask of the tiles in each hand that everybody has seen
HAND_SIZE = KNOWN + MAX_SEATS  # four words: the number of pieces in each hand
PART_FRONT = HAND_SIZE + MAX_SEATS  # four words: how many tiles have gone from the front of each part of the pile
PART_SIZE = PART_FRONT + MAX_SEATS  # four words: how many tiles each part still has
# Six words of eight tiles, six bits each: the number (1..54), 0 once it is drawn. Place i is the (i // n)-th of the
# part of i % n.
PILE = PART_SIZE + MAX_SEATS
PILE_WORDS = 6
TILES = PILE + PILE_WORDS  # 18 words: the tile set, a copy of the game's options
PLACED = TILES + TILE_WORDS  # 25 words: the layout, in ascending order of cells
STATE_WORDS = PLACED + MAX_PLACED // 2

NO_PIECE = 63
NOBODY = -1
NO_END = -1
