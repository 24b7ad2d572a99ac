"""Who imports whom (design.md, section 2): the contracts of pyproject.toml, and what a process really loads."""

import json
import tomllib

import pytest

import arena
from arena.games import all_games
from arena.games.conformance import Subject

HEAVY = {"numpy", "numba", "llvmlite", "ray", "sqlite3", "typer", "rich", "psutil", "jinja2", "trueskill", "scipy"}
LOADED = "import json, sys; print(json.dumps(sorted({name.split('.')[0] for name in sys.modules})))"
CORE = ["arena", *(f"arena.core.{name}" for name in ("bot", "clock", "game", "luck", "options", "record", "seeding"))]


@pytest.fixture
def loaded(run_python):
    """Returns a function that says which top-level modules a program loads."""

    def modules(program):
        return set(json.loads(run_python("-c", f"{program}\n{LOADED}").stdout.splitlines()[-1]))

    return modules


class TestContracts:
    def test_hold(self, run_python, request):
        program = "import sys; from importlinter.cli import lint_imports_command as lint; sys.argv = ['lint']; lint()"
        run = run_python("-c", program, cwd=request.config.rootpath, check=False)
        assert run.returncode == 0, run.stdout
        assert "0 broken" in run.stdout

    def test_are_those_of_the_design(self, request):
        """The layers are all there: a contract that forgets one holds without saying anything."""
        with (request.config.rootpath / "pyproject.toml").open("rb") as file:
            contracts = tomllib.load(file)["tool"]["importlinter"]["contracts"]
        layers = [word for contract in contracts for line in contract.get("layers", ()) for word in line.split()]
        folders = {path.parent.name for path in (request.config.rootpath / "arena").glob("*/__init__.py")}
        assert {f"arena.{folder}" for folder in folders} <= set(layers)
        assert {"arena.errors", "arena.tournament", "leaderboards"} <= set(layers)
        forbidden = {name for contract in contracts for name in contract.get("forbidden_modules", ())}
        assert {"numba", "ray", "sqlite3"} <= forbidden


class TestLoadedModules:
    """A child that runs a plain bot, and every command that does not play, load nothing heavy."""

    @pytest.mark.parametrize("module", [*CORE, "arena.core.spec", "arena.core.view", "arena.errors"])
    def test_core_is_light(self, loaded, module):
        assert not loaded(f"import {module}") & HEAVY

    @pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.name)
    def test_game_and_view_are_light(self, loaded, game):
        """Facts, notation, options, setup and the typed view need no arrays."""
        program = (
            f"from {game.package}.game import GAME\n"
            "GAME.view_type, GAME.encode_options(GAME.parse_options({})), GAME.rules_text()\n"
            "GAME.view_type.Fields.__struct_fields__\n"
        )
        assert not loaded(program) & HEAVY

    @pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.name)
    def test_view_is_decoded_without_arrays(self, loaded, game):
        """Every field of a view, its message and its picture's words, from bytes."""
        position = Subject(game, game.seats[0], 1).deal()
        state, legal = position.observed(0), position.legal
        program = (
            f"from {game.package}.game import GAME\n"
            "from arena.core.view import BotRandom\n"
            f"view = GAME.view_type(GAME, {state!r}, {game.seats[0]}, 0, 0, {legal!r}, (), BotRandom(1))\n"
            "assert view.message() and repr(view) and view.rng.random() >= 0\n"
        )
        assert not loaded(program) & HEAVY

    def test_public_names_load_when_they_are_asked_for(self, loaded):
        assert not loaded("from arena import Bot, View, Action, Move, MatchInfo, Result, Clock, Game") & HEAVY
        assert "numba" in loaded("from arena import lookahead")

    @pytest.mark.parametrize("bot", ["random"])
    def test_plain_bot_is_light(self, loaded, bot):
        assert not loaded(f"from arena.hosts.roster import load_bot; load_bot({bot!r})") & HEAVY

    def test_registries_are_light(self, loaded):
        program = "import arena.games, arena.hosts.roster as roster; arena.games.all_games(), roster.list_bots()"
        assert not loaded(program) & HEAVY

    def test_ray_is_loaded_by_its_executor_alone_and_late(self, loaded):
        assert "ray" not in loaded("import arena.executors.ray, arena.tournament, arena.store.store")

    def test_boards_load_no_ray(self, loaded):
        assert "ray" not in loaded("import leaderboards.board, leaderboards.from_store, leaderboards.live")


def test_public_names_are_all_there():
    for name in arena.__all__:
        assert getattr(arena, name) is not None
    assert set(arena.__all__) <= set(dir(arena))
    with pytest.raises(AttributeError, match="has no attribute 'Bots'"):
        arena.Bots  # noqa: B018
