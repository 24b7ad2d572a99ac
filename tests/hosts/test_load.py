"""No fair bot loses on time through our doing, with every core busy and no bank to draw on."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.hosts.launch import import_path
from arena.hosts.sandbox import probe

SCRIPT = Path(__file__).parent / "programs" / "matches.py"
LEVEL = next((offer.name for offer in probe() if offer.level), None)


@pytest.mark.skipif(LEVEL is None, reason="this machine offers no sandbox")
@pytest.mark.parametrize("num_matches", [40, pytest.param(2000, marks=pytest.mark.slow)])
def test_bots_that_answer_in_a_millisecond_never_time_out(num_matches):
    """cases.md A13. Each core has an engine of its own, with a match of two bots that think on the processor."""
    cores = os.cpu_count() or 1
    each = -(-num_matches // cores)
    command = [sys.executable, str(SCRIPT), LEVEL, "\n".join(import_path()), str(each)]
    engines = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(cores)]
    ends = [engine.communicate()[0] for engine in engines]
    assert ends == [f"{each} []\n"] * cores
