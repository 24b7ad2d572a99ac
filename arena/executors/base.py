"""What every executor shares: a queue of matches, batches of them, and playing a batch."""

import contextlib
import time
from collections import deque
from collections.abc import Iterable, Iterator
from typing import NamedTuple, Protocol

import msgspec

from arena.core.record import IN_PROCESS, Account, Outcome
from arena.core.spec import Conditions, Entrant, MatchSpec
from arena.hosts.base import BotFault, Host, NeverReady
from arena.hosts.bundle_host import AccountedHost, BundleHosts, Kit, is_submitted
from arena.hosts.inprocess import InProcessHost
from arena.hosts.roster import make_bot, parse_entrant
from arena.match.referee import Referee, Watcher

FIRST_BATCH = 4  # matches in a calibration batch
MAX_BATCH = 4_096
WARM_PLIES = 3  # plies a seat after which a bot is taken to have loaded what it needs


class Task(NamedTuple):
    """A match to play and which attempt it is, from 1."""

    spec: MatchSpec
    attempt: int


class Batch(msgspec.Struct, frozen=True):
    """Matches under one set of conditions, in a form that is small to send."""

    conditions: Conditions
    entrants: tuple[Entrant, ...]
    matches: tuple[tuple[int, int, tuple[int, ...]], ...]
    """For each match its deal, its deal number, and its line-up as indices of entrants."""

    def specs(self) -> list[MatchSpec]:
        """Returns the matches' specs."""
        return [
            MatchSpec(self.conditions, deal, deal_number, tuple(self.entrants[index] for index in lineup))
            for deal, deal_number, lineup in self.matches
        ]


class BatchResult(msgspec.Struct, frozen=True):
    """What came of a batch: for each match its outcome, or the reason why there is none."""

    outcomes: tuple[Outcome | str, ...]
    seconds: float
    """Time that playing took, where it was played."""


class Finished(NamedTuple):
    """A batch's tasks beside what came of them."""

    tasks: list[Task]
    result: BatchResult
    worker: str


class WorkQueue:
    """Matches to play, made as they are taken; what failed comes back in front."""

    def __init__(self, tasks: Iterator[Task]) -> None:
        self._fresh = tasks
        self._again: deque[Task] = deque()
        self._is_closed = False

    def take(self, count: int) -> list[Task]:
        """Takes up to `count` tasks; none when there are no more, or the queue is closed.

        What failed before comes alone: a match that brings its worker down must not void others a second time.
        """
        taken: list[Task] = []
        while len(taken) < count and not self._is_closed:
            task = self._again.popleft() if self._again else next(self._fresh, None)
            if task is None:
                break
            if taken and task.attempt > 1:
                self._again.appendleft(task)
                break
            taken.append(task)
            if task.attempt > 1:
                break
        return taken

    def put_back(self, task: Task) -> None:
        """Returns a task to be played again; the one returned last comes first."""
        self._again.appendleft(task)

    def close(self) -> None:
        """Lets nothing more be taken: what is in flight is the last."""
        self._is_closed = True


class Executor(Protocol):
    """Plays what a queue holds."""

    name: str
    num_workers: int

    def run(self, queue: WorkQueue) -> Iterator[Finished]:
        """Yields batches as they finish, until the queue gives no more and nothing is in flight."""

    def close(self) -> None:
        """Lets go of processes and memory."""


class BatchSizer:
    """Finds the number of matches that take about `target_s`, from how long the last batches took."""

    def __init__(self, target_s: float) -> None:
        self.target_s = target_s
        self._seconds_per_match: float | None = None

    def note(self, matches: int, seconds: float) -> None:
        """Learns from a finished batch; the newest counts half."""
        latest = seconds / max(matches, 1)
        known = self._seconds_per_match
        self._seconds_per_match = latest if known is None else 0.5 * (known + latest)

    @property
    def size(self) -> int:
        """The number of matches for the next batch."""
        if self._seconds_per_match is None:
            return FIRST_BATCH
        return max(1, min(MAX_BATCH, int(self.target_s / max(self._seconds_per_match, 1e-9))))


def make_batch(tasks: list[Task]) -> Batch:
    """Packs tasks of one set of conditions."""
    numbers: dict[bytes, int] = {}
    entrants: list[Entrant] = []
    matches = []
    for spec, _ in tasks:
        lineup = []
        for entrant in spec.lineup:
            if entrant.key not in numbers:
                numbers[entrant.key] = len(entrants)
                entrants.append(entrant)
            lineup.append(numbers[entrant.key])
        matches.append((spec.deal, spec.deal_number, tuple(lineup)))
    return Batch(tasks[0].spec.conditions, tuple(entrants), tuple(matches))


def make_host(entrant: Entrant) -> Host:
    """Makes the host of a shipped or installed bot, or of its fault where its constructor fails."""
    try:
        return InProcessHost(make_bot(entrant))
    except BotFault as fault:
        return NeverReady(fault)


def play_hosted(spec: MatchSpec, hosts: BundleHosts | None, watch: Watcher | None = None) -> Outcome:
    """Plays a match, submitted bots in processes of their own, with an account of each; none outlives the match.

    Args:
        spec: the match.
        hosts: makes the hosts of submitted bots; None where there are none.
        watch: is shown each position.
    """
    made: list[Host] = []

    def make(entrant: Entrant) -> Host:
        is_fenced = hosts is not None and is_submitted(entrant)
        made.append(hosts.make(entrant, spec.conditions.limits) if hosts and is_fenced else make_host(entrant))
        return made[-1]

    try:
        outcome = Referee(spec, make).play(watch)
    finally:
        for host in made:
            if isinstance(host, AccountedHost):
                host.close()
    accounts = tuple(map(_account_of, made))
    return msgspec.structs.replace(outcome, accounts=accounts) if any(accounts) else outcome


def _account_of(host: Host) -> Account | None:
    """Returns what a host tells of its bot: of one in this process its notes alone."""
    if isinstance(host, AccountedHost):
        return host.account()
    if isinstance(host, InProcessHost) and host.notes:
        return Account(IN_PROCESS, 0.0, b"", b"", 0.0, 0.0, host.notes, b"")
    return None


def hosts_of(kit: Kit) -> BundleHosts | None:
    """Returns what makes the hosts of a kit's bots on this machine, None where there are no bots in it.

    Raises:
        MissingExtra: the level of the sandbox that is asked for cannot be had here.
    """
    return BundleHosts.of_kit(kit) if kit.bundles else None


def play_batch(batch: Batch, hosts: BundleHosts | None = None) -> BatchResult:
    """Plays a batch here. What goes wrong through no bot's fault is the match's reason, and ends no other match."""
    begun = time.perf_counter()
    outcomes: list[Outcome | str] = []
    if hosts is not None:
        hosts.restore()
    for spec in batch.specs():
        try:
            outcomes.append(play_hosted(spec, hosts))
        except Exception as error:
            outcomes.append(f"{type(error).__name__}: {error}")
    return BatchResult(tuple(outcomes), time.perf_counter() - begun)


class _WarmEnough(Exception):
    """Ends a match that is played to no other end than to load what it needs."""


def warm_up(conditions: Conditions, entrants: Iterable[Entrant]) -> None:
    """Loads here what matches will need, compiling it where the cache has none, so that workers only load.

    A match is begun and thrown away for each entrant: what a bot needs beyond the rules is known to it alone. What
    goes wrong goes wrong again in a match that counts, and is dealt with there. A submitted bot can compile nothing
    from within its fence; the rules that it simulates with are loaded with the others'.
    """
    players = conditions.players

    def watch(words: tuple[int, ...], ply: int, action: int | None) -> None:
        if ply >= WARM_PLIES * players:
            raise _WarmEnough

    stand_in = parse_entrant("random")
    loaders = [stand_in if is_submitted(entrant) else entrant for entrant in entrants]
    for entrant in {entrant.key: entrant for entrant in loaders}.values():
        with contextlib.suppress(Exception):
            Referee(MatchSpec(conditions, 0, 0, (entrant,) * players), make_host).play(watch)
