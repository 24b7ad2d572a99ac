"""The words of a Pirates vs. Ninjas state, the ranks and the action ids; imported where numba must not be.

Dice are counted, not told apart: a packed count has five bits a rank, rank 1 lowest, and adds up like a number. No
count passes nine, so the fifth bit of each is free to show which of two packed counts is greater, rank by rank.
"""

from math import comb

PIRATES, NINJAS = 0, 1
NUM_SIDES = 2
NUM_RANKS = 6
DICE = 9
STRIKERS = 4  # ranks 1..4 strike and volley
HERO, SYMBOL = 5, 6  # Pirate Captain or Ninja Master; Jolly Roger or Kuji Shrine
GROUP = 3  # dice that a volley, the Rogers and the Shrine take
IDLE_TURNS = 5  # turns without a destroyed die that end the game

RANK_BITS = 5
RANK_MASK = (1 << RANK_BITS) - 1
ONES = sum(1 << (RANK_BITS * index) for index in range(NUM_RANKS))  # one die of each rank, packed
GUARDS = ONES << (RANK_BITS - 1)  # the fifth bit of each count
SUM_SHIFT = RANK_BITS * (NUM_RANKS - 1)  # where a packed count times ONES holds the number of its dice
FACE_BITS = 3

# Two words each, the Pirates' and the Ninjas'.
ZONE = 1  # Combat Zone, packed count
CUP = ZONE + NUM_SIDES  # number of dice in the Rally Cup
DESTROYED = CUP + NUM_SIDES  # destroyed dice of that side, packed count
CREDIT = DESTROYED + NUM_SIDES  # total rank of the enemy dice that the side destroyed
ROLLED = CREDIT + NUM_SIDES  # the set-up's nine faces, 1..6, as rolled, FACE_BITS each, the first lowest
IDLE = ROLLED + NUM_SIDES  # turns in a row, both sides', in which no die was destroyed
STAGE = IDLE + 1  # WHAT, PICK or ATTACK: decisions 1, 2 and 3
SHRINE_DEBT = STAGE + 1  # 1 from a Shrine until the Ninjas' next turn has rallied
STATE_WORDS = SHRINE_DEBT + 1
WHAT, PICK, ATTACK = 0, 1, 2

# Action ids: ten strikes by rank and target, four volleys, then the rest in the order of the rules page.
STRIKES = tuple((rank, target) for rank in range(1, STRIKERS + 1) for target in range(1, rank + 1))
"""Rank and target of each strike, by action id."""
VOLLEY = len(STRIKES)
CAPTAIN = VOLLEY + STRIKERS
MASTER = CAPTAIN + 1
ROGERS = MASTER + 1
SHRINE = ROGERS + 1
RALLY = SHRINE + 1  # all before it are attacks
FIRST_PICK = RALLY + 1  # then every choice of dice to roll, in the order of PICKS


def dice(rank: int, count: int = 1) -> int:
    """Returns some dice of one rank as a packed count."""
    return count << (RANK_BITS * (rank - 1))


NEVER = dice(1, DICE + 1)  # more dice than there are: the price of what a side cannot do
_VOLLEYS = range(1, STRIKERS + 1)
_ALL_SPEND = [dice(rank) for rank, _ in STRIKES] + [dice(rank, GROUP) for rank in _VOLLEYS]
SPENT = (
    *(*_ALL_SPEND, dice(HERO), NEVER, dice(SYMBOL, GROUP), NEVER),
    *(*_ALL_SPEND, NEVER, dice(HERO), NEVER, dice(SYMBOL, GROUP)),
)
"""The own dice that an attack sends to the cup, packed, by side * RALLY + action."""
_TARGET_RANKS = [target for _, target in STRIKES] + [rank + 1 for rank in _VOLLEYS]
HIT = (*map(dice, _TARGET_RANKS), 0, dice(HERO), 0, 0)
"""The enemy die that an attack destroys, packed, by action; the Rogers destroy by a rule of their own."""
HIT_RANK = (*_TARGET_RANKS, 0, HERO, 0, 0)
"""Its rank."""

# Picks are numbered in ascending order of their digits, read in this order: so a zone's picks are nested loops with
# ascending numbers. The Hero stands first since there is at most one; rank 1, of which there are most, is the
# innermost loop.
PICK_ORDER = (HERO, SYMBOL, 4, 3, 2, 1)


def num_tails(num_ranks: int, num_dice: int) -> int:
    """Returns how many choices of at most `num_dice` dice there are, of that many ranks without the Hero."""
    return comb(num_dice + num_ranks, num_ranks)


def _picks(order: tuple[int, ...], num_dice: int) -> list[int]:
    """Returns every choice of at most `num_dice` dice of some ranks, packed, in the order of their digits."""
    if not order:
        return [0]
    rank, *rest = order
    most = min(num_dice, 1) if rank == HERO else num_dice
    return [dice(rank, count) + tail for count in range(most + 1) for tail in _picks(tuple(rest), num_dice - count)]


PICKS = tuple(_picks(PICK_ORDER, DICE))
"""Every choice of at most nine dice with at most one Hero, packed."""
NUM_ACTIONS = FIRST_PICK + len(PICKS)
MAX_LEGAL = 3**3 * 2**3 - 1
"""Picks from a zone of two dice of three ranks and one of the others; without the empty one, since the cup is empty."""
# At most 17 dice fall before one side has none, with at most four idle turns before each and five at the end; a turn
# has up to three decisions.
MAX_PLIES = 3 * (IDLE_TURNS * (2 * DICE - 1) + IDLE_TURNS)
