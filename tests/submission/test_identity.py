"""An entrant is a bot's name, version and options with defaults filled in: of a stranger's file, too."""

import json
import zlib

import pytest

SEED = ("--seed", str(2**90))
INLINE = ("--executor", "inline")
PICKY = """
import arena
import msgspec


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    place: int = 0
    tag: str = ""
    rate: float | None = 0.5


class Picky(arena.Bot):
    Options = Settings

    def act(self, view):
        print("plays with", *(repr(getattr(self.options, name)) for name in ("place", "tag", "rate")))
        return view.legal[self.options.place]
"""
FORGER = """
import os
import sys

import arena

frame = sys._getframe()
while not hasattr(frame.f_locals.get("self"), "wire"):
    frame = frame.f_back
os.write(frame.f_locals["self"].wire.target, {line!r})


class Forger(arena.Bot):
    def act(self, view):
        return view.legal[0]
"""
CHANGING = """
import os

import arena
import msgspec

DRAWN = int.from_bytes(os.urandom(6))


class Settings(msgspec.Struct, frozen=True):
    place: int = 0
    drawn: int = DRAWN


class Changing(arena.Bot):
    Options = Settings

    def act(self, view):
        print("plays with", self.options.drawn)
        return view.legal[self.options.place]
"""


def write(path, text):
    path.write_text(text)
    return path


@pytest.fixture
def picky(tmp_path):
    return write(tmp_path / "picky.py", PICKY)


def options_on_the_board(arena, *run):
    """Returns the options of the entrants that have a bundle, by label."""
    rows = arena("leaderboard", "--json", *run).json["rows"]
    return {row["entrant"]: row["options"] for row in rows if len(row["version"]) == 32}


def logged(arena):
    """Returns the lines that bots have printed in all matches of the database."""
    texts = [zlib.decompress(data).decode() for (data,) in arena.rows("SELECT data FROM logs")]
    return {line for text in texts for line in text.splitlines()}


TWICE = "'{}' is given twice; another copy of the bot is written {}#2"


def test_one_entrant_named_twice_is_refused_as_of_a_shipped_bot(arena, picky):
    def refused(*bots):
        return arena.refuse("run", "c4", *bots, *INLINE, "--dry-run")

    assert refused("mcts", "mcts:simulations=1000") == TWICE.format("mcts", "mcts")
    assert refused(picky, f"{picky}:place=0") == TWICE.format("picky", "picky")
    same = (f"{picky}:rate=1e3", f"{picky}:place=0,rate=1000.0,tag=")
    assert refused(*same) == TWICE.format("picky:rate=1000.0", "picky")
    assert "picky#2:rate=none' is given twice" in refused(f"{picky}#2:rate=none", f"{picky}#2:rate=NULL")


def test_the_same_of_a_submitted_bot_and_in_a_league_file(arena, picky):
    version = arena("bots", "submit", picky, "--json").json["version"][:6]
    league = arena.folder / "league.toml"
    league.write_text(f'game = "c4"\nbots = ["PICKY:rate=0.50", "picky@{version}"]\n')
    for command in (("run", "c4", "picky", f"picky@{version}:place=0"), ("run", league)):
        assert arena.refuse(*command, *INLINE) == TWICE.format("picky", "picky")


def test_what_is_written_in_two_ways_is_one_match(arena, picky):
    found = [
        arena("match", "c4", f"{picky}{options}", f"{picky}#2:place=2", *SEED, "--json").json["matches"][0]
        for options in (":rate=1e3", ":place=0,rate=1000.0")
    ]
    assert found[0] == found[1] and found[0]["bots"] == ["picky:rate=1000.0", "picky#2:place=2"]


def test_a_bot_plays_with_all_options_as_they_stand_on_the_board(arena, picky, programs):
    bots = (f"{picky}:tag=007,rate=1e-1", f"{picky}#2:tag=True", "random")
    run = ("run", "c4", *bots, "--deals", "2", *SEED, "--name", "full")
    arena(*run, *INLINE)
    assert options_on_the_board(arena) == {
        "picky:rate=0.1,tag=007": {"place": 0, "tag": "007", "rate": 0.1},
        "picky#2:tag=True": {"place": 0, "tag": "True", "rate": 0.5},
    }
    assert logged(arena) == {"plays with 0 '007' 0.1", "plays with 0 'True' 0.5"}
    ((match,),) = arena.rows("SELECT lower(hex(match)) FROM accounts LIMIT 1")
    assert "came to the same again" in arena("match", "--again", match).err
    (arena.folder / "other").mkdir()
    other = programs.Program(arena.folder / "other")
    other(*run, "--workers", "2")
    assert other("digest").out == arena("digest").out


def test_a_run_goes_on_however_its_bots_are_written(arena, picky):
    arena("run", "c4", f"{picky}:rate=1e3", picky, "--deals", "1", *INLINE)
    done = arena("run", "c4", f"{picky}:place=0,rate=1000", f"{picky}:tag=", *INLINE)
    assert "run connect_four (goes on)" in done.err and "stored already" in done.err
    assert arena.rows("SELECT label FROM entrants ORDER BY label") == [("picky",), ("picky:rate=1000.0",)]


def as_older_versions_stored(arena, label, options):
    """Makes of a stored entrant what older versions stored: options as they were written, without defaults."""
    script = """
import json, sqlite3, sys
import msgspec
from arena.core.spec import Entrant

label, options = sys.argv[1], json.loads(sys.argv[2])
db = sqlite3.connect("arena.db")
((row, body),) = db.execute("SELECT id, body FROM entrants WHERE label = ?", (label,)).fetchall()
old = msgspec.structs.replace(msgspec.json.decode(body, type=Entrant), options=options, shown=options)
db.execute(
    "UPDATE entrants SET key = ?, label = ?, body = ? WHERE id = ?",
    (old.key, old.label, msgspec.json.encode(old).decode(), row),
)
for table in ("matches", "accounts", "logs"):
    db.execute(f"DELETE FROM {table}")
db.execute("DROP TABLE IF EXISTS options")
db.execute("PRAGMA user_version = 2")
db.commit()
"""
    arena.script(script, label, json.dumps(options))


def test_a_run_that_older_versions_stored_goes_on_as_it_is(arena, picky):
    run = ("run", "c4", picky, f"{picky}:tag=7,rate=1e3", "--name", "older", *INLINE)
    arena(*run, "--deals", "1")
    as_older_versions_stored(arena, "picky", {})
    as_older_versions_stored(arena, "picky:rate=1000.0,tag=7", {"tag": 7, "rate": "1e3"})
    assert "2/2 matches" in arena("resume", *INLINE).err
    assert "4/4 matches" in arena(*run, "--deals", "2").err
    old = {"picky": {}, "picky:rate=1e3,tag=7": {"tag": 7, "rate": "1e3"}}
    assert options_on_the_board(arena, "--run", "older") == old
    assert logged(arena) == {"plays with 0 '' 0.5", "plays with 0 '7' 1000.0"}
    assert "'picky' is given twice" in arena.refuse(*run, f"{picky}:place=0")
    arena("run", "c4", picky, "random", "--deals", "1", "--name", "newer", *INLINE)
    version = arena.rows("SELECT version FROM bundles")[0][0][:8]
    full = f"picky@{version}:place=0,rate=0.5,tag="
    pooled = options_on_the_board(arena, "c4")
    assert pooled == {
        f"picky@{version}": {},
        "picky:rate=1e3,tag=7": old["picky:rate=1e3,tag=7"],
        full: {"place": 0, "tag": "", "rate": 0.5},
    }
    assert set(pooled) == {each["entrant"] for each in shown_entrants(arena, picky)}


def shown_entrants(arena, path):
    arena("bots", "submit", path)
    return arena("bots", "show", "picky", "--json").json["versions"][0]["entrants"]


def test_what_a_bot_forges_of_its_options_is_refused_in_a_line(arena, tmp_path):
    told = b'{"type":"options","values":{"place":[1],"tag":"\x1b[31m"}}\n'
    path = write(tmp_path / "forger.py", FORGER.format(line=told))
    for command in (("run", "c4", path, "random", *INLINE), ("match", "c4", path, "random", *SEED)):
        line = arena.refuse(*command)
        assert line.startswith("bot forger does not say what its options are: ") and line.endswith("; name another")
        assert line.isprintable()
    assert not arena.db.exists()


def test_what_a_bot_forges_well_is_its_identity(arena, tmp_path):
    told = b'{"type":"options","values":{"place":1,"tag":"\\u001b[31m"},"changed":["tag"]}\n'
    path = write(tmp_path / "forger.py", FORGER.format(line=told))
    done = arena("run", "c4", path, "random", "--deals", "1", *INLINE)
    assert "\x1b" not in done.out + done.err
    assert arena("leaderboard", "--json").json["matches"] == 2


def test_defaults_that_change_from_load_to_load_are_what_was_answered_first(arena, tmp_path):
    path = write(tmp_path / "changing.py", CHANGING)
    run = ("run", "c4", path, f"{path}#2", f"{path}:place=0", "--name", "fixed", *INLINE, "--deals")
    arena(*run, "2")
    first = options_on_the_board(arena)
    drawn = {label: options["drawn"] for label, options in first.items()}
    assert len(drawn) == 3 and len(set(drawn.values())) == 2, "a copy was not asked for itself"
    assert logged(arena) == {f"plays with {each}" for each in drawn.values()}
    again = arena(*run, "3")
    assert "18/18 matches" in again.err
    assert options_on_the_board(arena) == first
    match = arena("match", "c4", path, "random", *SEED, "--json").json
    assert match == arena("match", "c4", path, "random", *SEED, "--json").json


def test_a_bot_that_did_not_say_at_first_stays_what_it_was_in_its_run(arena, tmp_path):
    works = tmp_path / "works.txt"
    path = write(tmp_path / "picky.py", f"open({str(works)!r}).close()\n{PICKY}")
    run = ("run", "c4", f"{path}:rate=1e3", "random", "--sandbox", "trusted", *INLINE, "--deals")
    done = arena(*run, "1", "--json")
    assert "picky did not get ready to say what its options are: they stay as they are written" in done.err
    (row,) = [row for row in done.json["rows"] if row["bot"] == "picky"]
    assert row["options"] == {"rate": "1e3"} and row["faults"]["no_start"] == 2
    works.touch()
    done = arena(*run, "2", "--json")
    assert "goes on" in done.err and "get ready" not in done.err
    (row,) = [row for row in done.json["rows"] if row["bot"] == "picky"]
    assert row["options"] == {"rate": "1e3"} and row["faults"]["no_start"] == 2 and row["matches"] == 4
    assert logged(arena) >= {"plays with 0 '' 1000.0"}


def test_options_that_can_be_no_identity_are_told_to_their_author(arena, tmp_path):
    path = write(tmp_path / "picky.py", PICKY.replace("place: int = 0", "place: tuple[int, ...] = (1, 2)"))
    words = "bot picky: option place cannot be (1, 2): it is no number, text, true, false or none"
    assert arena.refuse("run", "c4", path, "random", *INLINE) == words
    lines = arena("bots", "check", path, code=1).out.splitlines()
    assert lines[-1] == f"2 FAIL it gets ready in time: connect_four: no_start: {words}"


def test_matches_and_runs_say_which_version_played_where_there_are_two(arena, picky):
    arena("run", "c4", picky, "random", "--deals", "1", "--name", "first", *SEED, *INLINE)
    alone = arena("matches", "--json").json["matches"][0]["bots"]
    assert sorted(alone) == ["picky", "random"]
    (arena.folder / picky).write_text(PICKY + "\n# another version\n")
    arena("run", "c4", f"{picky}:place=1", "random", "--deals", "1", "--name", "second", *SEED, *INLINE)
    shown = [name for each in arena("matches", "--json").json["matches"] for name in each["bots"]]
    versions = {name.split(":")[0] for name in shown} - {"random"}
    assert len(versions) == 2
    assert all(name.startswith("picky@") for name in versions)
