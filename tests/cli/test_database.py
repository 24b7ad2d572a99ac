"""The database: what it is not, where it cannot be, when it is full or taken; exit 4 and what to do."""

import contextlib
import os
import resource
import shutil
import sqlite3
import subprocess

import pytest

RUN = ("run", "c4", "random", "greedy", "--deals", "2", "--executor", "inline")
READERS = [
    ("status",),
    ("runs",),
    ("digest",),
    ("leaderboard",),
    ("leaderboard", "ninjan"),
    ("resume",),
    ("record", "a"),
]


@pytest.mark.parametrize("arguments", READERS, ids=" ".join)
def test_no_database_is_made_by_reading(arena, arguments):
    line = arena.refuse(*arguments, code=4)
    assert "arena.db: there is no such database" in line and "arena run" in line and "--db" in line
    assert not arena.db.exists()


def test_text_file(arena):
    text = "this is no database, and long enough to be looked at as one\n" * 9
    arena.db.write_text(text)
    for arguments in (RUN, ("leaderboard",)):
        assert "no SQLite database" in arena.refuse(*arguments, code=4)
    assert arena.db.read_text() == text


def test_database_of_another_program(arena):
    with contextlib.closing(sqlite3.connect(arena.db)) as connection:
        connection.execute("CREATE TABLE matches (id)")
    before = arena.db.read_bytes()
    for arguments in (RUN, ("leaderboard",)):
        assert "belongs to another program" in arena.refuse(*arguments, code=4)
    assert arena.db.read_bytes() == before


def test_newer_schema(arena):
    arena(*RUN)
    with contextlib.closing(sqlite3.connect(arena.db)) as connection:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        connection.execute(f"PRAGMA user_version = {version + 1}")
    for arguments in (RUN, ("leaderboard",)):
        line = arena.refuse(*arguments, code=4)
        assert f"newer version (schema {version + 1}, here {version})" in line and "update" in line
    assert arena.num_stored() == 4


def test_empty_file(arena):
    arena.db.touch()
    assert "the database is empty" in arena.refuse("leaderboard", code=4)
    arena(*RUN)
    assert arena("leaderboard", "--json").json["matches"] == 4


def test_damaged_database(arena):
    arena(*RUN)
    content = bytearray(arena.db.read_bytes())
    content[4096:] = b"\xa5" * (len(content) - 4096)
    arena.db.write_bytes(content)
    line = arena.refuse("leaderboard", code=4)
    assert "damaged" in line and "--db" in line


def test_folder(arena):
    (arena.folder / "folder.db").mkdir()
    for arguments in (RUN, ("leaderboard",)):
        assert "this is a folder" in arena.refuse(*arguments, "--db", "folder.db", code=4)


def test_device(arena):
    for arguments in (RUN, ("leaderboard",)):
        assert "no file that could keep anything" in arena.refuse(*arguments, "--db", "/dev/null", code=4)


def test_missing_folder(arena):
    line = arena.refuse(*RUN, "--db", "no/such/a.db", code=4)
    assert "no/such/a.db" in line and "cannot be opened or made there" in line
    assert not (arena.folder / "no").exists()


def test_database_of_the_environment(arena):
    arena(*RUN, env={"ARENA_DB": "other.db"})
    assert not arena.db.exists()
    assert arena("leaderboard", "--db", "other.db").out
    assert arena("runs", "--json", env={"ARENA_DB": "other.db"}).json["runs"]


@pytest.fixture
def powerless(arena):
    """The program as run by somebody who may not write in its folder; root has no use for permissions."""
    for path in (arena.folder, *arena.folder.parents):
        if path.owner() == "root" or os.geteuid() != 0:
            with contextlib.suppress(PermissionError):
                path.chmod(path.stat().st_mode | 0o055)
    if os.geteuid() == 0:
        setpriv = shutil.which("setpriv")
        assert setpriv, "these tests run as root and need setpriv (Debian package util-linux)"
        prefix = [setpriv, "--reuid=65534", "--regid=65534", "--clear-groups", "--no-new-privs"]
    else:
        prefix = []
    kind = type(arena)

    class Powerless(kind):
        command = property(lambda self: [*prefix, *arena.command])

    program = Powerless(arena.folder, PYTHONDONTWRITEBYTECODE="1", HOME=str(arena.folder))
    reading = subprocess.run(
        [*program.command, "--version"], env=program.env, cwd="/", capture_output=True, check=False
    )
    if reading.returncode != 0:
        pytest.fail(f"nobody cannot read this checkout or its Python: {reading.stderr.decode()}")
    yield program
    arena.folder.chmod(0o755)


def test_folder_that_cannot_be_written(arena, powerless):
    arena.folder.chmod(0o555)
    line = powerless.refuse(*RUN, code=4)
    assert "arena.db" in line and "check the folder and its permissions" in line


def test_database_that_cannot_be_written(arena, powerless):
    arena(*RUN)
    arena.db.chmod(0o444)
    arena.folder.chmod(0o555)
    line = powerless.refuse(*RUN, code=4)
    assert "cannot be written" in line or "cannot be opened" in line
    # Who may only read can read.
    assert powerless("leaderboard", "--json").json == arena("leaderboard", "--json").json
    assert powerless("runs", "--json").json["runs"]


def test_folder_that_cannot_be_entered(arena, powerless):
    locked = arena.folder / "locked"
    locked.mkdir()
    for name in ("a.db", "a.jsonl", "a.py"):
        (locked / name).touch()
    locked.chmod(0)
    for arguments in (RUN, ("leaderboard",), ("match", "c4", "random", "rook"), ("bots", "list")):
        line = powerless.refuse(*arguments, "--db", "locked/a.db", code=4)
        assert "locked/a.db: Permission denied" in line and "name another --db" in line
    for arguments in (
        ("replay", "locked/a.jsonl"),
        ("match", "c4", "random", "./locked/a.py"),
        ("bots", "check", "locked/a.py"),
    ):
        line = powerless.refuse(*arguments)
        assert "locked/a." in line and "Permission denied" in line
    locked.chmod(0o755)


def test_file_that_cannot_be_written_over(arena, powerless):
    (arena.folder / "old.jsonl").touch(mode=0o000)
    line = powerless.refuse("match", "c4", "random", "greedy", "--record", "old.jsonl")
    assert "--record old.jsonl: old.jsonl cannot be written to" in line


ROOM = 512 * 1024  # bytes of the small disk


@pytest.fixture
def small_disk(tmp_path):
    """A folder with room for little, how to start a process that meets its end, and what makes room.

    A small file system where that can be mounted; else a limit on the size of files, which SQLite meets alike.
    """
    place = tmp_path / "small"
    place.mkdir()
    if os.geteuid() != 0:
        yield place, {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (ROOM, ROOM))}, lambda: None
        return
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={ROOM}", "tmpfs", str(place)], check=True)
    yield place, {}, lambda: subprocess.run(["mount", "-o", "remount,size=64m", str(place)], check=True)
    subprocess.run(["umount", "-l", str(place)], check=True)


def test_full_disk_in_mid_run(arena, small_disk):
    place, limit, make_room = small_disk
    arena.db = place / "arena.db"
    command = ("run", "ninjan", "random", "greedy", "--deals", "3000", "--executor", "inline")
    done = arena(*command, "--db", arena.db, code=4, **limit)
    *_, last = done.err.splitlines()
    assert "disk is full or failing; what was stored is safe" in last and "run the same command again" in last
    assert "Traceback" not in done.err and done.out == ""
    stored = arena.num_stored()
    assert stored > 0
    # Still full: what was stored stays readable all the same.
    board = arena("leaderboard", "--db", arena.db, "--json", **limit).json
    assert 0 < board["matches"] <= stored
    assert arena("status", "--db", arena.db, "--json", **limit).json["matches"]["done"] == stored
    make_room()
    again = arena("resume", "--executor", "inline", "--db", arena.db, "--json")
    assert again.json["matches"] == 6000


def test_same_run_started_twice(arena):
    command = ("run", "ninjan", "random", "greedy", "--deals", "20000", "--seed", "1", "--executor", "inline")
    first = arena.start(*command, "--name", "twice")
    try:
        arena.wait_for_matches(first, 1)
        second = arena(*command, "--name", "twice", code=4)
        assert f"run 'twice' is being driven by process {first.pid} on " in second.err.splitlines()[-1]
        assert "arena status twice" in second.err
        assert "driven by process" in arena("status", "twice").out
        assert arena("status", "twice", "--json").json["driver"]["pid"] == first.pid
        assert "being driven" in arena("resume", "twice", code=4).err
        # Another run of the same database goes ahead, and boards can be read.
        arena("run", "c4", "random", "greedy", "--deals", "2", "--executor", "inline", "--name", "other")
        assert arena("leaderboard", "--run", "other", "--json").json["matches"] == 4
        assert first.poll() is None
    finally:
        first.kill()
        first.communicate()
    # A claim ends with its process, however that ended.
    again = arena.start("resume", "twice", "--executor", "inline")
    before = arena.num_stored()
    arena.wait_for_matches(again, before + 1)
    again.kill()
    again.communicate()
