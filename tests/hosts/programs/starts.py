"""Misdeeds of a program that starts: it does not get ready, and takes more than its share."""

# ruff: noqa: PTH101, PTH102, PTH108, PTH123

import contextlib
import mmap
import os
import re
import signal
import socket
import sys
import threading
import time
from pathlib import Path

from misdeeds import LIBC, leak, misdeed, refused, say, write


@misdeed
def never_ready():
    time.sleep(1e9)


@misdeed
def exits_at_once():
    sys.exit(0)


@misdeed
def exits_with_three():
    sys.exit(3)


@misdeed
def logs_ten_megabytes():
    line = b"x" * 1023 + b"\n"
    for _ in range(10 * 1024):
        os.write(2, line)


@misdeed
def floods_its_log():
    while True:
        os.write(2, b"x" * 65536)


@misdeed
def prints_a_banner():
    write(b"Hello, here is to the best bot!\n")


@misdeed
def answers_before_it_is_ready():
    say({"type": "act", "ply": 0, "action": "none"})


@misdeed
def forks_a_thousand():
    for number in range(1000):
        try:
            if os.fork() == 0:
                time.sleep(1e9)
        except OSError:
            break
        if number > 100:
            leak("more than a hundred processes")


def start_threads(number):
    for _ in range(number):
        threading.Thread(target=time.sleep, args=[1e9], daemon=True).start()


@misdeed
def starts_fifty_threads():
    start_threads(50)


@misdeed
def starts_a_hundred_threads():
    start_threads(100)
    time.sleep(1e9)


@misdeed
def leaves_a_daemon():
    with contextlib.suppress(OSError):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.close(0)
                os.close(1)
                time.sleep(1e9)
            os._exit(0)
        os.wait()


@misdeed
def ignores_signals():
    for number in set(range(1, 32)) - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)


@misdeed
def allocates_under_a_false_name():
    """A name that looks like the rows of /proc in which its size stands."""
    LIBC.prctl(15, b"VmPin:Threads:", 0, 0, 0)
    allocates_eight_gigabytes()


@misdeed
def allocates_eight_gigabytes():
    kept = []
    for _ in range(8 * 64):
        kept.append(b"x" * (16 << 20))
    leak("8 GB of memory")


@misdeed
def allocates_in_many_processes():
    for _ in range(20):
        try:
            is_alone = os.fork() == 0
        except OSError:
            allocates_eight_gigabytes()
        if is_alone:
            kept = [b"x" * (8 << 20) for _ in range(8)]
            time.sleep(1e9)
            del kept
    time.sleep(1e9)


@misdeed
def hoards_in_sockets():
    """Has the kernel keep what it sends itself: no process becomes larger by it."""
    for _ in range(40):
        if os.fork() == 0:
            pairs = []
            with contextlib.suppress(OSError):
                while True:
                    pairs.append(socket.socketpair())
            for pair in pairs:
                for end in pair:
                    end.setblocking(False)
                    end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 24)
                    with contextlib.suppress(BlockingIOError):
                        while True:
                            end.send(b"x" * 4096)
            time.sleep(1e9)
    time.sleep(1e9)


@misdeed
def fills_page_tables():
    """Reads a byte in each of half a million places, none of which has memory of its own."""
    place = mmap.mmap(-1, 1 << 40, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000)  # MAP_NORESERVE
    place.madvise(mmap.MADV_NOHUGEPAGE)
    for at in range(0, 1 << 40, 1 << 21):
        place[at]
    leak("2 GB of page tables")


@misdeed
def takes_memory_that_no_size_shows():
    """Memory that is shared stays when a process lets go of its own pages of it."""
    with refused("shared memory"):
        mmap.mmap(-1, 4096)
    with refused("large pages"):
        mmap.mmap(-1, 1 << 21, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4_0000)
        assert int(re.search(r"HugePages_Total: *(\d+)", Path("/proc/meminfo").read_text())[1]) > 0
    with refused("a device that is memory"):
        mmap.mmap(os.open("/dev/zero", os.O_RDONLY), 4096, mmap.MAP_SHARED, mmap.PROT_READ)
    with refused("a file of memory"):
        os.memfd_create("x")
    with refused("shared memory by key"):
        assert LIBC.shmget(0, 4096, 0o1600) >= 0


@misdeed
def fills_the_disk():
    number = 0
    while number < 1024:
        Path(os.environ["TMPDIR"], f"{number}").write_bytes(b"x" * (1 << 20))
        number += 1
    leak("1 GB of disk")


def _fills_files_without_a_name(keep):
    for _ in range(8):
        with open(os.environ["TMPDIR"] + "/file", "w+b") as file:
            os.unlink(file.name)
            file.write(b"x" * (32 << 20))
            file.flush()
            keep(file.fileno())
    time.sleep(0.5)
    leak("256 MB of disk")


@misdeed
def keeps_unlinked_files_open():
    _fills_files_without_a_name(os.dup)


@misdeed
def keeps_unlinked_files_mapped():
    _fills_files_without_a_name(lambda fd: LIBC.mmap(None, 4096, mmap.PROT_READ, mmap.MAP_SHARED, fd, None))


@misdeed
def makes_many_files():
    for number in range(5000):
        Path(os.environ["TMPDIR"], f"{number}").touch()
    time.sleep(1.0)
    leak("5000 files")


@misdeed
def makes_many_folders():
    number = 0
    with contextlib.suppress(OSError):
        while True:
            os.mkdir(f"{os.environ['TMPDIR']}/{number}")
            number += 1
    time.sleep(1e9)


@misdeed
def nests_folders():
    os.chdir(os.environ["TMPDIR"])
    for _ in range(3000):
        os.mkdir("d")
        os.chdir("d")
    os.chmod(".", 0)
