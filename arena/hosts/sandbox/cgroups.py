"""Control groups: what the kernel lets a bot have of memory and processes, where this machine lets us make them.

A keeper has a folder of groups, one group for each bot that lives at a time. A group is used again when its bot has
ended: one that is removed stays in the kernel for as long as any file that its bot has read is kept in memory.

Both interfaces of Linux are known: version 1, with a tree of its own for each controller, in which groups are made
below ours; and version 2, one tree, where they are made beside ours, since a group that has processes can have no
limited groups below it. Nothing that is there already is changed.
"""

import contextlib
import fcntl
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from arena.hosts.sandbox.levels import MAX_PROCESSES, STORAGE_MB

CONTROLLERS = ("memory", "pids")
PREFIX = "arena-"
FILES_MB = STORAGE_MB
"""The kernel counts files in memory as a bot's memory, its private storage too; its limit is for what is resident."""
NUM_OWN_TASKS = 1  # the guard is in the group, so that what it forks is there from the first moment


class Place(NamedTuple):
    """A folder of a mounted tree of groups, in which groups can be made."""

    folder: str
    controllers: tuple[str, ...]
    """Those of CONTROLLERS that such groups will have."""
    is_unified: bool
    """Whether it is of version 2."""


class _Names(NamedTuple):
    """How the files of a group are called."""

    tasks: str
    memory_limit: str
    kills: tuple[str, bytes]
    """The file, and the word before the number, of processes that the kernel has ended for want of memory."""
    refusals: tuple[str, bytes]
    """The same of how often the limit was met; an empty word is for the first of the file."""
    swap: tuple[str, str]
    """The file that keeps memory from being swapped out, and what to write to it."""
    no_limit: str


_NAMES = {
    # Version 1 counts a process that the machine's want of memory has ended among the group's, too.
    # A thread that moves itself by `tasks` does so at once; by `cgroup.procs` it waits for all forks of the machine.
    False: _Names(
        tasks="tasks",
        memory_limit="memory.limit_in_bytes",
        kills=("memory.oom_control", b"oom_kill"),
        refusals=("memory.failcnt", b""),
        swap=("memory.swappiness", "0"),
        no_limit="-1",
    ),
    True: _Names(
        tasks="cgroup.procs",
        memory_limit="memory.max",
        kills=("memory.events", b"oom_kill"),
        refusals=("memory.events", b"oom"),
        swap=("memory.swap.max", "0"),
        no_limit="max",
    ),
}


def _own_groups(text: str) -> dict[str, str]:
    """Returns a process's group by controller, that of version 2 by the empty name."""
    groups = {}
    for line in text.split("\n")[:-1]:
        _, names, path = line.split(":", 2)
        groups.update(dict.fromkeys(names.split(","), path))
    return groups


def _mounts(text: str) -> Iterator[tuple[str, str, bool, tuple[str, ...]]]:
    """Yields the mounted trees: the group that is at the top, where, whether of version 2, and what they can limit."""
    for line in text.split("\n")[:-1]:
        place, _, tree = line.partition(" - ")
        _, _, _, root, folder, *_ = place.split(" ")
        kind, _, options = tree.split(" ", 2)
        if kind == "cgroup2":
            yield root, folder, True, CONTROLLERS
        elif kind == "cgroup":
            yield root, folder, False, tuple(name for name in CONTROLLERS if name in options.split(","))


def _folder_of(group: str, root: str, mounted: str) -> str | None:
    """Returns the folder of a group in a mounted tree; None where the mount does not show it."""
    if ".." in (*group.split("/"), *root.split("/")):
        return None  # outside of our cgroup namespace, which does not tell the names of what is above it
    inner = os.path.relpath(group, root)
    return None if inner.startswith("..") else os.path.normpath(os.path.join(mounted, inner))


def places(groups_text: str, mounts_text: str) -> Iterator[Place]:
    """Yields the folders that a process's groups would be made in, each with all that its tree could limit.

    Args:
        groups_text: the process's /proc/self/cgroup.
        mounts_text: its /proc/self/mountinfo.
    """
    own = _own_groups(groups_text)
    for root, mounted, is_unified, controllers in _mounts(mounts_text):
        groups = {own[name] for name in ([""] if is_unified else controllers) if name in own}
        folder = _folder_of(groups.pop(), root, mounted) if len(groups) == 1 else None
        if folder is not None:
            is_below = not is_unified or folder == mounted
            yield Place(folder if is_below else os.path.dirname(folder), controllers, is_unified)


def _read_words(path: str) -> list[str]:
    try:
        with open(path, encoding="ascii") as file:
            return file.read().split()
    except OSError:
        return []


def find() -> tuple[Place, ...]:
    """Returns where this process may make groups; whether its processes may enter them is still to be tried."""
    try:
        texts = [os.fsdecode(Path("/proc/self", name).read_bytes()) for name in ("cgroup", "mountinfo")]
    except OSError:
        return ()  # no kernel with groups, or no /proc
    found: dict[str, Place] = {}
    for folder, possible, is_unified in places(*texts):
        offered = _read_words(f"{folder}/cgroup.subtree_control") if is_unified else possible
        controllers = tuple(name for name in possible if name in offered and name not in found)
        if controllers and os.access(folder, os.W_OK | os.X_OK):
            found.update(dict.fromkeys(controllers, Place(folder, controllers, is_unified)))
    return tuple(dict.fromkeys(found.values()))


def _write(path: str, text: str) -> None:
    fd = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(fd, text.encode())
    finally:
        os.close(fd)


class _Counter(NamedTuple):
    """A number in an open file of a group."""

    fd: int
    word: bytes

    @classmethod
    def open(cls, folder: str, place: tuple[str, bytes]) -> "_Counter":
        return cls(os.open(f"{folder}/{place[0]}", os.O_RDONLY | os.O_CLOEXEC), place[1])

    def read(self) -> int:
        words = os.pread(self.fd, 4096, 0).split()
        return int(words[words.index(self.word) + 1 if self.word else 0])


class Group:
    """The group of one bot, as its guard holds it: open files, which work on when their folder is out of sight."""

    def __init__(self, number: int, folders: list[tuple[Place, str]]) -> None:
        """Makes the group, unless it is there.

        Args:
            number: which of its keeper's.
            folders: the keeper's folder in each place.

        Raises:
            OSError: the kernel refuses.
        """
        self._tasks: list[str] = []
        self._memory: _Memory | None = None
        for place, folder in folders:
            self._add(place, f"{folder}/{number}")

    def _add(self, place: Place, folder: str) -> None:
        with contextlib.suppress(FileExistsError):
            os.mkdir(folder, 0o700)
        names = _NAMES[place.is_unified]
        self._tasks.append(f"{folder}/{names.tasks}")
        if "pids" in place.controllers:
            _write(f"{folder}/pids.max", str(MAX_PROCESSES + NUM_OWN_TASKS))
        if "memory" in place.controllers:
            self._memory = _Memory(folder, names)

    def enter(self) -> None:
        """Moves this process into the group; it must have one thread."""
        for path in self._tasks:
            _write(path, "0")

    def limit_memory(self, memory_mb: int | None) -> None:
        """Sets what all in the group may use together; beyond it the kernel ends the largest of them."""
        if self._memory is not None:
            self._memory.limit(memory_mb)

    def find_kill(self) -> str | None:
        """Returns `memory` if the kernel has ended a process for this group's limit since it was set, `machine` if for
        want of memory elsewhere, or None."""
        return None if self._memory is None else self._memory.find_kill()


class _Memory:
    """What a group says of memory."""

    def __init__(self, folder: str, names: _Names) -> None:
        with contextlib.suppress(FileNotFoundError):  # a kernel that does not swap has no such file
            _write(f"{folder}/{names.swap[0]}", names.swap[1])
        self._limit = os.open(f"{folder}/{names.memory_limit}", os.O_WRONLY | os.O_CLOEXEC)
        self._no_limit = names.no_limit
        self._kills = _Counter.open(folder, names.kills)
        self._refusals = _Counter.open(folder, names.refusals)
        self._before = self._count()

    def _count(self) -> tuple[int, int]:
        return self._kills.read(), self._refusals.read()

    def limit(self, memory_mb: int | None) -> None:
        text = self._no_limit if memory_mb is None else str((memory_mb + FILES_MB) << 20)
        os.pwrite(self._limit, text.encode(), 0)
        self._before = self._count()  # earlier bots' files may have met the new limit just now

    def find_kill(self) -> str | None:
        if self._kills.read() == self._before[0]:
            return None
        return "machine" if self._refusals.read() == self._before[1] else "memory"


class Groups:
    """A keeper's groups."""

    def __init__(self, places: tuple[Place, ...]) -> None:
        """Makes their folder in each place, and removes those of keepers that were killed.

        Raises:
            OSError: the kernel refuses.
        """
        self._locks: list[int] = []
        self._folders: list[tuple[Place, str]] = []
        for place in places:
            _sweep(place.folder)
            folder, lock = _make_locked(place.folder)
            self._locks.append(lock)
            self._folders.append((place, folder))
            if place.is_unified:
                _write(f"{folder}/cgroup.subtree_control", " ".join(f"+{name}" for name in place.controllers))

    def open(self, number: int) -> Group:
        """Returns one of them. Raises OSError when the kernel refuses."""
        return Group(number, self._folders)

    def remove(self) -> None:
        """Removes them all, but those that processes are in."""
        for _, folder in self._folders:
            _remove(folder)
        for lock in self._locks:
            os.close(lock)
        self._folders, self._locks = [], []


def _make_locked(parent: str) -> tuple[str, int]:
    """Makes a folder whose lock says that it is in use: by this process, and by all that it forks."""
    while True:
        folder = tempfile.mkdtemp(prefix=PREFIX, dir=parent)
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        fcntl.flock(lock, fcntl.LOCK_EX)
        if os.path.isdir(folder):
            return folder, lock
        os.close(lock)  # another keeper has swept it away before the lock was there


def _sweep(parent: str) -> None:
    """Removes folders that nobody uses any more."""
    for entry in [entry.path for entry in os.scandir(parent) if entry.name.startswith(PREFIX)]:
        with contextlib.suppress(OSError):  # in use, or another keeper was quicker
            lock = os.open(entry, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                _remove(entry)
            finally:
                os.close(lock)


def _remove(folder: str) -> None:
    with contextlib.suppress(OSError):
        for entry in [entry.path for entry in os.scandir(folder) if entry.is_dir(follow_symlinks=False)]:
            os.rmdir(entry)
        os.rmdir(folder)
