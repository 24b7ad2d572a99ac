"""A folder for what Ray writes, gone when this process is, and Ray's processes with it.

Ray leaves its logs and sockets behind for ever; and after a kill -9 of the process that started it, two of its helpers
live on (measured: minutes). So a child of ours, which does nothing but wait, sees to both.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# Sockets lie deep in the folder, and their paths may have 107 bytes: $TMPDIR can be too long for that.
MAX_ROOT = 24

# The child's standard input ends when its parent does, however that dies. Whoever has a file of the folder open is
# Ray's, but for the parent itself, which may have much left to do: titles, groups and environments of Ray's processes
# tell nothing. One that is just dying may write again after the folder was removed, so the child looks several times.
GUARD = """
import os, shutil, signal, sys, time

def is_open(process, folder):
    try:
        files = os.scandir(f"/proc/{process}/fd")
        return any(os.readlink(file.path).startswith(folder) for file in files)
    except OSError:
        return False

folder, parent = sys.argv[1:]
sys.stdin.buffer.read()
until = time.monotonic() + 30
times_gone = 0
while times_gone < 5 and time.monotonic() < until:
    others = [p for p in os.listdir("/proc") if p.isdigit() and p != parent] if os.path.isdir("/proc") else []
    for process in others:
        if is_open(process, folder + "/"):
            try:
                os.kill(int(process), signal.SIGKILL)
            except OSError:
                pass
    times_gone = 0 if os.path.lexists(folder) else times_gone + 1
    shutil.rmtree(folder, ignore_errors=True)
    time.sleep(0.1)
"""


class Scratch:
    """A new folder and the process that removes it."""

    def __init__(self) -> None:
        root = Path(tempfile.gettempdir())
        if len(str(root)) > MAX_ROOT and Path("/tmp").is_dir():
            root = Path("/tmp")
        self.path = Path(tempfile.mkdtemp(prefix="arena-ray-", dir=root))
        self._guard = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", GUARD, str(self.path), str(os.getpid())],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            # Ctrl-C in a terminal reaches a whole group of processes, and this one must outlive it.
            start_new_session=True,
            cwd="/",
        )

    def close(self) -> None:
        """Removes the folder, and leaves what is written late to the guard."""
        shutil.rmtree(self.path, ignore_errors=True)
        if self._guard.stdin is not None:
            self._guard.stdin.close()
