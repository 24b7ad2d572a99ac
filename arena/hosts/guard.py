"""The guard: one process beside each bot, ours, that fences it, drains its log, watches its memory, and ends it.

When isolated, it is the first process of the bot's pid namespace, so that its own end is the end of all of them;
else it is the parent of every orphan below it. It ends when the bot ends, when the bot takes too much, and when the
engine closes its side of the socket, as it does by ending.
"""

import os
import resource
import select
import signal
import socket
from collections.abc import Callable
from typing import NoReturn

from arena.hosts.orders import KeeperSettings, Order, Report, Started, encode
from arena.hosts.sandbox import cgroups, landlock, limits, linux, room, scratch, seccomp, tree
from arena.hosts.sandbox.burning import Burning, read_turn
from arena.hosts.sandbox.levels import (
    LOG_BYTES,
    MAX_FILES,
    MAX_LOG_BYTES,
    MAX_PROCESSES,
    MAX_UNASKED_STARTS,
    STORAGE_MB,
)

WATCH_MS = 20  # a bot that fills memory as fast as it can takes some 50 MB in that time
MAX_KEEPER_FILES = 1024  # a keeper has a dozen files open
DRAIN_READS = 64
STORAGE_EVERY = 10  # watches between two looks at the private storage
PROCESS_FILES = (
    "/proc/self",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/sys/vm",
    "/sys/devices/system/cpu",
)
READABLE = (*room.system(), *PROCESS_FILES, "/dev/full", "/dev/random", "/dev/urandom")


class Unstartable(Exception):
    """The bot's program cannot be run: the bot's fault."""


class Guard:
    """Starts one bot and stays with it. Lives in a process of its own, forked from a keeper."""

    def __init__(
        self,
        settings: KeeperSettings,
        uid: int | None,
        num_others: int,
        around: str | None,
        run_python: Callable[[str, str], NoReturn],
    ) -> None:
        self.level = settings.level
        self.settings = settings
        self.uid = uid
        """The user id that the bot changes to; None keeps this process's."""
        self.num_others = num_others
        self.run_python = run_python
        self.problem = ""
        self.group: cgroups.Group | None = None
        self.around = around
        """In which folder the bot's private storage is to be; None where a mount namespace holds it."""
        self.storage: str | None = None
        self.log = bytearray()
        self.num_logged = 0
        self.peak = 0
        self.num_watches = 0

    def prepare(self, shown: list[tuple[str, str]], groups: cgroups.Groups | None, number: int) -> None:
        """Builds what surrounds a bot, before it is known which bot and which match: it takes some milliseconds.

        Args:
            shown: what room.plan() returned.
            groups: the keeper's groups, if it has any.
            number: which of them is this guard's and its bot's.
        """
        try:
            if groups is not None:
                self.group = groups.open(number)
                self.group.enter()
            if self.level.is_isolated:
                kinds = linux.CLONE_NEWNS | linux.CLONE_NEWIPC | linux.CLONE_NEWNET | linux.CLONE_NEWUTS
                linux.unshare(kinds | linux.CLONE_NEWCGROUP)
                room.build(shown, os.geteuid() if self.uid is None else self.uid)
            else:
                linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)
        except OSError as error:
            self.problem = str(error)

    def stand(self, order: Order, stdin: int, stdout: int, control: socket.socket, turn: int) -> Report:
        """Runs a bot to its end and says how it ended."""
        self.order = order
        self.control = control
        self.turn = turn
        """An open file that says whether the bot is asked for anything."""
        if self.problem:
            return Report("failure", detail=self.problem)
        try:
            self._let_in()
            log, status = self._start(stdin, stdout)
            problem = _read_all(status)
            if problem:
                kind, _, detail = problem.decode(errors="replace").partition(":")
                return self._finish(Report(kind, detail=detail))
            return self._finish(self._watch(log))
        except OSError as error:
            return self._finish(Report("failure", detail=str(error)))

    def _let_in(self) -> None:
        """Shows the bot its files, and gives it its storage and its memory."""
        if self.group is not None:
            self.group.limit_memory(self.order.memory_mb)
        if self.level.is_isolated:
            room.close(self.order.folder, self.uid is not None and not self.order.is_readable)
            return
        if not self.order.is_readable:
            self.uid = None  # another user could not read the bot's own files
        if self.around is not None:
            self.storage = scratch.make(self.around, self.uid)

    def _start(self, stdin: int, stdout: int) -> tuple[int, int]:
        """Forks the bot; returns the reading ends of its log and of the pipe that says what went wrong until then."""
        log, log_end = os.pipe2(os.O_CLOEXEC)
        status, status_end = os.pipe2(os.O_CLOEXEC)
        self.pid = os.fork()
        if self.pid == 0:
            self._become_bot(stdin, stdout, log_end, status_end)
        for fd in (stdin, stdout, log_end, status_end):
            os.close(fd)
        linux.prctl(linux.PR_SET_DUMPABLE, 0)  # no process of this user may look into the guard
        os.set_blocking(log, False)
        self.burning = Burning(self.level.is_isolated)
        return log, status

    def _become_bot(self, stdin: int, stdout: int, log: int, status: int) -> NoReturn:
        """Turns this process, the fork, into the bot."""
        try:
            os.setsid()
            for fd, place in ((stdin, 0), (stdout, 1), (log, 2)):
                os.dup2(fd, place)
            os.set_inheritable(self.control.fileno(), False)
            keep = sorted((status, self.control.fileno()))
            for low, high in zip([2, *keep], [*keep, MAX_KEEPER_FILES], strict=True):
                os.closerange(low + 1, high)
            folder = room.BUNDLE if self.level.is_isolated else self.order.folder
            self._set_environment()
            if not self.level.is_trusted:
                self._fence()
            os.chdir(folder)
            self.control.send(encode(Started()))
            if self.order.python is not None:
                self.control.close()
                os.close(status)
                self.run_python(folder, self.order.python)
            signal.signal(signal.SIGPIPE, signal.SIG_DFL)
            _execute(self.order.command)
        except Unstartable as error:
            os.write(status, f"unstartable:{error}".encode())
        except BaseException as error:
            os.write(status, f"failure:{type(error).__name__}: {error}".encode())
        finally:
            os._exit(1)

    def _set_environment(self) -> None:
        """Leaves the bot a plain environment, of which nothing depends on the machine or the match."""
        home = self.storage or "/tmp"
        os.environ.clear()
        os.environ.update(
            PATH="/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin",
            HOME=home,
            TMPDIR=home,
            LANG="C.UTF-8",
            PYTHONHASHSEED="0",
            PYTHONDONTWRITEBYTECODE="1",
            ARENA_CACHE_DIR=home,
            ARENA_QUIET_COMPILE="1",
            NUMBA_NUM_THREADS="1",
            OMP_NUM_THREADS="1",
            OPENBLAS_NUM_THREADS="1",
        )

    def _fence(self) -> None:
        """Takes from this process all that the bot shall not have; nothing gives it back."""
        with open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
            file.write("1000")  # if the machine runs out of memory, the bot goes first
        isolated = self.level.is_isolated
        if self.uid is not None:
            limits.change_user(self.uid)
        if isolated:
            linux.enter_user_namespace()
        # Not before: the limit of whoever makes a namespace holds for all of that user's, each with its bot, together.
        limits.set_limits(self.order.cpu_s, 0 if isolated or self.uid is not None else self.num_others)
        linux.drop_capabilities()
        if self.level.landlock_abi:
            writable = [self.storage or "/tmp", "/dev/null"]
            landlock.restrict(self.level.landlock_abi, [*READABLE, *self.settings.visible, self.order.folder], writable)
        if self.level.has_seccomp:
            # RLIMIT_NPROC does not count root's processes: as root, they need a group that counts them.
            seccomp.install(isolated, isolated or os.geteuid() != 0 or "pids" in self.level.cgroups)

    # Watching

    def _watch(self, log: int) -> Report:
        """Stays until the bot has ended or is to be ended, and says how or why."""
        ended = os.pidfd_open(self.pid)
        poll = select.poll()
        for fd in (ended, log, self.control.fileno()):
            poll.register(fd, select.POLLIN)
        try:
            while True:
                ready = {fd for fd, _ in poll.poll(WATCH_MS)}
                if log in ready and not self._drain(log):
                    poll.unregister(log)
                if ended in ready:
                    self._drain(log)
                    end = _describe_end(os.waitpid(self.pid, 0)[1])
                    return self._find_memory_end() or end
                if self.control.fileno() in ready:
                    return Report("stopped")
                reason = self._find_excess()
                if reason is not None:
                    self._drain(log)
                    return reason
        finally:
            os.close(ended)
            os.close(log)

    def _drain(self, log: int) -> bool:
        """Reads what there is on the bot's standard error; says whether it is still open."""
        for _ in range(DRAIN_READS):  # a bot may write as fast as this can read, and the rest must be watched, too
            try:
                data = os.read(log, 1 << 16)
            except BlockingIOError:
                return True
            if not data:
                return False
            self.num_logged += len(data)
            self.log += data
            if len(self.log) > 4 * LOG_BYTES:
                del self.log[:-LOG_BYTES]
        return True

    def _find_excess(self) -> Report | None:
        """Looks at what the bot has taken; returns the reason to end it, if there is one."""
        if self.level.is_trusted:
            return None
        if self.num_logged > MAX_LOG_BYTES:
            return Report("log", detail=f"wrote more than {MAX_LOG_BYTES >> 20} MB on standard error")
        pids = tree.namespace() if self.level.is_isolated else tree.descendants()
        if tree.num_tasks(pids) > MAX_PROCESSES:
            return Report("processes", detail=f"started more than {MAX_PROCESSES} processes and threads")
        excess = self._find_cpu_excess(pids) or self._find_memory_end()
        if excess is not None:
            return excess
        limit = self.order.memory_mb
        used = tree.memory_bytes(pids, None if limit is None else limit << 20)
        self.peak = max(self.peak, used)
        if limit is not None and used > limit << 20:
            return Report("memory", detail=f"used {used / 2**20:.0f} MB of memory, limit {limit} MB")
        return self._find_storage_excess(pids)

    def _find_memory_end(self) -> Report | None:
        """Looks whether the kernel has ended one of the bot's processes for want of memory, and whose want it was."""
        kind = None if self.group is None else self.group.find_kill()
        if kind == "memory":
            return Report(kind, detail=f"was ended by the kernel for its memory, limit {self.order.memory_mb} MB")
        return None if kind is None else Report(kind, detail="the machine ran out of memory and ended a bot")

    def _find_cpu_excess(self, pids: list[int]) -> Report | None:
        burning, cpu_s, unasked_s = self.burning, self.order.cpu_s, self.order.unasked_s
        burning.look(pids, read_turn(self.turn))
        if cpu_s is not None and burning.total_ns > cpu_s * 1e9:
            return Report("cpu", detail=f"used more processor time than the match allows, {cpu_s} s")
        if unasked_s is None:
            return None
        if burning.unasked_ns > unasked_s * 1e9:
            return Report("cpu", detail=f"used {unasked_s:g} s of processor time while it was not asked for anything")
        if burning.num_unasked_starts > MAX_UNASKED_STARTS:
            what = f"started more than {MAX_UNASKED_STARTS} processes while it was not asked for anything"
            return Report("processes", detail=what)
        return None

    def _find_storage_excess(self, pids: list[int]) -> Report | None:
        self.num_watches += 1
        if self.storage is None or self.num_watches % STORAGE_EVERY:
            return None
        num_bytes, num_files = scratch.measure(self.storage, MAX_FILES)
        num_bytes += scratch.nameless_bytes(pids, self.storage, STORAGE_MB << 20)
        if num_bytes > STORAGE_MB << 20:
            return Report("storage", detail=f"wrote {num_bytes >> 20} MB of files, limit {STORAGE_MB} MB")
        if num_files > MAX_FILES:
            return Report("storage", detail=f"made more than {MAX_FILES} files, or one that cannot be read")
        return None

    def _finish(self, report: Report) -> Report:
        """Ends all that is left of the bot and returns the whole report."""
        is_clean = tree.kill_all(self.level.is_isolated)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return Report(
            report.end,
            report.number,
            report.detail,
            bytes(self.log[-LOG_BYTES:]),
            used.ru_utime + used.ru_stime,
            max(self.peak / 2**20, used.ru_maxrss / 1024),
            0 if is_clean else len(tree.descendants()),
        )

    def remove_storage(self) -> None:
        """Removes the bot's private storage. The report does not wait for it: to remove what a bot made takes long."""
        if self.around is not None and os.path.isdir(self.around):
            scratch.remove(self.around)


def _read_all(fd: int) -> bytes:
    with open(fd, "rb") as file:
        return file.read()


def _describe_end(status: int) -> Report:
    code = os.waitstatus_to_exitcode(status)
    return Report("exit", code) if code >= 0 else Report("signal", -code)


def _execute(command: tuple[str, ...]) -> NoReturn:
    """Replaces this process by the bot's program.

    Raises:
        Unstartable: there is no such file, or it is none that can be run.
    """
    try:
        os.execvp(command[0], command)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise Unstartable(f"{command[0]!r:.200} cannot be run: {reason}") from error
