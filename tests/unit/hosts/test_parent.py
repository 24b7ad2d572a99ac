"""What the process that bots are forked from has loaded, and what it leaves to be loaded when it is asked for."""

import sys

import pytest

from arena import load_game
from arena.errors import UnknownName
from arena.games import all_games
from arena.hosts.known_game import known_game
from arena.hosts.launch import BOOT, import_path

WARM = """
from arena.hosts.keeper import warm
from arena.hosts.orders import Preload
warm(Preload("ninjan"))
print(*sorted(name for name in sys.modules if name.startswith("arena.games.") and name.endswith(".game")))
print(type(sys.modules["importlib.metadata"]).__name__, "email" in sys.modules)
from importlib import metadata, resources
print(metadata.version("msgspec"), resources.files("arena.games.ninjan").joinpath("rules.md").is_file())
import arena
print(*sorted(game.name for game in map(arena.load_game, ("c4", "pvn"))))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the sandbox needs Linux")
def test_parent_is_warm_with_its_game_alone_and_all_else_is_there_when_asked_for(run_python):
    boot = BOOT.replace("main(int(sys.argv[1]))", "")
    done = run_python("-s", "-P", "-S", "-c", boot + WARM, "0", "\n".join(import_path()))
    games, lazy, asked, others = done.stdout.splitlines()
    assert games == "arena.games.ninjan.game"
    assert lazy == "_LazyModule False", "the metadata of all installed packages are not looked through"
    assert asked.endswith(" True") and asked[0].isdigit()
    assert others == "connect_four pirates_vs_ninjas"


def test_known_game_is_the_registered_one():
    for name, game in all_games().items():
        assert known_game(name) is game is load_game(name)
    with pytest.raises(UnknownName):
        known_game("no_such_game")
