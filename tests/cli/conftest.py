"""The program, run for real; a database with results that tests read and none writes."""

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest


def _load_programs() -> ModuleType:
    """Loads programs.py, once for all folders that use it."""
    name = "arena_test_programs"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, Path(__file__).parents[1] / "cli" / "programs.py")
        sys.modules[name] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules[name]


@pytest.fixture(scope="session")
def programs() -> ModuleType:
    """The helpers of tests/cli/programs.py."""
    return _load_programs()


@pytest.fixture
def arena(programs: ModuleType, tmp_path: Path) -> Callable:
    """The program in an empty folder."""
    return programs.Program(tmp_path)


@pytest.fixture(scope="session")
def played(programs: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Callable:
    """The program in a folder whose database holds two runs, `ninjan` and `four`; not to be written to."""
    program = programs.Program(tmp_path_factory.mktemp("played"))
    inline = ("--executor", "inline", "--seed", "1")
    program("run", "connect_four", "random", "greedy", "--deals", "2", "--name", "four", *inline)
    program("run", "ninjan", "random", "greedy", "random#2", "--deals", "6", *inline)
    return program
