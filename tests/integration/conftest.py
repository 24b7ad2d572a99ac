"""The program, run for real, and two installed bots that fail in ways that are no fault of theirs."""

from pathlib import Path

import pytest

BOTS = """
import os
import signal

import arena


class _Drawing(arena.Bot):
    def start(self, match):
        self.match = match.match

    def act(self, view):
        if self.match[0] in "01":
            self.fail()
        return view.legal[int(view.rng.random() * len(view.legal))]


class Hungry(_Drawing):
    "The machine has no memory left in one match of eight."

    def fail(self):
        raise MemoryError("no memory left for this match")


class Killer(_Drawing):
    "Its process is killed from outside in one match of eight."

    def fail(self):
        os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture(scope="session")
def plugins(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for PYTHONPATH with an installed distribution that brings the bots `hungry` and `killer`."""
    folder = tmp_path_factory.mktemp("plugins")
    (folder / "failing_bots.py").write_text(BOTS)
    info = folder / "failing_bots-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: failing-bots\nVersion: 1.0\n")
    entries = "[arena.bots]\nhungry = failing_bots:Hungry\nkiller = failing_bots:Killer\n"
    (info / "entry_points.txt").write_text(entries)
    return folder
