"""The cache of compiled kernels never goes stale, says when it fills, and is not needed.

Each process here compiles for itself or loads, as users' processes do; the games are small, so that it takes seconds.
"""

import os
import shutil
import time
from pathlib import Path

import pytest

import arena
from arena.kernels.jit import IS_JIT_DISABLED

pytestmark = pytest.mark.skipif(IS_JIT_DISABLED, reason="nothing is compiled in this run")

FIRST_COMPILE = "arena: compiling game kernels, once for this version"
WALK = """
from arena.games import load_game
from arena.kernels.simulation import Simulation
position = Simulation.from_deal(load_game("coin_race"), [], 2, 1)
start = position.scores()[0]
position.play(0)
print(position.scores()[0] - start)
"""
OPEN = """
from arena.games import load_game
from arena.kernels.simulation import Simulation
game = load_game("connect_four")
print(*game.setup(Simulation.from_deal(game, [3], 2, 1).words())["opening"])
"""
SPEAKING = {"ARENA_QUIET_COMPILE": ""}


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))


def test_third_party_helper_in_another_file(installed_game, run_python):
    """Cold it compiles and says so once; warm it loads without a word; after an edit the new rules hold."""
    folder, env = installed_game
    cold = run_python("-c", WALK, env=env | SPEAKING)
    assert cold.stdout.split() == ["1"]
    assert cold.stderr.count(FIRST_COMPILE) == len(cold.stderr.splitlines()) == 1
    warm = run_python("-c", WALK, env=env | SPEAKING)
    assert (warm.stdout, warm.stderr) == (cold.stdout, "")
    edit(folder / "steps.py", "STRIDE = 1", "STRIDE = 3")
    edited = run_python("-c", WALK, env=env | SPEAKING)
    assert edited.stdout.split() == ["3"]
    assert edited.stderr.count(FIRST_COMPILE) == 1


def test_own_kernel_in_another_file(tmp_path, run_python):
    """The chance that every deal calls is edited in a copy of the arena; without compilation it is the same."""
    source, copy = Path(arena.__file__).parent, tmp_path / "copy" / "arena"
    for part in ("core", "kernels", "games/connect_four"):
        shutil.copytree(source / part, copy / part, ignore=shutil.ignore_patterns("__pycache__"))
    for part in ("__init__.py", "errors.py", "games/__init__.py"):
        shutil.copy(source / part, copy / part)
    env = {"PYTHONPATH": str(copy.parent), "ARENA_CACHE_DIR": str(tmp_path / "cache")}

    def opening(**more):
        # From elsewhere: the working directory comes before PYTHONPATH, and may hold the original.
        return run_python("-c", OPEN, env=env | more, cwd=tmp_path).stdout.split()

    before = opening()
    assert before == opening(NUMBA_DISABLE_JIT="1") != ["7", "7", "7"]
    edit(copy / "kernels" / "rng.py", "return np.int64(product >> S32)", "return np.int64(bound - 1)")
    assert opening() == ["7", "7", "7"]


class TestWithoutCache:
    """A cache that cannot be written costs time, and nothing else."""

    @pytest.fixture
    def quick(self, tmp_path):
        """A program that compiles one small kernel."""
        program = tmp_path / "quick.py"
        program.write_text(
            "import numpy as np\n"
            "from arena.kernels.jit import kernel\n"
            "@kernel('int64', 'int64')\n"
            "def double(n):\n"
            "    return 2 * n\n"
            "print(double(21))\n"
        )
        return str(program)

    def test_writable(self, quick, run_python, tmp_path):
        run_python(quick, env={"ARENA_CACHE_DIR": str(tmp_path / "cache")}, unprivileged=True)
        assert list((tmp_path / "cache").glob("kernels/*/**/*.nbi"))

    def test_root_that_cannot_be_made(self, quick, run_python, tmp_path):
        (tmp_path / "file").touch()
        temporary = tmp_path / "temporary"
        temporary.mkdir()
        env = {"ARENA_CACHE_DIR": str(tmp_path / "file" / "cache"), "TMPDIR": str(temporary)}
        run = run_python(quick, env=env)
        assert run.stdout.split() == ["42"]
        assert not list(temporary.iterdir()), "what a process compiled for itself goes with it"

    @pytest.mark.parametrize("depth", ["cache", "cache/kernels", "cache/kernels/*"])
    def test_read_only_folder(self, quick, run_python, tmp_path, depth):
        env = {"ARENA_CACHE_DIR": str(tmp_path / "cache")}
        run_python("-c", "import arena.kernels.jit", env=env)
        (folder,) = tmp_path.glob(depth)
        if depth != "cache/kernels/*":
            shutil.rmtree(folder)
            folder.mkdir()
        folder.chmod(0o555)
        run = run_python(quick, env=env, unprivileged=True)
        folder.chmod(0o755)
        assert run.stdout.split() == ["42"]
        # Not beside the source, either, where numba would turn to next: there a cache can go stale.
        assert not list(tmp_path.glob("**/*.nbi"))


def test_old_caches_are_removed_and_recent_ones_kept(tmp_path, run_python):
    """All but the newest eight of those that nothing has used for a day."""
    root = tmp_path / "kernels"
    for number in range(20):
        folder = root / f"old{number:02}"
        folder.mkdir(parents=True)
        age = (2 if number < 15 else 0.5) * 86_400 + number
        os.utime(folder, (time.time() - age, time.time() - age))
    run_python("-c", "import arena.kernels.jit", env={"ARENA_CACHE_DIR": str(tmp_path)})
    kept = sorted(path.name for path in root.glob("old*"))
    assert kept == ["old00", "old01", "old02", "old15", "old16", "old17", "old18", "old19"]


INTERRUPTED = """
import os, signal, sys
from arena.kernels.jit import kernel

def interrupt(frame, event, argument):
    if event == "call" and frame.f_code.co_name.startswith("_raw_object_cache"):
        sys.setprofile(None)
        os.kill(os.getpid(), signal.SIGINT)

def double(n):
    return 2 * n

try:
    sys.setprofile(interrupt)
    double = kernel("int64", "int64")(double)
    print("went on")
except KeyboardInterrupt:
    print("interrupted")
"""


def test_interrupt_while_llvm_calls_back_is_not_lost(tmp_path, run_python):
    """Raised there, Ctrl-C would be printed as `Exception ignored`, and the program would go on."""
    program = tmp_path / "program.py"
    program.write_text(INTERRUPTED)
    done = run_python(str(program), env={"ARENA_CACHE_DIR": str(tmp_path / "cache"), "ARENA_QUIET_COMPILE": "1"})
    assert (done.stdout.split(), done.stderr) == (["interrupted"], "")
