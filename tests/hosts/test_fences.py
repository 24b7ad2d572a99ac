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
from arena.hosts import guard
from arena.hosts import launch as launching
from arena.hosts.base import BotFault
from arena.hosts.launch import FENCE_S, MAX_KEEPERS, launch, receive
from arena.hosts.orders import KeeperSettings, Order, Preload, Report
from arena.hosts.sandbox import Level, limits, resolve, room, scratch, seccomp
from arena.hosts.sandbox.levels import LOG_BYTES
from arena.hosts.subprocess import SubprocessHost

LIMITS = Limits(start_s=20.0, move_s=5.0, bank_s=5.0, memory_mb=256)
SETTLE_S = 10.0
NOBODY = 65_534
ALLOW, KILL = 0x7FFF_0000, 0x8000_0000


def run_filter(code, architecture, number, *arguments):
    """Interprets a filter as the kernel does, for one system call; returns what it decides."""
    data = struct.pack("<IIQ6Q", number, architecture, 0, *arguments, *[0] * (6 - len(arguments)))
    instructions = list(struct.iter_unpack("<HBBI", code))
    at, value = 0, 0
    while True:
        operation, if_true, if_false, operand = instructions[at]
        at += 1
        if operation == 0x20:
            value = struct.unpack_from("<I", data, operand)[0]
        elif operation == 0x54:
            value &= operand
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

    def decide(numbers, *arguments):
        return run_filter(code, architecture, numbers[index], *arguments)

    def decisions(calls):
        return {decide(numbers) for numbers in calls.values() if numbers[index] is not None}

    assert run_filter(code, 0x4000_0003, 0) == KILL, "32-bit calls"
    if architecture == seccomp.ARCHITECTURES["x86_64"]:
        x32 = {run_filter(code, architecture, 0x4000_0000 | number) for number in (0, 59, 101, 521)}
        assert x32 == {refused(errno.ENOSYS)}, "calls by their other numbers"
    assert decisions(seccomp.REFUSED) == {refused(errno.EPERM)}
    assert decisions(seccomp.ABSENT) == {refused(errno.ENOSYS)}
    assert decisions(seccomp.PRETENDED) == {refused(0)}
    assert {decide(seccomp.FCNTL, 3, command) for command in seccomp.LOCKING} == {refused(0)}
    assert {decide(seccomp.FCNTL, 3, command) for command in seccomp.TELLING} == {refused(errno.EPERM)}
    assert {decide(seccomp.FCNTL, 6, command) for command in (0, 1, 2, 3, 4, 5, 1030, 1031)} == {ALLOW}
    kinds = (0x80, 0x2_0000, 0x200_0000, 0x400_0000, 0x800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000)
    namespaces = {decide(seccomp.CLONE, kind | signal.SIGCHLD) for kind in kinds}
    assert namespaces == {refused(errno.EPERM)}
    assert decide(seccomp.CLONE, 0x003D_0F00) == ALLOW, "a thread"
    forks = [decide(seccomp.CLONE, signal.SIGCHLD), *(decide(call) for call in seccomp.FORKS if call[index])]
    assert set(forks) == {ALLOW if allows_processes else refused(errno.EPERM)}
    assert decide(seccomp.SOCKET, 2) == refused(errno.EPERM if is_isolated else errno.EACCES)
    assert decide(seccomp.SOCKET, 1) == (ALLOW if is_isolated else refused(errno.EACCES))
    assert decide(seccomp.SOCKETPAIR, 2) == (refused(errno.EPERM) if is_isolated else ALLOW)
    assert {decide(seccomp.SOCKETPAIR, 1, kind) for kind in (1, 5, 0x80801)} == {ALLOW}, "streams"
    no_streams = {decide(seccomp.SOCKETPAIR, 1, kind) for kind in (2, 3, 0x80802)}
    assert no_streams == {ALLOW if is_isolated else refused(errno.EACCES)}
    assert {decide(seccomp.IOCTL, 3, command) for command in (0x5401, 0x5421, 0x541B)} == {ALLOW}, "terminals, pipes"
    marks = (0x4008_6602, 0x4004_6602, 0x401C_5820, 0x4008_7602, 0xC050_6617, 0x4080_6685, 0x4004_9409)
    assert {decide(seccomp.IOCTL, 3, command) for command in marks} == {refused(errno.ENOTTY)}
    assert {decide(seccomp.MMAP, 0, 1, 3, flags) for flags in (0x01, 0x02, 0x22, 0x4022)} == {ALLOW}
    hidden = {decide(seccomp.MMAP, 0, 1, 3, flags) for flags in (0x21, 0x23, 0x4021, 0x4_0022)}
    assert hidden == {refused(errno.ENOMEM)}
    others = {decide(numbers, 300) for numbers in seccomp.FOR_ANOTHER}
    assert others == {ALLOW if is_isolated else refused(0)}
    assert {decide(numbers, 0) for numbers in seccomp.FOR_ANOTHER} == {ALLOW}
    assert decide(seccomp.PRCTL, 4) == (ALLOW if is_isolated else refused(0))
    assert decide(seccomp.PRCTL, 15) == ALLOW
    assert decide(seccomp.PRLIMIT, 0) == ALLOW
    assert decide(seccomp.PRLIMIT, 1) == refused(errno.EPERM)
    assert decisions(seccomp.NOT_DONE) == ({ALLOW} if is_isolated else {refused(0)})
    touch, path, moment = seccomp.NOT_DONE["utimensat"], 1 << 32 | 1, 1 << 32 | 2
    assert decide(touch, 3, path, 0) == (ALLOW if is_isolated else refused(errno.EPERM))
    assert {decide(touch, 3, path, moment), decide(touch, 3, 0, 0)} == ({ALLOW} if is_isolated else {refused(0)})
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
    assert around.parent.stat().st_mode & 0o777 == 0o711, "nor the one around that by others"
    other = Path(scratch.make(str(around.with_name("2")), None))
    assert len(place.name) >= 32 and place.name != other.name, "no one can guess another's"
    scratch.remove(str(other.parent))
    (place / "file").write_bytes(b"x" * 100_000)
    os.mkdir(os.fsencode(place) + b"/\xff\n")  # noqa: PTH102
    outside = tmp_path / "outside"
    outside.mkdir()
    outside.chmod(0o750)
    (outside / "file").touch()
    (place / "link").symlink_to(outside)
    (place / "locked" / "inner").mkdir(parents=True)
    (place / "locked").chmod(0)
    num_bytes, num_files = scratch.measure(str(place), 100)
    assert num_bytes >= 100_000
    assert num_files in (5, 101), "what links lead to is not counted; who may not look into a folder counts more"
    assert scratch.measure(str(place), 2)[1] == 3
    here = Path.cwd()
    os.chdir(place)
    for _ in range(600):
        os.mkdir("deeper" * 10)  # noqa: PTH102
        os.chdir("deeper" * 10)
    os.chdir(here)
    scratch.remove(str(around))
    assert list(around.parent.iterdir()) == []
    assert outside.stat().st_mode & 0o777 == 0o750
    assert (outside / "file").exists()


def test_storage_that_cannot_be_looked_into_counts_as_too_much():
    if os.geteuid() == 0:
        os.seteuid(NOBODY)  # root can look into everything
    try:
        with tempfile.TemporaryDirectory() as folder:
            locked = Path(folder, "locked")
            locked.mkdir(mode=0)
            assert scratch.measure(folder, 100)[1] > 100
            locked.chmod(0o700)
    finally:
        if os.getuid() == 0:
            os.seteuid(0)


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
        host._read_line(host._deadline(SETTLE_S, 0.0))
    assert settles(lambda: not Path(f"/proc/{bot}").exists())
    assert settles(lambda: not any(path.exists() for path in storage))


def test_guard_reads_a_long_log_bit_by_bit_and_keeps_its_end(tmp_path):
    """Else a log that is written as fast as it is read would keep the guard from looking at anything else."""
    watch = guard.Guard(KeeperSettings(Level("trusted"), Preload(), (), ""), None, 0, None, lambda *_: os._exit(1))
    (tmp_path / "log").write_bytes(bytes((guard.DRAIN_READS + 1) << 16))
    with (tmp_path / "log").open("rb") as log:
        assert watch._drain(log.fileno()), "it is not at its end"
    assert watch.num_logged == guard.DRAIN_READS << 16
    assert len(watch.log) <= 4 * LOG_BYTES
