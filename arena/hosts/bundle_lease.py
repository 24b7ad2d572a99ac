"""Leases: which laid-out bundles running processes use, so that none is removed under a bot.

Each process holds a lock on a file of its own that lists what it uses; the lock ends with the process, however it ends.
"""

import contextlib
import fcntl
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

LEASE = "lease-"
GATE = "gate"
"""A file whose lock keeps leases and removals apart."""


@contextlib.contextmanager
def gate(root: Path) -> Iterator[None]:
    """Keeps other processes from taking leases or removing bundles while the block lasts."""
    fd = os.open(root / GATE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        yield
    finally:
        os.close(fd)


class Lease:
    """What this process uses, told in a folder of leases."""

    def __init__(self, root: Path) -> None:
        root.mkdir(parents=True, exist_ok=True)
        self._root, self._pid = root, os.getpid()
        self._names: set[str] = set()
        with gate(root):
            names_in_use(root)  # leases of processes that have ended must not pile up
            fd, path = tempfile.mkstemp(prefix=LEASE, dir=root)
            fcntl.flock(fd, fcntl.LOCK_EX)
        self._fd, self._path = fd, Path(path)

    def add(self, name: str) -> None:
        """Says that a bundle is used from now on, to the end of this process."""
        if name not in self._names:
            with gate(self._root):
                os.write(self._fd, f"{name}\n".encode())
            self._names.add(name)

    @property
    def is_held(self) -> bool:
        """Says whether the lease is this process's own and its file still there: a fork has none, a cache may go."""
        return self._pid == os.getpid() and self._path.exists()


def names_in_use(root: Path) -> set[str]:
    """Returns the bundles that living processes use, and removes the leases of others; for who holds the gate."""
    names: set[str] = set()
    for path in root.glob(f"{LEASE}*"):
        with contextlib.suppress(FileNotFoundError), path.open("rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
                path.unlink()
            except BlockingIOError:
                names.update(file.read().decode().split())
    return names
