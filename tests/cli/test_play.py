"""A person at the table: every game, completion by prefix, taking back, the rules, hints, and leaving."""

import os
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest

from arena.games import all_games


@pytest.fixture
def play(tmp_path: Path):
    def call(typed: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "arena", "play", *arguments]
        return subprocess.run(
            command, input=typed, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False
        )

    return call


@pytest.mark.parametrize("game", list(all_games()))
def test_every_game_can_be_begun_and_left(play, game):
    done = play("q\n", game, "random", "--seed", "1")
    assert (done.returncode, done.stderr) == (0, "")
    assert "legal: " in done.stdout
    assert done.stdout.endswith("bye\n")


def test_the_end_of_input_leaves_too(play):
    done = play("", "connect_four", "random", "--seed", "1")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("bye\n")


def test_a_whole_match_ends_with_its_result(play):
    done = play("4\n3\n5\n" * 21, "connect_four:opening=0", "random", "--seed", "1")
    assert done.returncode == 0
    assert "1. 0: you  1" in done.stdout or "1. 1: random  1" in done.stdout


def test_an_action_is_known_by_how_it_begins(play):
    first = play("q\n", "ninjan", "random", "--seed", "5").stdout
    legal = first.split("legal: ")[1].split("\n")[0].split()
    alone = next(name for name in legal if sum(other.startswith(name[:2]) for other in legal) == 1)
    several = next(name[0] for name in legal if sum(other.startswith(name[0]) for other in legal) > 1)
    done = play(f"{several}\n{alone[:2].lower()}\nq\n", "ninjan", "random", "--seed", "5")
    assert f"legal: {' '.join(name for name in legal if name[0] == several)}\n" in done.stdout
    assert f"0: you plays {alone}" in done.stdout


def test_what_was_typed_wrongly_is_taken_back(play):
    done = play("u\n1\nu\n7\nq\n", "connect_four:opening=0", "greedy", "--seed", "1")
    assert done.returncode == 0
    assert "there is nothing to take back yet" in done.stdout
    empty = "·" * 42
    boards = [_cells(part) for part in done.stdout.split("╰")[:-1]]
    assert boards[0] == empty
    assert boards[1].count("●") == boards[1].count("○") == 1
    assert "●" in (boards[1][-7], boards[1][-14])
    taken_back = done.stdout[: done.stdout.index("taken back")].count("╰")
    assert boards[taken_back] == empty
    assert boards[taken_back + 1][-1] == "●"


def _cells(text: str) -> str:
    """Returns the cells of the last board in a text, from the top."""
    rows = [line for line in text.splitlines() if line.startswith(" │")][-6:]
    return "".join(rows).replace("│", "").replace(" ", "")


def test_rules_hints_and_nonsense(play):
    done = play("?\nh\nnonsense\nl\nq\n", "connect_four", "random", "--seed", "1")
    assert done.returncode == 0
    assert "rules as the engine plays them" in done.stdout
    assert "expected line: " in done.stdout
    assert "'nonsense' is not legal here" in done.stdout
    assert done.stdout.count("legal: ") == 2


def test_a_seat_that_is_not_there_is_refused(play):
    done = play("", "connect_four", "random", "--seat", "5")
    assert done.returncode == 2
    assert done.stderr == "arena: --seat 5: the match has seats 0 to 1\n"


def test_tab_completes_on_a_terminal(tmp_path: Path):
    command = ["-m", "arena", "play", "pvn", "random", "--seed", "3", "--seat", "0"]
    child = pexpect.spawn(sys.executable, command, cwd=tmp_path, env={**os.environ, "TERM": "dumb"}, timeout=120)
    child.expect("legal: ")
    child.expect("> ")
    child.send("ral\t")
    child.expect("rally")
    child.sendcontrol("c")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130


LOUD = """
import arena


class Loud(arena.Bot):
    "Fails with words that would colour a terminal."

    def act(self, view):
        raise ValueError("red \\x1b[31m and a line\\nmore")
"""


def test_words_of_a_bot_that_failed_cannot_disturb_the_terminal(arena):
    (arena.folder / "loud.py").write_text(LOUD)
    (arena.folder / "moves").write_bytes(b"1\n" * 30)
    with (arena.folder / "moves").open("rb") as moves:
        done = arena("play", "c4", "loud.py", "--seed", "1", stdin=moves)
    assert "loud" in done.out and "crash" in done.out and "red" in done.out
    assert "\x1b" not in done.out
