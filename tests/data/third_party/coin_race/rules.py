"""Kernels of Coin Race: on each ply a seat walks, or tosses a coin to come further or stay."""

from typing import Any

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
from arena.kernels.rng import below
from coin_race.layout import GOAL, HEAD_START, NEAR, NUM_SEATS, PLACE, TOSS, WALK
from coin_race.steps import stride


@deal_kernel
def deal(state: Any, num_seats: int, options: Any, luck: Any) -> None:
    """Gives every seat a start of its own."""
    state[:] = 0
    state[NUM_SEATS] = num_seats
    for seat in range(num_seats):
        state[PLACE + seat] = below(luck, seat, HEAD_START)


@legal_kernel
def legal(state: Any, out: Any) -> int:
    """Lists both actions, far from the goal; near it nobody tosses."""
    seat = state[TO_ACT]
    if seat < 0:
        return 0
    out[0] = WALK
    out[1] = TOSS
    return 2 if state[PLACE + seat] < NEAR else 1


@apply_kernel
def apply(state: Any, action: int, luck: Any) -> None:
    """Walks, or goes two strides or none by a coin of the seat's own."""
    seat = state[TO_ACT]
    length = stride(0)
    if action == TOSS:
        length = stride(1) if below(luck, seat, 2) == 1 else 0
    place = state[PLACE + seat] + length
    state[PLACE + seat] = place
    following = seat + 1 if seat + 1 < state[NUM_SEATS] else 0
    state[TO_ACT] = TERMINAL if place >= GOAL else following


@scores_kernel
def scores(state: Any, out: Any) -> None:
    """Writes how far each seat has come."""
    for seat in range(state[NUM_SEATS]):
        out[seat] = state[PLACE + seat]


@returns_kernel
def returns(state: Any, out: Any) -> None:
    """Writes each seat's share of the others outrun, ties counting half."""
    num_seats = state[NUM_SEATS]
    for seat in range(num_seats):
        twice = 0
        for other in range(num_seats):
            twice += state[PLACE + other] < state[PLACE + seat]
            twice += state[PLACE + other] <= state[PLACE + seat]
        out[seat] = 0.5 * (twice - 1) / (num_seats - 1)


@observe_kernel
def observe(state: Any, seat: int, out: Any) -> None:
    """Copies the state: nothing is hidden."""
    out[:] = state


@determinize_kernel
def determinize(state: Any, seat: int, luck: Any) -> None:
    """Leaves the state as it is: nothing is hidden."""
