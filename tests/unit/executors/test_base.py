"""Queues, batches and their sizes; a batch crosses a process border as a plain value."""

import msgspec
import pytest

from arena.core.record import Outcome
from arena.core.spec import Conditions, Entrant, GameRef, Limits, MatchSpec
from arena.executors.base import (
    FIRST_BATCH,
    MAX_BATCH,
    BatchSizer,
    Task,
    WorkQueue,
    make_batch,
    make_host,
    play_batch,
)
from arena.executors.inline import InlineExecutor
from arena.executors.ray import _decode_batch, _encode_batch
from arena.hosts.roster import parse_entrant
from arena.match.referee import play_match
from arena.schedule.plan import make_plan

CONDITIONS = Conditions(GameRef("connect_four", "1", {"opening": 2}), 2, Limits(move_s=1.5), 2**128 - 1)


def specs(count):
    bots = [parse_entrant(text) for text in ("random", "random#2", "random#3")]
    plan = make_plan(CONDITIONS, bots, count)
    return [match for block in plan.blocks() for match in block.matches][:count]


def tasks(count):
    return [Task(spec, 1) for spec in specs(count)]


class TestWorkQueue:
    def test_takes_in_order_and_no_more_than_is_there(self):
        every = tasks(7)
        queue = WorkQueue(iter(every))
        assert queue.take(3) == every[:3]
        assert queue.take(10) == every[3:]
        assert queue.take(10) == []

    def test_takes_lazily(self):
        """Matches are made as they are taken: a plan of millions is never laid out."""
        made = []

        def make():
            for task in tasks(6):
                made.append(task)
                yield task

        queue = WorkQueue(make())
        queue.take(2)
        assert len(made) == 2

    def test_what_failed_comes_back_first_and_alone(self):
        every = tasks(5)
        queue = WorkQueue(iter(every))
        queue.take(2)
        again = [Task(every[0].spec, 2), Task(every[1].spec, 2)]
        for task in again:
            queue.put_back(task)
        taken = [queue.take(3), queue.take(3)]
        assert sorted(len(batch) for batch in taken) == [1, 1]
        assert {id(task.spec) for batch in taken for task in batch} == {id(task.spec) for task in again}
        assert queue.take(9) == every[2:]

    def test_closed_gives_no_more(self):
        queue = WorkQueue(iter(tasks(5)))
        queue.take(1)
        queue.close()
        queue.put_back(tasks(1)[0])
        assert queue.take(5) == []


class TestBatchSizer:
    def test_first_batch_is_small(self):
        assert BatchSizer(0.5).size == FIRST_BATCH

    def test_finds_what_takes_the_time_that_is_wanted(self):
        sizer = BatchSizer(0.5)
        for _ in range(20):
            size = sizer.size
            sizer.note(size, size * 0.004)
        assert sizer.size == 125

    def test_follows_a_change(self):
        sizer = BatchSizer(0.5)
        sizer.note(4, 4.0)
        assert sizer.size == 1
        for _ in range(30):
            sizer.note(10, 0.01)
        assert 450 < sizer.size <= 500

    @pytest.mark.parametrize(
        ("matches", "seconds", "size"), [(4, 0.0, MAX_BATCH), (4, 1e-12, MAX_BATCH), (4, 1e6, 1), (0, 1.0, 1)]
    )
    def test_stays_within_bounds(self, matches, seconds, size):
        sizer = BatchSizer(0.5)
        sizer.note(matches, seconds)
        assert sizer.size == size


class TestBatch:
    def test_specs_come_back(self):
        every = specs(20)
        batch = make_batch([Task(spec, 1) for spec in every])
        assert batch.specs() == every
        assert [spec.id for spec in batch.specs()] == [spec.id for spec in every]
        assert len(batch.entrants) == 3

    def test_it_crosses_a_border_with_a_seed_of_128_bits(self):
        batch = make_batch(tasks(6))
        encoded = _encode_batch(batch)
        assert isinstance(encoded, bytes)
        assert _decode_batch(encoded) == batch
        assert _decode_batch(encoded).conditions.run_seed == 2**128 - 1
        assert [spec.id for spec in _decode_batch(encoded).specs()] == [spec.id for spec in batch.specs()]

    def test_result_crosses_a_border(self):
        result = play_batch(make_batch(tasks(4)))
        again = msgspec.msgpack.decode(msgspec.msgpack.encode(result), type=type(result))
        assert [outcome.actions for outcome in again.outcomes] == [outcome.actions for outcome in result.outcomes]

    def test_any_size_plays_the_same(self):
        """cases.md C1: batches of one, three and all give the same outcomes."""
        every = tasks(9)
        found = []
        for size in (1, 3, 9):
            outcomes = []
            for start in range(0, 9, size):
                outcomes += play_batch(make_batch(every[start : start + size])).outcomes
            found.append([(o.match, o.scores, o.ranks, o.actions) for o in outcomes])
        assert found[0] == found[1] == found[2]

    def test_what_is_no_bot_s_fault_is_a_reason_and_ends_no_other_match(self):
        """A bot that is not there: our failing, so no result, and all others are played (cases.md D13, D19)."""
        every = specs(4)
        strange = msgspec.structs.replace(every[1], lineup=(every[1].lineup[0], Entrant("vanished", "1")))
        result = play_batch(make_batch([Task(spec, 1) for spec in (every[0], strange, every[2])]))
        first, reason, last = result.outcomes
        assert isinstance(first, Outcome)
        assert isinstance(last, Outcome)
        assert reason.startswith("UnknownName: there is no bot 'vanished'.")
        assert result.seconds > 0


class TestInline:
    def test_plays_all_in_order(self):
        every = tasks(30)
        executor = InlineExecutor()
        finished = list(executor.run(WorkQueue(iter(every))))
        assert [task for batch in finished for task in batch.tasks] == every
        outcomes = [outcome for batch in finished for outcome in batch.result.outcomes]
        assert [outcome.match for outcome in outcomes] == [task.spec.id for task in every]
        assert {batch.worker for batch in finished} == {"inline"}
        assert len(finished[0].tasks) == FIRST_BATCH

    def test_outcome_is_that_of_the_match_alone(self):
        spec = specs(3)[2]
        alone = play_match(spec, make_host)
        (finished,) = InlineExecutor().run(WorkQueue(iter([Task(spec, 1)])))
        assert finished.result.outcomes[0].actions == alone.actions
        assert MatchSpec(spec.conditions, spec.deal, spec.deal_number, spec.lineup).id == alone.match
