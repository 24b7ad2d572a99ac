"""A game's kernels as a table of addresses, so that one compiled search serves every game at one array's cost a call.

A table is int64[K], one address a kernel in the order of abi.SIGNATURES; without compilation it is a tuple of the
functions themselves. In compiled code `LEGAL_AT(table[LEGAL])` is the kernel again, callable like any function.
Addresses hold for this process alone: a table is never stored or sent.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from arena.core.game import Game
from arena.kernels.abi import SIGNATURES, evaluate_kernel
from arena.kernels.jit import IS_JIT_DISABLED, address_of, function_at
from arena.kernels.simulation import kernels_of

Table = npt.NDArray[np.int64] | tuple[Any, ...]

LEGAL, APPLY, RETURNS, OBSERVE, DETERMINIZE, EVALUATE = (
    list(SIGNATURES).index(name) for name in ("legal", "apply", "returns", "observe", "determinize", "evaluate")
)


def _signature(name: str) -> str:
    returns, *arguments = SIGNATURES[name]
    return f"{returns}({', '.join(arguments)})"


LEGAL_AT = function_at(_signature("legal"))
APPLY_AT = function_at(_signature("apply"))
RETURNS_AT = function_at(_signature("returns"))
OBSERVE_AT = function_at(_signature("observe"))
DETERMINIZE_AT = function_at(_signature("determinize"))
EVALUATE_AT = function_at(_signature("evaluate"))


@evaluate_kernel
def no_opinion(state: Any, out: Any) -> None:
    """Writes an even chance for every seat: stands in where a game has no heuristic."""
    for seat in range(out.shape[0]):
        out[seat] = 0.5


@cache
def kernel_table(game: Game) -> Table:
    """Returns the table of a game's kernels, made once a process."""
    kernels = kernels_of(game)
    functions: Sequence[Any] = kernels._replace(evaluate=kernels.evaluate or no_opinion)
    pairs = zip(SIGNATURES, functions, strict=True)
    addresses = tuple(address_of(function, _signature(name)) for name, function in pairs)
    return addresses if IS_JIT_DISABLED else np.array(addresses, np.int64)
