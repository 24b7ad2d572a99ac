"""Kernels that list the legal actions, stage by stage ("Decisions and notation")."""

from typing import Any

from arena.games.pirates_ninjas_robots_zombies.board import (
    count_facings,
    entry_at,
    find_cell,
    find_piece,
    piece_sections,
)
from arena.games.pirates_ninjas_robots_zombies.layout import (
    AT,
    AT_FACING,
    CHOSEN,
    DECLINE,
    FACE,
    FIRST_CELL,
    HAND,
    INCOMING,
    MOVE,
    MOVE_WHERE,
    MOVED,
    NUM_CHARACTERS,
    NUM_PLACED,
    NUM_TILES,
    OWNER,
    REPLACE_FACING,
    REPLACE_TAKE,
    REPLACE_WITH,
    ROTATE,
    SECOND_CELL,
    STAGE,
    SWAP_FACING_FIRST,
    SWAP_FIRST,
    SWAP_SECOND,
    WHAT,
    WHERE,
)
from arena.games.pirates_ninjas_robots_zombies.places import can_move, list_places, list_targets
from arena.kernels.abi import TO_ACT, legal_kernel
from arena.kernels.jit import count_trailing_zeros, helper, kernel


@helper
def list_hand(out: Any, hand: int) -> int:
    """Lists the pieces of a hand."""
    count = 0
    while hand:
        out[count] = count_trailing_zeros(hand)
        hand &= hand - 1
        count += 1
    return count


@helper
def list_moves(state: Any, out: Any, count: int) -> int:
    """Lists the seat's own bases in play that have somewhere to go, unless it has just moved one ("A turn")."""
    seat = state[TO_ACT]
    if (state[MOVED] >> seat) & 1:
        return count
    for character in range(NUM_CHARACTERS):
        piece = NUM_TILES + character
        is_in_play = state[OWNER + character] == seat and (state[HAND + seat] >> piece) & 1 == 0
        if is_in_play and can_move(state, find_piece(state, piece)):
            out[count] = MOVE + character
            count += 1
    return count


@helper
def list_facings(out: Any, sections: int) -> int:
    """Lists the facings in which a piece looks different."""
    for facing in range(4):
        out[facing] = FACE + facing
    return count_facings(sections)


@helper
def list_cells(state: Any, out: Any, count: int, first: int, last: int) -> int:
    """Lists the cells at a range of places of the order."""
    for index in range(first, last):
        out[count] = AT + (entry_at(state, index) >> 8)
        count += 1
    return count


@kernel("int64", "int64[::1]", "int64[::1]")
def list_rotations(state: Any, out: Any) -> int:
    """Lists `-` and every other look of a tile in play, the one just played excepted ("A turn", rotate)."""
    out[0] = DECLINE
    count = 1
    for index in range(state[NUM_PLACED]):
        entry = entry_at(state, index)
        piece = entry & 63
        if piece == state[CHOSEN]:
            continue
        for facing in range(count_facings(piece_sections(state, piece))):
            out[count] = AT_FACING + ((entry >> 8) << 2) + facing
            count += 1 if facing != (entry >> 6) & 3 else 0
    return count


@kernel("int64", "int64[::1]", "int64[::1]")
def list_takings(state: Any, out: Any) -> int:
    """Lists `-` and the cells whose piece may be taken: all but opponents' bases ("A turn", replace)."""
    out[0] = DECLINE
    count = 1
    for index in range(state[NUM_PLACED]):
        entry = entry_at(state, index)
        character = (entry & 63) - NUM_TILES
        out[count] = AT + (entry >> 8)
        count += 1 if character < 0 or state[OWNER + character] == state[TO_ACT] else 0
    return count


@kernel("int64", "int64[::1]", "int64[::1]")
def list_icon_actions(state: Any, out: Any) -> int:
    """Lists what is legal at the stages that icons open ("Decisions and notation" 3)."""
    stage = state[STAGE]
    num_placed = state[NUM_PLACED]
    if stage == ROTATE:
        return list_rotations(state, out)
    if stage == REPLACE_TAKE:
        return list_takings(state, out)
    if stage == REPLACE_WITH:
        return list_hand(out, state[HAND + state[TO_ACT]])
    if stage == REPLACE_FACING:
        return list_facings(out, piece_sections(state, state[INCOMING]))
    if stage == SWAP_FIRST:
        out[0] = DECLINE
        return list_cells(state, out, 1, 0, num_placed - 1)
    first = find_cell(state, state[FIRST_CELL])
    if stage == SWAP_SECOND:
        return list_cells(state, out, 0, first + 1, num_placed)
    place = first if stage == SWAP_FACING_FIRST else find_cell(state, state[SECOND_CELL])
    return list_facings(out, piece_sections(state, entry_at(state, place) & 63))


@legal_kernel
def legal(state: Any, out: Any) -> int:
    """Lists the answers to the decision at hand ("Decisions and notation")."""
    seat = state[TO_ACT]
    if seat < 0:
        return 0
    stage = state[STAGE]
    if stage == WHAT:
        return list_moves(state, out, list_hand(out, state[HAND + seat]))
    if stage == WHERE:
        return list_places(state, out, piece_sections(state, state[CHOSEN]))
    if stage == MOVE_WHERE:
        return list_targets(state, out, find_piece(state, state[CHOSEN]))
    return list_icon_actions(state, out)
