"""Landlock: a process gives up all files but those that it names. No privileges are needed.

Used where there is no mount namespace. From ABI 6 on (Linux 6.12) it also keeps signals within the fence.
Source: the kernel's documentation, userspace-api/landlock.
"""

import ctypes
import os
import stat
from collections.abc import Iterable

from arena.hosts.sandbox.levels import SIGNAL_ABI
from arena.hosts.sandbox.linux import PR_SET_NO_NEW_PRIVS, prctl, syscall

SYS_CREATE_RULESET, SYS_ADD_RULE, SYS_RESTRICT_SELF = 444, 445, 446
CREATE_RULESET_VERSION = 1
RULE_PATH_BENEATH = 1

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
TRUNCATE, IOCTL_DEV = 1 << 14, 1 << 15
READ = EXECUTE | READ_FILE | READ_DIR
FILE_ONLY = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
BIND_TCP, CONNECT_TCP = 1, 2
SCOPE_ABSTRACT_UNIX, SCOPE_SIGNAL = 1, 2
NET_ABI, SCOPE_ABI = 4, SIGNAL_ABI


class _Ruleset(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("handled_fs", "handled_net", "scoped")]


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32)]


def abi() -> int:
    """Returns the version of Landlock that the kernel has, 0 for none."""
    try:
        return syscall(
            SYS_CREATE_RULESET, "landlock", None, ctypes.c_size_t(0), ctypes.c_uint32(CREATE_RULESET_VERSION)
        )
    except OSError:
        return 0


def all_rights(version: int) -> int:
    """Returns the rights on files that a version of Landlock knows."""
    num_rights = {1: 13, 2: 14, 3: 15, 4: 15}.get(version, 16)
    return (1 << num_rights) - 1


def _allow(ruleset: int, path: str, rights: int) -> None:
    """Adds a rule for a file, or for a folder and all below it; what does not exist needs none."""
    try:
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        allowed = rights if stat.S_ISDIR(os.fstat(fd).st_mode) else rights & FILE_ONLY
        rule = _PathBeneath(allowed, fd)
        syscall(SYS_ADD_RULE, f"landlock rule for {path}", ruleset, RULE_PATH_BENEATH, ctypes.byref(rule), 0)
    finally:
        os.close(fd)


def restrict(version: int, readable: Iterable[str], writable: Iterable[str]) -> None:
    """Leaves this process, and all that it will start, only these files and folders.

    Args:
        version: what abi() returned, above 0.
        readable: may be read and executed.
        writable: anything may be done there.
    """
    rights = all_rights(version)
    handled = _Ruleset(
        rights,
        BIND_TCP | CONNECT_TCP if version >= NET_ABI else 0,
        SCOPE_ABSTRACT_UNIX | SCOPE_SIGNAL if version >= SCOPE_ABI else 0,
    )
    size = 24 if version >= SCOPE_ABI else 16 if version >= NET_ABI else 8
    ruleset = syscall(SYS_CREATE_RULESET, "landlock", ctypes.byref(handled), ctypes.c_size_t(size), ctypes.c_uint32(0))
    try:
        for path in readable:
            _allow(ruleset, path, READ & rights)
        for path in writable:
            _allow(ruleset, path, rights)
        prctl(PR_SET_NO_NEW_PRIVS, 1)
        syscall(SYS_RESTRICT_SELF, "landlock", ruleset, ctypes.c_uint32(0))
    finally:
        os.close(ruleset)
