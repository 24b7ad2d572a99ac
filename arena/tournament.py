"""A tournament: the matches that a plan lists, minus those already stored, played and stored."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from arena.core.record import Outcome
from arena.core.spec import Entrant, MatchSpec, unique_labels
from arena.executors.base import Executor, Finished, Task, WorkQueue
from arena.schedule.plan import Plan
from arena.store.store import Failure, Played, Store

MAX_ATTEMPTS = 3


@dataclass
class Progress:
    """How far a tournament is; changed as it goes on, to be read by whoever shows it."""

    planned: int
    """Matches of the plan."""
    stored_before: int = 0
    """Of these, the ones that were stored when it began."""
    played: int = 0
    """Matches played and stored by now."""
    faults: int = 0
    """Bots' failures in them."""
    failed_attempts: int = 0
    """Attempts that gave no result, through our own or a machine's failing."""
    is_interrupted: bool = False
    """Whether somebody asked it to stop."""
    given_up: list[MatchSpec] = field(default_factory=list)
    """Matches that failed MAX_ATTEMPTS times."""
    results: Counter[tuple[tuple[str, ...], tuple[int, ...]]] = field(default_factory=Counter)
    """How often each line-up (labels by seat) ended with which ranks: what live standings are made of."""

    @property
    def left(self) -> int:
        """Matches still to be played."""
        return self.planned - self.stored_before - self.played - len(self.given_up)


Listener = Callable[[Progress], None]


class Tournament:
    """Plays one plan into one store. The object is used once."""

    def __init__(self, name: str, plan: Plan, store: Store, executor: Executor) -> None:
        self.name = name
        self.plan = plan
        self.store = store
        self.executor = executor
        self.progress = Progress(planned=plan.num_matches)
        self._queue = WorkQueue(self._missing())
        self._done: set[bytes] = set()
        self._labels = unique_labels(plan.entrants)

    def stop(self) -> None:
        """Lets no more matches begin; those in flight are finished and stored."""
        self._queue.close()

    def play(self, listen: Listener = lambda progress: None) -> Progress:
        """Plays what is missing and returns how it went."""
        self._done = self.store.done(self.plan.conditions)
        self.progress.stored_before = self._count_done(self._done)
        listen(self.progress)
        for finished in self.executor.run(self._queue):
            self._settle(finished)
            listen(self.progress)
        return self.progress

    def _count_done(self, done: set[bytes]) -> int:
        if not done:
            return 0
        return sum(bytes.fromhex(spec.id) in done for block in self.plan.blocks() for spec in block.matches)

    def _missing(self) -> Iterator[Task]:
        done = self._done
        for block in self.plan.blocks():
            for spec in block.matches:
                if not done or bytes.fromhex(spec.id) not in done:
                    yield Task(spec, 1)

    def _settle(self, finished: Finished) -> None:
        """Stores a batch's results and sends its failures round again."""
        played = []
        for task, outcome in zip(finished.tasks, finished.result.outcomes, strict=True):
            if isinstance(outcome, Outcome):
                played.append(Played(task.spec, outcome, finished.worker, task.attempt))
                self._note(task.spec.lineup, outcome)
            else:
                self._fail(task, finished.worker, outcome)
        if played:
            self.store.save(played)
            self.progress.played += len(played)

    def _note(self, lineup: tuple[Entrant, ...], outcome: Outcome) -> None:
        labels = tuple(self._labels[entrant.key] for entrant in lineup)
        self.progress.results[labels, outcome.ranks] += 1
        self.progress.faults += sum(fault is not None for fault in outcome.faults)

    def _fail(self, task: Task, worker: str, reason: str) -> None:
        self.progress.failed_attempts += 1
        self.store.save_failure(self.name, Failure(task.spec.id, task.attempt, worker, reason))
        if task.attempt < MAX_ATTEMPTS:
            self._queue.put_back(Task(task.spec, task.attempt + 1))
        else:
            self.progress.given_up.append(task.spec)
