"""A program that speaks the line protocol and, as its first argument says, misbehaves; without it, it plays fair.

What it gets hold of that it should not, it writes to its log behind the word LEAK.
"""

# ruff: noqa: PTH101, PTH102, PTH108, PTH110, PTH116, PTH120, PTH123, PTH208, SIM115

import contextlib
import ctypes
import fcntl
import json
import mmap
import os
import re
import signal
import socket
import struct
import sys
import threading
import time
from pathlib import Path

LIBC = ctypes.CDLL(None, use_errno=True)
MISDEEDS = {}
CHILDREN = []


def misdeed(function):
    MISDEEDS[function.__name__] = function
    return function


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def answer(request, **changes):
    say({"type": "act", "ply": request["ply"], "action": request["legal"][0], **changes})


def write(data):
    sys.stdout.flush()
    while data:
        data = data[os.write(1, data) :]


def leak(what):
    print("LEAK", what, file=sys.stderr, flush=True)


@contextlib.contextmanager
def refused(what):
    """What is done within should be refused; if it is not, that is a leak."""
    try:
        yield
    except (OSError, ValueError, AssertionError):
        return
    leak(what)


# Before it is ready


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


# When it is asked


@misdeed
def hangs_in_c(request):
    re.match("(a+)+$", "a" * 200 + "b")


@misdeed
def loops(request):
    while True:
        pass


@misdeed
def sleeps_for_ever(request):
    time.sleep(1e9)


@misdeed
def answers_late(request):
    time.sleep(1.3)
    answer(request)


@misdeed
def floods_standard_output(request):
    while True:
        write(b"x" * 65536)


@misdeed
def floods_with_lines(request):
    while True:
        write(b'{"type":"act","ply":-1,"action":"x"}\n' * 1000)


@misdeed
def floods_bit_by_bit(request):
    """Writes less for each answer than it may."""
    write(b'{"type":"act","ply":-1,"action":"x"}\n' * 12_000)
    answer(request)


@misdeed
def drips(request):
    for _ in range(60):
        write(b" ")
        time.sleep(0.05)
    sys.exit(0)


@misdeed
def writes_half_a_line(request):
    write(b'{"type":"act","ply":')
    time.sleep(1e9)


@misdeed
def ends_within_a_line(request):
    write(b'{"type":"act","ply":')
    sys.exit(0)


@misdeed
def answers_an_earlier_ply(request):
    answer(request, ply=request["ply"] - 1)
    answer(request)


@misdeed
def logs_within_its_answer(request):
    data = json.dumps({"type": "act", "ply": request["ply"], "action": request["legal"][0]}).encode() + b"\n"
    for place in range(0, len(data), 7):
        write(data[place : place + 7])
        os.write(2, b'{"type":"act","ply":0,"action":"none"}\n')


@misdeed
def answers_a_later_ply(request):
    answer(request, ply=request["ply"] + 2)


@misdeed
def answers_before_it_is_asked(request):
    plies = range(request["ply"], request["ply"] + 10)
    lines = [json.dumps({"type": "act", "ply": ply, "action": request["legal"][0]}) + "\n" for ply in plies]
    write("".join(lines).encode())  # in one go: else the next request may come in between


@misdeed
def leaves_with_its_answer(request):
    answer(request)
    os._exit(0)


@misdeed
def spins_when_it_is_not_asked(request):
    answer(request)
    if threading.active_count() > 1 or CHILDREN:
        return
    for _ in range(20):
        try:
            CHILDREN.append(os.fork())
            if CHILDREN[-1] == 0:
                os.setsid()
                loops(request)
        except OSError:
            threading.Thread(target=loops, args=[request], daemon=True).start()
            return


@misdeed
def answers_an_unknown_action(request):
    answer(request, action="\x1b[31m<b>'\"\u202e")


@misdeed
def answers_an_illegal_action(request):
    known = {"@1", "@2", "@3", "R8", "S10"}
    answer(request, action=min(known.difference(request["legal"])))


@misdeed
def answers_no_text(request):
    answer(request, action=None)


@misdeed
def answers_nan(request):
    answer(request, note={"value": float("nan")})


@misdeed
def answers_a_huge_number(request):
    write(b'{"type":"act","ply":%d,"action":"x","note":{"value":1e400}}\n' % request["ply"])


@misdeed
def answers_a_huge_ply(request):
    write(b'{"type":"act","ply":1' + b"0" * 400 + b',"action":"x"}\n')


@misdeed
def answers_deep_json(request):
    write(b'{"type":"act","x":' + b"[" * 50_000 + b"\n")


@misdeed
def answers_bad_utf8(request):
    write(b'{"type":"act","ply":0,"action":"\xff\xfe"}\n')


@misdeed
def answers_many_notes(request):
    answer(request, note={str(number): 1.0 for number in range(1000)})


@misdeed
def says_ready_again(request):
    say({"type": "ready"})


@misdeed
def pretends_to_be_the_child(request):
    say({"type": "fault", "kind": "memory", "detail": "not mine"})


@misdeed
def ends_by_a_signal(request):
    signal.signal(signal.SIGSEGV, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGSEGV)


@misdeed
def closes_its_output(request):
    os.close(1)
    time.sleep(1e9)


@misdeed
def stops_itself(request):
    os.kill(os.getpid(), signal.SIGSTOP)


AT_START = {name for name, function in MISDEEDS.items() if function.__code__.co_argcount == 0}


def transcribe():
    """Plays fair and writes the first messages, both ways, to its log."""
    dots = "  ..."
    for number, line in enumerate(sys.stdin):
        message = json.loads(line)
        if message["type"] == "act" and number >= 5:
            if dots:
                print(dots, file=sys.stderr)
            dots = ""
            answer(message)
            continue
        print("<", line.rstrip(), file=sys.stderr)
        replies = {
            "hello": {"type": "ready"},
            "act": {
                "type": "act",
                "ply": message.get("ply"),
                "action": message.get("legal", [""])[0],
                "note": {"value": 0.5},
            },
        }
        if message["type"] in replies:
            reply = json.dumps(replies[message["type"]], separators=(",", ":"))
            print(">", reply, file=sys.stderr)
            write(reply.encode() + b"\n")
        if message["type"] == "quit":
            return


def main():
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name == "transcribe":
        transcribe()
        return
    if name in AT_START:
        MISDEEDS[name]()
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            say({"type": "ready"})
        elif message["type"] == "act":
            if name in MISDEEDS and name not in AT_START:
                MISDEEDS[name](message)
            else:
                answer(message, note={"legal": len(message["legal"])})
        elif message["type"] == "end":
            print("END", json.dumps(message["result"]), file=sys.stderr, flush=True)
        elif message["type"] == "quit" and name != "ignores_signals":
            return


main()
