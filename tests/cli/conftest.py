"""The program, run for real; a database with results that tests read and none writes."""

from collections.abc import Callable
from types import ModuleType

import pytest


@pytest.fixture(scope="session")
def played(programs: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Callable:
    """The program in a folder whose database holds two runs, `ninjan` and `four`; not to be written to."""
    program = programs.Program(tmp_path_factory.mktemp("played"))
    inline = ("--executor", "inline", "--seed", "1")
    program("run", "connect_four", "random", "greedy", "--deals", "2", "--name", "four", *inline)
    program("run", "ninjan", "random", "greedy", "random#2", "--deals", "6", *inline)
    return program
