"""What a Python bot says of its options when it is tried out: they are its identity, and it may say anything."""

import pytest

from arena.core.options import FilledIn
from arena.core.spec import Limits
from arena.hosts.base import Unusable
from arena.hosts.program import Program
from arena.hosts.subprocess import SubprocessHost

pytestmark = pytest.mark.usefixtures("nothing_left")

LIMITS = Limits(start_s=20.0, memory_mb=256)
FORGER = """
import os
import sys
from pathlib import Path

import arena

frame = sys._getframe()
while not hasattr(frame.f_locals.get("self"), "wire"):
    frame = frame.f_back
os.write(frame.f_locals["self"].wire.target, Path(__file__).with_name("said").read_bytes())


class Forger(arena.Bot):
    def act(self, view):
        return view.legal[0]
"""
FORGED = {
    "no message": b"\x1b[31mhello\xff\n",
    "another message": b'{"type":"ready"}\n',
    "an action": b'{"type":"act","ply":0,"action":0}\n',
    "a list of values": b'{"type":"options","values":[1]}\n',
    "a nested value": b'{"type":"options","values":{"place":{"x":1}}}\n',
    "deep nesting": b'{"type":"options","values":' + b'{"x":' * 5_000 + b"\n",
    "a long text": b'{"type":"options","values":{"tag":"' + b"x" * 2_000 + b'"}}\n',
    "a large number": b'{"type":"options","values":{"place":99999999999999999999}}\n',
    "an infinite number": b'{"type":"options","values":{"place":1e999}}\n',
    "no Unicode": b'{"type":"options","values":{"tag":"\\ud800"}}\n',
    "a name that breaks lines": b'{"type":"options","values":{"a\\nb":1}}\n',
    "a long name": b'{"type":"options","values":{"' + b"x" * 65 + b'":1}}\n',
    "many options": b'{"type":"options","values":{' + b",".join(b'"o%d":1' % each for each in range(65)) + b"}}\n",
    "a change of what is not there": b'{"type":"options","values":{"place":1},"changed":["tag"]}\n',
    "a change told again and again": b'{"type":"options","values":{"place":1},"changed":["place","place"]}\n',
    "a line without an end": b'{"type":"options","values":{"place":' + b"9" * 200_000,
    "a fault of no kind": b'{"type":"fault","kind":"x","detail":"\\u001b[31mred"}\n',
}


def try_out(table, level, said):
    place = table.bundle(name="forger")
    (place / "forger.py").write_text(FORGER)
    (place / "said").write_bytes(said)
    host = SubprocessHost(Program(str(place), python="forger.py", name="forger"), LIMITS, level)
    try:
        return host.try_out("ninjan")
    finally:
        assert host.report is not None, "nothing of it runs on"


@pytest.mark.parametrize("forged", FORGED)
def test_what_cannot_be_an_identity_is_refused(table, fence, forged):
    with pytest.raises(Unusable) as caught:
        try_out(table, fence, FORGED[forged])
    assert caught.value.detail.startswith("bot forger does not say what its options are: ")
    assert len(caught.value.detail) < 600


def test_what_can_be_one_is_believed(table, fence):
    said = b'{"type":"options","values":{"place":1,"tag":"\\u001b[31m","wide":null},"changed":["tag"],"more":[1]}\n'
    assert try_out(table, fence, said) == FilledIn({"place": 1, "tag": "\x1b[31m", "wide": None}, ("tag",))


@pytest.mark.parametrize("text", ["import os\nos._exit(0)\n", "while True:\n    print('x' * 1_000_000)\n"])
def test_a_program_that_is_ended_half_way_says_nothing(table, fence, text):
    place = table.bundle(name="forger")
    (place / "forger.py").write_text(text)
    assert SubprocessHost(Program(str(place), python="forger.py"), LIMITS, fence).try_out("ninjan") is None
