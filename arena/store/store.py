"""What is kept: matches by the hash of their spec, first result wins; runs as names for stored configurations."""

import contextlib
import os
import platform
import sqlite3
import time
import unicodedata
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

import msgspec
import psutil

from arena.core.options import nearest
from arena.core.record import FAULT_CLASSES, Fault, Outcome
from arena.core.seeding import deal_seed
from arena.core.spec import Conditions, Entrant, MatchSpec
from arena.errors import StoreError, UnknownName
from arena.store.accounts import AccountRow, Accounts, save_accounts
from arena.store.database import connect, mapped_errors
from arena.store.submissions import Submissions

MATCH_COLUMNS = "id, condition, deal_number, lineup, scores, ranks, faults, fault_details, actions, think_us, think_ms"


class Run(msgspec.Struct, frozen=True):
    """A named configuration."""

    name: str
    conditions: Conditions
    entrants: tuple[Entrant, ...]
    deals: int
    created: float
    """Seconds since 1970."""
    sandbox: str = "auto"
    """The level of the sandbox that was asked for, for submitted bots."""


class Played(NamedTuple):
    """A finished match on its way to the database."""

    spec: MatchSpec
    outcome: Outcome
    worker: str
    attempt: int


class StoredMatch(NamedTuple):
    """A match as it is kept."""

    conditions: Conditions
    deal_number: int
    lineup: tuple[Entrant, ...]
    outcome: Outcome

    @property
    def spec(self) -> MatchSpec:
        """What was played."""
        conditions = self.conditions
        deal = deal_seed(conditions.run_seed, conditions.game.name, conditions.players, self.deal_number)
        return MatchSpec(conditions, deal, self.deal_number, self.lineup)


class Failure(NamedTuple):
    """An attempt that gave no result, through our own or a machine's failing."""

    match: str
    attempt: int
    worker: str
    reason: str


def fold(name: str) -> str:
    """Returns what two names are compared by: case and Unicode form do not count."""
    return unicodedata.normalize("NFKC", name).casefold()


def _fault_codes(faults: Sequence[Fault | None]) -> bytes:
    return bytes(0 if fault is None else 1 + FAULT_CLASSES.index(fault.kind) for fault in faults)


class Store:
    """One open database. Not to be shared between processes; each opens its own."""

    def __init__(self, path: Path, *, create: bool = False) -> None:
        self.path = path
        self._db = connect(path, create=create)
        self._condition_ids: dict[bytes, int] = {}
        self._entrant_ids: dict[bytes, int] = {}
        self.submissions = Submissions(self)
        self.accounts = Accounts(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the database."""
        self._db.close()

    @contextlib.contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Makes what is written in the block take effect as a whole, or not at all. For this package."""
        with mapped_errors(self.path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Returns what a query finds. For this package."""
        with mapped_errors(self.path):
            return self._db.execute(query, values).fetchall()

    # Conditions and entrants

    def _condition_id(self, conditions: Conditions) -> int:
        key = conditions.key
        if key not in self._condition_ids:
            body = msgspec.json.encode(msgspec.structs.replace(conditions, run_seed=0)).decode()
            wrapped = msgspec.json.encode({"seed": str(conditions.run_seed), "body": msgspec.Raw(body.encode())})
            self._db.execute(
                "INSERT OR IGNORE INTO conditions (key, game, players, body) VALUES (?, ?, ?, ?)",
                (key, conditions.game.name, conditions.players, wrapped.decode()),
            )
            (self._condition_ids[key],) = self._db.execute("SELECT id FROM conditions WHERE key = ?", (key,)).fetchone()
        return self._condition_ids[key]

    def entrant_id(self, entrant: Entrant) -> int:
        """Returns an entrant's row, which is made where there is none; within a transaction."""
        key = entrant.key
        if key not in self._entrant_ids:
            self._db.execute(
                "INSERT OR IGNORE INTO entrants (key, label, body) VALUES (?, ?, ?)",
                (key, entrant.label, msgspec.json.encode(entrant).decode()),
            )
            (self._entrant_ids[key],) = self._db.execute("SELECT id FROM entrants WHERE key = ?", (key,)).fetchone()
        return self._entrant_ids[key]

    def entrants(self) -> dict[int, Entrant]:
        """Returns all entrants by their row."""
        rows = self.rows("SELECT id, body FROM entrants")
        return {row: msgspec.json.decode(body, type=Entrant) for row, body in rows}

    def conditions(self, game: str | None = None) -> dict[int, Conditions]:
        """Returns all conditions, or those of one game, by their row."""
        rows = self.rows("SELECT id, body FROM conditions WHERE ?1 IS NULL OR game = ?1 ORDER BY id", game)
        return {row: _decode_conditions(body) for row, body in rows}

    # Runs

    def save_run(
        self, name: str, conditions: Conditions, entrants: Sequence[Entrant], deals: int, sandbox: str = "auto"
    ) -> None:
        """Stores or extends a run's configuration; what may be changed is for the caller to judge."""
        now = time.time()
        with self.transaction() as db:
            ids = msgspec.json.encode([self.entrant_id(entrant) for entrant in entrants]).decode()
            condition = self._condition_id(conditions)
            db.execute(
                "INSERT INTO runs (name, folded, condition, entrants, deals, created, used, sandbox) "
                "VALUES (?,?,?,?,?,?,?,?) ON CONFLICT (folded) DO UPDATE SET entrants = excluded.entrants, "
                "deals = excluded.deals, used = excluded.used, sandbox = excluded.sandbox",
                (name, fold(name), condition, ids, deals, now, now, sandbox),
            )

    def runs(self) -> list[Run]:
        """Returns all runs, the one used last first."""
        rows = self.rows(
            "SELECT name, body, entrants, deals, created, sandbox FROM runs "
            "JOIN conditions ON conditions.id = condition ORDER BY used DESC, runs.rowid DESC"
        )
        entrants = self.entrants()
        return [_decode_run(row, entrants) for row in rows]

    def find_run(self, name: str) -> Run | None:
        """Returns the run of a name, ignoring case and Unicode form, or None."""
        return next((run for run in self.runs() if fold(run.name) == fold(name)), None)

    def get_run(self, name: str | None) -> Run:
        """Returns the run of a name, or the one used last.

        Raises:
            UnknownName: there is none.
        """
        runs = self.runs()
        if name is None and runs:
            return runs[0]
        for run in runs:
            if name is not None and fold(run.name) == fold(name):
                return run
        if name is None:
            raise UnknownName(f"{self.path}: there is no run yet; `arena run` starts one")
        known = ", ".join(run.name for run in runs[:10]) or "none"
        raise UnknownName(
            f"{self.path}: there is no run {name!r}.{nearest(name, [r.name for r in runs])} Runs: {known}"
        )

    @contextlib.contextmanager
    def driving(self, run: str) -> Iterator[None]:
        """Claims a run for this process while the block lasts; a claim of a process that is gone does not count.

        Raises:
            StoreError: another process drives the run.
        """
        host, pid, started = platform.node(), os.getpid(), psutil.Process().create_time()
        with self.transaction() as db:
            row = db.execute("SELECT host, pid, started FROM drivers WHERE run = ?", (fold(run),)).fetchone()
            if row is not None and _is_running(*row) and row[1] != pid:
                raise StoreError(
                    f"run {run!r} is being driven by process {row[1]} on {row[0]}; "
                    f"watch it with `arena status {run}`, or stop it first"
                )
            db.execute("INSERT OR REPLACE INTO drivers VALUES (?, ?, ?, ?)", (fold(run), host, pid, started))
        try:
            yield
        finally:
            with contextlib.suppress(StoreError), self.transaction() as db:
                db.execute("DELETE FROM drivers WHERE run = ? AND pid = ?", (fold(run), pid))

    def driver(self, run: str) -> tuple[str, int] | None:
        """Returns the host and process that drive a run, or None."""
        rows = self.rows("SELECT host, pid, started FROM drivers WHERE run = ?", fold(run))
        return next(((h, p) for h, p, s in rows if _is_running(h, p, s)), None)

    # Matches

    def save(self, played: Iterable[Played]) -> int:
        """Stores finished matches, all or none, and returns how many were new: of two results the first stays."""
        now, played = time.time(), list(played)
        with self.transaction() as db:
            rows = [self._encode(item, now) for item in played]
            before = db.total_changes
            db.executemany(
                "INSERT OR IGNORE INTO matches (id, condition, deal_number, lineup, scores, ranks, faults, "
                "fault_details, actions, think_us, think_ms, worker, attempt, finished) "
                "VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                rows,
            )
            num_new = db.total_changes - before
            if accounts := [row for item in played if item.outcome.accounts for row in self._accounts(item)]:
                save_accounts(db, accounts)
            return num_new

    def _accounts(self, item: Played) -> Iterator[AccountRow]:
        match, condition = bytes.fromhex(item.outcome.match), self._condition_id(item.spec.conditions)
        for seat, account in enumerate(item.outcome.accounts):
            if account is not None:
                entrant = self.entrant_id(item.spec.lineup[seat])
                yield AccountRow(match, seat, condition, entrant, item.outcome.faults[seat], account)

    def _encode(self, item: Played, now: float) -> tuple[object, ...]:
        spec, outcome, worker, attempt = item
        has_fault = any(outcome.faults)
        return (
            bytes.fromhex(outcome.match),
            self._condition_id(spec.conditions),
            spec.deal_number,
            array("i", [self.entrant_id(entrant) for entrant in spec.lineup]).tobytes(),
            array("q", outcome.scores).tobytes(),
            bytes(outcome.ranks),
            _fault_codes(outcome.faults),
            msgspec.json.encode(outcome.faults).decode() if has_fault else None,
            outcome.actions,
            outcome.think_us,
            array("f", outcome.think_ms).tobytes(),
            worker,
            attempt,
            now,
        )

    def done(self, conditions: Conditions) -> set[bytes]:
        """Returns the ids of all stored matches under some conditions."""
        with mapped_errors(self.path):
            cursor = self._db.execute(
                "SELECT matches.id FROM matches JOIN conditions ON conditions.id = condition WHERE key = ?",
                (conditions.key,),
            )
            return {row[0] for row in cursor}

    def columns(self, condition: int) -> list[tuple[bytes, int, bytes, bytes, bytes, bytes, bytes, bytes]]:
        """Returns (id, deal_number, lineup, scores, ranks, faults, think_ms, actions) of all matches under some
        conditions, in the order of their ids: the canonical one."""
        return self.rows(
            "SELECT id, deal_number, lineup, scores, ranks, faults, think_ms, actions FROM matches "
            "WHERE condition = ? ORDER BY id",
            condition,
        )

    def workers(self, conditions: Conditions, only: set[bytes] | None = None) -> dict[str, int]:
        """Returns how many stored matches under some conditions each worker has played.

        Args:
            conditions: of the matches.
            only: ids of the matches to count; all where it is None.
        """
        rows = self.rows(
            "SELECT matches.id, worker FROM matches JOIN conditions ON conditions.id = condition WHERE key = ?",
            conditions.key,
        )
        counts = Counter(worker for match, worker in rows if only is None or match in only)
        return dict(sorted(counts.items()))

    def find_match(self, prefix: str) -> StoredMatch:
        """Returns the match whose id begins so.

        Raises:
            UnknownName: none does, or several do.
        """
        text = prefix.strip().lower()
        if not text or any(digit not in "0123456789abcdef" for digit in text) or len(text) > 32:
            raise UnknownName(
                f"{prefix[:60]!r} is no match id; an id is up to 32 hex digits, as `arena matches` shows them"
            )
        low, high = bytes.fromhex(text.ljust(32, "0")), bytes.fromhex(text.ljust(32, "f"))
        rows = self.rows(f"SELECT {MATCH_COLUMNS} FROM matches WHERE id BETWEEN ? AND ? LIMIT 2", low, high)
        if len(rows) != 1:
            found = "no match has" if not rows else "several matches have"
            raise UnknownName(f"{self.path}: {found} an id that begins with {text!r}")
        return self._decode(rows[0])

    def newest_matches(self, entrants: set[int] | None, limit: int, *, with_faults: bool) -> list[StoredMatch]:
        """Returns the matches that were stored last, the newest first.

        Args:
            entrants: rows of entrants, of which one played; None for any.
            limit: at most so many.
            with_faults: only those in which a bot failed; with entrants, in which one of these did.
        """
        only = "WHERE fault_details IS NOT NULL" if with_faults else ""
        found = []
        with mapped_errors(self.path):
            for row in self._db.execute(f"SELECT {MATCH_COLUMNS} FROM matches {only} ORDER BY row DESC"):
                seats = array("i", row[3])
                faults = row[6] if with_faults else b"\1" * len(seats)
                if entrants is None or any(f and seat in entrants for seat, f in zip(seats, faults, strict=True)):
                    found.append(row)
                if len(found) == limit:
                    break
        return [self._decode(row) for row in found]

    def _decode(self, row: tuple[Any, ...]) -> StoredMatch:
        match, condition, deal_number, lineup, scores, ranks, _, details, actions, think_us, think_ms = row
        entrants = self.entrants()
        seats = array("i", lineup)
        faults = msgspec.json.decode(details, type=tuple[Fault | None, ...]) if details else (None,) * len(seats)
        outcome = Outcome(
            match=match.hex(),
            scores=tuple(array("q", scores)),
            ranks=tuple(ranks),
            faults=faults,
            actions=actions,
            think_us=think_us,
            think_ms=tuple(array("f", think_ms)),
        )
        conditions = self.conditions()[condition]
        return StoredMatch(conditions, deal_number, tuple(entrants[number] for number in seats), outcome)

    # Failures

    def save_failure(self, run: str, failure: Failure) -> None:
        """Notes an attempt that gave no result."""
        with self.transaction() as db:
            db.execute(
                "INSERT INTO failures (run, match, attempt, worker, reason, at) VALUES (?,?,?,?,?,?)",
                (run, bytes.fromhex(failure.match), failure.attempt, failure.worker, failure.reason, time.time()),
            )

    def failures(self, run: str) -> list[Failure]:
        """Returns the failed attempts of a run, oldest first."""
        rows = self.rows("SELECT match, attempt, worker, reason FROM failures WHERE run = ? ORDER BY row", run)
        return [Failure(m.hex(), a, w, r) for m, a, w, r in rows]


def _decode_conditions(body: str) -> Conditions:
    wrapped = msgspec.json.decode(body)
    conditions = msgspec.convert(wrapped["body"], Conditions)
    return msgspec.structs.replace(conditions, run_seed=int(wrapped["seed"]))


def _decode_run(row: tuple[Any, ...], entrants: dict[int, Entrant]) -> Run:
    name, body, ids, deals, created, sandbox = row
    members = tuple(entrants[number] for number in msgspec.json.decode(ids))
    return Run(name, _decode_conditions(body), members, deals, created, sandbox)


def _is_running(host: str, pid: int, started: float) -> bool:
    """Says whether a claim is still held; a process on another machine is taken to be alive."""
    if host != platform.node():
        return True
    try:
        process = psutil.Process(pid)
        # A killed process whose parent has not yet asked for its end (many containers have nobody who does) is gone.
        is_gone = process.status() == psutil.STATUS_ZOMBIE
        return not is_gone and abs(process.create_time() - started) < 1.0
    except psutil.NoSuchProcess:
        return False
