"""Submitted bots in runs: what is a result, what is a failure, and who is told what."""

from pathlib import Path

import pytest

SEED = ("--seed", str(2**100))
INLINE = ("--executor", "inline")
TELLS = """
class Survivor(arena.Bot):
    def act(self, view):
        return view.legal[0]

    def finish(self, result):
        print("told:", result.ranks, result.faults)
"""


@pytest.fixture
def survivor(tmp_path: Path) -> Path:
    path = tmp_path / "survivor.py"
    path.write_text("import arena\n" + TELLS)
    return path


def test_survivors_are_told_of_the_end_and_of_the_faults(arena, bot, survivor):
    arena("run", "ninjan", bot("crasher"), survivor, "--deals", "1", *SEED, *INLINE)
    for match in arena("matches", "--json").json["matches"]:
        report = arena("bots", "log", "survivor", match["match"], "--json").json["seats"][0]
        assert report["fault"] is None
        ranks, faults = match["ranks"], [fault and fault["kind"] for fault in match["faults"]]
        assert report["log"] == f"told: ({ranks[0]}, {ranks[1]}) {tuple(faults)}\n"


def test_a_fault_in_a_worker_is_a_result_and_the_run_ends(arena, bot):
    done = arena("run", "c4", bot("late"), bot("crasher"), "random", "--deals", "2", "--workers", "2", *SEED, "--json")
    faults = {row["bot"]: {kind: n for kind, n in row["faults"].items() if n} for row in done.json["rows"]}
    # Both bots are started in every match; that the other has failed to start ends a match before the crash.
    assert faults == {"late": {"no_start": 8}, "crasher": {"crash": faults["crasher"].get("crash", 0)}, "random": {}}
    assert 0 < faults["crasher"]["crash"] <= 4
    assert arena("status", "--json").json["matches"]["pending"] == 0


def test_a_match_that_we_could_not_start_is_a_failure_and_no_result(arena, folder):
    """cases.md D13: it is nobody's crash, and is played again."""
    toml = 'name = "rook"\ngames = ["connect_four"]\ncommand = ["no-such-interpreter", "bot.x"]\n'
    place = folder({"bot.x": "x"}, toml)
    done = arena("run", "c4", place, "random", "--deals", "1", *SEED, *INLINE, code=5)
    assert "install 'no-such-interpreter'" in done.err and "arena resume" in done.err
    assert arena.num_stored() == 0
    status = arena("status", "--json").json
    assert status["matches"]["pending"] == 2 and status["failed_attempts"] == 6


def test_a_dry_run_plays_and_stores_nothing(arena, bot):
    plan = arena("run", "c4", bot("fair"), "random", "--deals", "3", "--dry-run", "--json").json
    assert plan["matches"] == 6 and plan["estimated_s"] > 0
    assert not arena.db.exists()


def test_a_run_keeps_the_level_that_was_asked_for(arena, bot, isolated_levels):
    if "process" not in isolated_levels:
        pytest.skip("this machine does not offer the level process")
    run = ("run", "c4", bot("fair"), "random", *SEED, *INLINE)
    arena(*run, "--deals", "1", "--sandbox", "process")
    assert "level process" in arena(*run, "--deals", "2").err
    assert {row[0] for row in arena.rows("SELECT level FROM accounts")} == {"process"}
    done = arena(*run, "--deals", "3", "--sandbox", "trusted")
    assert "fair process in 4 matches and trusted in 2 matches" in done.out


def test_a_board_counts_the_levels_of_its_own_matches(arena, bot, isolated_levels):
    """Two runs under the same conditions share the matches between them, and each board tells of its own alone."""
    if "process" not in isolated_levels:
        pytest.skip("this machine does not offer the level process")
    path, common = bot("fair"), (*SEED, *INLINE, "--json")

    def levels(*run):
        notes = arena(*run).json["notes"]
        return next(note for note in notes if "sandbox" in note)

    small = ("run", "c4", path, "random", "--deals", "1", "--name", "small", *common)
    large = ("run", "c4", path, "random", "greedy", "--deals", "2", "--name", "large", *common)
    assert levels(*small, "--sandbox", "process").endswith("fair process")
    assert levels(*large, "--sandbox", "trusted").endswith("fair process in 2 matches and trusted in 6 matches")
    assert levels("leaderboard", "--run", "small", "--json").endswith("fair process"), "the other run's are not its own"


def test_a_run_that_was_killed_goes_on_with_the_stored_bundle(arena, bot):
    path = bot("fair")
    run = ("run", "ninjan", path, "random", "--deals", "400", *SEED, *INLINE)
    process = arena.start(*run)
    arena.wait_for_matches(process, 20)
    process.kill()
    process.communicate()
    path.unlink()
    assert 0 < arena.num_stored() < 800
    done = arena("resume", *INLINE, "--json")
    assert arena.num_stored() == 800
    assert done.json["matches"] == 800
