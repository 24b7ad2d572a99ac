"""Submitted bots, accounts and logs in a real database."""

import contextlib
import sqlite3
from array import array

import msgspec
import pytest

from arena.core.options import FilledIn
from arena.core.record import Account, Fault, Outcome
from arena.core.spec import Conditions, Entrant, GameRef, Limits, MatchSpec
from arena.errors import UnknownName, UsageError
from arena.hosts.bundle import Bundle, BundleFile, Manifest
from arena.store import accounts, schema
from arena.store.store import Played, Store


def bundle(content: bytes = b"x") -> Bundle:
    return Bundle(Manifest("rook", [], python="bot.py"), (BundleFile("bot.py", False, content),))


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "arena.db", create=True) as opened:
        yield opened


def played(number: int, log: bytes = b"", *, fault: bool = False) -> Played:
    """A finished match of a submitted bot against a shipped one."""
    conditions = Conditions(GameRef("connect_four", "1", {}), 2, Limits(), 7)
    spec = MatchSpec(conditions, number, number, (Entrant("rook", bundle().version), Entrant("random", "1")))
    times = array("I", [1000 + number, 3000]).tobytes()
    account = Account("isolated", 12.5, times, times, 4.5, 20.0 + number, {"value": (1.5, 2)}, log)
    faults = (Fault("crash", 3, "it fell"), None) if fault else (None, None)
    outcome = Outcome(spec.id, (0, 1), (2, 1), faults, b"", b"", (2.0, 1.0), (account, None))
    return Played(spec, outcome, "inline", 1)


def test_a_new_hash_is_a_new_version_and_the_same_hash_the_same(store):
    first, is_new = store.submissions.submit("rook", bundle())
    assert is_new
    assert store.submissions.submit("rook", bundle()) == (first, False)
    second, is_new = store.submissions.submit("rook", bundle(b"y"))
    assert is_new and second.version != first.version
    assert store.submissions.versions("rook") == [second, first]
    assert store.submissions.find("rook") == second
    assert store.submissions.find("rook", first.version[:6]) == first
    assert store.submissions.bundle(first.version) == bundle()


def test_what_a_file_made_of_options_first_stays(store):
    version, given = bundle().version, {"place": "1", "tag": "x"}
    assert store.submissions.options(version, given) is None
    first = FilledIn({"place": 1, "tag": "x", "rate": None, "is_brave": True}, ("place", "tag"))
    store.submissions.keep_options(version, given, first)
    store.submissions.keep_options(version, given, FilledIn({"place": 2}))
    assert store.submissions.options(version, dict(reversed(given.items()))) == first
    assert store.submissions.options(version, {}) is store.submissions.options("other", given) is None


def test_stored_options_that_are_damaged_are_told(store):
    version = bundle().version
    for damaged in ('{"values":{"place":[1]}}', '{"values":{},"changed":["place"]}', "{"):
        with store.transaction() as db:
            db.execute("INSERT OR REPLACE INTO options VALUES (?, '{}', ?)", (version, damaged))
        with pytest.raises(UsageError, match=f"options of {version} are damaged"):
            store.submissions.options(version, {})


def test_names_are_one_whatever_their_case_and_unicode_form(store):
    store.submissions.submit("R\u00f6ok", bundle())
    found, is_new = store.submissions.submit("RO\u0308OK", bundle(b"y"))
    assert (found.name, is_new) == ("R\u00f6ok", True)
    assert len(store.submissions.versions("r\u00f6ok")) == 2


def test_retired_versions_give_way_and_come_back(store):
    first, _ = store.submissions.submit("rook", bundle())
    second, _ = store.submissions.submit("rook", bundle(b"y"))
    assert [each.version for each in store.submissions.retire("ROOK", second.version[:8])] == [second.version]
    assert store.submissions.find("rook") == first
    assert [each.version for each in store.submissions.retire("rook")] == [first.version]
    assert store.submissions.retire("rook") == []
    assert store.submissions.find("rook").retired is not None
    again, is_new = store.submissions.submit("rook", bundle(b"y"))
    assert (again.retired, is_new) == (None, False)


def test_unknown_names_and_prefixes_are_told_with_the_nearest(store):
    store.submissions.submit("rook", bundle())
    with pytest.raises(UnknownName, match=r"arena\.db.*Did you mean 'rook'"):
        store.submissions.find("rok")
    with pytest.raises(UnknownName, match="no version"):
        store.submissions.find("rook", "zz")


def test_a_damaged_bundle_is_never_played(store, tmp_path):
    store.submissions.submit("rook", bundle())
    version = bundle().version
    other = bundle(b"evil").encode()
    with contextlib.closing(sqlite3.connect(tmp_path / "arena.db")) as db, db:
        db.execute("UPDATE bundles SET data = ?", (other,))
    with pytest.raises(UsageError, match="does not hold what it held"):
        store.submissions.bundle(version)


def test_accounts_add_up(store):
    assert store.save([played(1), played(2, fault=True)]) == 2
    row = next(row for row, entrant in store.entrants().items() if entrant.bot == "rook")
    used = store.accounts.usage(row)
    assert (used.matches, used.levels, used.start_ms) == (2, {"isolated": 2}, [12.5, 12.5])
    assert sorted(used.wall_us) == sorted(used.cpu_us) == [1001, 1002, 3000, 3000]
    assert (used.cpu_ms, used.peak_mb, used.notes) == (9.0, 22.0, {"value": (3.0, 4)})
    assert store.accounts.faults(row) == {"crash": 1}
    assert store.accounts.levels(1) == {row: {"isolated": 2}}


def test_of_two_results_the_first_keeps_its_account(store):
    first, second = played(1, b"first"), played(1, b"second")
    assert store.save([first]) == 1
    assert store.save([second]) == 0
    log = store.accounts.find_log(first.outcome.match, 0)
    assert log is not None and log.text == b"first"
    assert store.accounts.find_log(first.outcome.match, 1) is None


def test_a_talkative_bot_does_not_fill_the_disk(store, monkeypatch):
    monkeypatch.setattr(accounts, "KEPT_FAULT_LOGS", 3)
    monkeypatch.setattr(accounts, "KEPT_LOGS", 2)
    for number in range(10):
        store.save([played(number, b"log %d" % number, fault=number % 2 == 1)])
    kept = [n for n in range(10) if store.accounts.find_log(played(n).outcome.match, 0) is not None]
    assert kept == [5, 6, 7, 8, 9]


def test_newest_matches_by_bot_and_by_fault(store):
    store.save([played(number, fault=number == 1) for number in range(4)])
    rows = {entrant.bot: row for row, entrant in store.entrants().items()}
    ids = [played(number).outcome.match for number in range(4)]
    assert [each.outcome.match for each in store.newest_matches(None, 2, with_faults=False)] == [ids[3], ids[2]]
    assert [each.outcome.match for each in store.newest_matches({rows["rook"]}, 9, with_faults=True)] == [ids[1]]
    assert store.newest_matches({rows["random"]}, 9, with_faults=True) == []


def test_an_older_database_is_migrated(tmp_path):
    path = tmp_path / "old.db"
    with Store(path, create=True) as new:
        wanted = new.rows("SELECT type, name FROM sqlite_master ORDER BY name")
        columns = new.rows("SELECT name FROM pragma_table_info('runs')")
    path.unlink()
    tables = schema._MATCHES
    sandbox = tables[
        tables.index(",                -- when a process last drove it") : tables.index("CREATE TABLE failures")
    ]
    first = tables.replace(sandbox, ");\n")
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.executescript(f"{first} PRAGMA application_id = {schema.APPLICATION_ID}; PRAGMA user_version = 1;")
    with Store(path) as migrated:
        assert migrated.rows("SELECT type, name FROM sqlite_master ORDER BY name") == wanted
        assert migrated.rows("SELECT name FROM pragma_table_info('runs')") == columns
        assert migrated.rows("PRAGMA user_version") == [(schema.VERSION,)]
        assert migrated.save([played(1, b"log")]) == 1


def test_what_crosses_a_process_border_is_a_value():
    outcome = played(3, b"\xff\0log").outcome
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(outcome), type=Outcome) == outcome
