"""Compiled and as plain Python the kernels do the same: whole matches, state by state, in processes of their own."""

import json

import pytest

from arena.kernels.jit import IS_JIT_DISABLED


@pytest.fixture(scope="module")
def plain(run_python, request):
    """What the program prints without compilation."""
    program = request.path.with_name("playthrough.py")
    printed = json.loads(run_python(str(program), env={"NUMBA_DISABLE_JIT": "1"}).stdout)
    assert printed["is_jit_disabled"] is True
    return printed["games"]


@pytest.fixture(scope="module")
def compiled(load_beside):
    return load_beside(__file__, "playthrough").with_digest


@pytest.mark.skipif(IS_JIT_DISABLED, reason="this run compiles nothing that could be compared")
def test_playthroughs_are_the_same_without_compilation(game, num_seats, plain, compiled):
    text, digest = compiled(game, num_seats)
    plain_text, plain_digest = plain[f"{game.name}-{num_seats}"]
    assert plain_text == text
    assert plain_digest == digest, "the plies are the same, and some state, luck, view or evaluation is not"
