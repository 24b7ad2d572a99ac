"""The same levels for a user without privileges; run as root, who can become one."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from arena.hosts.launch import import_path
from arena.hosts.sandbox.limits import can_everyone_enter

NOBODY = 65_534
SCRIPT = Path(__file__).parent / "programs" / "matches.py"

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or os.geteuid() != 0, reason="only root can become another user"
)


def usable_python():
    """Returns an interpreter of this version that every user may run."""
    for candidate in (
        sys.executable,
        shutil.which(f"python3.{sys.version_info.minor}", path="/usr/local/bin:/usr/bin"),
    ):
        if candidate and can_everyone_enter(candidate):
            return candidate
    return None


def run_as_nobody(level, what):
    """Runs the script of matches as a user without privileges; returns the lines that it prints."""
    python = usable_python()
    needed = [path for path in import_path() if Path(path).name == "site-packages"]
    if python is None or not all(map(can_everyone_enter, [*needed, str(SCRIPT)])):
        pytest.skip("no interpreter or no packages here that every user may read")
    with tempfile.TemporaryDirectory(prefix="arena-test-") as home:
        os.chown(home, NOBODY, NOBODY)
        done = subprocess.run(
            [python, "-S", str(SCRIPT), level, "\n".join(import_path()), what],
            user=NOBODY,
            group=NOBODY,
            extra_groups=[],
            env={"PATH": os.defpath, "HOME": home, "TMPDIR": home, "NUMBA_DISABLE_JIT": "1"},
            cwd="/",
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    if done.stdout.startswith("3 "):
        pytest.skip(done.stdout)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("level", ["isolated", "process", "trusted"])
def test_match_is_played_without_privileges(level):
    assert run_as_nobody(level, "kinds") == [f"({NOBODY}, [None, None])"] * 2


@pytest.mark.parametrize("level", ["isolated", "process"])
def test_one_bots_threads_are_not_taken_from_another(level):
    """Each may have 64; the kernel counts those of a user together, unless it is told otherwise."""
    assert run_as_nobody(level, "starts_fifty_threads") == ["[None, None]"]


@pytest.mark.parametrize(
    ("level", "fault"),
    [
        ("isolated", "no_start: exited with code 1"),
        ("process", "no_start: started more than 64 processes and threads"),
    ],
)
def test_threads_are_limited_without_privileges(level, fault):
    assert run_as_nobody(level, "starts_a_hundred_threads") == [str([fault, fault])]
