"""What submitted bots used and said, kept beside their matches; never part of a result."""

import sqlite3
import zlib
from array import array
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from arena.core.notes import Totals, merge_notes
from arena.core.record import FAULT_CLASSES, IN_PROCESS, Account, Fault

if TYPE_CHECKING:
    from arena.store.store import Store

# Logs kept of each entrant, the newest: a bot that talks in every match must not fill the disk.
KEPT_FAULT_LOGS, KEPT_LOGS = 500, 50


class AccountRow(NamedTuple):
    """One seat of a finished match on its way to the database."""

    match: bytes
    seat: int
    condition: int
    entrant: int
    fault: Fault | None
    account: Account


def save_accounts(db: sqlite3.Connection, rows: Iterable[AccountRow]) -> None:
    """Stores accounts within a transaction; of two for one seat of a match the first stays."""
    rows = list(rows)
    db.executemany("INSERT OR IGNORE INTO accounts VALUES (?,?,?,?,?,?,?,?,?,?,?)", map(_encode, rows))
    logs = [
        (row.match, row.seat, row.entrant, row.fault is not None, zlib.compress(row.account.log))
        for row in rows
        if row.account.log
    ]
    db.executemany("INSERT OR IGNORE INTO logs (match, seat, entrant, has_fault, data) VALUES (?,?,?,?,?)", logs)
    for entrant in {log[2] for log in logs}:
        for has_fault, kept in ((1, KEPT_FAULT_LOGS), (0, KEPT_LOGS)):
            db.execute(
                "DELETE FROM logs WHERE entrant = ?1 AND has_fault = ?2 AND row <= (SELECT row FROM logs "
                "WHERE entrant = ?1 AND has_fault = ?2 ORDER BY row DESC LIMIT 1 OFFSET ?3)",
                (entrant, has_fault, kept),
            )


def _encode(row: AccountRow) -> tuple[object, ...]:
    account = row.account
    notes = msgspec.json.encode(account.notes).decode() if account.notes else None
    times = (account.start_ms, account.wall_us, account.cpu_us, account.cpu_ms, account.peak_mb)
    return (row.match, row.seat, row.condition, row.entrant, account.level, *times, notes)


class StoredLog(NamedTuple):
    """The end of a bot's log of one match."""

    match: str
    seat: int
    text: bytes


class Usage(NamedTuple):
    """What an entrant has used over all its matches in processes of its own, and noted in any."""

    matches: int
    levels: dict[str, int]
    """Matches at each level of the sandbox; IN_PROCESS for those in the arena's process, with notes alone."""
    start_ms: list[float]
    """For each match."""
    wall_us: list[int]
    """For each answer."""
    cpu_us: list[int]
    """For each answer."""
    cpu_ms: float
    """Processor time of all matches, from each start to its end."""
    peak_mb: float
    """The most of any match."""
    notes: Totals
    """For each number in its notes, the sum and how often it was given."""


def _decode_notes(text: str | None) -> Totals:
    return msgspec.json.decode(text, type=Totals) if text else {}


class Accounts:
    """Reads what is kept of submitted bots' matches."""

    def __init__(self, store: "Store") -> None:
        self._store = store

    def levels(self, condition: int, only: set[bytes] | None = None) -> dict[int, dict[str, int]]:
        """Returns for each entrant's row its matches under some conditions, by the level of the sandbox.

        Args:
            condition: the row of the conditions.
            only: ids of the matches to count; all where it is None.
        """
        found: dict[int, dict[str, int]] = {}
        found_levels = "SELECT match, entrant, level FROM accounts WHERE condition = ? AND level != ?"
        rows = self._store.rows(found_levels, condition, IN_PROCESS)
        for match, entrant, level in rows:
            if only is None or match in only:
                counts = found.setdefault(entrant, {})
                counts[level] = counts.get(level, 0) + 1
        return found

    def levels_of_match(self, match: str) -> dict[int, str]:
        """Returns the level of the sandbox of each seat that was played in a process of its own."""
        found_levels = "SELECT seat, level FROM accounts WHERE match = ? AND level != ?"
        return dict(self._store.rows(found_levels, bytes.fromhex(match), IN_PROCESS))

    def notes(self, match: str, seat: int) -> Totals:
        """Returns what one seat of a match has noted."""
        rows = self._store.rows("SELECT notes FROM accounts WHERE match = ? AND seat = ?", bytes.fromhex(match), seat)
        return _decode_notes(rows[0][0]) if rows else {}

    def usage(self, entrant: int) -> Usage:
        """Returns what an entrant, by its row, has used."""
        levels: dict[str, int] = {}
        starts: list[float] = []
        walls, cpus = array("I"), array("I")
        cpu_ms = peak = 0.0
        notes: Totals = {}
        rows = self._store.rows(
            "SELECT level, start_ms, wall_us, cpu_us, cpu_ms, peak_mb, notes FROM accounts WHERE entrant = ?", entrant
        )
        for level, start_ms, wall_us, cpu_us, match_cpu_ms, peak_mb, text in rows:
            levels[level] = levels.get(level, 0) + 1
            if level != IN_PROCESS:
                starts.append(start_ms)
            walls.frombytes(wall_us)
            cpus.frombytes(cpu_us)
            cpu_ms += match_cpu_ms
            peak = max(peak, peak_mb)
            merge_notes(notes, _decode_notes(text))
        return Usage(sum(levels.values()), levels, starts, walls.tolist(), cpus.tolist(), cpu_ms, peak, notes)

    def faults(self, entrant: int) -> dict[str, int]:
        """Returns how often an entrant, by its row, has failed in which way."""
        rows = self._store.rows(
            "SELECT substr(faults, seat + 1, 1) AS code, count(*) FROM accounts JOIN matches ON matches.id = match "
            "WHERE entrant = ? GROUP BY code ORDER BY code",
            entrant,
        )
        return {FAULT_CLASSES[code[0] - 1]: count for code, count in rows if code[0]}

    def find_log(self, match: str, seat: int) -> StoredLog | None:
        """Returns the log of one seat of a match, if it is kept."""
        rows = self._store.rows("SELECT data FROM logs WHERE match = ? AND seat = ?", bytes.fromhex(match), seat)
        return StoredLog(match, seat, zlib.decompress(rows[0][0])) if rows else None
