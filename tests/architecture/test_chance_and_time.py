"""What decides anything draws chance from luck and seeds, and reads no clock (design.md, rule 1)."""

import ast
from pathlib import Path

import pytest

import arena
import leaderboards

ARENA, BOARDS = Path(arena.__file__).parent, Path(leaderboards.__file__).parent
FOLDERS = [*(ARENA / name for name in ("core", "kernels", "games", "match", "schedule", "search")), BOARDS / "ratings"]
SOURCES = [path for folder in FOLDERS for path in sorted(folder.rglob("*.py"))]
BANNED = {"time", "datetime", "uuid", "secrets"}  # modules
# The one clock that is passed in, the age of cache folders, the seed of a run that was given none.
ALLOWED = {("core/clock.py", "time"), ("kernels/jit.py", "time"), ("core/seeding.py", "secrets")}


def uses(tree: ast.AST):
    """Yields what a module imports of the banned, and what it takes from `random` and `numpy.random`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] in BANNED)
        elif isinstance(node, ast.ImportFrom) and node.module:
            if node.module.split(".")[0] in BANNED:
                yield node.module
            if node.module in ("random", "numpy.random"):
                yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Attribute):
            owner = ast.unparse(node.value)
            if owner in ("random", "np.random", "numpy.random"):
                yield f"{owner}.{node.attr}"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: "/".join(path.parts[-3:]))
def test_no_global_generator_and_no_clock(path):
    """`random.Random` is a private generator, and so is what `np.random.default_rng` makes of a seed."""
    where = path.relative_to(ARENA).as_posix() if path.is_relative_to(ARENA) else path.name
    private = {"random.Random", "np.random.default_rng", "np.random.Generator", "np.random.PCG64"}
    found = [name for name in uses(ast.parse(path.read_text(encoding="utf-8"))) if name not in private]
    assert [name for name in found if (where, name) not in ALLOWED] == []
