"""The processor time of a bot's processes, those included that have ended meanwhile.

Two measures, each of which misses something: what every process has burned since the last look misses those that began
and ended in between; the sum over the living and what they have waited for misses those that nobody waits for. The
larger one is taken.
"""

import os
import resource
import sys
import time
from collections.abc import Iterable

TURN_BYTES = 8
TICK_NS = 1_000_000_000 // os.sysconf("SC_CLK_TCK")
AFTER_NAME, WAITED_USER, WAITED_SYSTEM = b") ", 13, 14
"""Fields of /proc/<pid>/stat, counted behind the name."""


def clock_of(pid: int) -> int:
    """Returns the number of the clock of a process, as clock_getcpuclockid(3) makes it."""
    return (~pid << 3) | 2


def own_ns(pid: int) -> int:
    """Returns the processor time of a process and its threads; 0 when it is gone."""
    try:
        return time.clock_gettime_ns(clock_of(pid))
    except OSError:
        return 0


def waited_ns(pid: int) -> int:
    """Returns the processor time of a process's children that have ended, and that it has waited for."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(AFTER_NAME)[2].split()
    except OSError:
        return 0
    return (int(fields[WAITED_USER]) + int(fields[WAITED_SYSTEM])) * TICK_NS


def reaped_ns() -> int:
    """Returns the processor time of this process's children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return int((used.ru_utime + used.ru_stime) * 1e9)


def num_started() -> int:
    """Returns a count that grows with every process and thread of this pid namespace, of which this is the first."""
    with open("/proc/loadavg", "rb") as file:
        return int(file.read().split()[-1])


def read_turn(fd: int) -> int:
    """Returns whose turn it is, from the open file that the engine writes: odd while the bot is asked for something."""
    return int.from_bytes(os.pread(fd, TURN_BYTES, 0), sys.byteorder)


class Meter:
    """Adds up what a bot's processes burn, look by look."""

    def __init__(self) -> None:
        self._before: dict[int, int] = {}
        self._sum = reaped_ns()

    def read(self, pids: Iterable[int]) -> int:
        """Returns the processor time, in nanoseconds, that was burned since the last look."""
        now = {pid: own_ns(pid) for pid in pids}
        total = reaped_ns() + sum(now.values()) + sum(map(waited_ns, now))
        by_process = sum(max(0, used - self._before.get(pid, 0)) for pid, used in now.items())
        by_sum = total - self._sum
        self._before, self._sum = now, total
        return max(by_process, by_sum)


class Burning:
    """What a bot has burned in one match, and what of it while it was not asked for anything."""

    def __init__(self, is_first: bool) -> None:
        """Begins to count.

        Args:
            is_first: whether this is the first process of the bot's pid namespace.
        """
        self.total_ns = 0
        self.unasked_ns = 0
        self.num_unasked_starts = 0
        """Processes and threads that it has started meanwhile; 0 where they cannot be counted."""
        self._is_first = is_first
        self._meter = Meter()
        self._turn = 0
        self._num_started = num_started() if is_first else 0

    def look(self, pids: Iterable[int], turn: int) -> None:
        """Adds what was burned since the last look; to be asked for nothing is to be so at both, and in between.

        Args:
            pids: the bot's processes.
            turn: what read_turn() has returned.
        """
        burned = self._meter.read(pids)
        started = num_started() if self._is_first else 0
        self.total_ns += burned
        if turn == self._turn and turn % 2 == 0:
            self.unasked_ns += burned
            self.num_unasked_starts += max(0, started - self._num_started)
        self._turn, self._num_started = turn, started
