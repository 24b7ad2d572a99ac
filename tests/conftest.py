"""What every part of the tests shares: the golden files and their flag, seeded hypothesis, programs run for real."""

import difflib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import programs as program_helpers
import pytest
from hypothesis import settings

GOLDEN = Path(__file__).parent / "golden"
FLAG = "--update-golden"

# Derandomized: a run that fails, fails again, on every machine. No deadline: a first example may compile kernels.
settings.register_profile("arena", derandomize=True, deadline=None, print_blob=False)
settings.load_profile("arena")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(FLAG, action="store_true", help="write the golden files anew instead of comparing with them")


@pytest.fixture(scope="session")
def update_golden(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are to be written anew."""
    return bool(request.config.getoption(FLAG))


@dataclass(frozen=True)
class Golden:
    """The golden files: readable texts under tests/golden, named by their path there."""

    is_updating: bool

    def check(self, name: str, text: str, refusal: Callable[[str], str | None] = lambda old: None) -> None:
        """Fails with a unified diff unless a golden file holds just this text; writes it under the flag.

        Args:
            name: the file's path under tests/golden.
            text: what it should hold.
            refusal: is given the old text where it differs, and says why it must not change, flag or no flag.
        """
        path = GOLDEN / name
        old = path.read_text(encoding="utf-8") if path.exists() else None
        if old == text:
            return
        reason = refusal(old) if old is not None else None
        if self.is_updating and reason is None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
            return
        if old is None:
            pytest.fail(f"there is no tests/golden/{name}; make it with `pytest {FLAG}`, read it, commit it", False)
        lines = difflib.unified_diff(old.splitlines(), text.splitlines(), f"golden/{name}", "now", lineterm="")
        advice = reason or f"where the change is meant, write the file anew with `pytest {FLAG}`"
        pytest.fail("\n".join([f"tests/golden/{name} differs: {advice}", *lines]), pytrace=False)


@pytest.fixture(scope="session")
def golden(update_golden: bool) -> Golden:
    """The golden files."""
    return Golden(update_golden)


# Root may write anywhere, so permissions cannot be tested as root. Without these capabilities root is a user like any
# other: CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, CAP_FOWNER (prctl 24 is PR_CAPBSET_DROP; exec then leaves them out).
UNPRIVILEGED = (
    "import ctypes, os, sys; prctl = ctypes.CDLL(None).prctl; [prctl(24, cap, 0, 0, 0) for cap in (1, 2, 3)]; "
    "os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
)


@pytest.fixture(scope="session")
def run_python() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Returns a function that runs a Python program in a process of its own, and fails where it fails.

    `unprivileged` runs it as a user who is stopped by permissions, also where the tests run as root.
    """

    def run(
        *arguments: str,
        env: dict[str, str] | None = None,
        check: bool = True,
        cwd: Path | None = None,
        unprivileged: bool = False,
    ) -> subprocess.CompletedProcess[str]:
        prefix = ["-c", UNPRIVILEGED] if unprivileged else []
        done = subprocess.run(
            [sys.executable, *prefix, *arguments],
            capture_output=True,
            text=True,
            encoding="utf-8",
            env={**os.environ, "ARENA_QUIET_COMPILE": "1", **(env or {})},
            cwd=cwd,
            timeout=300,
            check=False,
        )
        assert not check or done.returncode == 0, done.stderr
        return done

    return run


@pytest.fixture(scope="session")
def programs() -> ModuleType:
    """The helpers of tests/support/programs.py."""
    return program_helpers


@pytest.fixture
def arena(tmp_path: Path) -> program_helpers.Program:
    """The program `arena` in an empty folder."""
    return program_helpers.Program(tmp_path)


DATA = Path(__file__).parent / "data"
METADATA = "Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n"


@pytest.fixture
def installed_game(tmp_path: Path) -> tuple[Path, dict[str, str]]:
    """Installs the game of tests/data/third_party, and returns its folder and the environment in which it is there."""
    site = tmp_path / "site"
    source = DATA / "third_party" / "coin_race"
    shutil.copytree(source, site / "coin_race", ignore=shutil.ignore_patterns("__pycache__"))
    info = site / "coin_race-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(METADATA.format(name="coin_race"))
    (info / "entry_points.txt").write_text("[arena.games]\ncoin_race = coin_race.game:GAME\n")
    return site / "coin_race", {"PYTHONPATH": str(site), "ARENA_CACHE_DIR": str(tmp_path / "cache")}
