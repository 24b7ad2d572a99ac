"""Submitted bots: bundles by their content, and names with their versions."""

import sqlite3
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from arena.core.options import FilledIn, nearest
from arena.core.spec import short_version
from arena.errors import UnknownName, UsageError
from arena.hosts.bundle import Bundle, Manifest, decode_bundle
from arena.hosts.roster import fold

if TYPE_CHECKING:
    from arena.store.store import Store


class Submission(msgspec.Struct, frozen=True):
    """One version of a submitted bot."""

    name: str
    version: str
    """The hash of its bundle."""
    manifest: Manifest
    num_files: int
    num_bytes: int
    by_clock: bool
    """Whether its moves may depend on time, by its author's word."""
    submitted: float
    """Seconds since 1970."""
    retired: float | None
    """Seconds since 1970, or None while it can be named in new runs."""

    @property
    def short(self) -> str:
        """The version as people read it."""
        return short_version(self.version)


_COLUMNS = "name, version, manifest, num_files, num_bytes, by_clock, submitted, retired"


class Submissions:
    """Reads and writes the submitted bots of a database."""

    def __init__(self, store: "Store") -> None:
        self._store = store

    # Bundles

    def keep(self, bundle: Bundle) -> None:
        """Stores a bundle; one that is there already stays."""
        with self._store.transaction() as db:
            _keep(db, bundle)

    def bundle(self, version: str) -> Bundle | None:
        """Returns the bundle of a version, or None.

        Raises:
            UsageError: what is stored is damaged.
        """
        rows = self._store.rows("SELECT data FROM bundles WHERE version = ?", version)
        if not rows:
            return None
        found = decode_bundle(rows[0][0])
        if found.version != version:
            raise UsageError(f"{self._store.path}: the bundle {version} does not hold what it held; submit it again")
        return found

    # Options

    def keep_options(self, version: str, given: Mapping[str, str], filled_in: FilledIn) -> None:
        """Stores what a bot's file made of options as they were written; what it said first stays."""
        told = msgspec.json.encode(filled_in).decode()
        with self._store.transaction() as db:
            db.execute("INSERT OR IGNORE INTO options VALUES (?, ?, ?)", (version, _given(given), told))

    def options(self, version: str, given: Mapping[str, str]) -> FilledIn | None:
        """Returns what a bot's file made of options as they were written, None where it was not asked yet.

        Raises:
            UsageError: what is stored is damaged.
        """
        query = "SELECT filled_in FROM options WHERE version = ? AND given = ?"
        rows = self._store.rows(query, version, _given(given))
        try:
            return msgspec.json.decode(rows[0][0], type=FilledIn) if rows else None
        except msgspec.DecodeError as error:
            raise UsageError(f"{self._store.path}: options of {version} are damaged ({error}); use a copy") from error

    # Names

    def submit(self, name: str, bundle: Bundle, *, by_clock: bool = False) -> tuple[Submission, bool]:
        """Stores a version of a bot and returns it, and whether it is new; one that was retired comes back."""
        with self._store.transaction() as db:
            _keep(db, bundle)
            known = db.execute("SELECT name FROM bots WHERE folded = ? LIMIT 1", (fold(name),)).fetchone()
            is_new = db.execute(
                "INSERT OR IGNORE INTO bots "
                "(name, folded, version, manifest, num_files, num_bytes, by_clock, submitted) VALUES (?,?,?,?,?,?,?,?)",
                (
                    *(known[0] if known else name, fold(name), bundle.version),
                    *(msgspec.json.encode(bundle.manifest).decode(), len(bundle.files), bundle.num_bytes),
                    *(by_clock, time.time()),
                ),
            ).rowcount
            db.execute("UPDATE bots SET retired = NULL WHERE folded = ? AND version = ?", (fold(name), bundle.version))
        return self.find(name, bundle.version), bool(is_new)

    def all(self) -> list[Submission]:
        """Returns all versions of all bots, by name, the newest version of each first."""
        rows = self._store.rows(f"SELECT {_COLUMNS} FROM bots ORDER BY folded, row DESC")
        return [_decode(row) for row in rows]

    def versions(self, name: str) -> list[Submission]:
        """Returns the versions of a bot, the newest first; its name's case and Unicode form do not count."""
        return [each for each in self.all() if fold(each.name) == fold(name)]

    def find(self, name: str, prefix: str = "") -> Submission:
        """Returns the newest version of a bot that can be named in new runs, or the one whose hash begins so.

        Raises:
            UnknownName: there is none, or several begin so.
        """
        versions = self.versions(name)
        if not versions:
            known = dict.fromkeys(each.name for each in self.all())
            raise UnknownName(
                f"{self._store.path}: there is no submitted bot {name!r}.{nearest(name, known)} "
                f"Submitted bots: {', '.join(known) or 'none'}"
            )
        if prefix:
            return _by_prefix(versions, prefix)
        return next((each for each in versions if each.retired is None), versions[0])

    def retire(self, name: str, prefix: str = "") -> list[Submission]:
        """Keeps a bot, or one version of it, out of new runs, and returns what was retired by this."""
        chosen = [self.find(name, prefix)] if prefix else self.versions(name) or [self.find(name)]
        changed = [each for each in chosen if each.retired is None]
        with self._store.transaction() as db:
            for each in changed:
                db.execute(
                    "UPDATE bots SET retired = ? WHERE folded = ? AND version = ?",
                    (time.time(), fold(name), each.version),
                )
        return changed


def _decode(row: tuple[Any, ...]) -> Submission:
    name, version, manifest, num_files, num_bytes, by_clock, submitted, retired = row
    told = msgspec.json.decode(manifest, type=Manifest)
    return Submission(name, version, told, num_files, num_bytes, bool(by_clock), submitted, retired)


def _given(given: Mapping[str, str]) -> str:
    return msgspec.json.encode(given, order="sorted").decode()


def _keep(db: sqlite3.Connection, bundle: Bundle) -> None:
    db.execute("INSERT OR IGNORE INTO bundles VALUES (?, ?)", (bundle.version, bundle.encode()))


def _by_prefix(versions: list[Submission], prefix: str) -> Submission:
    found = [each for each in versions if each.version.startswith(prefix.lower())]
    if len(found) != 1:
        what = "no version" if not found else "several versions"
        known = ", ".join(each.short for each in versions)
        raise UnknownName(f"{versions[0].name}@{prefix}: {what} of the bot begins so; versions, newest first: {known}")
    return found[0]
