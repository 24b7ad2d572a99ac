"""System calls that Python 3.11 does not offer, by ctypes. Linux only; each raises OSError where the kernel refuses."""

import ctypes
import os

MACHINE = os.uname().machine

CLONE_NEWNS = 0x0002_0000
CLONE_NEWCGROUP = 0x0200_0000
CLONE_NEWUTS = 0x0400_0000
CLONE_NEWIPC = 0x0800_0000
CLONE_NEWUSER = 0x1000_0000
CLONE_NEWPID = 0x2000_0000
CLONE_NEWNET = 0x4000_0000
CLONE_NEWTIME = 0x0000_0080
CLONE_THREAD = 0x0001_0000
CLONE_NAMESPACES = (
    CLONE_NEWNS
    | CLONE_NEWCGROUP
    | CLONE_NEWUTS
    | CLONE_NEWIPC
    | CLONE_NEWUSER
    | CLONE_NEWPID
    | CLONE_NEWNET
    | CLONE_NEWTIME
)

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT = 1, 2, 4, 8, 32
MS_BIND, MS_REC, MS_PRIVATE = 4096, 16384, 1 << 18
MNT_DETACH = 2
AT_FDCWD, AT_RECURSIVE = -100, 0x8000
MOUNT_ATTR_RDONLY, MOUNT_ATTR_NOSUID, MOUNT_ATTR_NODEV = 1, 2, 4

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_SECCOMP = 22
PR_CAPBSET_DROP = 24
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 47, 4

SYS_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}.get(MACHINE)
SYS_CAPSET = {"x86_64": 126, "aarch64": 91}.get(MACHINE)
SYS_MOUNT_SETATTR = 442  # calls since Linux 5.1 have one number on every machine
CAPABILITY_VERSION_3 = 0x2008_0522
LAST_CAPABILITY = 63

_libc = ctypes.CDLL(None, use_errno=True)
_libc.prctl.argtypes = [ctypes.c_int, *[ctypes.c_ulong] * 4]
_libc.mount.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_ulong, ctypes.c_char_p]
_libc.syscall.restype = ctypes.c_long


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def syscall(number: int | None, what: str, *arguments: object) -> int:
    """Makes a system call by its number; None is a call whose number on this machine is not known here."""
    if number is None:
        raise OSError(f"{what}: not known on {MACHINE}")
    return _checked(int(_libc.syscall(ctypes.c_long(number), *arguments)), what)


def prctl(option: int, value: int = 0, third: int = 0) -> None:
    """Changes a trait of this process."""
    _checked(_libc.prctl(option, value, third, 0, 0), f"prctl {option}")


def unshare(flags: int) -> None:
    """Moves this process into new namespaces; with CLONE_NEWPID its next child."""
    _checked(_libc.unshare(flags), f"unshare {flags:#x}")


def setns(fd: int, kind: int) -> None:
    """Moves this process into a namespace that is open as `fd`."""
    _checked(_libc.setns(fd, kind), "setns")


def mount(source: str, target: str, kind: str | None, flags: int, data: str = "") -> None:
    """Mounts."""
    fstype = kind.encode() if kind else None
    done = _libc.mount(source.encode(), os.fsencode(target), fstype, flags, data.encode() or None)
    _checked(done, f"mount {kind or source} on {target}")


def unmount(target: str) -> None:
    """Detaches what is mounted on a place."""
    _checked(_libc.umount2(target.encode(), MNT_DETACH), f"umount {target}")


def pivot_root(new: str, old: str) -> None:
    """Makes a mount the root of this mount namespace and puts the old root below it."""
    syscall(SYS_PIVOT_ROOT, "pivot_root", new.encode(), old.encode())


class _MountAttr(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("attr_set", "attr_clr", "propagation", "userns_fd")]


def bind_readonly(source: str, target: str) -> None:
    """Makes a file or folder visible at another place, with what is mounted below it, all of it read-only."""
    mount(source, target, None, MS_BIND | MS_REC)
    wanted = _MountAttr(attr_set=MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID)
    arguments = (AT_FDCWD, os.fsencode(target), AT_RECURSIVE, ctypes.byref(wanted), ctypes.sizeof(wanted))
    syscall(SYS_MOUNT_SETATTR, f"making {target} read-only", *arguments)


def drop_capabilities() -> None:
    """Gives up every capability, for this process and all that it will start."""
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    for capability in range(LAST_CAPABILITY + 1):
        try:
            prctl(PR_CAPBSET_DROP, capability)
        except OSError:
            break  # beyond the kernel's last capability, or a process that has none to drop
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    syscall(SYS_CAPSET, "capset", header, (ctypes.c_uint32 * 6)())


def enter_user_namespace() -> None:
    """Moves this process into a user namespace of its own, in which it has the ids that it had, and no others."""
    uid, gid = os.geteuid(), os.getegid()
    prctl(PR_SET_DUMPABLE, 1)  # after a change of ids, the files of /proc/self are root's
    unshare(CLONE_NEWUSER)
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)
