"""Kernels of Pirates, Ninjas, Robots, & Zombies; the sections named here are those of the rules page (rules.md).

Shapes as in kernels/abi.py; W is STATE_WORDS, n the number of seats. All chance is spent by the deal: what a seat
draws later is fixed by the order of its part of the pile. `legal` stands in choices.py.
"""

from typing import Any

import numpy as np

from arena.games.pirates_ninjas_robots_zombies.board import (
    entry_at,
    find_cell,
    find_piece,
    insert_entry,
    remove_entry,
    set_entry,
    take_from_hand,
    tile_bits,
)
from arena.games.pirates_ninjas_robots_zombies.choices import legal, list_hand
from arena.games.pirates_ninjas_robots_zombies.layout import (
    ALL_BASES,
    ALL_TILES,
    AT,
    AT_FACING,
    CHOSEN,
    DECLINE,
    FACE,
    FIRST_CELL,
    FIRST_FACING,
    FIRST_ICON_STAGE,
    HAND,
    HAND_SIZE,
    HAND_TILES,
    INCOMING,
    KNOWN,
    MOVE,
    MOVE_WHERE,
    MOVED,
    NO_END,
    NO_ICON,
    NO_PIECE,
    NOBODY,
    NUM_CHARACTERS,
    NUM_PLACED,
    NUM_SEATS,
    NUM_TILES,
    OWNER,
    PART_FRONT,
    PART_SIZE,
    PILE,
    PILE_WORDS,
    REPLACE_FACING,
    REPLACE_TAKE,
    REPLACE_WITH,
    SECOND_CELL,
    STAGE,
    SWAP_FACING_FIRST,
    SWAP_FACING_SECOND,
    SWAP_FIRST,
    SWAP_SECOND,
    TILE_WORDS,
    TILES,
    TURNS_LEFT,
    WHAT,
    WHERE,
)
from arena.games.pirates_ninjas_robots_zombies.regions import add_up
from arena.kernels.abi import (
    TERMINAL,
    TO_ACT,
    apply_kernel,
    deal_kernel,
    determinize_kernel,
    observe_kernel,
    returns_kernel,
    scores_kernel,
)
from arena.kernels.jit import count_ones, helper, kernel
from arena.kernels.rng import TABLE, below

__all__ = ["apply", "deal", "determinize", "legal", "observe", "replace", "returns", "scores", "swap"]

# The deal


@helper
def shuffle(items: Any, count: int, luck: Any) -> None:
    """Puts the first `count` items in a random order, every one equally likely."""
    for place in range(count - 1):
        other = place + below(luck, TABLE, count - place)
        item = items[other]
        items[other] = items[place]
        items[place] = item


@helper
def give_characters(state: Any, luck: Any) -> None:
    """Draws who has which characters: two each for two seats, one each for three or four ("Set-up")."""
    num_seats = state[NUM_SEATS]
    characters = np.arange(NUM_CHARACTERS)
    shuffle(characters, NUM_CHARACTERS, luck)
    for place in range(NUM_CHARACTERS):
        character = characters[place]
        seat = place >> 1 if num_seats == 2 else place
        if seat >= num_seats:
            state[OWNER + character] = NOBODY
            continue
        state[OWNER + character] = seat
        state[HAND + seat] |= 1 << (NUM_TILES + character)
        state[HAND_SIZE + seat] += 1


@helper
def set_pile(state: Any, place: int, number: int) -> None:
    """Puts a tile's number, or 0, at a place of the pile."""
    shift = 6 * (place & 7)
    word = PILE + (place >> 3)
    state[word] = (state[word] & ~(63 << shift)) | (number << shift)


@deal_kernel
def deal(state: Any, num_seats: int, options: Any, luck: Any) -> None:
    """Gives out characters, three tiles a seat, and the parts of the pile, all from the table's stream ("Set-up")."""
    state[:] = 0
    state[NUM_SEATS] = num_seats
    state[CHOSEN] = NO_PIECE
    state[INCOMING] = NO_PIECE
    state[TURNS_LEFT] = NO_END
    for word in range(TILE_WORDS):
        state[TILES + word] = options[word]
    give_characters(state, luck)
    tiles = np.arange(NUM_TILES)
    shuffle(tiles, NUM_TILES, luck)
    for seat in range(num_seats):
        state[HAND_SIZE + seat] += HAND_TILES
        for place in range(HAND_TILES):
            state[HAND + seat] |= 1 << tiles[HAND_TILES * seat + place]
    for place in range(NUM_TILES - HAND_TILES * num_seats):
        set_pile(state, place, tiles[HAND_TILES * num_seats + place] + 1)
        state[PART_SIZE + place % num_seats] += 1


# Play


@helper
def largest_part(state: Any) -> int:
    """Returns the part of the pile with the most tiles, of equals the lowest seat's."""
    largest = 0
    for seat in range(1, state[NUM_SEATS]):
        if state[PART_SIZE + seat] > state[PART_SIZE + largest]:
            largest = seat
    return largest


@helper
def draw(state: Any, seat: int) -> None:
    """Draws the first tile of the own part, or the last of the largest; the pile must not be empty ("A turn")."""
    num_seats = state[NUM_SEATS]
    part = seat
    round_ = state[PART_FRONT + seat]
    if state[PART_SIZE + seat] == 0:
        part = largest_part(state)
        round_ = state[PART_FRONT + part] + state[PART_SIZE + part] - 1
    else:
        state[PART_FRONT + seat] += 1
    state[PART_SIZE + part] -= 1
    place = part + num_seats * round_
    number = (state[PILE + (place >> 3)] >> (6 * (place & 7))) & 63
    set_pile(state, place, 0)
    state[HAND + seat] |= 1 << (number - 1)
    state[HAND_SIZE + seat] += 1


@helper
def pile_size(state: Any) -> int:
    """Returns how many tiles the pile has."""
    total = 0
    for seat in range(state[NUM_SEATS]):
        total += state[PART_SIZE + seat]
    return total


@kernel("void", "int64[::1]", "int64")
def end_turn(state: Any, has_moved: int) -> None:
    """Draws after a play, counts the final round, and hands on to the next seat ("A turn", "End")."""
    seat = state[TO_ACT]
    state[MOVED] = (state[MOVED] & ~(1 << seat)) | (has_moved << seat)
    state[STAGE] = WHAT
    state[CHOSEN] = NO_PIECE
    state[INCOMING] = NO_PIECE
    state[FIRST_CELL] = 0
    state[SECOND_CELL] = 0
    state[FIRST_FACING] = 0
    num_seats = state[NUM_SEATS]
    state[TO_ACT] = seat + 1 if seat + 1 < num_seats else 0
    if state[TURNS_LEFT] != NO_END:
        state[TURNS_LEFT] -= 1
        if state[TURNS_LEFT] == 0:
            state[TO_ACT] = TERMINAL
    elif has_moved == 0:
        draw(state, seat)
        if pile_size(state) == 0:
            state[TURNS_LEFT] = num_seats


@helper
def choose(state: Any, action: int) -> None:
    """Chooses the piece of the turn; a tile that is named is seen by all ("Decisions" 1)."""
    is_move = action >= MOVE
    piece = action - MOVE + NUM_TILES if is_move else action
    state[CHOSEN] = piece
    state[STAGE] = MOVE_WHERE if is_move else WHERE
    if piece < NUM_TILES:
        state[KNOWN + state[TO_ACT]] |= 1 << piece


@kernel("void", "int64[::1]", "int64")
def place_chosen(state: Any, place: int) -> None:
    """Plays the chosen piece at `cell << 2 | facing`, and opens the stage of its icon or ends the turn."""
    piece = state[CHOSEN]
    take_from_hand(state, state[TO_ACT], piece)
    insert_entry(state, (place << 6) | piece)
    icon = (tile_bits(state, piece) >> 16) & 3 if piece < NUM_TILES else NO_ICON
    if icon == NO_ICON:
        end_turn(state, 0)
    else:
        state[STAGE] = FIRST_ICON_STAGE + icon


@kernel("void", "int64[::1]", "int64")
def move_chosen(state: Any, place: int) -> None:
    """Moves the chosen base to `cell << 2`, and ends the turn without a draw."""
    remove_entry(state, find_piece(state, state[CHOSEN]))
    insert_entry(state, (place << 6) | state[CHOSEN])
    end_turn(state, 1)


@helper
def rotate(state: Any, place: int) -> None:
    """Turns the tile in a cell to a facing, given as `cell << 2 | facing`."""
    index = find_cell(state, place >> 2)
    set_entry(state, index, (place << 6) | (entry_at(state, index) & 63))


@helper
def swap(state: Any, second_facing: int) -> None:
    """Exchanges the pieces of the two cells, each in its new facing."""
    first = find_cell(state, state[FIRST_CELL])
    second = find_cell(state, state[SECOND_CELL])
    lower = entry_at(state, first) & 63
    upper = entry_at(state, second) & 63
    set_entry(state, first, (state[FIRST_CELL] << 8) | (second_facing << 6) | upper)
    set_entry(state, second, (state[SECOND_CELL] << 8) | (state[FIRST_FACING] << 6) | lower)


@helper
def replace(state: Any, facing: int) -> None:
    """Takes the piece of the cell into the hand, where a tile stays known, and puts the other one in its place."""
    seat = state[TO_ACT]
    index = find_cell(state, state[FIRST_CELL])
    taken = entry_at(state, index) & 63
    take_from_hand(state, seat, state[INCOMING])
    set_entry(state, index, (state[FIRST_CELL] << 8) | (facing << 6) | state[INCOMING])
    state[HAND + seat] |= 1 << taken
    state[KNOWN + seat] |= (1 << taken) & ALL_TILES
    state[HAND_SIZE + seat] += 1


@kernel("void", "int64[::1]", "int64")
def play_icon(state: Any, action: int) -> None:
    """Takes one decision of an icon's action ("Decisions and notation" 3)."""
    stage = state[STAGE]
    if stage == SWAP_FIRST and action != DECLINE:
        state[FIRST_CELL] = action - AT
        state[STAGE] = SWAP_SECOND
    elif stage == SWAP_SECOND:
        state[SECOND_CELL] = action - AT
        state[STAGE] = SWAP_FACING_FIRST
    elif stage == SWAP_FACING_FIRST:
        state[FIRST_FACING] = action - FACE
        state[STAGE] = SWAP_FACING_SECOND
    elif stage == REPLACE_TAKE and action != DECLINE:
        state[FIRST_CELL] = action - AT
        state[STAGE] = REPLACE_WITH
    elif stage == REPLACE_WITH:
        state[INCOMING] = action
        state[KNOWN + state[TO_ACT]] |= (1 << action) & ALL_TILES
        state[STAGE] = REPLACE_FACING
    else:
        if stage == SWAP_FACING_SECOND:
            swap(state, action - FACE)
        elif stage == REPLACE_FACING:
            replace(state, action - FACE)
        elif action != DECLINE:
            rotate(state, action - AT_FACING)
        end_turn(state, 0)


@apply_kernel
def apply(state: Any, action: int, luck: Any) -> None:
    """Takes one decision; chance has spoken at the deal, so luck is left alone."""
    stage = state[STAGE]
    if stage == WHAT:
        choose(state, action)
    elif stage == WHERE:
        place_chosen(state, action - AT_FACING)
    elif stage == MOVE_WHERE:
        move_chosen(state, action - AT_FACING)
    else:
        play_icon(state, action)


# Results


@scores_kernel
def scores(state: Any, out: Any) -> None:
    """Writes each seat's points as the layout lies ("Scoring")."""
    add_up(state, out)


@returns_kernel
def returns(state: Any, out: Any) -> None:
    """Writes each seat's share of the others beaten, ties counting half ("Scoring")."""
    num_seats = state[NUM_SEATS]
    totals = np.empty(num_seats, np.int64)
    add_up(state, totals)
    for seat in range(num_seats):
        twice = 0
        for other in range(num_seats):
            twice += (1 if totals[other] < totals[seat] else 0) + (1 if totals[other] <= totals[seat] else 0)
        out[seat] = 0.5 * (twice - 1) / (num_seats - 1)


# What a seat may know


@observe_kernel
def observe(state: Any, seat: int, out: Any) -> None:
    """Masks others' tiles, those that everybody has seen excepted, and the pile ("Who knows what")."""
    out[:] = state
    for other in range(state[NUM_SEATS]):
        if other != seat:
            out[HAND + other] &= state[KNOWN + other] | ALL_BASES
    for word in range(PILE_WORDS):
        out[PILE + word] = 0


@helper
def unseen_tiles(state: Any) -> int:
    """Returns the mask of the tiles that lie neither in play nor in a hand, as far as the vector shows."""
    seen = 0
    for index in range(state[NUM_PLACED]):
        seen |= 1 << (entry_at(state, index) & 63)
    for seat in range(state[NUM_SEATS]):
        seen |= state[HAND + seat]
    return ALL_TILES & ~seen


@determinize_kernel
def determinize(state: Any, seat: int, luck: Any) -> None:
    """Deals the unseen tiles to the gaps in other hands and to the pile, every way equally likely."""
    unseen = np.empty(NUM_TILES, np.int64)
    count = list_hand(unseen, unseen_tiles(state))
    shuffle(unseen, count, luck)
    num_seats = state[NUM_SEATS]
    dealt = 0
    for other in range(num_seats):
        gaps = state[HAND_SIZE + other] - count_ones(state[HAND + other])
        for _ in range(gaps):
            state[HAND + other] |= 1 << unseen[dealt]
            dealt += 1
    for part in range(num_seats):
        front = state[PART_FRONT + part]
        for round_ in range(front, front + state[PART_SIZE + part]):
            set_pile(state, part + num_seats * round_, unseen[dealt] + 1)
            dealt += 1
