"""What is said of a bot's error: the line of its author's, wherever deeper it was raised."""

import pytest

from arena.hosts.base import BotFault
from arena.hosts.inprocess import InProcessHost, describe_error
from arena.hosts.roster import BrokenFile, load_file

SOURCE = """
import json

import arena


class Odd(arena.Bot):
    def start(self, match):
        json.loads("{")  # line 9

    def act(self, view):
        self.helper()

    def helper(self):
        self.note(value="much")  # line 15
"""


@pytest.fixture
def odd(tmp_path):
    path = tmp_path / "odd.py"
    path.write_text(SOURCE)
    return path


def test_the_line_named_is_the_bots_own(odd):
    host = InProcessHost(load_file(odd)())
    with pytest.raises(BotFault) as crash:
        host.act(None)
    assert crash.value.detail == "ValueError: the note value='much' is no finite number; give one (line 15 of helper)"
    with pytest.raises(BotFault) as late:
        host.start(None)
    assert late.value.detail.endswith("(line 9 of start)"), "a library's line says nothing either"


def test_a_file_that_cannot_be_loaded_names_its_line(odd):
    odd.write_text("\n\nimport no_such_library\n")
    with pytest.raises(BrokenFile) as broken:
        load_file(odd)
    assert describe_error(broken.value.__cause__).endswith("(line 3 of <module>)")


def test_an_error_that_was_raised_nowhere_names_no_line():
    assert describe_error(ValueError("x")) == "ValueError: x"
