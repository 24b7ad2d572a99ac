"""Opening the database: one SQLite file in WAL mode, ours by its header, of a schema that this program knows."""

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from arena.errors import StoreError
from arena.store.schema import APPLICATION_ID, MIGRATIONS, TABLES, VERSION

BUSY_S = 30.0
MAGIC = b"SQLite format 3\0"


@contextlib.contextmanager
def mapped_errors(path: Path) -> Iterator[None]:
    """Maps what sqlite3 raises to StoreError: the one border at which that happens.

    Raises:
        StoreError: one line that says what was met and what to do.
    """
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorname", "") or ""
        raise StoreError(f"{path}: {_explain(code, error)}") from error


def _explain(code: str, error: sqlite3.Error) -> str:
    if code.startswith(("SQLITE_FULL", "SQLITE_IOERR")):
        return "the disk is full or failing; what was stored is safe. Free some space, then run the same command again"
    if code.startswith("SQLITE_NOTADB"):
        return "this is no SQLite database; name another file with --db"
    if code.startswith("SQLITE_CANTOPEN"):
        return "the database cannot be opened or made there; check the folder and its permissions, or name another --db"
    if code.startswith("SQLITE_READONLY"):
        return "the database cannot be written; check its permissions and its folder's, or name another --db"
    if code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return "another process has kept the database locked for long; try again when it is done"
    if code.startswith("SQLITE_CORRUPT"):
        return "the database is damaged; restore a copy, or name another --db"
    return f"database error ({code or type(error).__name__}): {error}"


def _is_other_file(path: Path) -> bool:
    """Says whether a file holds something that is no SQLite database: a very short one SQLite would take as empty."""
    try:
        with path.open("rb") as file:
            start = file.read(len(MAGIC))
    except OSError:
        return False  # absent, or not to be read: SQLite says which
    return bool(start) and start != MAGIC


def _check_kind(connection: sqlite3.Connection, path: Path, is_new: bool) -> int:
    """Returns the schema version of a database of ours, 0 for an empty one.

    Raises:
        StoreError: it belongs to another program, or to a newer version of this one.
    """
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application != APPLICATION_ID and tables:
        raise StoreError(f"{path}: this database belongs to another program; name another file with --db")
    if version > VERSION:
        raise StoreError(
            f"{path}: written by a newer version (schema {version}, here {VERSION}); update bot-arena to read it"
        )
    if not tables and not is_new:
        raise StoreError(f"{path}: the database is empty; `arena run` fills one")
    return int(version) if tables else 0


def _create(connection: sqlite3.Connection) -> None:
    """Makes the tables, in one transaction: a process killed here leaves an empty file that the next one fills."""
    connection.executescript(
        f"BEGIN IMMEDIATE; {TABLES} PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {VERSION}; COMMIT;"
    )


def _migrate(connection: sqlite3.Connection, version: int) -> None:
    for step in range(version, VERSION):
        connection.executescript(f"BEGIN IMMEDIATE; {MIGRATIONS[step]}; PRAGMA user_version = {step + 1}; COMMIT;")


def _can_write(path: Path) -> bool:
    """Says whether a database could be written: SQLite makes files beside it, even to read one in WAL mode."""
    return os.access(path, os.W_OK) and os.access(path.resolve().parent, os.W_OK)


def _readonly_uri(path: Path) -> str:
    """Returns how a database is opened by who may only read it.

    Without a log beside it no process has it open, and nothing need be locked; with one SQLite reads both.
    """
    is_closed = not path.with_name(path.name + "-wal").exists()
    return f"{path.resolve().as_uri()}?mode=ro{'&immutable=1' if is_closed else ''}"


def connect(path: Path, *, create: bool) -> sqlite3.Connection:
    """Opens a database, making or migrating it as needed.

    Args:
        path: the file.
        create: whether to make it where there is none; a command that only reads does not.

    Raises:
        StoreError: it cannot be opened, or is not ours to read.
    """
    if not create and not path.exists():
        raise StoreError(f"{path}: there is no such database; `arena run` makes one, --db or $ARENA_DB names another")
    if path.is_dir():
        raise StoreError(f"{path}: this is a folder; name a file with --db")
    if path.exists() and not path.is_file():
        raise StoreError(f"{path}: this is no file that could keep anything; name another with --db")
    if _is_other_file(path):
        raise StoreError(f"{path}: this is no SQLite database; name another file with --db")
    with mapped_errors(path):
        is_readonly = not create and not _can_write(path)
        connection = sqlite3.connect(
            _readonly_uri(path) if is_readonly else path,
            timeout=BUSY_S,
            isolation_level=None,
            check_same_thread=False,
            uri=is_readonly,
        )
        try:
            version = _check_kind(connection, path, is_new=create)
            if is_readonly and version == VERSION:
                return connection
            # WAL lets boards be read while a run writes. NORMAL keeps everything that was committed when a process
            # is killed at any time; only a power cut may take the last moments with it.
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            if version == 0:
                _create(connection)
            elif version < VERSION:
                _migrate(connection, version)
        except BaseException:
            connection.close()
            raise
    return connection
