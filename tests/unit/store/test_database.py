"""Files that are no database of ours: each one clear line, and left as they were."""

import re
import sqlite3

import pytest

from arena.errors import StoreError
from arena.store.schema import APPLICATION_ID, VERSION
from arena.store.store import Store

FOREIGN = "CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('mine');"


def execute(path, script):
    connection = sqlite3.connect(path)
    connection.executescript(script)
    connection.close()


def query(path, text):
    connection = sqlite3.connect(path)
    try:
        return connection.execute(text).fetchall()
    finally:
        connection.close()


def refused(path, *, create):
    with pytest.raises(StoreError) as caught:
        Store(path, create=create)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert "\n" not in message
    assert caught.value.exit_code == 4
    return message


EITHER_WAY = pytest.mark.parametrize("create", [False, True], ids=["to read", "to write"])


def test_new_database_is_ours_and_in_wal_mode(store, path):
    assert query(path, "PRAGMA application_id") == [(APPLICATION_ID,)]
    assert query(path, "PRAGMA user_version") == [(VERSION,)]
    assert query(path, "PRAGMA journal_mode") == [("wal",)]
    assert store.runs() == []


def test_absent_file_is_not_made_by_reading(path):
    assert "there is no such database; `arena run` makes one" in refused(path, create=False)
    assert not path.exists()


@EITHER_WAY
def test_database_of_another_program(path, create):
    execute(path, FOREIGN)
    before = path.read_bytes()
    assert "belongs to another program; name another file with --db" in refused(path, create=create)
    assert path.read_bytes() == before


@EITHER_WAY
def test_database_of_a_newer_version(path, create):
    Store(path, create=True).close()
    execute(path, f"PRAGMA user_version = {VERSION + 1}")
    expected = f"written by a newer version (schema {VERSION + 1}, here {VERSION}); update bot-arena"
    assert expected in refused(path, create=create)
    assert query(path, "PRAGMA user_version") == [(VERSION + 1,)]


@EITHER_WAY
@pytest.mark.parametrize("content", [b"mine, and long enough to be looked at. " * 40, b"x", b"\x00" * 4096])
def test_file_that_is_no_database(path, content, create):
    path.write_bytes(content)
    assert "this is no SQLite database; name another file with --db" in refused(path, create=create)
    assert path.read_bytes() == content


def test_empty_file_is_filled_by_writing_alone(path):
    """A process that was killed while it made the file leaves an empty one."""
    path.touch()
    assert "the database is empty; `arena run` fills one" in refused(path, create=False)
    Store(path, create=True).close()
    assert query(path, "PRAGMA application_id") == [(APPLICATION_ID,)]


@EITHER_WAY
def test_folder(tmp_path, create):
    assert "this is a folder; name a file with --db" in refused(tmp_path, create=create)


@pytest.mark.parametrize("name", ["absent/arena.db", "file/arena.db"])
def test_folder_that_is_not_there(tmp_path, name):
    (tmp_path / "file").touch()
    assert "the database cannot be opened or made there" in refused(tmp_path / name, create=True)


OPEN = """
import sys
from pathlib import Path
from arena.errors import StoreError
from arena.store.store import Store
try:
    with Store(Path(sys.argv[1]), create=sys.argv[2] == "create") as store:
        print("opened", len(store.runs()))
except StoreError as error:
    print(error.exit_code, error)
"""


def test_folder_that_cannot_be_written(tmp_path, run_python):
    folder = tmp_path / "closed"
    folder.mkdir()
    folder.chmod(0o555)
    printed = run_python("-c", OPEN, str(folder / "arena.db"), "create", unprivileged=True).stdout
    folder.chmod(0o755)
    assert printed.startswith(f"4 {folder}/arena.db: the database cannot be opened or made there; check the folder")


def test_database_that_cannot_be_written(tmp_path, run_python):
    path = tmp_path / "arena.db"
    Store(path, create=True).close()
    path.chmod(0o444)
    tmp_path.chmod(0o555)
    printed = run_python("-c", OPEN, str(path), "create", unprivileged=True).stdout
    tmp_path.chmod(0o755)
    assert re.match(r"opened 0|4 .*the database cannot be (written|opened)", printed)


def test_truncated_database_is_damaged(path, played):
    with Store(path, create=True) as store:
        store.save(played)
    path.write_bytes(path.read_bytes()[:6000])
    try:
        with Store(path) as store:
            store.entrants()
            store.columns(1)
        pytest.fail("nothing was noticed")
    except StoreError as error:
        assert "damaged" in str(error)


def test_older_database_is_migrated(path, tmp_path, played, request):
    """A database of schema 1 with a run and its matches opens, and is what it was."""
    with Store(path, create=True) as store:
        store.save_run("league", played[0].spec.conditions, played[0].spec.lineup, 6)
        store.save(played)
    old = tmp_path / "old.db"
    schema = (request.config.rootpath / "tests/data/schema_1.sql").read_text()
    execute(old, f"{schema}; PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = 1;")
    connection = sqlite3.connect(old)
    connection.execute("ATTACH ? AS new", (str(path),))
    for table in ("conditions", "entrants", "runs", "matches"):
        names = ", ".join(row[1] for row in connection.execute(f"PRAGMA main.table_info({table})"))
        connection.execute(f"INSERT INTO main.{table} ({names}) SELECT {names} FROM new.{table}")
    connection.commit()
    connection.close()
    with Store(old) as migrated, Store(path) as fresh:
        assert migrated.runs() == fresh.runs()
        assert migrated.columns(1) == fresh.columns(1)
        assert migrated.done(played[0].spec.conditions) == {bytes.fromhex(item.spec.id) for item in played}
        shapes = [
            {(name, column[1]) for (name,) in s.rows("SELECT name FROM sqlite_master WHERE type = 'table'")
             for column in s.rows(f"PRAGMA table_info({name})")}
            for s in (migrated, fresh)
        ]  # fmt: skip
        assert shapes[0] == shapes[1]
    assert query(old, "PRAGMA user_version") == [(VERSION,)]
