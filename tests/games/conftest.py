"""Every registered game at every number of seats: `game` and `num_seats` of a test are filled in from the registry."""

import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from arena.games import all_games
from arena.kernels.simulation import Simulation


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    wanted = {"game", "num_seats"} & set(metafunc.fixturenames)
    if wanted == {"game", "num_seats"}:
        pairs = [(game, num) for game in all_games().values() for num in game.seats]
        metafunc.parametrize(("game", "num_seats"), pairs, ids=[f"{game.name}-{num}" for game, num in pairs])
    elif wanted == {"game"}:
        metafunc.parametrize("game", all_games().values(), ids=lambda game: game.name)


@pytest.fixture(scope="session")
def load_beside() -> Callable[[str, str], ModuleType]:
    """Returns a function that loads a helper module by its file's name, beside a test file."""

    def load(test_file: str, name: str) -> ModuleType:
        path = Path(test_file).with_name(f"{name}.py")
        spec = importlib.util.spec_from_file_location(f"{path.parent.name}_{name}", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return load


@pytest.fixture(scope="session")
def deal() -> Callable[..., Simulation]:
    """Returns a function that makes the first position of a match, options as typed."""

    def make(game: Any, num_seats: int, seed: int, **options: str) -> Simulation:
        words = game.encode_options(game.parse_options(options))
        return Simulation.from_deal(game, words, num_seats, seed)

    return make
