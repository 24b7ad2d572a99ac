"""The example bots play every game legally where their interpreter or compiler is there."""

import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from arena import load_game
from arena.core.spec import Limits
from arena.games import all_games
from arena.hosts.program import Program
from arena.hosts.roster import list_bots
from arena.hosts.sandbox import resolve

EXAMPLES = Path(__file__).parents[2] / "bots" / "examples"
LIMITS = Limits(start_s=20.0, move_s=5.0, bank_s=5.0, memory_mb=512)


@pytest.fixture(params=["c", "javascript", "python", "shell"])
def example(request, table):
    place = table.bundle(name=request.param)
    shutil.copytree(EXAMPLES / request.param, place, dirs_exist_ok=True)
    if request.param == "c":
        if shutil.which("cc") is None:
            pytest.skip("there is no C compiler")
        command = ["cc", "-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-o", "plain", "plain.c"]
        subprocess.run(command, cwd=place, check=True, capture_output=True)
    described = tomllib.loads((place / "bot.toml").read_text())
    program = described["command"][0]
    if "/" not in program and shutil.which(program, path="/usr/local/bin:/usr/bin:/bin") is None:
        pytest.skip(f"{program} is not installed")
    assert set(described["games"]) == set(all_games())
    return Program(str(place), command=tuple(described["command"]))


def test_examples_play_every_game(table, example):
    level = resolve("auto")
    for name in all_games():
        seats = load_game(name).seats
        for players in sorted({seats[0], seats[-1]}):
            played = table.play([example] * players, level, game=name, limits=LIMITS)
            assert played.kinds == [None] * players, (name, played.details)


def test_examples_play_at_every_level(table, example, any_level):
    """What an interpreter reads when it starts is there at each of them: node wants OpenSSL's configuration."""
    played = table.play([example] * 2, any_level, game="connect_four", limits=LIMITS)
    assert played.kinds == [None, None], played.details


def test_examples_are_no_shipped_bots():
    assert not {bot.name for bot in list_bots()} & {"plain", "examples"}
