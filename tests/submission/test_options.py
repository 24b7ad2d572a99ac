"""Bots given by their path, and their options: what cannot be used is told before anything is played."""

import pytest

SEED = ("--seed", str(2**90))
INLINE = ("--executor", "inline")
SETTINGS = """
from typing import Annotated

import arena
import msgspec


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    place: Annotated[int, msgspec.Meta(ge=0, le=9)] = 0
    tag: str = ""
    rate: float = 0.5


class Picky(arena.Bot):
    Options = Settings

    def act(self, view):
        print(repr(self.options.tag), repr(self.options.rate))
        return view.legal[min(self.options.place, len(view.legal) - 1)]
"""
NO_BOT = "x = 1\n"
TWO_BOTS = "import arena\nclass A(arena.Bot): pass\nclass B(A): pass\n"
WRONG = {
    "a value that is none": (SETTINGS, ":place=here", ["place='here' cannot be used", "give a whole number"]),
    "a value out of bounds": (SETTINGS, ":place=800", ["bot picky: option place='800'", "from 0 up to 9"]),
    "an option that there is not": (
        *(SETTINGS, ":plaice=3"),
        ["bot picky has no option 'plaice'", "'place'?", "place, tag, rate"],
    ),
    "a file without a bot": (NO_BOT, "", ["picky.py must define exactly one public subclass", "has none; write one"]),
    "a file with two": (TWO_BOTS, "", ["has A, B", "with an underscore"]),
}
COUNTED = """
import arena

with open({file!r}, "a") as file:
    file.write("loaded\\n")


class Counted(arena.Bot):
    def act(self, view):
        return view.legal[0]
"""


def commands(bot):
    """Returns the commands that take a bot."""
    return (("match", "c4", bot, "random", *SEED), ("run", "c4", bot, "random", *INLINE), ("play", "c4", bot))


@pytest.fixture
def picky(tmp_path):
    path = tmp_path / "picky.py"
    path.write_text(SETTINGS)
    return path


@pytest.mark.parametrize("wrong", WRONG)
def test_what_no_bot_can_be_made_of_is_refused_by_every_command(arena, tmp_path, wrong):
    text, options, words = WRONG[wrong]
    (tmp_path / "picky.py").write_text(text)
    bot = f"{tmp_path / 'picky.py'}{options}"
    for command in commands(bot):
        line = arena.refuse(*command)
        assert all(word in line for word in words), line
        assert "/bot/" not in line
    assert not arena.db.exists()


def test_a_bot_that_fails_at_its_start_is_a_matter_of_the_match(arena, bot):
    for path in (bot("late"), bot("fair", more="\n\n1 / 0\n")):
        (match,) = arena("match", "c4", path, "random", *SEED, "--json").json["matches"]
        assert match["faults"] == ["no_start", None]


def test_options_keep_their_text_where_the_bot_wants_text(arena, picky):
    arena("run", "c4", f"{picky}:tag=007,rate=1e-1", "random", "--deals", "1", *INLINE)
    assert "'007' 0.1" in arena("bots", "log", "picky").out


def test_a_bot_is_tried_out_once_and_not_when_its_run_goes_on(arena, tmp_path):
    path, loaded = tmp_path / "counted.py", tmp_path / "loaded.txt"
    path.write_text(COUNTED.format(file=str(loaded)))

    def num_loaded(*command):
        loaded.write_text("")
        arena(*command, "--sandbox", "trusted", "--seed", str(2**90))
        return len(loaded.read_text().splitlines())

    assert num_loaded("match", "c4", path, f"{path}#2") == 1 + 2
    run = ("run", "c4", path, f"{path}#2", *INLINE, "--deals")
    assert num_loaded(*run, "1") == 1 + 4
    assert num_loaded(*run, "2") == 4, "who has played is not tried out again"


def test_options_of_a_command_are_its_words(arena, folder):
    place = folder({"run": "#!/bin/sh\n"}, 'name = "shell"\ngames = ["connect_four"]\ncommand = ["./run"]\n', "shell")
    (place / "run").chmod(0o755)
    line = arena.refuse("match", "c4", f"{place}:x=1", "random")
    assert "takes no options; write them as words of `command` in its bot.toml" in line
