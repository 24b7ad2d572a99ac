"""A bot's processes, however they fork: which they are, what memory they use, and their end.

Whoever asks has become the parent of orphans, as the first process of a pid namespace or as a subreaper: so nothing
that a bot starts can get out from under it.
"""

import contextlib
import os
import signal
import time
from collections.abc import Iterator

HELD = frozenset({b"VmRSS:", b"VmPTE:", b"VmSwap:", b"HugetlbPages:"})
"""What a process holds of the machine's memory: what is resident, the tables that say where, what was moved to the swap
space, and the large pages that are counted apart."""
KILL_S = 5.0  # processes that the kernel cannot end by then hang in a driver


def _read(path: str) -> bytes:
    """Returns a file of /proc; empty where the process has ended."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        return os.read(fd, 65536)
    except OSError:
        return b""
    finally:
        os.close(fd)


def children(pid: int | str) -> Iterator[int]:
    """Yields the children of a process, which may be `self`."""
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return
    for thread in threads:
        yield from map(int, _read(f"/proc/{pid}/task/{thread}/children").split())


def descendants() -> list[int]:
    """Returns the processes below this one, parents first."""
    found = list(children("self"))
    for pid in found:
        found.extend(children(pid))
    return found


def namespace() -> list[int]:
    """Returns all processes of a pid namespace of which this is the first."""
    return [int(name) for name in os.listdir("/proc") if name.isdigit() and name != "1"]


def num_tasks(pids: list[int]) -> int:
    """Returns how many threads processes have together; of one that has ended and is not yet collected, one."""
    return sum(map(_num_threads, pids))


def _num_threads(pid: int) -> int:
    try:
        return os.stat(f"/proc/{pid}/task").st_nlink - 2  # a folder each, beside `.` and `..`
    except OSError:
        return 0


def held_bytes(pid: int) -> int:
    """Returns the memory that a process holds, what it shares with others included; 0 when it has ended."""
    # Other rows are many, and the first is a name of the bot's choice, which may hold all but a line's end.
    sizes = _read(f"/proc/{pid}/status").partition(b"\nVmPin:")[2].partition(b"\nThreads:")[0]
    rows = map(bytes.split, sizes.splitlines())
    return sum(int(row[1]) for row in rows if row and row[0] in HELD) * 1024


def own_bytes(pid: int) -> int:
    """Returns the memory that a process holds, shared pages counted by share; the whole where that is not shown."""
    rows = map(bytes.split, _read(f"/proc/{pid}/smaps_rollup").splitlines())
    sizes = {row[0]: int(row[1]) for row in rows if row and row[0] in (b"Rss:", b"Pss:")}
    of_others = (sizes[b"Rss:"] - sizes[b"Pss:"]) * 1024 if sizes else 0
    return max(0, held_bytes(pid) - of_others)  # it may have ended meanwhile


def memory_bytes(pids: list[int], limit: int | None) -> int:
    """Returns the memory that processes hold together.

    Pages that they share are counted more than once, unless that would exceed the limit: only then is it worth the
    milliseconds to ask the kernel for the exact sum.
    """
    total = sum(map(held_bytes, pids))
    if limit is None or total <= limit:
        return total
    return sum(map(own_bytes, pids))


def reap() -> set[int]:
    """Collects children that have ended, and returns them."""
    ended = set()
    with contextlib.suppress(ChildProcessError):
        while pid := os.waitpid(-1, os.WNOHANG)[0]:
            ended.add(pid)
    return ended


def has_children() -> bool:
    """Says whether this process has children, living or not yet collected."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def kill_all(is_first: bool) -> bool:
    """Ends every process below this one and waits until they are gone; says whether they are.

    Args:
        is_first: whether this is the first process of a pid namespace, which can kill all at one stroke.
    """
    until = time.monotonic() + KILL_S
    while time.monotonic() < until:
        reap()
        if not has_children():
            return True
        for pid in [-1] if is_first else descendants():
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                continue  # it has ended, or is another user's for the moment of its start
        time.sleep(0.0002)  # the kernel needs a moment to take a process apart
    return False
