"""Bots given by their path, and their options: what cannot be used is told before anything is played."""

import pytest

SEED = ("--seed", str(2**90))
INLINE = ("--executor", "inline")
WRONG = {
    "a value that is none": ("place=here", ["place='here' cannot be used", "give a whole number"]),
    "a value out of bounds": ("place=800", ["bot picky: option place='800'", "from 0 up to 9"]),
    "an option that there is not": ("plaice=3", ["bot picky has no option 'plaice'", "'place'?", "place, tag, rate"]),
}
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
def test_wrong_options_read_like_those_of_shipped_bots(arena, picky, wrong):
    given, words = WRONG[wrong]
    text = f"{picky}:{given}"
    for command in (
        ("match", "c4", text, "random", *SEED),
        ("run", "c4", text, "random", *INLINE),
        ("play", "c4", text),
    ):
        line = arena.refuse(*command)
        assert all(word in line for word in words), line
    assert not arena.db.exists()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = 1\n", ["nobot.py must define exactly one public subclass", "has none; write one"]),
        ("import arena\nclass A(arena.Bot): pass\nclass B(A): pass\n", ["has A, B", "with an underscore"]),
    ],
)
def test_a_file_that_holds_no_bot_is_refused(arena, tmp_path, text, words):
    path = tmp_path / "nobot.py"
    path.write_text(text)
    for command in (
        ("match", "c4", path, "random", *SEED),
        ("run", "c4", path, "random", *INLINE),
        ("play", "c4", path),
    ):
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
