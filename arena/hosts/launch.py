"""The engine's side of starting bots: keepers, kept for the next match, and orders to them.

A keeper is shared by all bots that need the same things preloaded at the same level; those not used for long are let
go, and all of them end with this process.
"""

import atexit
import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import threading
from collections import OrderedDict
from functools import cache
from importlib import metadata, util
from pathlib import Path
from typing import NamedTuple

import msgspec

from arena.errors import InfrastructureError
from arena.hosts.orders import (
    MAX_PACKET,
    GuardMessage,
    KeeperSettings,
    Order,
    Preload,
    Ready,
    Report,
    Started,
    decode_guard,
    encode,
)
from arena.hosts.sandbox import cgroups
from arena.hosts.sandbox.levels import Level
from arena.hosts.turn import Turn

MAX_KEEPERS = 4
WARM_S = 120.0  # a first run compiles kernels
FENCE_S = 30.0  # a machine under heavy load takes its time
MEMORY_NEEDED = 1 << 30
PACKAGE = Path(__file__).resolve().parent.parent
BOOT = """\
import gc, sys
gc.disable()  # until all is imported
sys.path[:] = sys.argv[2].split("\\n")
sys.modules["typing_extensions"] = None  # msgspec looks for it, at a tenth of the time that starting takes
import msgspec
del sys.modules["typing_extensions"]
import importlib.util
for name in ("metadata", "resources"):  # `from importlib import metadata` loads it when it is first asked for something
    spec = importlib.util.find_spec("importlib." + name)
    spec.loader = importlib.util.LazyLoader(spec.loader)
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    setattr(importlib, name, module)
from arena.hosts.keeper import main
main(int(sys.argv[1]))
"""


def import_path() -> list[str]:
    """Returns where a keeper looks for modules: as this process does, without its working directory."""
    parent = str(PACKAGE.parent)
    return list(dict.fromkeys([*(entry for entry in sys.path if entry and Path(entry).is_absolute()), parent]))


@cache
def visible_paths() -> tuple[str, ...]:
    """Returns what a Python bot may read besides the system: Python, installed packages, the arena, other games.

    The arena's own folder is shown, not the one that it lies in: in a checkout, databases and other bots are there.
    """
    found = [sys.base_prefix, str(Path(sys.executable).resolve().parent.parent), str(PACKAGE)]
    found += [entry for entry in import_path() if Path(entry).name in ("site-packages", "dist-packages")]
    for entry in metadata.entry_points(group="arena.games"):
        spec = util.find_spec(entry.module.partition(".")[0])
        found += (spec.submodule_search_locations or []) if spec else []
    return tuple(dict.fromkeys(path for path in found if path != "/"))


@cache
def storage_folder() -> str:
    """Returns where private storage is made: in memory, where a folder is removed in no time, else on the disk."""
    memory = Path("/dev/shm")
    try:
        free = os.statvfs(memory)
    except OSError:
        return tempfile.gettempdir()
    has_room = free.f_bavail * free.f_frsize >= MEMORY_NEEDED
    return str(memory) if has_room and os.access(memory, os.W_OK | os.X_OK) else tempfile.gettempdir()


class GuardLost(Exception):
    """A guard has ended without a report: it was killed."""


class Keeper:
    """A keeper process, as the engine holds it."""

    num_bots = 0
    """Bots that live by it: without root, they would end with it."""

    def __init__(self, settings: KeeperSettings) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        command = [sys.executable, "-s", "-P", "-S", "-c", BOOT, str(theirs.fileno()), "\n".join(import_path())]
        with theirs:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env=_environment(),
                pass_fds=(theirs.fileno(),),
                cwd="/",
                start_new_session=True,
            )
        self.channel = ours
        self.channel.send(encode(settings))
        self._wait_until_ready()

    def _wait_until_ready(self) -> None:
        """Waits for the keeper to have warmed up.

        Raises:
            InfrastructureError: it has not.
        """
        self.channel.settimeout(WARM_S)
        try:
            data = self.channel.recv(MAX_PACKET)
            problem = msgspec.msgpack.decode(data, type=Ready).problem if data else "the bots' keeper has ended"
        except OSError as error:
            problem = f"the bots' keeper does not answer: {error}"
        if problem is not None:
            self.close()
            raise InfrastructureError(problem)

    def send(self, order: Order, stdin: int, stdout: int, control: int, turn: int) -> None:
        """Sends an order with the ends that are to be the bot's. Raises OSError when the keeper has ended."""
        socket.send_fds(self.channel, [encode(order)], [stdin, stdout, control, turn])

    def close(self) -> None:
        """Lets the keeper end; guards whose matches go on stay with their hosts."""
        self.channel.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(5.0)
            return
        self.process.kill()
        self.process.wait()


def _environment() -> dict[str, str]:
    """Returns a keeper's environment: nothing of ours but where compiled kernels are."""
    kept = {key: os.environ[key] for key in ("ARENA_CACHE_DIR", "HOME", "NUMBA_DISABLE_JIT") if key in os.environ}
    return {
        **kept,
        "PATH": os.defpath,
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        "PYTHONUTF8": "1",
        "ARENA_QUIET_COMPILE": "1",
        "NUMBA_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }


class _Keepers:
    """The keepers of this process, the one used last at the end."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pid = os.getpid()
        self._keepers: OrderedDict[tuple[Level, Preload], Keeper] = OrderedDict()

    def get(self, level: Level, preload: Preload) -> Keeper:
        """Returns the keeper for a level and what is to be preloaded; starts it when there is none."""
        if self._pid != os.getpid():
            self.__init__()  # type: ignore[misc]  # a fork has its own; the parent's are not its to close
        with self._lock:
            keeper = self._keepers.pop((level, preload), None)
            if keeper is None or keeper.process.poll() is not None:
                groups = cgroups.find() if level.cgroups else ()
                keeper = Keeper(KeeperSettings(level, preload, visible_paths(), storage_folder(), groups))
            self._keepers[level, preload] = keeper
            self._let_go()
        return keeper

    def _let_go(self) -> None:
        """Lets the keepers end that were not used for longest, but none that bots live by."""
        idle = [key for key, keeper in self._keepers.items() if not keeper.num_bots][:-1]
        for key in idle[: max(0, len(self._keepers) - MAX_KEEPERS)]:
            self._keepers.pop(key).close()

    def close(self) -> None:
        """Lets all keepers end."""
        while self._pid == os.getpid() and self._keepers:
            self._keepers.popitem()[1].close()


_keepers = _Keepers()
close_keepers = _keepers.close
"""Ends this process's keepers; they would end with it anyway."""
atexit.register(close_keepers)


class Bench(NamedTuple):
    """A started bot, as the engine holds it."""

    pid: int
    """The bot's process id, as this process sees it."""
    stdin: int
    """Where to write to it; does not block."""
    stdout: int
    """Where to read from it; does not block."""
    control: socket.socket
    """The guard: its report comes from here, and closing it ends the bot."""
    turn: Turn
    """Whether it is asked for anything; at first it is."""
    keeper: Keeper

    def close(self) -> None:
        """Closes what leads to the bot; its guard ends it then. To be called once."""
        self.turn.close()
        os.close(self.stdin)
        os.close(self.stdout)
        self.control.close()
        self.keeper.num_bots -= 1


def warm_keeper(level: Level, preload: Preload) -> None:
    """Has the keeper ready that the next orders will go to."""
    _keepers.get(level, preload)


def launch(level: Level, preload: Preload, order: Order) -> Bench:
    """Starts a bot; returns when its own program is about to run.

    Raises:
        InfrastructureError: it could not be started, through no fault of its own.
    """
    keeper = _keepers.get(level, preload)
    with contextlib.ExitStack() as ours, contextlib.ExitStack() as theirs:
        stdin, to_bot = _pipe()
        theirs.callback(os.close, stdin)
        ours.callback(os.close, to_bot)
        from_bot, stdout = _pipe()
        theirs.callback(os.close, stdout)
        ours.callback(os.close, from_bot)
        control, guard = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        theirs.enter_context(guard)
        ours.enter_context(control)
        control.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        try:
            turn = Turn(storage_folder())
        except OSError as error:
            raise InfrastructureError(f"{storage_folder()} has no room for a bot's files: {error}") from error
        ours.callback(turn.close)
        try:
            keeper.send(order, stdin, stdout, guard.fileno(), turn.fd)
        except OSError as error:
            raise InfrastructureError(f"the bots' keeper takes no orders: {error}") from error
        theirs.close()
        try:
            message, pid = receive(control, FENCE_S)
        except GuardLost as error:
            raise InfrastructureError("a bot's guard was lost before the bot ran") from error
        if isinstance(message, Started):
            os.set_blocking(to_bot, False)
            os.set_blocking(from_bot, False)
            ours.pop_all()
            keeper.num_bots += 1
            return Bench(pid, to_bot, from_bot, control, turn, keeper)
    detail = message.detail if message else f"its guard has not answered within {FENCE_S:.0f} s"
    raise InfrastructureError(f"a bot's process could not be fenced: {detail}")


def _pipe() -> tuple[int, int]:
    return os.pipe2(os.O_CLOEXEC)


def receive(control: socket.socket, timeout_s: float) -> tuple[GuardMessage | None, int]:
    """Returns what a guard says next, None when it says nothing in time; and the sender's process id.

    Raises:
        GuardLost: it has ended.
    """
    control.settimeout(timeout_s)
    try:
        data, ancillary, _, _ = control.recvmsg(MAX_PACKET, socket.CMSG_SPACE(12))
    except TimeoutError:
        return None, 0
    except OSError as error:
        raise GuardLost from error
    if not data:
        raise GuardLost
    pid = next((int.from_bytes(value[:4], sys.byteorder) for _, _, value in ancillary), 0)
    return decode_guard(data), pid


def try_level(level: Level, command: tuple[str, ...]) -> str | None:
    """Runs a program at a level; returns what went wrong, or None."""
    with tempfile.TemporaryDirectory(prefix="arena-trial-") as folder:
        Path(folder).chmod(0o755)
        order = Order(folder, None, command, True, None, None)
        try:
            begun = launch(level, Preload(), order)
        except InfrastructureError as error:
            return str(error)
        try:
            report, _ = receive(begun.control, FENCE_S)
        except GuardLost:
            report = None
        finally:
            begun.close()
    if not isinstance(report, Report):
        return "a trial program did not end"
    return (
        None if (report.end, report.number) == ("exit", 0) else f"{command[0]} ended with {report.end} {report.number}"
    )
