"""What is stored comes back; of two results the first stays; a match is found by the beginning of its id."""

import math
import sqlite3

import msgspec
import pytest

from arena.core.record import Fault
from arena.errors import StoreError, UnknownName
from arena.store.store import Failure, Store

NAN = float("nan")


def without_times(outcome):
    return msgspec.structs.replace(outcome, think_ms=())


def test_matches_come_back(store, path, played):
    assert store.save(played) == len(played)
    store.close()
    with Store(path) as again:
        for item in played:
            stored = again.find_match(item.spec.id)
            assert stored.conditions == item.spec.conditions
            assert stored.deal_number == item.spec.deal_number
            assert stored.lineup == item.spec.lineup
            assert without_times(stored.outcome) == without_times(item.outcome)
            assert stored.outcome.think_ms == pytest.approx(item.outcome.think_ms, rel=1e-6, nan_ok=True)


def test_faults_come_back(store, played):
    faults = (None, Fault("crash", 7, "ValueError: «no» 忍者\t(line 3 of act)"))
    outcome = msgspec.structs.replace(played[0].outcome, faults=faults, think_ms=(NAN, 2.5), ranks=(1, 2))
    store.save([played[0]._replace(outcome=outcome, worker="ray-3", attempt=2)])
    stored = store.find_match(outcome.match).outcome
    assert stored.faults == faults
    assert math.isnan(stored.think_ms[0])
    assert stored.think_ms[1] == 2.5


def test_first_result_wins(store, played):
    """A second result of a match changes nothing, and is not counted as new (cases.md D16)."""
    assert store.save(played[:3]) == 3
    other = msgspec.structs.replace(played[0].outcome, scores=(9, 9), ranks=(1, 1), actions=b"")
    assert store.save([played[0]._replace(outcome=other), played[3]]) == 1
    assert store.find_match(other.match).outcome.actions == played[0].outcome.actions
    assert len(store.done(played[0].spec.conditions)) == 4


def test_a_batch_is_stored_whole_or_not_at_all(store, played):
    broken = played[2]._replace(outcome=msgspec.structs.replace(played[2].outcome, scores=(2**70, 0)))
    with pytest.raises(OverflowError):
        store.save([played[0], played[1], broken])
    assert store.done(played[0].spec.conditions) == set()
    assert store.save(played[:2]) == 2


def test_result_is_there_for_others_at_once(store, path, played):
    """Each result is readable by another process when `save` returns (cases.md D3); here, by another connection."""
    with Store(path) as reader:
        for count, item in enumerate(played, 1):
            store.save([item])
            assert len(reader.done(item.spec.conditions)) == count


def test_done_is_of_these_conditions_alone(store, played, conditions):
    store.save(played)
    assert store.done(played[0].spec.conditions) == {bytes.fromhex(item.spec.id) for item in played}
    assert store.done(conditions(run_seed=1)) == set()
    assert store.done(conditions("ninjan", 3)) == set()


def test_columns_are_in_the_order_of_ids(store, played):
    store.save(reversed(played))
    (condition,) = store.conditions("connect_four")
    rows = store.columns(condition)
    assert [row[0].hex() for row in rows] == sorted(item.spec.id for item in played)
    assert store.conditions("ninjan") == {}


def test_seed_of_128_bits_comes_back(store, played):
    store.save(played[:1])
    assert [c.run_seed for c in store.conditions().values()] == [2**127 + 1]


def test_workers_are_counted(store, played):
    store.save([played[0], played[1]._replace(worker="ray-1"), played[2]._replace(worker="ray-1")])
    assert store.workers(played[0].spec.conditions) == {"inline": 1, "ray-1": 2}
    first = bytes.fromhex(played[0].outcome.match)
    assert store.workers(played[0].spec.conditions, {first}) == {played[0].worker: 1}


def test_failures_are_kept_in_order(store, played):
    failures = [Failure(item.spec.id, attempt, "ray-0", f"worker lost {attempt} «»") for item in played[:2]
                for attempt in (1, 2, 3)]  # fmt: skip
    for failure in failures:
        store.save_failure("league", failure)
    store.save_failure("other", failures[0])
    assert store.failures("league") == failures
    assert store.failures("nothing") == []


class TestPrefix:
    @pytest.fixture
    def filled(self, store, played):
        store.save(played)
        return store

    def test_whole_id_and_any_unique_beginning(self, filled, played):
        ids = [item.spec.id for item in played]
        for match in ids:
            shortest = next(n for n in range(1, 33) if sum(other.startswith(match[:n]) for other in ids) == 1)
            for length in {shortest, shortest + 1, 31, 32}:
                assert filled.find_match(match[:length]).outcome.match == match
        assert filled.find_match(f"  {ids[0].upper()} ").outcome.match == ids[0]

    def test_beginning_of_several(self, filled, played):
        ids = sorted(item.spec.id for item in played)
        digit = next(d for d in "0123456789abcdef" if sum(match.startswith(d) for match in ids) > 1)
        with pytest.raises(UnknownName, match="several matches have an id that begins with"):
            filled.find_match(digit)

    def test_beginning_of_none(self, filled, played):
        ids = [item.spec.id for item in played]
        absent = next(p for n in range(4096) if not any(m.startswith(p := f"{n:03x}") for m in ids))
        with pytest.raises(UnknownName, match=f"no match has an id that begins with '{absent}'"):
            filled.find_match(absent)

    @pytest.mark.parametrize("text", ["", "   ", "xyz", "0x12", "a" * 33, "12 34", "१२", "-1", "%", "a\x00"])
    def test_no_id_at_all(self, filled, text):
        with pytest.raises(UnknownName, match="is no match id"):
            filled.find_match(text)


def test_full_disk_is_one_line_and_loses_nothing(path, played, run_python, tmp_path):
    """A real process whose files may not grow: what was stored before stays, and the database is sound."""
    program = tmp_path / "fill.py"
    program.write_text(
        "import resource, sys, msgspec\n"
        "from pathlib import Path\n"
        "from arena.store.store import Store\n"
        "from arena.errors import StoreError\n"
        "with Store(Path(sys.argv[1]), create=True) as store:\n"
        "    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))\n"
        "    from arena.core.spec import *\n"
        "    conditions = Conditions(GameRef('connect_four', '1', {}), 2, Limits(), 1)\n"
        "    entrants = [Entrant(f'bot{i}' + 'x' * 900, '1') for i in range(9999)]\n"
        "    num = 0\n"
        "    try:\n"
        "        for entrant in entrants:\n"
        "            store.save_run(entrant.bot, conditions, [entrant], 1)\n"
        "            num += 1\n"
        "    except StoreError as error:\n"
        "        print(num)\n"
        "        print(error.exit_code, error)\n"
    )
    number, message = run_python(str(program), str(path)).stdout.splitlines()
    assert message.startswith(f"4 {path}: the disk is full or failing; what was stored is safe. Free some space")
    assert int(number) > 10
    with Store(path) as store:
        assert len(store.runs()) == int(number)
        assert store.rows("PRAGMA integrity_check") == [("ok",)]
        assert store.save(played) == len(played)


def test_lock_held_for_long_is_said(path, played, store):
    store._db.execute("PRAGMA busy_timeout = 10")
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match="another process has kept the database locked"):
        store.save(played)
    holder.execute("ROLLBACK")
    holder.close()
    assert store.save(played) == len(played)
