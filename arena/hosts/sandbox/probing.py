"""Which levels this machine offers: found out by fencing a real program, not by reading version numbers."""

import sys
from functools import cache

import msgspec

from arena.errors import MissingExtra, UsageError
from arena.hosts.sandbox.levels import NAMES, Level, Offer

TRIAL = ("/bin/true",)
SWITCHES = (
    ("/proc/sys/kernel/unprivileged_userns_clone", "0", "sysctl -w kernel.unprivileged_userns_clone=1"),
    (
        "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
        "1",
        "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
    ),
    ("/proc/sys/user/max_user_namespaces", "0", "sysctl -w user.max_user_namespaces=10000"),
)
"""Settings that forbid user namespaces: where they stand, what forbids, and the command that allows."""


def _candidate(name: str) -> Level:
    from arena.hosts.sandbox import cgroups, landlock, seccomp

    if name == "trusted":
        return Level(name)
    limited = tuple(kind for place in cgroups.find() for kind in place.controllers)
    # A mount namespace shows less than Landlock could leave; Landlock stands in for it where there is none.
    return Level(name, seccomp.is_known(), landlock.abi() if name == "process" else 0, limited)


def _advice() -> str:
    """Returns what would make `isolated` possible."""
    for path, forbidding, command in SWITCHES:
        try:
            with open(path, encoding="ascii") as file:
                if file.read().strip() == forbidding:
                    return f"run as root, or allow user namespaces: `{command}` (Debian package procps)"
        except OSError:
            continue
    return "run as root, or where the Debian package bubblewrap works (`bwrap --ro-bind / / --unshare-all true`)"


@cache
def _offer(name: str) -> Offer:
    if sys.platform != "linux":
        return Offer(name, None, f"it needs Linux; this is {sys.platform}")
    from arena.hosts.launch import try_level

    level = _candidate(name)
    problem = try_level(level, TRIAL)
    if problem is not None and level.cgroups:
        level = msgspec.structs.replace(level, cgroups=())  # groups that can be made need not be ours to enter
        problem = try_level(level, TRIAL)
    if problem is None:
        return Offer(name, level, level.means)
    return Offer(name, None, f"{problem}; {_advice()}" if level.is_isolated else problem)


def probe() -> tuple[Offer, ...]:
    """Returns what this machine offers, the strongest level first; each is tried once a process."""
    return tuple(map(_offer, NAMES))


def resolve(name: str) -> Level:
    """Returns a level by its name; `auto` is the strongest of `isolated` and `process` that can be had.

    Raises:
        MissingExtra: this machine does not offer it.
        UsageError: there is no level of that name.
    """
    if name == "auto":
        return _strongest()
    if name not in NAMES:
        raise UsageError(f"there is no sandbox level {name!r}; levels: auto, {', '.join(NAMES)}")
    offer = _offer(name)
    if offer.level is None:
        raise MissingExtra(f"the sandbox level {name} cannot be had here: {offer.reason}")
    return offer.level


def _strongest() -> Level:
    refusals = []
    for name in NAMES[:-1]:
        offer = _offer(name)
        if offer.level is not None:
            return offer.level
        refusals.append(f"{name}: {offer.reason}")
    raise MissingExtra(f"no sandbox level can be had here ({'; '.join(refusals)}); --sandbox trusted fences nothing")
