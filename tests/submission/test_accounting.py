"""Faults lead from the board to the log, the view, and the command that plays the match again."""

import os
import shlex

import pytest

INLINE = ("--executor", "inline")


@pytest.fixture
def faulty(arena, bot):
    """The program after a run in which one bot failed in every match."""
    arena("run", "ninjan", bot("crasher"), "random", "greedy", "--players", "3", "--deals", "1", "--seed", "9", *INLINE)
    return arena


def test_faults_reach_the_board_the_matches_and_the_log(faulty):
    """cases.md A14, G9: a fault is kept with its class, the state that the bot saw, and its log."""
    rows = faulty("leaderboard", "--json").json["rows"]
    assert next(row["faults"] for row in rows if row["bot"] == "crasher")["crash"] == 6
    status = faulty("status", "--json").json
    assert list(status["sandbox"]) == ["crasher"] and sum(status["sandbox"]["crasher"].values()) == 6
    listed = faulty("matches", "--faults", "--bot", "crasher", "--json").json["matches"]
    assert len(listed) == 6 == len(faulty("matches", "--faults", "--json").json["matches"])
    assert len(faulty("matches", "--limit", "2", "--json").json["matches"]) == 2
    assert faulty("matches", "--faults", "--bot", "greedy", "--json").json["matches"] == []
    match = listed[-1]
    seat = match["bots"].index("crasher")
    assert match["faults"][seat]["kind"] == "crash" and match["ranks"][seat] == 3
    assert match["sandbox"][seat] in ("isolated", "process") and match["sandbox"].count(None) == 2
    assert "crasher: crash at ply" in faulty("matches", "--faults").out
    report = faulty("bots", "log", "crasher", match["match"], "--json").json["seats"][0]
    assert report["fault"] == match["faults"][seat]
    assert "no idea what to do" in report["fault"]["detail"]
    assert len(report["view"]["hand"]) > 0 and report["legal"]
    assert f"I have seen {len(report['legal'])} actions" in report["log"]
    assert "Traceback" in report["log"]


def test_the_log_cannot_disturb_a_terminal(faulty):
    out = faulty("bots", "log", "crasher").out
    assert "fault: crash" in out and "it saw: {" in out and "again: arena match --again" in out
    assert "\x1b" not in out and "red" in out


def test_the_command_that_repro_prints_plays_the_same_match(faulty):
    """cases.md G9: one line repeats the fault, even when the file is gone."""
    match = faulty("matches", "--faults", "--json").json["matches"][0]
    command = faulty("bots", "repro", match["match"][:8]).out.strip()
    words = shlex.split(command)
    assert words[:3] == ["arena", "match", "--again"] and len(command.splitlines()) == 1
    (faulty.folder / "crasher.py").unlink()
    before = faulty.num_stored()
    again = faulty(*words[1:], "--json")
    assert "came to the same again, ply by ply" in again.err
    (played,) = again.json["matches"]
    assert (played["match"], played["ranks"], played["plies"]) == (match["match"], match["ranks"], match["plies"])
    assert faulty.num_stored() == before


def test_a_database_elsewhere_is_in_the_command(faulty):
    match = faulty("matches", "--json").json["matches"][0]["match"]
    db = os.path.relpath(faulty.db, "/")
    done = faulty("bots", "repro", match, "--db", f"/{db}")
    assert shlex.split(done.out)[-2:] == ["--db", f"/{db}"]


def test_times_and_notes_are_shown(faulty):
    entrant = faulty("bots", "log", "crasher", "--json").json["seats"][0]["bot"]
    assert entrant == "crasher"
    # Given by its path alone it was never submitted, and says so.
    assert "no submitted bot 'crasher'" in faulty.refuse("bots", "show", "crasher")


def test_usage_of_a_submitted_bot(arena, bot):
    arena("bots", "submit", bot("fair", games="connect_four"))
    arena("run", "c4", "fair", "random", "--deals", "2", *INLINE)
    (version,) = arena("bots", "show", "fair", "--json").json["versions"]
    (used,) = version["entrants"]
    assert used["matches"] == 4 and used["faults"] == {} and sum(used["sandbox"].values()) == 4
    for key in ("start_ms", "wall_ms", "cpu_ms"):
        assert 0 <= used[key]["mean"] <= used[key]["most"] and used[key]["p95"] <= used[key]["most"]
    assert 1 < used["peak_mb"] < 512
    text = arena("bots", "show", "fair").out
    assert "wall time a move" in text and "CPU time a move" in text


SLOW = """
import arena


class Slow(arena.Bot):
    def act(self, view):
        while view.ply > 3:
            pass
        return view.legal[0]
"""


def test_timeouts_are_counted_for_the_slow_bot_in_whatever_seat(arena, bot, tmp_path):
    """cases.md A15: on the board, in the list of matches, and in the bot's own account."""
    slow = tmp_path / "slow.py"
    slow.write_text(SLOW)
    arena("bots", "submit", bot("fair", games="connect_four"))
    limits = ("--move-time", "0.2", "--bank", "0.1")
    arena("run", "c4", slow, "fair", "--deals", "2", "--seed", str(2**90), *limits, *INLINE)
    rows = {row["bot"]: row for row in arena("leaderboard", "--json").json["rows"]}
    assert rows["slow"]["faults"]["timeout"] == rows["slow"]["matches"] == 4
    assert sum(rows["fair"]["faults"].values()) == 0
    matches = arena("matches", "--faults", "--json").json["matches"]
    assert sorted(match["bots"].index("slow") for match in matches) == [0, 0, 1, 1]
    for match in matches:
        seat = match["bots"].index("slow")
        assert match["faults"][seat]["kind"] == "timeout" and match["faults"][1 - seat] is None
        assert (match["ranks"][seat], match["ranks"][1 - seat]) == (2, 1)
    (version,) = arena("bots", "show", "fair", "--json").json["versions"]
    assert version["entrants"][0]["faults"] == {}


NOTER = """
class {kind}(arena.Bot):
    def act(self, view):
        self.note(value=0.25, ply=view.ply % 2)
        return view.legal[0]
"""


@pytest.fixture
def noted(arena, tmp_path):
    """The program after a run of two bots with the same notes: one in the arena's process, one in its own."""
    site = tmp_path / "site"
    info = site / "insider-1.0.dist-info"
    info.mkdir(parents=True)
    (site / "insider.py").write_text("import arena\n" + NOTER.format(kind="Insider"))
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: insider\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[arena.bots]\ninsider = insider:Insider\n")
    (tmp_path / "outsider.py").write_text("import arena\n" + NOTER.format(kind="Outsider"))
    arena.env["PYTHONPATH"] = str(site)
    arena("bots", "submit", "./outsider.py")
    arena("run", "c4", "insider", "outsider", "--deals", "2", "--name", "noted", *INLINE)
    return arena


def test_notes_are_shown_of_bots_in_the_arena_s_process_and_in_their_own(noted):
    (inside,) = noted("bots", "show", "insider", "--json").json["noted"]
    (version,) = noted("bots", "show", "outsider", "--json").json["versions"]
    (outside,) = version["entrants"]
    assert inside["matches"] == outside["matches"] == 4
    for notes in (inside["notes"], outside["notes"]):
        assert notes["value"] == 0.25 and 0 <= notes["ply"] <= 1
    for name in ("insider", "outsider"):
        assert "note value: 0.25 on average" in noted("bots", "show", name).out
        assert "note value: 0.25 on average" in noted("bots", "log", name).out
        assert noted("bots", "log", name, "--json").json["seats"][0]["notes"]["value"] == 0.25
    assert "none in this database" in noted("bots", "show", "random").out


def test_a_shipped_bot_is_shown_where_there_is_no_database(arena):
    assert "it has given none" in arena("bots", "show", "mcts").out
    assert not arena.db.exists()


def test_notes_of_a_bot_in_the_arena_s_process_are_no_sandbox(noted):
    (levels,) = [note for note in noted("leaderboard", "--json").json["notes"] if "sandbox" in note]
    assert "outsider" in levels and "insider" not in levels
    assert list(noted("status", "--json").json["sandbox"]) == ["outsider"]
    match = noted("matches", "--json").json["matches"][0]
    assert match["sandbox"][match["bots"].index("insider")] is None
    assert "in-process" not in noted("bots", "repro", match["match"]).out


def test_nobody_of_that_name(faulty):
    assert "Did you mean 'crasher'?" in faulty.refuse("bots", "log", "crash")
    assert "no match id" in faulty.refuse("bots", "repro", "zz")
    match = faulty("matches", "--json").json["matches"][0]["match"]
    assert "no bot 'flat' has played" in faulty.refuse("bots", "log", "flat", match)
