"""What every part of the tests shares: the golden files and their flag, seeded hypothesis, programs run for real."""

import difflib
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

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


@pytest.fixture(scope="session")
def run_python() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Returns a function that runs a Python program in a process of its own, and fails where it fails."""

    def run(*arguments: str, env: dict[str, str] | None = None, check: bool = True, cwd: Path | None = None):
        done = subprocess.run(
            [sys.executable, *arguments],
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
