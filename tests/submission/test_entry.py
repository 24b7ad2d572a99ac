"""From an idea to the board: new, check, submit, run, show, log, retire."""

import json
import re
import subprocess
import sys

import pytest

INLINE = ("--executor", "inline")
STEPS = 8


def test_a_new_bot_passes_its_own_test_and_is_admitted(arena):
    done = arena("bots", "new", "my rook", "--game", "c4")
    assert done.out.splitlines() == ["my rook/bot.toml", "my rook/bot.py", "my rook/test_bot.py"]
    test = [sys.executable, str(arena.folder / "my rook" / "test_bot.py")]
    subprocess.run(test, check=True, timeout=300, env=arena.env, cwd=arena.folder)
    checked = arena("bots", "check", "my rook").out.splitlines()
    assert [line.split()[:2] for line in checked] == [[str(number), "ok"] for number in range(1, STEPS + 1)]
    submitted = arena("bots", "submit", "my rook").out.strip()
    assert re.fullmatch(r"my rook@[0-9a-f]{8} submitted", submitted)
    assert "there already" in arena("bots", "submit", "./my rook").out
    listed = arena("bots", "list", "--json").json["bots"]
    assert [(each["name"], each["games"]) for each in listed if each["source"] == "submitted"] == [
        ("my rook", ["connect_four"])
    ]
    board = arena("run", "c4", "MY ROOK", "random", "--deals", "2", *INLINE, "--json").json
    row = next(row for row in board["rows"] if row["bot"] == "my rook")
    assert row["entrant"] == "my rook" and len(row["version"]) == 32 and not any(row["faults"].values())
    assert any("sandbox of submitted bots: my rook" in note for note in board["notes"])


def test_new_refuses_what_is_taken_or_no_name(arena):
    assert "comes with the arena" in arena.refuse("bots", "new", "Greedy", "--game", "ninjan")
    assert "begins with" in arena.refuse("bots", "new", "--game", "ninjan", "--", "-rf")
    assert "no game 'chess'" in arena.refuse("bots", "new", "rook", "--game", "chess")
    (arena.folder / "rook").mkdir()
    assert "something of that name" in arena.refuse("bots", "new", "rook", "--game", "ninjan")


def test_versions_by_name_prefix_and_content(arena, bot):
    path = bot("fair", "rook", "connect_four")
    first = arena("bots", "submit", path, "--json").json
    path.write_text(path.read_text() + "\n# better\n")
    second = arena("bots", "submit", path, "--json").json
    assert first["new"] and second["new"] and first["version"] != second["version"]
    old = f"rook@{first['version'][:6]}"
    board = arena("run", "c4", "rook", old, "--deals", "1", *INLINE, "--json").json
    labels = {row["entrant"] for row in board["rows"]}
    assert labels == {f"rook@{each['version'][:8]}" for each in (first, second)}
    shown = arena("bots", "show", "rook", "--json").json["versions"]
    assert [each["version"] for each in shown] == [second["version"], first["version"]]
    assert [each["entrants"][0]["matches"] for each in shown] == [2, 2]
    assert second["version"] not in arena("bots", "show", old).out


def test_retired_bots_are_kept_out_of_new_runs_and_their_runs_go_on(arena, bot):
    arena("bots", "submit", bot("fair", "rook"))
    arena("run", "c4", "rook", "random", "--deals", "1", *INLINE)
    assert "retired" in arena("bots", "retire", "ROOK").out
    assert "retired" in arena.refuse("run", "c4", "rook", "greedy", *INLINE)
    assert not [each for each in arena("bots", "list", "--json").json["bots"] if each["name"] == "rook"]
    assert "stored already" in arena("resume", *INLINE).err
    assert "submitted" not in arena("bots", "submit", bot("fair", "rook")).out
    arena("match", "c4", "rook", "random", "--seed", str(2**80))


def test_a_bot_given_by_its_path_is_stored_with_the_run(arena, bot):
    path = bot("fair", "rook")
    arena("run", "c4", path, "random", "--deals", "1", *INLINE)
    digest = arena("digest").out
    path.unlink()
    ((match, *_),) = [arena.rows("SELECT lower(hex(id)) FROM matches LIMIT 1")[0]]
    again = arena("match", "--again", match)
    assert "came to the same again, ply by ply" in again.err
    assert arena("record", match).out
    with_more = arena("resume", *INLINE)
    assert "stored already" in with_more.err
    assert arena("digest").out == digest
    assert "no bot 'rook'" in arena.refuse("match", "c4", "rook", "random")


def test_one_name_in_two_spellings_is_refused(arena, bot):
    assert "are one name" in arena.refuse("match", "c4", bot("fair", "rook"), bot("fair", "Rook"))


def test_a_match_stores_nothing(arena, bot):
    arena("match", "c4", bot("fair", "rook"), "random", "--seed", str(2**90))
    assert not arena.db.exists()


@pytest.mark.parametrize("toml_name", ["Greedy", "-x", "a/b", "x" * 300])
def test_a_folder_cannot_take_a_name_that_is_not_free(arena, folder, toml_name):
    place = folder({"bot.py": "x = 1\n"}, f'name = {json.dumps(toml_name)}\ngames = ["c4"]\npython = "bot.py"\n')
    arena.refuse("match", "c4", place, "random")
    arena.refuse("bots", "submit", place)
    assert not arena.db.exists()


def test_the_name_can_be_given_when_it_is_submitted(arena, bot):
    arena("bots", "submit", bot("fair", "rook"), "--name", "Ройк")
    board = arena("run", "c4", "ройк", "random", "--deals", "1", *INLINE, "--json").json
    assert "Ройк" in {row["bot"] for row in board["rows"]}


def test_unknown_bots_are_told_with_the_nearest_and_what_was_searched(arena, bot):
    assert "there is no database arena.db to search" in arena.refuse("run", "c4", "rok", "random")
    arena("bots", "submit", bot("fair", "rook"))
    line = arena.refuse("run", "c4", "rok", "random")
    assert "Did you mean 'rook'?" in line and "arena.db was searched" in line
    assert "Did you mean 'rook'?" in arena.refuse("bots", "show", "rok")
    assert "plays connect_four" in arena.refuse("match", "ninjan", bot("fair", "one", "connect_four"), "random")


def test_options_of_a_python_bot(arena, bot):
    path = bot("picky")
    plain = arena("match", "c4", path, "random", "--seed", str(2**90), "--json").json
    other = arena("match", "c4", f"{path}:place=3", "random", "--seed", str(2**90), "--json").json
    assert other["matches"][0]["bots"][0] == "picky:place=3"
    assert plain["matches"][0]["match"] != other["matches"][0]["match"]


def test_limits_of_submitted_bots(arena, bot):
    path = bot("fair")
    done = arena("run", "c4", path, "random", "--deals", "1", "--memory-mb", "300", "--seed", "5", *INLINE)
    assert "a submitted bot could guess it" in done.err
    (body,) = arena.rows("SELECT body FROM conditions")[0]
    limits = json.loads(body)["body"]["limits"]
    assert limits == {"start_s": 10.0, "move_s": 1.0, "bank_s": 30.0, "memory_mb": 300}
    given = ("--start-time", "3", "--move-time", "0.5", "--bank", "2", "--name", "other", "--seed", str(2**100))
    done = arena("run", "c4", path, "random", "--deals", "1", *given, *INLINE)
    assert "guess" not in done.err
    bodies = [json.loads(row[0])["body"]["limits"] for row in arena.rows("SELECT body FROM conditions")]
    assert {"start_s": 3.0, "move_s": 0.5, "bank_s": 2.0, "memory_mb": 512} in bodies
    assert "none is named" in arena.refuse("run", "c4", "random", "greedy", "--memory-mb", "300")
    assert "--sandbox 'safe' is none" in arena.refuse("run", "c4", path, "random", "--sandbox", "safe")


def test_a_person_can_play_against_a_bot_given_by_its_path(arena, bot):
    done = arena("play", "c4", bot("fair", "rook"), "--seat", "1", "--seed", "3")
    assert "rook plays" in done.out and done.out.rstrip().endswith("bye")
    assert not arena.db.exists()


def test_a_name_that_means_a_folder_is_said_to(arena, folder):
    source = "import arena\n\n\nclass Ally(arena.Bot):\n    def act(self, view):\n        return view.legal[0]\n"
    folder({"bot.py": source}, name="ally")
    said = "ally is the folder ./ally, for no bot of that name was submitted"
    for bots in (("ally", "random"), ("random", "ally#2")):
        assert said in arena("match", "c4", *bots).err
    assert said not in arena("match", "c4", "./ally", "random").err
    arena("bots", "submit", "ally")
    assert said not in arena("match", "c4", "ally", "random").err
