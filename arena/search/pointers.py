"""A game's kernels as a table of addresses, so that one compiled search serves every game at one array's cost a call.

A table is int64[K], one address a kernel in the order of abi.SIGNATURES, then `reopen`; without compilation it is a
tuple of the functions themselves. In compiled code `LEGAL_AT(table[LEGAL])` is the kernel again, to be called.
Addresses hold for this process alone: a table is never stored or sent.

A game may have a module search.py with a kernel that only a search asks for:

    reopen(state, seat)   int64[W], int64: after `determinize`, takes back the choices that others have made in secret
                          from the seat, in moves that the rules hold to be simultaneous, so that it is their turn again
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


@evaluate_kernel
def no_opinion(state: Any, out: Any) -> None:
    """Writes an even chance for every seat: stands in where a game has no heuristic."""
    for seat in range(out.shape[0]):
        out[seat] = 0.5


@kernel("void", "int64[::1]", "int64")
def reopen_nothing(state: Any, seat: int) -> None:
    """Leaves the state as it is: stands in where no moves are simultaneous."""


def find_reopen(game: Game) -> Any | None:
    """Returns a game's `reopen`, or None where it has none."""
    place = f"{game.package}.search"
    return import_module(place).reopen if util.find_spec(place) else None


@cache
def kernel_table(game: Game) -> Table:
    """Returns the table of a game's kernels, made once a process."""
    kernels = kernels_of(game)
    functions: Sequence[Any] = kernels._replace(evaluate=kernels.evaluate or no_opinion)
    pairs = zip(SIGNATURES, functions, strict=True)
    addresses = [address_of(function, _signature(name)) for name, function in pairs]
    addresses.append(address_of(find_reopen(game) or reopen_nothing, REOPEN_SIGNATURE))
    return tuple(addresses) if IS_JIT_DISABLED else np.array(addresses, np.int64)
