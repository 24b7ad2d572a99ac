"""Looks for what the processes that it was forked from may have left it; plays on whatever it finds."""

# ruff: noqa: PTH115

import os
import sys
from pathlib import Path

from arena import Action, Bot, View

OWN = ("pipe:", "/dev/null")
NUM_OWN = 5
"""Standard input, output and error, and the two ends of the protocol."""


def open_files() -> list[str]:
    found = []
    for fd in range(1024):
        try:
            found.append(os.readlink(f"/proc/self/fd/{fd}"))
        except OSError:
            continue
    return found


files = open_files()
if len(files) > NUM_OWN or not all(file.startswith(OWN) for file in files):
    print("LEAK open files", files, file=sys.stderr)
if b"SECRET" in Path("/proc/self/environ").read_bytes() or "SECRET" in str(os.environ):
    print("LEAK environment", file=sys.stderr)


class Looks(Bot[View]):
    def act(self, view: View) -> Action:
        return view.legal[0]
