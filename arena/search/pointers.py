"""A game's kernels as a table of addresses, so that one compiled search serves every game at one array's cost a call.

A table is int64[K], one address a kernel in the order of abi.SIGNATURES, then `reopen` and `order`; without compilation
it is a tuple of the functions themselves. In compiled code `LEGAL_AT(table[LEGAL])` is the kernel again, to be called.
Addresses hold for this process alone: a table is never stored or sent.

A game may have a module search.py with what only a search asks for, each of it optional:

    reopen(state, seat)   int64[W], int64: after `determinize`, takes back the choices that others have made in secret
                          from the seat, in moves that the rules hold to be simultaneous, so that it is their turn again
    order(state, actions, count, out) -> int64
                          int64[W], int64[A], int64, float64[A]: writes a score for each of `count` legal actions, and
                          returns 1; a search tries higher scores first. Returns 0 for no opinion at this decision
    TUNED                 settings of a search (SearchSettings) that serve the game best, by name
"""

from collections.abc import Sequence
from functools import cache
from importlib import import_module, util
from typing import Any

import numpy as np
import numpy.typing as npt

from arena.core.game import Game
from arena.kernels.abi import SIGNATURES, evaluate_kernel
from arena.kernels.jit import IS_JIT_DISABLED, address_of, function_at, kernel
from arena.kernels.simulation import kernels_of

Table = npt.NDArray[np.int64] | tuple[Any, ...]

LEGAL, APPLY, RETURNS, OBSERVE, DETERMINIZE, EVALUATE = (
    list(SIGNATURES).index(name) for name in ("legal", "apply", "returns", "observe", "determinize", "evaluate")
)
REOPEN = len(SIGNATURES)
ORDER = REOPEN + 1


def _signature(name: str) -> str:
    returns, *arguments = SIGNATURES[name]
    return f"{returns}({', '.join(arguments)})"


LEGAL_AT = function_at(_signature("legal"))
APPLY_AT = function_at(_signature("apply"))
RETURNS_AT = function_at(_signature("returns"))
OBSERVE_AT = function_at(_signature("observe"))
DETERMINIZE_AT = function_at(_signature("determinize"))
EVALUATE_AT = function_at(_signature("evaluate"))
REOPEN_SIGNATURE = "void(int64[::1], int64)"
REOPEN_AT = function_at(REOPEN_SIGNATURE)
ORDER_SIGNATURE = "int64(int64[::1], int64[::1], int64, float64[::1])"
ORDER_AT = function_at(ORDER_SIGNATURE)


@evaluate_kernel
def no_opinion(state: Any, out: Any) -> None:
    """Writes an even chance for every seat: stands in where a game has no heuristic."""
    for seat in range(out.shape[0]):
        out[seat] = 0.5


@kernel("void", "int64[::1]", "int64")
def reopen_nothing(state: Any, seat: int) -> None:
    """Leaves the state as it is: stands in where no moves are simultaneous."""


@kernel("int64", "int64[::1]", "int64[::1]", "int64", "float64[::1]")
def order_nothing(state: Any, actions: Any, count: int, out: Any) -> int:
    """Has no opinion: stands in where a game orders no actions."""
    return 0


def find_advice(game: Game, name: str) -> Any | None:
    """Returns what a game's module search.py has under a name, or None: its kernels and TUNED are all optional."""
    place = f"{game.package}.search"
    return getattr(import_module(place), name, None) if util.find_spec(place) else None


@cache
def kernel_table(game: Game) -> Table:
    """Returns the table of a game's kernels, made once a process."""
    kernels = kernels_of(game)
    functions: Sequence[Any] = kernels._replace(evaluate=kernels.evaluate or no_opinion)
    pairs = zip(SIGNATURES, functions, strict=True)
    addresses = [address_of(function, _signature(name)) for name, function in pairs]
    addresses.append(address_of(find_advice(game, "reopen") or reopen_nothing, REOPEN_SIGNATURE))
    addresses.append(address_of(find_advice(game, "order") or order_nothing, ORDER_SIGNATURE))
    return tuple(addresses) if IS_JIT_DISABLED else np.array(addresses, np.int64)
