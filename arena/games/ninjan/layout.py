"""The words of a Ninjan state, the cards and the action ids; imported where numba must not be."""

MAX_SEATS = 5

ROCK, PAPER, SCISSORS = 0, 1, 2
SUIT_CARDS = 16
NUM_CARDS = 48
ALL_CARDS = (1 << NUM_CARDS) - 1
HAND_CARDS = 9
NUM_PILES = 3
NUM_ROUNDS = 9
PILE_ACTION = NUM_CARDS  # action ids: a card to choose, then the piles

NUM_SEATS = 1  # n
ROUND = 2  # 0..8
STAGE = 3  # 0..n-1: that seat chooses; n..2n-1: that place of the queue resolves
QUEUE = 4  # seats in the order in which their cards resolve, three bits each, the first lowest; 0 while choosing
SEEN = 5  # mask of all cards ever revealed, the first piles included
TOP = 6  # three words: top card of each pile
PILE = TOP + NUM_PILES  # three words: mask of each pile's cards
PILE_SUM = PILE + NUM_PILES  # three words: sum of each pile's values
BELOW = PILE_SUM + NUM_PILES  # six words, a byte a card: the card under each card of a pile, NONE under the lowest
HAND = BELOW + NUM_CARDS // 8  # five words: mask of each hand, without the chosen card
CHOSEN = HAND + MAX_SEATS  # five words: the card chosen this round, or NO_CARD
CLAIMED = CHOSEN + MAX_SEATS  # five words: mask of the cards before each seat
SCORE = CLAIMED + MAX_SEATS  # five words
STATE_WORDS = SCORE + MAX_SEATS
NO_CARD = -1
NONE = 63  # a link to no card
