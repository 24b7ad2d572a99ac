"""Kernels of Pirates vs. Ninjas; the sections named here are those of the rules page (rules.md).

A zone is a packed count (layout.py). Shapes as in kernels/abi.py; W is STATE_WORDS.
"""

from typing import Any

import numpy as np

from arena.games.pirates_vs_ninjas.layout import (
    ATTACK,
    CAPTAIN,
    CREDIT,
    CUP,
    DESTROYED,
    DICE,
    FACE_BITS,
    FIRST_PICK,
    GROUP,
    GUARDS,
    HERO,
    HIT,
    HIT_RANK,
    IDLE,
    IDLE_TURNS,
    NINJAS,
    NUM_RANKS,
    NUM_SIDES,
    ONES,
    PICK,
    PICKS,
    RALLY,
    RANK_BITS,
    RANK_MASK,
    ROGERS,
    ROLLED,
    SHRINE,
    SHRINE_DEBT,
    SPENT,
    STAGE,
    SUM_SHIFT,
    SYMBOL,
    WHAT,
    ZONE,
    dice,
    num_tails,
)
from arena.kernels.abi import (
    TERMINAL,
    TO_ACT,
    apply_kernel,
    deal_kernel,
    determinize_kernel,
    legal_kernel,
    observe_kernel,
    returns_kernel,
    scores_kernel,
)
from arena.kernels.jit import helper, kernel
from arena.kernels.rng import TABLE, below

# Tables: compiled code holds them as constants.
SPENT_DICE = np.array(SPENT)
HIT_DIE = np.array(HIT)
HIT_RANKS = np.array(HIT_RANK)
PICKED_DICE = np.array(PICKS)
# How many picks have the same digits before and 0 where a digit steps up: by ranks after it and dice left to them.
NUM_TAILS = np.array([[num_tails(num_ranks, left) for left in range(DICE + 1)] for num_ranks in range(NUM_RANKS)])
HEROLESS = num_tails(NUM_RANKS - 1, DICE)

HERO_SHIFT = RANK_BITS * (HERO - 1)
SYMBOL_SHIFT = RANK_BITS * (SYMBOL - 1)
ONE_HERO = dice(HERO)
ONE_SYMBOL = dice(SYMBOL)


@helper
def count_dice(packed: int) -> int:
    """Returns the number of dice of a packed count; no sum passes nine, so nothing carries from rank to rank."""
    return ((packed * ONES) >> SUM_SHIFT) & RANK_MASK


@helper
def count_rank(packed: int, rank: int) -> int:
    """Returns the number of dice of a rank."""
    return (packed >> (RANK_BITS * (rank - 1))) & RANK_MASK


@helper
def limit_heroes(zone: int) -> int:
    """Returns a zone in which all Heroes but one have become rank 1 ("Set-up", Hero limit)."""
    heroes = (zone >> HERO_SHIFT) & RANK_MASK
    surplus = heroes - 1 if heroes > 1 else 0
    return zone - surplus * ONE_HERO + surplus


@kernel("void", "int64[::1]", "int64", "int64", "uint64[::1]")
def roll(state: Any, side: int, num_dice: int, luck: Any) -> None:
    """Rolls dice of a side, from its own stream, into its zone beside what stands there."""
    zone = state[ZONE + side]
    for _ in range(num_dice):
        zone += 1 << (RANK_BITS * below(luck, side, NUM_RANKS))
    state[ZONE + side] = limit_heroes(zone)


@helper
def first_side(pirates: int, ninjas: int, luck: Any) -> int:
    """Returns who moves first: more rank 1s, then more rank 2s, and so on, then chance ("Set-up")."""
    for rank in range(1, NUM_RANKS + 1):
        lead = count_rank(pirates, rank) - count_rank(ninjas, rank)
        if lead != 0:
            return 0 if lead > 0 else 1
    return below(luck, TABLE, NUM_SIDES)


@deal_kernel
def deal(state: Any, num_seats: int, options: Any, luck: Any) -> None:
    """Rolls nine dice a side and keeps the faces as they fell, before the Hero limit ("Set-up")."""
    state[:] = 0
    for side in range(NUM_SIDES):
        zone = 0
        rolled = 0
        for place in range(DICE):
            index = below(luck, side, NUM_RANKS)
            zone += 1 << (RANK_BITS * index)
            rolled |= (index + 1) << (FACE_BITS * place)
        state[ROLLED + side] = rolled
        state[ZONE + side] = limit_heroes(zone)
    state[TO_ACT] = first_side(state[ZONE], state[ZONE + 1], luck)


@helper
def can_attack(own: int, enemy: int, side: int, action: int) -> bool:
    """Says whether the zones allow an attack: the dice it spends, and the die it destroys ("A turn").

    Subtracting from a zone with its guard bits set leaves a guard standing where the zone holds enough of a rank.
    """
    has_all = ((own | GUARDS) - SPENT_DICE[side * RALLY + action]) & ((enemy | GUARDS) - HIT_DIE[action])
    is_possible: bool = (has_all & GUARDS) == GUARDS
    if action == ROGERS:
        is_possible &= count_rank(own, SYMBOL) + count_rank(enemy, SYMBOL) > GROUP
    return is_possible


@kernel("int64", "int64", "int64", "int64[::1]")
def list_picks(zone: int, cup: int, out: Any) -> int:
    """Lists the choices of zone dice to roll beside the cup, ascending; at least one die must roll ("Rally").

    A digit that steps up skips all the picks with its old value and whatever follows: NUM_TAILS says how many.
    """
    ones = count_rank(zone, 1) + 1
    # With an empty cup the first pick, no dice at all, is overwritten by the second.
    count = 0 if cup > 0 else -1
    for hero in range(count_rank(zone, HERO) + 1):
        at_symbol, left_symbol = FIRST_PICK + hero * HEROLESS, DICE - hero
        for symbol in range(count_rank(zone, SYMBOL) + 1):
            at_four, left_four = at_symbol, left_symbol - symbol
            for four in range(count_rank(zone, 4) + 1):
                at_three, left_three = at_four, left_four - four
                for three in range(count_rank(zone, 3) + 1):
                    at_two, left_two = at_three, left_three - three
                    for two in range(count_rank(zone, 2) + 1):
                        for one in range(ones):
                            out[max(count, 0)] = at_two + one
                            count += 1
                        at_two += left_two - two + 1
                    at_three += NUM_TAILS[2, left_three - three]
                at_four += NUM_TAILS[3, left_four - four]
            at_symbol += NUM_TAILS[4, left_symbol - symbol]
    return count


@legal_kernel
def legal(state: Any, out: Any) -> int:
    """Lists what the decision at hand allows ("Decisions and notation")."""
    side = state[TO_ACT]
    if side < 0:
        return 0
    own = state[ZONE + side]
    if state[STAGE] == PICK:
        return list_picks(own, state[CUP + side], out)
    if state[STAGE] == WHAT and side == NINJAS and state[SHRINE_DEBT] != 0:
        out[0] = RALLY
        return 1
    enemy = state[ZONE + 1 - side]
    count = 0
    for action in range(RALLY):
        out[count] = action
        count += 1 if can_attack(own, enemy, side, action) else 0
    out[count] = RALLY
    return count + (1 if state[STAGE] == WHAT else 0)


@helper
def end_turn(state: Any, num_destroyed: int) -> None:
    """Passes the turn on, or ends the game: a side without dice, or five idle turns in a row ("End")."""
    other = 1 - state[TO_ACT]
    idle = 0 if num_destroyed > 0 else state[IDLE] + 1
    state[IDLE] = idle
    state[STAGE] = WHAT
    # Only the side whose turn it was not can have lost its last die: an attack leaves its own dice in the cup.
    is_over = idle == IDLE_TURNS or (state[ZONE + other] == 0 and state[CUP + other] == 0)
    state[TO_ACT] = TERMINAL if is_over else other


@helper
def fire_rogers(state: Any, side: int) -> int:
    """Destroys every rank 6 left in either zone and returns how many; own ones credit nobody ("End", ruling)."""
    total = 0
    for owner in range(NUM_SIDES):
        count = count_rank(state[ZONE + owner], SYMBOL)
        state[ZONE + owner] -= count * ONE_SYMBOL
        state[DESTROYED + owner] += count * ONE_SYMBOL
        state[CREDIT + side] += count * SYMBOL if owner != side else 0
        total += count
    return total


@helper
def attack(state: Any, action: int, luck: Any) -> None:
    """Carries out any attack and ends the turn ("A turn")."""
    side = state[TO_ACT]
    other = 1 - side
    spent = SPENT_DICE[side * RALLY + action]
    state[ZONE + side] -= spent
    state[CUP + side] += count_dice(spent)
    state[ZONE + other] -= HIT_DIE[action]
    state[DESTROYED + other] += HIT_DIE[action]
    state[CREDIT + side] += HIT_RANKS[action]
    num_destroyed = 1 if HIT_RANKS[action] > 0 else 0
    if action == CAPTAIN:
        num_dice = count_dice(state[ZONE + other]) + state[CUP + other]
        state[ZONE + other] = 0
        state[CUP + other] = 0
        roll(state, other, num_dice, luck)
    elif action == ROGERS:
        num_destroyed = fire_rogers(state, side)
    elif action == SHRINE:
        state[CUP + side] += count_dice(state[ZONE + side])
        state[ZONE + side] = 0
        state[SHRINE_DEBT] = 1
    end_turn(state, num_destroyed)


@helper
def any_attack(state: Any, side: int) -> bool:
    """Says whether a side has an attack."""
    found = False
    for action in range(RALLY):
        found |= can_attack(state[ZONE + side], state[ZONE + 1 - side], side, action)
    return found


@helper
def rally(state: Any, picked: int, luck: Any) -> None:
    """Rolls the whole cup and the picked zone dice; "After a Shrine" an attack follows, if there is one."""
    side = state[TO_ACT]
    num_dice = state[CUP + side] + count_dice(picked)
    state[ZONE + side] -= picked
    state[CUP + side] = 0
    roll(state, side, num_dice, luck)
    if side == NINJAS and state[SHRINE_DEBT] != 0:
        state[SHRINE_DEBT] = 0
        if any_attack(state, side):
            state[STAGE] = ATTACK
            return
    end_turn(state, 0)


@apply_kernel
def apply(state: Any, action: int, luck: Any) -> None:
    """Attacks, announces a rally, or rolls the picked dice."""
    if action >= FIRST_PICK:
        rally(state, PICKED_DICE[action - FIRST_PICK], luck)
    elif action == RALLY:
        state[STAGE] = PICK
    else:
        attack(state, action, luck)


@helper
def dice_left(state: Any, side: int) -> int:
    """Returns the dice of a side in its zone and its cup."""
    num_dice: int = count_dice(state[ZONE + side]) + state[CUP + side]
    return num_dice


@helper
def winning_side(state: Any) -> int:
    """Returns who has more dice left, then who destroyed more enemy rank, else -1 ("End").

    A side without dice has fewer than the other, so the same rule serves both endings.
    """
    lead = dice_left(state, 0) - dice_left(state, 1)
    if lead == 0:
        lead = state[CREDIT] - state[CREDIT + 1]
    return -1 if lead == 0 else (0 if lead > 0 else 1)


@scores_kernel
def scores(state: Any, out: Any) -> None:
    """Writes the dice that each side has left."""
    out[0] = dice_left(state, 0)
    out[1] = dice_left(state, 1)


@returns_kernel
def returns(state: Any, out: Any) -> None:
    """Writes 1 for a win, 0.5 for a draw, 0 for a loss."""
    winner = winning_side(state)
    out[0] = 0.5 if winner < 0 else 1.0 - winner
    out[1] = 1.0 - out[0]


@observe_kernel
def observe(state: Any, seat: int, out: Any) -> None:
    """Copies the state: nothing is hidden."""
    out[:] = state


@determinize_kernel
def determinize(state: Any, seat: int, luck: Any) -> None:
    """Leaves the state as it is: nothing is hidden, and what dice will fall is luck, not state."""
