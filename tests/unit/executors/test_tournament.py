"""A tournament plays what is missing, stores what was played, and plays again what failed through no bot's fault."""

import pytest

from arena.core.spec import Conditions, GameRef, Limits
from arena.executors.base import BatchResult, Finished, make_batch, play_batch
from arena.executors.inline import InlineExecutor
from arena.hosts.roster import parse_entrant
from arena.schedule.plan import make_plan
from arena.store.store import Store
from arena.tournament import MAX_ATTEMPTS, Tournament

CONDITIONS = Conditions(GameRef("connect_four", "1", {"opening": 2}), 2, Limits(), 99)
BOTS = ["random", "random#2", "random#3"]


class Batches:
    """An executor with batches of one size; some matches fail in their first attempts, and it may be cut short."""

    name = "batches"
    num_workers = 1

    def __init__(self, size, failures=None, stop_after=None):
        self.size = size
        self.failures = dict(failures or {})
        self.stop_after = stop_after

    def run(self, queue):
        number = 0
        while tasks := queue.take(self.size):
            if number == self.stop_after:
                return
            number += 1
            outcomes = list(play_batch(make_batch(tasks)).outcomes)
            for place, task in enumerate(tasks):
                if self.failures.get(task.spec.id, 0) > 0:
                    self.failures[task.spec.id] -= 1
                    outcomes[place] = "worker was lost"
            yield Finished(tasks, BatchResult(tuple(outcomes), 0.1), "batch")

    def close(self):
        pass


def plan(bots=BOTS, deals=4):
    return make_plan(CONDITIONS, [parse_entrant(text) for text in bots], deals)


def ids(of):
    return [match.id for block in of.blocks() for match in block.matches]


def results(store):
    """Returns by match id what counts of each result."""
    return {
        row[0].hex(): (row[3], row[4], row[5], row[7])
        for condition in store.conditions()
        for row in store.columns(condition)
    }


@pytest.fixture
def run(tmp_path):
    """Returns a function that drives a tournament in a database of a name, and gives its progress and results."""

    def go(of, executor, name="a"):
        with Store(tmp_path / f"{name}.db", create=True) as store:
            progress = Tournament("league", of, store, executor).play()
            return progress, results(store), store.failures("league")

    return go


def test_all_is_played_and_stored_once(run):
    progress, stored, failures = run(plan(), InlineExecutor())
    assert sorted(stored) == sorted(ids(plan()))
    assert (progress.planned, progress.played, progress.left, progress.stored_before) == (24, 24, 0, 0)
    assert sum(progress.results.values()) == 24
    assert failures == []


@pytest.mark.parametrize("size", [1, 5, 100])
def test_batch_size_changes_no_result(run, size):
    """cases.md C1."""
    assert run(plan(), Batches(size), "batches")[1] == run(plan(), InlineExecutor(), "inline")[1]


@pytest.mark.parametrize("stop_after", [0, 1, 3, 7])
def test_resumed_is_as_uninterrupted(run, stop_after):
    """cases.md C5, D1: what is left is played, nothing twice."""
    expected = run(plan(), Batches(3), "whole")[1]
    first, some, _ = run(plan(), Batches(3, stop_after=stop_after))
    assert (len(some), first.left) == (3 * stop_after, 24 - 3 * stop_after)
    second, stored, _ = run(plan(), Batches(5))
    assert (second.stored_before, second.played, second.left) == (3 * stop_after, 24 - 3 * stop_after, 0)
    assert stored == expected


def test_finished_run_plays_nothing_again(run):
    run(plan(), InlineExecutor())
    progress, _, _ = run(plan(), InlineExecutor())
    assert (progress.stored_before, progress.played) == (24, 0)


@pytest.mark.parametrize(
    ("larger", "num_new"), [(plan(deals=6), 12), (plan([*BOTS, "random#4"]), 24), (plan(BOTS[::-1]), 0)]
)
def test_extending_plays_only_what_is_new(run, larger, num_new):
    """More deals, another bot, another order: earlier results stay to the byte (cases.md C11, C12)."""
    _, before, _ = run(plan(), InlineExecutor())
    progress, after, _ = run(larger, InlineExecutor())
    assert progress.played == num_new
    assert before.items() <= after.items()
    assert run(larger, InlineExecutor(), "at once")[1] == after


@pytest.mark.parametrize("attempts", range(1, MAX_ATTEMPTS))
def test_failure_is_played_again_with_a_record_of_it(run, attempts):
    """cases.md C5, D16: the second attempt has the same seeds, so the same result."""
    expected = run(plan(), InlineExecutor(), "sound")[1]
    unlucky = ids(plan())[5]
    progress, stored, failures = run(plan(), Batches(4, {unlucky: attempts}))
    assert stored == expected
    assert (progress.failed_attempts, progress.given_up, progress.left) == (attempts, [], 0)
    assert [(f.match, f.attempt, f.worker, f.reason) for f in failures] == [
        (unlucky, number, "batch", "worker was lost") for number in range(1, attempts + 1)
    ]


def test_match_that_fails_for_good_is_given_up_and_listed(run):
    unlucky = ids(plan())[5]
    progress, stored, failures = run(plan(), Batches(4, {unlucky: 99}))
    assert unlucky not in stored
    assert len(stored) == 23
    assert [spec.id for spec in progress.given_up] == [unlucky]
    assert len(failures) == MAX_ATTEMPTS
    assert progress.left == 0
    again, stored, _ = run(plan(), InlineExecutor())
    assert again.played == 1
    assert unlucky in stored


def test_each_batch_is_stored_when_it_ends(tmp_path):
    """cases.md D3: whoever reads along sees every result at once."""
    path, seen = tmp_path / "a.db", []
    with Store(path, create=True) as store, Store(path) as reader:
        Tournament("league", plan(), store, Batches(3)).play(lambda progress: seen.append(len(results(reader))))
    assert seen == list(range(0, 25, 3))


def test_stop_finishes_what_is_in_flight(tmp_path):
    with Store(tmp_path / "a.db", create=True) as store:
        tournament = Tournament("league", plan(), store, Batches(3))
        progress = tournament.play(lambda progress: tournament.stop() if progress.played >= 6 else None)
        assert progress.played == len(results(store)) == 6
        assert progress.left == 18


def test_a_stop_before_the_first_match_is_kept(tmp_path):
    """Ctrl-C may come while what is stored is counted."""
    with Store(tmp_path / "a.db", create=True) as store:
        tournament = Tournament("league", plan(), store, Batches(3))
        tournament.stop()
        assert tournament.play().played == 0
