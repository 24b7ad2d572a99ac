"""Misdeeds of a program that starts: it reaches for what is not its own."""

# ruff: noqa: PTH101, PTH108, PTH110, PTH116, PTH120, PTH123, PTH208, SIM115

import contextlib
import ctypes
import fcntl
import os
import signal
import socket
import struct
import sys
import time
from pathlib import Path

from misdeeds import LIBC, leak, misdeed, refused


@misdeed
def opens_sockets():
    port, name = int(sys.argv[2]), sys.argv[3]
    with refused("a TCP connection"):
        socket.create_connection(("127.0.0.1", port), 1.0)
    with refused("a local socket"):
        socket.socket(socket.AF_UNIX).connect(name)
    for kind in (socket.SOCK_DGRAM, socket.SOCK_RAW):
        with refused("a service, by a socket that is one of a pair"):
            socket.socketpair(socket.AF_UNIX, kind)[0].sendto(b"x", sys.argv[4])
    with refused("a socket by name"):
        socket.socket(socket.AF_UNIX).connect("\0arena-test-" + str(port))
    with refused("a raw socket"):
        socket.socket(socket.AF_PACKET, socket.SOCK_RAW)


@misdeed
def reads_what_is_not_its_own():
    other, secret = sys.argv[2], sys.argv[3]
    of_other = [f"/proc/{other}/{name}" for name in ("environ", "mem", "cmdline", "stat", "cwd/.")]
    for path in (secret, *of_other, "/etc/shadow"):
        with refused(path), open(path, "rb") as file:
            file.read(1)
    if os.environ["TMPDIR"] == "/tmp" and os.path.exists(secret):  # isolated: else a path can be asked for
        leak(f"that there is {secret}")
    with refused("folder of the other"):
        os.listdir(os.path.dirname(secret))
    with refused("link in its folder"), open("link", "rb") as file:
        file.read(1)
    with refused("guard's memory"), open(f"/proc/{os.getppid()}/mem", "rb") as file:
        file.read(1)
    secrets = [name for name in os.environ if "SECRET" in name]
    if secrets:
        leak(f"environment {secrets}")
    files = [fd for fd in range(3, 256) if _is_open(fd)]
    if files:
        leak(f"open files {files}")


def _is_open(fd):
    try:
        os.fstat(fd)
    except OSError:
        return False
    return True


@misdeed
def kills_others():
    for pid in (int(sys.argv[2]), os.getppid()):
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)


@misdeed
def slows_others():
    """Gives a process of the same user, an opponent perhaps, what is left of the processor; the test looks at it."""
    victim = int(sys.argv[2])
    for deed in (
        lambda: os.sched_setscheduler(victim, os.SCHED_IDLE, os.sched_param(0)),
        lambda: os.sched_setaffinity(victim, {min(os.sched_getaffinity(0))}),
        lambda: os.setpriority(os.PRIO_PROCESS, victim, 10),
        lambda: os.setpriority(os.PRIO_USER, 0, 11),
        lambda: LIBC.syscall({"x86_64": 251, "aarch64": 30}[os.uname().machine], 1, victim, 3 << 13),  # ioprio_set
    ):
        with contextlib.suppress(OSError):
            deed()


@misdeed
def traces_others():
    for pid in (int(sys.argv[2]), os.getppid()):
        with refused(f"ptrace {pid}"):
            assert LIBC.ptrace(16, pid, None, None) == 0
        with refused(f"process_vm_readv {pid}"):
            assert LIBC.process_vm_readv(pid, None, 0, None, 0, 0) == 0
    with refused("user namespace"):
        assert LIBC.unshare(0x1000_0000) == 0
    with refused("mount"):
        assert LIBC.mount(b"none", b"/tmp", b"tmpfs", 0, None) == 0
    with refused("root"):
        os.setuid(0)
        assert open("/proc/self/uid_map").read().split()[1] != "0"
        os.chown(os.environ["TMPDIR"], 1, 1)


@misdeed
def writes_to_its_folder():
    with refused("own source"), open(__file__, "a") as file:
        file.write("#")
    with refused("new file"), open("new", "w") as file:
        file.write("x")
    with refused("permissions"):
        os.chmod(__file__, 0o777)
        assert os.stat(__file__).st_mode & 0o777 == 0o777
    with refused("removal"):
        os.unlink("fair.py")
    with refused("truncation"):
        os.truncate("fair.py", 0)
    with refused("a mark"), open(__file__, "rb") as file:
        flags = bytearray(8)
        fcntl.ioctl(file, 0x8008_6601, flags)  # FS_IOC_GETFLAGS
        flags[0] ^= 0x40  # is not to be dumped
        fcntl.ioctl(file, 0x4008_6602, flags)  # FS_IOC_SETFLAGS


@misdeed
def signals_by_shared_files():
    """Leaves marks on a file that all bots may read, and looks for those of others."""
    shared, write_lock = (
        [open(os.path.realpath(sys.executable), "rb") for _ in range(2)],
        struct.pack("hhqqi", 1, 0, 0, 0, 0),
    )
    own = [open(os.environ["TMPDIR"] + "/own", "w") for _ in range(2)]
    try:
        for file in shared:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        for file in own:
            fcntl.fcntl(file, 37, write_lock)  # F_OFD_SETLK
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        leak(f"a lock of another: {error}")
    with refused("lease"):
        fcntl.fcntl(own[0], fcntl.F_SETLEASE, fcntl.F_WRLCK)
    with refused("notice of changes to a folder"):
        fcntl.fcntl(os.open("/usr/bin", os.O_RDONLY), fcntl.F_NOTIFY, fcntl.DN_ACCESS)
    with refused("inotify"):
        assert LIBC.inotify_init1(0) >= 0
    with refused("reading what is in memory only"):
        os.preadv(shared[0].fileno(), [bytearray(16)], 0, os.RWF_NOWAIT)
    with refused("cachestat"):
        result = (ctypes.c_uint64 * 5)()
        assert LIBC.syscall(451, shared[0].fileno(), (ctypes.c_uint64 * 2)(0, 4096), result, 0) == 0
    with refused("mincore"):
        assert LIBC.mincore(ctypes.c_void_p(id(own) & ~4095), 4096, ctypes.create_string_buffer(1)) == 0
    with refused("reading without waiting"):
        assert LIBC.syscall({"x86_64": 206, "aarch64": 0}[os.uname().machine], 1, (ctypes.c_uint64 * 1)()) == 0


@misdeed
def leaves_its_control_group():
    groups = [line.rstrip("\n").split(":", 2)[2] for line in open("/proc/self/cgroup")]
    for tree in ("", "/memory", "/pids", "/unified"):
        for group in {"/", *groups}:
            for name in ("cgroup.procs", "tasks", "memory.max", "memory.limit_in_bytes", "pids.max"):
                place = os.path.normpath(f"/sys/fs/cgroup{tree}{group}/{name}")
                with refused(f"writing to {place}"), open(place, "r+"):
                    pass


@misdeed
def looks_for_neighbours():
    """Looks for the private storage of others, where it is beside its own."""
    around, name = os.path.split(os.environ["TMPDIR"])
    if around == "/":
        return  # nobody else's is anywhere to be seen
    if len(name) < 32:
        leak(f"a name that can be guessed: {name}")
    for folder in (around, os.path.dirname(around), os.path.dirname(os.path.dirname(around))):
        with refused(f"the list of {folder}"):
            os.listdir(folder)


@misdeed
def makes_a_session():
    """Asks the scheduler for one more share; it leads a session already, so that this fails unless it is pretended."""
    try:
        os.setsid()
    except OSError:
        leak("setsid reaches the kernel")


@misdeed
def leaves_something_behind():
    places = [os.environ["TMPDIR"], os.environ["HOME"], "/tmp", "/dev/shm", "/var/tmp", "."]
    marks = [Path(place, "arena-mark") for place in places]
    for mark in marks:
        with contextlib.suppress(OSError):
            if mark.exists():
                leak(f"file {mark}")
    for mark in marks:
        with contextlib.suppress(OSError):
            mark.write_text("remember")
    if "MARK" in os.environ:
        leak("environment")
    os.environ["MARK"] = "remember"
    key, created = 0x4152_454E, 0o1000 | 0o600
    if LIBC.shmget(key, 4096, 0o600) >= 0:
        leak("shared memory")
    LIBC.shmget(key, 4096, created)
    with contextlib.suppress(OSError):
        listener = socket.socket(socket.AF_UNIX)
        try:
            listener.bind("\0arena-mark")
        except OSError:
            leak("a name taken by a survivor")
        listener.listen()
        globals()["kept"] = listener
    with contextlib.suppress(OSError):
        if os.fork() == 0:
            os.setsid()
            os.close(1)
            time.sleep(1e9)
