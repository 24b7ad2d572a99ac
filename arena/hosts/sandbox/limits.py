"""Limits that the kernel keeps for a process, and the user that it runs as."""

import os
import resource

from arena.hosts.sandbox.levels import BOTS_PER_CORE, MAX_OPEN_FILES, MAX_PROCESSES, STORAGE_MB

CPU_SLACK_S = 1  # the guard sees to it first; should it be kept from looking, the kernel does
CPU_GRACE_S = 2  # from the signal that says that the time is over to the one that cannot be caught
FIRST_UID = 1 << 30  # where no system and no container puts its users
SMALL_FIRST_UID, SMALL_NUM_UIDS = 20_000, 40_000  # where only the usual 65,536 ids are mapped


def set_limits(cpu_s: int | None, num_others: int) -> None:
    """Limits this process and all that it will start.

    Memory is watched instead (tree.py): numpy and numba reserve far more address space than they use.

    Args:
        cpu_s: seconds of processor time of all processes; each may have about as much. None is no limit.
        num_others: processes and threads that the kernel may count together with the bot's.
    """
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_FSIZE, STORAGE_MB << 20)
    _limit(resource.RLIMIT_NOFILE, MAX_OPEN_FILES)
    _limit(resource.RLIMIT_NPROC, num_others + MAX_PROCESSES)
    _limit(resource.RLIMIT_MSGQUEUE, 0)
    _limit(resource.RLIMIT_NICE, 0)
    _limit(resource.RLIMIT_RTPRIO, 0)
    _limit(resource.RLIMIT_MEMLOCK, 1 << 20)
    if cpu_s is not None:
        _limit(resource.RLIMIT_CPU, cpu_s + CPU_SLACK_S, CPU_GRACE_S)


def _limit(kind: int, wanted: int, grace: int = 0) -> None:
    """Sets a limit, or what is already set where that is less; a hard one `grace` above it."""
    known = resource.getrlimit(kind)[1]
    most = [] if known == resource.RLIM_INFINITY else [known]
    resource.setrlimit(kind, (min([wanted, *most]), min([wanted + grace, *most])))


def bot_uid(keeper: int, number: int) -> int:
    """Returns a user id that no other living bot has, for a keeper that may change to any.

    Args:
        keeper: the keeper's process id.
        number: counts its bots; at most 256 live at a time.
    """
    with open("/proc/self/uid_map", encoding="ascii") as file:
        ends = [int(first) + int(count) for first, _, count in map(str.split, file)]
    if max(ends) >= 1 << 31:
        return FIRST_UID + (keeper << 8) + number % 256
    return SMALL_FIRST_UID + (keeper * 257 + number) % SMALL_NUM_UIDS


def change_user(uid: int) -> None:
    """Gives up root for a user and group of that id."""
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def can_everyone_enter(path: str) -> bool:
    """Says whether any user may go into, or read, a place and all the folders above it."""
    path = os.path.realpath(path)
    needed = 0o5 if os.path.isdir(path) else 0o4
    while True:
        if os.stat(path).st_mode & needed != needed:
            return False
        if path == "/":
            return True
        path, needed = os.path.dirname(path), 0o1


def num_others() -> int:
    """Returns how many processes and threads this user may have besides one bot's: those that there are, other bots'.

    The limit that follows is no bot's share, of which others' threads would take away. It keeps a bot from filling the
    machine before the guard, which counts what is its bot's, has looked.
    """
    return _num_tasks() + BOTS_PER_CORE * (os.cpu_count() or 1) * MAX_PROCESSES


def _num_tasks() -> int:
    """Returns how many processes and threads this user has on the machine."""
    uid, count = os.geteuid(), 0
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and os.stat(f"/proc/{name}").st_uid == uid:
                count += os.stat(f"/proc/{name}/task").st_nlink - 2
        except OSError:
            continue  # it has ended
    return count
