"""The levels of fencing, and what a fenced bot may use at most."""

from collections.abc import Iterator

import msgspec

NAMES = ("isolated", "process", "trusted")
"""Strongest first."""

MAX_PROCESSES = 64
"""Processes and threads of one bot: node has 7 to 11, Java 19 on two cores."""
BOTS_PER_CORE = 8
"""How many bots of one user may live at a time, for each core, where the kernel counts their processes together."""
MAX_UNASKED_STARTS = 256
"""Processes and threads that a bot may start while it is not asked for anything."""
STORAGE_MB = 64
"""Private storage of one match, and the size of any one file."""
MAX_FILES = 1024
"""Files and folders in the private storage."""
MAX_OPEN_FILES = 256
SIGNAL_ABI = 6
"""The first version of Landlock that keeps signals within the fence."""
LOG_BYTES = 64 * 1024
"""How much of the end of a bot's log is kept."""
MAX_LOG_BYTES = 64 * 1024 * 1024
"""More on standard error in one match is an `output` fault."""


class Level(msgspec.Struct, frozen=True):
    """A level as this machine offers it."""

    name: str
    """One of NAMES."""
    has_seccomp: bool = False
    """Whether system calls are filtered."""
    landlock_abi: int = 0
    """The version of Landlock in use, 0 for none."""
    cgroups: tuple[str, ...] = ()
    """What the kernel limits for each bot as a whole: `memory`, `pids`."""

    @property
    def is_isolated(self) -> bool:
        """Whether the bot has namespaces of its own."""
        return self.name == "isolated"

    @property
    def is_trusted(self) -> bool:
        """Whether nothing is limited."""
        return self.name == "trusted"

    @property
    def protects_guard(self) -> bool:
        """Whether a bot cannot end the guard that stands beside it."""
        return self.is_isolated or self.landlock_abi >= SIGNAL_ABI

    @property
    def means(self) -> str:
        """What the level is made of, as a list of words."""
        return ", ".join(self._parts())

    def _parts(self) -> Iterator[str]:
        if self.is_trusted:
            yield "a process of its own, nothing limited"
            return
        if self.is_isolated:
            yield "own user, mount, network, pid, ipc namespaces"
        yield "resource limits"
        if self.cgroups:
            yield f"cgroup limits of {' and '.join(self.cgroups)}"
        if "memory" not in self.cgroups:
            yield "memory only watched (no cgroup can be made)"
        if self.has_seccomp:
            yield "seccomp"
        if self.landlock_abi:
            yield f"Landlock ABI {self.landlock_abi}"


class Offer(msgspec.Struct, frozen=True):
    """What probing found out about one level."""

    name: str
    """One of NAMES."""
    level: Level | None
    """The level as it can be had, or None."""
    reason: str
    """What it is made of; or why it cannot be had, and what would help."""
