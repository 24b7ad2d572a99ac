"""The parts of the fence, each by itself."""

import errno
import os
import signal
import socket
import struct
import sys
import tempfile
from pathlib import Path

import pytest

from arena.core.bot import MatchInfo
from arena.core.spec import Limits
from arena.errors import InfrastructureError
from arena.hosts import launch as launching
from arena.hosts.base import BotFault
from arena.hosts.launch import FENCE_S, MAX_KEEPERS, launch, receive
from arena.hosts.orders import Order, Preload, Report
from arena.hosts.sandbox import Level, limits, resolve, room, scratch, seccomp
from arena.hosts.subprocess import SubprocessHost

LIMITS = Limits(start_s=20.0, move_s=5.0, bank_s=5.0, memory_mb=256)
ALLOW, KILL = 0x7FFF_0000, 0x8000_0000


def run_filter(code, architecture, number, argument=0, second=0):
    """Interprets a filter as the kernel does, for one system call; returns what it decides."""
    data = struct.pack("<IIQQQ", number, architecture, 0, argument, second)
    instructions = list(struct.iter_unpack("<HBBI", code))
    at, value = 0, 0
    while True:
        operation, if_true, if_false, operand = instructions[at]
        at += 1
        if operation == 0x20:
            value = struct.unpack_from("<I", data, operand)[0]
        elif operation == 0x06:
            return operand
        else:
            is_true = {0x15: value == operand, 0x35: value >= operand, 0x45: bool(value & operand)}[operation]
            at += if_true if is_true else if_false


def refused(error):
    return 0x0005_0000 | error


@pytest.fixture(params=["x86_64", "aarch64"])
def machine(request, monkeypatch):
    monkeypatch.setattr(seccomp, "MACHINE", request.param)
    seccomp.make_filter.cache_clear()
    yield list(seccomp.ARCHITECTURES).index(request.param), seccomp.ARCHITECTURES[request.param]
    seccomp.make_filter.cache_clear()


@pytest.mark.parametrize("is_isolated", [True, False])
@pytest.mark.parametrize("allows_processes", [True, False])
def test_filter_refuses_what_it_says(machine, is_isolated, allows_processes):
    index, architecture = machine
    code = seccomp.make_filter(is_isolated, allows_processes)

    def decide(numbers, argument=0, second=0):
        return run_filter(code, architecture, numbers[index], argument, second)

    def decisions(calls):
        return {decide(numbers) for numbers in calls.values() if numbers[index] is not None}

    assert run_filter(code, 0x4000_0003, 0) == KILL, "32-bit calls"
    assert decisions(seccomp.REFUSED) == {refused(errno.EPERM)}
    assert decisions(seccomp.ABSENT) == {refused(errno.ENOSYS)}
    assert decisions(seccomp.PRETENDED) == {refused(0)}
    assert {decide(seccomp.FCNTL, 3, command) for command in seccomp.LOCKING} == {refused(0)}
    assert {decide(seccomp.FCNTL, 3, command) for command in seccomp.TELLING} == {refused(errno.EPERM)}
    assert {decide(seccomp.FCNTL, 6, command) for command in (0, 1, 2, 3, 4, 5, 1030, 1031)} == {ALLOW}
    assert decide(seccomp.CLONE, 0x1000_0000 | signal.SIGCHLD) == refused(errno.EPERM), "a user namespace"
    assert decide(seccomp.CLONE, 0x003D_0F00) == ALLOW, "a thread"
    assert decide(seccomp.CLONE, signal.SIGCHLD) == (ALLOW if allows_processes else refused(errno.EPERM))
    assert decide(seccomp.SOCKET, 2) == refused(errno.EPERM if is_isolated else errno.EACCES)
    assert decide(seccomp.SOCKET, 1) == (ALLOW if is_isolated else refused(errno.EACCES))
    assert decide(seccomp.PRLIMIT, 0) == ALLOW
    assert decide(seccomp.PRLIMIT, 1) == refused(errno.EPERM)
    assert decisions(seccomp.NOT_DONE) == ({ALLOW} if is_isolated else {refused(0)})
    assert decide((0, 63)) == ALLOW, "read"


def test_filter_numbers_are_distinct():
    for index in (0, 1):
        calls = (seccomp.REFUSED, seccomp.ABSENT, seccomp.PRETENDED, seccomp.NOT_DONE)
        numbers = [pair[index] for pairs in calls for pair in pairs.values()]
        known = [number for number in numbers if number is not None]
        assert len(known) == len(set(known))


def test_storage_is_measured_and_removed_whatever_is_in_it(tmp_path):
    around = Path(scratch.make_parent(str(tmp_path)), "1")
    place = Path(scratch.make(str(around), None))
    assert place.parent == around
    assert place.stat().st_mode & 0o777 == 0o700
    assert around.stat().st_mode & 0o444 == 0, "the folder around it cannot be listed"
    other = Path(scratch.make(str(around.with_name("2")), None))
    assert len(place.name) >= 32 and place.name != other.name, "no one can guess another's"
    scratch.remove(str(other.parent))
    (place / "file").write_bytes(b"x" * 100_000)
    os.mkdir(os.fsencode(place) + b"/\xff\n")  # noqa: PTH102
    (place / "link").symlink_to("/etc")
    (place / "locked" / "inner").mkdir(parents=True)
    (place / "locked").chmod(0)
    num_bytes, num_files = scratch.measure(str(place), 100)
    assert num_bytes >= 100_000
    assert num_files >= 4
    assert scratch.measure(str(place), 2)[1] == 3
    here = Path.cwd()
    os.chdir(place)
    for _ in range(600):
        os.mkdir("deeper" * 10)  # noqa: PTH102
        os.chdir("deeper" * 10)
    os.chdir(here)
    scratch.remove(str(around))
    assert list(around.parent.iterdir()) == []
    assert Path("/etc").is_dir()


def test_room_shows_each_place_once(tmp_path):
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "ab").mkdir()
    (tmp_path / "link").symlink_to("a")
    wanted = [str(tmp_path / name) for name in ("a/b", "a", "ab", "absent", "link")]
    base = str(tmp_path.resolve())
    shown = [(source, Path(target).name) for source, target in room.plan(wanted)]
    assert shown == [(f"{base}/a", "a"), (f"{base}/ab", "ab"), (f"{base}/a", "link")]


@pytest.mark.skipif(sys.platform != "linux", reason="the sandbox needs Linux")
def test_what_lies_below_tmp_is_shown_there_and_nothing_else_of_it(table, monkeypatch):
    """An environment or a checkout below /tmp is shown to bots; what lies beside it is not, and /tmp is their own."""
    level = resolve("auto")
    if not level.is_isolated:
        pytest.skip("isolation cannot be had here")
    with tempfile.TemporaryDirectory(prefix="arena-test-", dir="/tmp") as folder:
        place = Path(folder)
        place.chmod(0o755)
        (place / "shown").mkdir()
        (place / "shown" / "module.py").write_text("a part of the environment")
        (place / "secret").write_text("a database")
        shown = launching.visible_paths()
        monkeypatch.setattr(launching, "visible_paths", lambda: (*shown, str(place / "shown")))
        script = (
            f"cat {place}/shown/module.py; echo; ls -A {place} | tr '\\n' ' '; ls -A /tmp | tr '\\n' ' '; "
            f"touch {place}/shown/x || echo read-only; touch {place}/beside && echo own; touch /tmp/y && echo mine"
        )
        order = Order(table.raw().folder, None, ("/bin/sh", "-c", f"exec >&2; {script}"), True, None, None)
        bench = launch(level, Preload(modules=("below_tmp",)), order)
        report, _ = receive(bench.control, FENCE_S)
        bench.close()
        assert isinstance(report, Report)
        log = report.log.decode()
        assert log.startswith("a part of the environment\n"), log
        assert f"shown {place.name} " in log, "nothing beside it is there"
        assert "read-only" in log and "mine" in log
        assert sorted(path.name for path in place.iterdir()) == ["secret", "shown"]
        assert not Path("/tmp/y").exists()


def test_bots_have_users_of_their_own():
    users = [limits.bot_uid(keeper, number) for keeper in (300, 301) for number in range(256)]
    assert len(users) == len(set(users))
    assert min(users) >= 20_000


def test_place_that_everyone_may_enter(tmp_path):
    place = tmp_path / "inner"
    place.mkdir()
    tmp_path.chmod(0o700)
    assert limits.can_everyone_enter("/usr/bin")
    assert not limits.can_everyone_enter(str(place))


BURN = """
import os, signal, time
def burn(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end: pass
"""
LOOPS = "burn(60)"
CHILDREN = """
while True:
    if os.fork() == 0: burn(0.05); os._exit(0)
    os.wait()
"""
MANY_CHILDREN = """
for _ in range(30):
    if os.fork() == 0: os.setsid(); burn(60)
os.wait()
"""
LOST_CHILDREN = """
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
while True:
    if os.fork() == 0: os._exit(0)
    time.sleep(0.001)
"""


def burning(table, name, program, cpu_s, unasked_s, is_asked):
    """Runs a program that burns processor time, and returns the report of its guard."""
    level = resolve("auto") if name == "isolated" else resolve(name)
    if "fork" in program and not level.is_isolated and os.geteuid() == 0 and "pids" not in level.cgroups:
        pytest.skip("as root, a bot at this level may start no processes where no cgroup counts them")
    raw = table.raw()
    order = Order(raw.folder, None, (raw.command[0], "-c", BURN + program), True, None, cpu_s, unasked_s)
    bench = launch(level, Preload(), order)
    bench.turn.change(is_asked)
    report, _ = receive(bench.control, 2 * FENCE_S)
    bench.close()
    assert isinstance(report, Report)
    return report


@pytest.mark.parametrize("program", [LOOPS, CHILDREN, MANY_CHILDREN])
@pytest.mark.parametrize("name", ["isolated", "process"])
def test_processor_time_of_all_processes_is_limited(table, name, program):
    report = burning(table, name, program, 1, None, True)
    assert (report.end, report.detail) == ("cpu", "used more processor time than the match allows, 1 s")
    assert 0.9 < report.cpu_s < 3


@pytest.mark.parametrize("program", [LOOPS, CHILDREN, MANY_CHILDREN])
@pytest.mark.parametrize("name", ["isolated", "process"])
def test_processor_time_of_a_bot_that_is_not_asked_is_limited(table, name, program):
    """By as much as that a bot can hold up another, with however many processes."""
    report = burning(table, name, program, 60, 0.5, False)
    assert (report.end, report.detail[:24]) == ("cpu", "used 0.5 s of processor ")
    assert 0.4 < report.cpu_s < 2


def test_processes_that_nobody_waits_for_are_counted_too(table):
    """Their processor time is nowhere to be seen; each is short, or it is seen while it lives."""
    report = burning(table, "isolated", LOST_CHILDREN, 60, 5.0, False)
    assert (report.end, report.detail) == (
        "processes",
        "started more than 256 processes while it was not asked for anything",
    )


@pytest.mark.parametrize("name", ["isolated", "process"])
def test_bot_that_is_asked_may_think(table, name):
    report = burning(table, name, "burn(1.0)", 60, 0.2, True)
    assert (report.end, report.number) == ("exit", 0), report


def test_weaker_process_level_plays_too(table):
    """Where the kernel has neither seccomp nor Landlock, `process` is what is left."""
    resolve("process")
    played = table.play([table.python("fair.py"), table.raw()], Level("process"))
    assert played.kinds == [None, None], played.details
    assert played.hosts[0].account().level == "process: resource limits, memory only watched (no cgroup can be made)"


def test_flood_on_the_log_of_a_trusted_bot_does_not_stop_its_guard(table):
    program = table.raw()
    order = Order(program.folder, None, ("/bin/sh", "-c", "exec cat /dev/zero >&2"), True, None, None)
    bench = launch(resolve("trusted"), Preload(), order)
    bench.control.shutdown(socket.SHUT_WR)
    report, _ = receive(bench.control, FENCE_S)
    bench.close()
    assert isinstance(report, Report)
    assert report.end == "stopped"


def test_keepers_that_bots_live_by_are_kept(table):
    """Six bots that need different things preloaded, more than keepers are kept: none ends another's."""
    level = resolve("auto")
    order = Order(table.raw().folder, None, ("/bin/cat",), True, None, None)
    benches = [
        launch(level, Preload(modules=(f"no_such_module_{number}",)), order) for number in range(MAX_KEEPERS + 2)
    ]
    for bench in benches:
        os.write(bench.stdin, b"still there")
        os.set_blocking(bench.stdout, True)
        assert os.read(bench.stdout, 64) == b"still there"
        bench.control.shutdown(socket.SHUT_WR)
        report, _ = receive(bench.control, FENCE_S)
        assert isinstance(report, Report)
        assert report.end == "stopped"
        bench.close()


@pytest.mark.parametrize(("name", "kind"), [("isolated", None), ("trusted", "crash")])
def test_guard_that_is_killed_is_our_failure_where_no_bot_can_do_it(table, name, kind, settles, storage_folders):
    level = resolve("auto") if name == "isolated" else resolve(name)
    host = SubprocessHost(table.raw(), LIMITS, level)
    host.start(MatchInfo("m", "ninjan", 2, 0, 1, LIMITS))
    storage = [path for place in storage_folders() for path in Path(place).iterdir()]
    bot = host._bench.pid
    guard = int(Path(f"/proc/{bot}/stat").read_text().rpartition(")")[2].split()[1])
    os.kill(guard, signal.SIGKILL)  # its keeper ends the bot, and removes its storage
    expected = BotFault if kind else InfrastructureError
    with pytest.raises(expected, match="guard"):
        host._read_line(None)
    assert settles(lambda: not Path(f"/proc/{bot}").exists())
    assert settles(lambda: not any(path.exists() for path in storage))
