"""What the programs that misbehave are made with: the protocol, a list of misdeeds, and how a leak is told."""

import contextlib
import ctypes
import json
import os
import sys

LIBC = ctypes.CDLL(None, use_errno=True)
MISDEEDS = {}
CHILDREN = []


def misdeed(function):
    MISDEEDS[function.__name__] = function
    return function


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def answer(request, **changes):
    say({"type": "act", "ply": request["ply"], "action": request["legal"][0], **changes})


def write(data):
    sys.stdout.flush()
    while data:
        data = data[os.write(1, data) :]


def leak(what):
    print("LEAK", what, file=sys.stderr, flush=True)


@contextlib.contextmanager
def refused(what):
    """What is done within should be refused; if it is not, that is a leak."""
    try:
        yield
    except (OSError, ValueError, AssertionError):
        return
    leak(what)
