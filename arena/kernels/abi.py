"""The kernel ABI: what a game's rules module must define, with which signatures.

Shapes, for every kernel of every game: W words a state, P seats, L luck words (rng.LUCK_WORDS), O option words,
A the most legal actions of a position.

    deal(state, num_seats, options, luck)   int64[W], int64, int64[O], uint64[L]: writes a fresh match
    legal(state, out) -> count              int64[W], int64[A]: ascending action ids; 0 when the match is over
    apply(state, action, luck)              int64[W], int64, uint64[L]: the action and all chance that it triggers;
                                            the action is taken to be legal, unchecked
    scores(state, out)                      int64[W], int64[P]: points so far, by seat
    returns(state, out)                     int64[W], float64[P]: utility of each seat in [0, 1] from the ranks by
                                            the result of a finished match, ties shared
    observe(state, seat, out)               int64[W], int64, int64[W]: what that seat may know
    determinize(state, seat, luck)          int64[W], int64, uint64[L]: fills what `observe` masked, uniformly among
                                            the states that agree with it
    evaluate(state, out)                    int64[W], float64[P]: estimated `returns`; optional, in evaluate.py

`state[0]` is the seat to act, or TERMINAL.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from arena.core.game import Game
from arena.kernels.jit import IS_JIT_DISABLED, function_type, kernel

TO_ACT = 0
TERMINAL = -1

SIGNATURES: dict[str, tuple[str, ...]] = {
    "deal": ("void", "int64[::1]", "int64", "int64[::1]", "uint64[::1]"),
    "legal": ("int64", "int64[::1]", "int64[::1]"),
    "apply": ("void", "int64[::1]", "int64", "uint64[::1]"),
    "scores": ("void", "int64[::1]", "int64[::1]"),
    "returns": ("void", "int64[::1]", "float64[::1]"),
    "observe": ("void", "int64[::1]", "int64", "int64[::1]"),
    "determinize": ("void", "int64[::1]", "int64", "uint64[::1]"),
    "evaluate": ("void", "int64[::1]", "float64[::1]"),
}


def _pointer(name: str) -> Any:
    returns, *arguments = SIGNATURES[name]
    return None if IS_JIT_DISABLED else function_type(f"{returns}({', '.join(arguments)})")


DEAL, LEGAL, APPLY = _pointer("deal"), _pointer("legal"), _pointer("apply")
SCORES, RETURNS, OBSERVE = _pointer("scores"), _pointer("returns"), _pointer("observe")
DETERMINIZE, EVALUATE = _pointer("determinize"), _pointer("evaluate")

deal_kernel = kernel(*SIGNATURES["deal"])
legal_kernel = kernel(*SIGNATURES["legal"])
apply_kernel = kernel(*SIGNATURES["apply"])
scores_kernel = kernel(*SIGNATURES["scores"])
returns_kernel = kernel(*SIGNATURES["returns"])
observe_kernel = kernel(*SIGNATURES["observe"])
determinize_kernel = kernel(*SIGNATURES["determinize"])
evaluate_kernel = kernel(*SIGNATURES["evaluate"])


class Kernels(NamedTuple):
    """The compiled rules of one game; see the module's table."""

    deal: Callable[..., None]
    legal: Callable[..., int]
    apply: Callable[..., None]
    scores: Callable[..., None]
    returns: Callable[..., None]
    observe: Callable[..., None]
    determinize: Callable[..., None]
    evaluate: Callable[..., None] | None


def load_kernels(game: Game) -> Kernels:
    """Loads a game's kernels from its folder, compiling them where the disk cache has none.

    Raises:
        AttributeError: the rules module lacks one of the kernels.
    """
    rules = import_module(f"{game.package}.rules")
    loaded = {name: getattr(rules, name) for name in SIGNATURES if name != "evaluate"}
    evaluate = import_module(f"{game.package}.evaluate").evaluate if game.has_evaluate else None
    return Kernels(**loaded, evaluate=evaluate)
