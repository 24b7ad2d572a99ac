"""What holds in every position of Pirates, Ninjas, Robots, & Zombies."""

from arena.games.pirates_ninjas_robots_zombies.layout import (
    ALL_TILES,
    HAND,
    HAND_SIZE,
    KNOWN,
    NUM_PLACED,
    NUM_SEATS,
    NUM_TILES,
    OWNER,
    PART_SIZE,
    PILE,
    PILE_WORDS,
    PLACED,
)
from arena.kernels.jit import count_ones


def broken(state):
    """Returns 0, or the number of the rule that does not hold."""
    num_seats = state[NUM_SEATS]
    pieces, places = 0, 0
    for seat in range(num_seats):
        pieces |= state[HAND + seat]
        places += count_ones(state[HAND + seat])
        if count_ones(state[HAND + seat]) != state[HAND_SIZE + seat] or state[KNOWN + seat] & ~state[HAND + seat]:
            return 1
    last = -1
    for number in range(state[NUM_PLACED]):
        entry = (state[PLACED + number // 2] >> (32 * (number % 2))) & 0xFFFFFFFF
        if entry >> 8 <= last:
            return 2  # two pieces in one cell, or cells out of order
        last = entry >> 8
        pieces |= 1 << (entry & 63)
        places += 1
    in_pile, left = 0, 0
    for word in range(PILE_WORDS):
        for slot in range(8):
            tile = (state[PILE + word] >> (6 * slot)) & 63
            if tile:
                pieces |= 1 << (tile - 1)
                in_pile += 1
    for seat in range(num_seats):
        left += state[PART_SIZE + seat]
    if in_pile != left:
        return 3
    num_bases = 0
    for character in range(4):
        num_bases += state[OWNER + character] >= 0
    if places + in_pile != NUM_TILES + num_bases:
        return 4
    if count_ones(pieces) != NUM_TILES + num_bases or (pieces & ALL_TILES) != ALL_TILES:
        return 5
    return 0
