"""Boards of a game put all its runs together: they say so where these were played under different conditions."""

import pytest

from arena.core.spec import Limits
from leaderboards.pooling import limits_text

SMALL = ("--deals", "2", "--seed", "1", "--executor", "inline")


@pytest.fixture(scope="module")
def pooled(programs, tmp_path_factory):
    """The program in a folder with four runs of one game, two of them under the same conditions but for the seed."""
    program = programs.Program(tmp_path_factory.mktemp("pooled"))
    program("run", "c4", "random", "greedy", *SMALL, "--name", "plain")
    program("run", "c4", "random", "greedy", *SMALL, "--seed", "2", "--name", "again")
    program("run", "c4", "random", "greedy", *SMALL, "--move-time", "5", "--name", "timed")
    program("run", "c4:opening=0", "random", "greedy", *SMALL, "--name", "bare")
    return program


def test_board_names_the_conditions_that_differ_and_the_runs(pooled):
    text = " ".join(pooled("leaderboard", "c4").out.split())
    assert text.count("pooled are matches under different conditions: ") == 1
    for part in (
        "no limit, opening=2 in again, plain; ",
        "no limit, opening=0 in bare; ",
        "move 5 s, bank 0 s, opening=2 in timed; --run NAME shows one run alone",
    ):
        assert part in text
    board = pooled("leaderboard", "c4", "--json").json
    assert [(each["runs"], each["matches"], each["options"]["opening"]) for each in board["pooled"]] == [
        (["again", "plain"], 8, 2),
        (["bare"], 4, 0),
        (["timed"], 4, 2),
    ]
    assert [each["limits"]["move_s"] for each in board["pooled"]] == [None, None, 5.0]
    assert board["matches"] == 16
    assert "different conditions" in pooled("leaderboard", "c4", "--markdown").out


def test_board_of_one_run_or_of_equal_conditions_pools_nothing(pooled, arena):
    assert "different conditions" not in pooled("leaderboard", "--run", "timed").out
    assert pooled("leaderboard", "--run", "timed", "--json").json["pooled"] == []
    for seed in ("1", "2"):
        arena("run", "c4", "random", "greedy", *SMALL, "--seed", seed, "--name", f"run {seed}")
    board = arena("leaderboard", "c4", "--json").json
    assert (board["matches"], board["pooled"]) == (8, [])
    assert not any("different conditions" in note for note in board["notes"])


def test_game_without_results_is_said_beside_those_with_some(pooled):
    line = pooled.refuse("leaderboard", "ninjan", code=2)
    assert "no whole block of ninjan" in line and "runs of connect_four" in line and "`arena run ninjan" in line


@pytest.mark.parametrize(
    ("limits", "text"),
    [
        (Limits(), "no limit"),
        (Limits(move_s=0.25, bank_s=0), "move 0.25 s, bank 0 s"),
        (Limits(10, 1, 30, 512), "start 10 s, move 1 s, bank 30 s, 512 MB"),
    ],
)
def test_limits_in_words(limits, text):
    assert limits_text(limits) == text
