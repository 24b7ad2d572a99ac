"""Programs that misbehave, matches with them, and a count of what is there before and after."""

import atexit
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from arena import load_game
from arena.core.record import Outcome
from arena.core.spec import Conditions, Entrant, GameRef, Limits, MatchSpec
from arena.errors import MissingExtra
from arena.hosts import launch
from arena.hosts.program import Program
from arena.hosts.sandbox import Level, linux, resolve
from arena.hosts.subprocess import SubprocessHost
from arena.match.referee import play_match

PROGRAMS = Path(__file__).parent / "programs"
PYTHON = os.path.realpath(sys.executable)
PARTS = {"raw.py": ("raw.py", "misdeeds.py", "starts.py", "escapes.py", "replies.py")}
"""What programs of several files are made of."""
LIMITS = Limits(start_s=3.0, move_s=0.5, bank_s=0.5, memory_mb=256)
SETTLE_S = 10.0
SHARED_MEMORY_KEY = str(0x4152_454E)
TOKEN = f"run-{os.getpid()}"
"""Is in the command line of every program of these tests, which others may run at the same time."""
STORE = Path(tempfile.mkdtemp(prefix="arena-store-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None))
atexit.register(shutil.rmtree, STORE, ignore_errors=True)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox needs Linux")


def level_or_skip(name: str) -> Level:
    """Returns a level, or skips the test with the reason why this machine does not offer it."""
    try:
        return resolve(name)
    except MissingExtra as error:
        pytest.skip(str(error))


@pytest.fixture(params=["isolated", "process", "trusted"])
def any_level(request: pytest.FixtureRequest) -> Level:
    return level_or_skip(request.param)


@pytest.fixture(params=["isolated", "process"])
def fence(request: pytest.FixtureRequest) -> Level:
    """The levels that stop something; what `process` stops it does where the kernel has seccomp and Landlock."""
    level = level_or_skip(request.param)
    if not level.is_isolated and (not level.has_seccomp or level.landlock_abi < 6):
        pytest.skip(f"process here is only {level.means}")
    return level


@dataclass(frozen=True)
class Played:
    """A match that was played, and the hosts of its seats."""

    outcome: Outcome
    hosts: list[SubprocessHost]

    @property
    def kinds(self) -> list[str | None]:
        return [fault.kind if fault else None for fault in self.outcome.faults]

    @property
    def details(self) -> list[str | None]:
        return [fault.detail if fault else None for fault in self.outcome.faults]

    def log(self, seat: int) -> str:
        return self.hosts[seat].account().log.decode(errors="replace")


@dataclass
class Table:
    """Plays matches between programs and keeps track of all hosts."""

    folder: Path
    hosts: list[SubprocessHost] = field(default_factory=list)

    def bundle(self, *files: str, name: str = "bot") -> Path:
        """Makes a bot's folder with some of the programs in it."""
        place = self.folder / name
        place.mkdir(parents=True, exist_ok=True)
        for file in files:
            for part in PARTS.get(file, (file,)):
                shutil.copy(PROGRAMS / part, place)
        return place

    def python(self, file: str, **options: Any) -> Program:
        """Returns the program of a Python bot file."""
        return Program(str(self.bundle(file, name=file[:-3])), python=file, options=options)

    def raw(self, *arguments: str) -> Program:
        """Returns the program that speaks the protocol itself and misbehaves as told."""
        return Program(str(self.bundle("raw.py", "fair.py", name="raw")), command=(PYTHON, "raw.py", *arguments, TOKEN))

    def play(
        self,
        programs: list[Program],
        level: Level,
        *,
        game: str = "ninjan",
        limits: Limits = LIMITS,
        deal: int = 1,
    ) -> Played:
        """Plays one match."""
        rules = load_game(game)
        lineup = tuple(Entrant(f"bot{seat}", "1") for seat in range(len(programs)))
        waiting = iter(programs)
        hosts = []

        def make_host(entrant: Entrant) -> SubprocessHost:
            hosts.append(SubprocessHost(next(waiting), limits, level))
            return hosts[-1]

        conditions = Conditions(GameRef(rules.name, rules.version, {}), len(programs), limits, run_seed=7)
        try:
            outcome = play_match(MatchSpec(conditions, deal, 0, lineup), make_host)
        finally:
            for host in hosts:
                host.close()
        return Played(outcome, hosts)


@pytest.fixture
def table() -> Iterator[Table]:
    with tempfile.TemporaryDirectory(prefix="arena-test-") as folder:
        Path(folder).chmod(0o755)  # bots may be another user's, and must be able to read their own files
        yield Table(Path(folder))


def bot_processes() -> list[str]:
    """Returns the processes that a bot of these tests may have left, by command line."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            line = (place / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if TOKEN in line:
            found.append(line)
    return found


def below_this_process() -> list[int]:
    """Returns the processes below this one: keepers and guards."""
    found, parents = [], {}
    for place in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(place.name)] = int((place / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    frontier = {os.getpid()}
    while frontier:
        frontier = {pid for pid, parent in parents.items() if parent in frontier}
        found += frontier
    return found


def leftovers() -> list[str]:
    """Returns what bots have left on the machine."""
    shared = Path("/proc/sysvipc/shm").read_text().splitlines()[1:]
    marks = [str(Path(place, "arena-mark")) for place in ("/tmp", "/var/tmp", "/dev/shm", tempfile.gettempdir())]
    storage = [str(path) for path in STORE.glob("arena-bots-*/*")]
    return [
        *bot_processes(),
        *storage,
        *filter(os.path.exists, marks),
        *(line for line in shared if line.split()[0] == SHARED_MEMORY_KEY),
    ]


def own_storage() -> list[str]:
    """Returns the folders for private storage that keepers of this test run have made."""
    return [str(path) for path in STORE.glob("arena-bots-*")]


def wait_for(condition: Callable[[], bool]) -> bool:
    """Waits, without a fixed pause, until something is so; says whether it came about in time."""
    until = time.monotonic() + SETTLE_S
    while not condition():
        if time.monotonic() > until:
            return False
        os.sched_yield()
    return True


@pytest.fixture
def settles() -> Callable[[Callable[[], bool]], bool]:
    """The function that waits until something is so."""
    return wait_for


@pytest.fixture
def storage_folders() -> Callable[[], list[str]]:
    """The function that finds the folders for private storage."""
    return own_storage


@pytest.fixture
def nothing_left() -> Iterator[None]:
    """Fails when a test leaves a process, a file or shared memory of a bot, or keepers do not end when told."""
    assert leftovers() == []
    yield
    assert wait_for(lambda: not leftovers()), leftovers()


@pytest.fixture(scope="session", autouse=True)
def store() -> Iterator[None]:
    """Private storage of this run's bots lies where no other run's does."""
    STORE.chmod(0o711)
    before, launch.storage_folder = launch.storage_folder, lambda: str(STORE)
    yield
    launch.storage_folder = before


@pytest.fixture(scope="module", autouse=True)
def keepers_end() -> Iterator[None]:
    """After each module, keepers end with all that is below them; what other tests left here is not theirs."""
    launch.close_keepers()
    before = set(below_this_process())
    yield
    children = set(below_this_process()) - before
    launch.close_keepers()
    assert wait_for(lambda: not own_storage()), own_storage()
    assert wait_for(lambda: not children.intersection(below_this_process()))


def _io_priority(pid: int) -> int:
    number = {"x86_64": 252, "aarch64": 31}[linux.MACHINE]
    return linux.syscall(number, "ioprio_get", 1, pid)


@pytest.fixture
def victim() -> Iterator[int]:
    """A process of ours that bots try to get at; it is there, untouched, at the end.

    It has no privileges: those would keep bots of the same user from it, which may be an opponent's.
    """
    with subprocess.Popen(
        ["cat"],
        stdin=subprocess.PIPE,
        env={"PATH": os.defpath, "SECRET": "x"},
        preexec_fn=linux.drop_capabilities,  # noqa: PLW1509
    ) as process:
        yield process.pid
        assert process.poll() is None
        assert os.sched_getscheduler(process.pid) == os.SCHED_OTHER
        assert os.sched_getaffinity(process.pid) == os.sched_getaffinity(0)
        assert os.getpriority(os.PRIO_PROCESS, process.pid) == os.getpriority(os.PRIO_PROCESS, 0)
        assert _io_priority(process.pid) == _io_priority(0)
        process.communicate()


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    """A TCP port of ours that bots try to reach."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0)
        yield server
