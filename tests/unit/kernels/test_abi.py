"""Every registered game's kernels have the signatures of the ABI, and nothing but kernels is compiled in them."""

import inspect

import pytest

from arena.games import all_games
from arena.kernels.abi import SIGNATURES
from arena.kernels.jit import IS_JIT_DISABLED, function_type
from arena.kernels.simulation import kernels_of

KERNELS = [(game, name) for game in all_games().values() for name in SIGNATURES]


@pytest.mark.parametrize(("game", "name"), KERNELS, ids=lambda value: getattr(value, "name", value))
def test_signature(game, name):
    compiled = getattr(kernels_of(game), name)
    if name == "evaluate" and not game.has_evaluate:
        assert compiled is None
        return
    plain = compiled if IS_JIT_DISABLED else compiled.py_func
    _, *arguments = SIGNATURES[name]
    assert len(inspect.signature(plain).parameters) == len(arguments)
    assert plain.__doc__, "a kernel says what it does"
    if not IS_JIT_DISABLED:
        returns, *_ = SIGNATURES[name]
        wanted = function_type(f"{returns}({', '.join(arguments)})").signature
        assert [tuple(found) for found in compiled.signatures] == [tuple(wanted.args)]
        assert compiled.get_compile_result(wanted).signature == wanted
