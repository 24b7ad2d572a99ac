"""What a program finds in its fence: each thing by itself, where another would stop what a bot can do with it."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from arena.hosts.launch import FENCE_S, close_keepers, launch, receive, visible_paths
from arena.hosts.orders import Order, Preload, Report
from arena.hosts.program import is_readable_by_all
from arena.hosts.sandbox import Level, levels, probe, resolve, room
from arena.hosts.sandbox.limits import CPU_GRACE_S, CPU_SLACK_S

CPU_S = 60
ENVIRONMENT = {
    *("PATH", "HOME", "TMPDIR", "LANG", "PYTHONHASHSEED", "PYTHONDONTWRITEBYTECODE", "ARENA_CACHE_DIR"),
    *("ARENA_QUIET_COMPILE", "NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"),
}
NO_CAPABILITIES = "0" * 16


def run(folder, level, command, memory_mb=None):
    """Runs a program in a fence, and returns the report of its guard."""
    order = Order(str(folder), None, command, is_readable_by_all(str(folder)), memory_mb, CPU_S)
    bench = launch(level, Preload(), order)
    report, _ = receive(bench.control, FENCE_S)
    bench.close()
    assert isinstance(report, Report)
    return report


def look(table, level, *folders, is_private=False):
    """Returns what tests/hosts/programs/inside.py finds."""
    place = table.bundle("inside.py", name="private" if is_private else "inside")
    place.chmod(0o700 if is_private else 0o755)
    report = run(place, level, (*table.raw().command[:1], "inside.py", *folders))
    assert (report.end, report.number) == ("exit", 0), report
    return json.loads(report.log.splitlines()[-1])


@pytest.fixture
def isolated():
    level = resolve("auto")
    if not level.is_isolated:
        pytest.skip("isolation cannot be had here")
    return level


def test_isolation_is_offered_where_the_kernel_allows_it():
    """Else a fault in the fence would go unseen: the tests of a level that cannot be had are skipped."""
    command = ["unshare", "--mount", "--pid", "--fork", "--mount-proc", "--net", "--ipc", "--uts", "--cgroup", "true"]
    if os.geteuid() != 0:
        command[1:1] = ["--user", "--map-root-user"]
    if shutil.which("unshare") is None or subprocess.run(command, capture_output=True, check=False).returncode != 0:
        pytest.skip("the kernel allows no namespaces here")
    assert resolve("auto").is_isolated, probe()


def test_no_privileges_are_left(table, fence):
    found = look(table, fence)
    status = found["status"]
    kinds = ["CapInh", "CapPrm", "CapEff", "CapAmb"]
    if fence.is_isolated or os.geteuid() == 0:
        kinds.append("CapBnd")  # only who has privileges can give these up
    assert [status[kind] for kind in kinds] == [NO_CAPABILITIES] * len(kinds)
    assert (status["NoNewPrivs"], status["Seccomp"]) == ("1", "2")
    assert found["leads_session"], "signals to its group reach nobody else"
    assert found["oom_score_adj"] == 1000, "if the machine runs out of memory, the bot goes first"


def test_every_bot_of_root_is_a_user_of_its_own(table, isolated):
    if os.geteuid() != 0:
        pytest.skip("only root can become another user")
    one, other = (look(table, isolated) for _ in range(2))
    assert len(set(one["uids"])) == 1 and one["uids"][0] >= 20_000
    assert one["uids"] != other["uids"]
    assert one["groups"] == []


def test_isolated_bot_has_namespaces_of_its_own(table, isolated):
    one, other = (look(table, isolated)["namespaces"] for _ in range(2))
    assert set(one) == {"user", "mnt", "net", "pid", "ipc", "uts", "cgroup"}
    for name, namespace in one.items():
        ours = str(Path(f"/proc/self/ns/{name}").readlink())
        assert namespace != ours, name
    assert one["pid"] != other["pid"] or one["mnt"] != other["mnt"], "and no other bot is in them"


@pytest.mark.parametrize("is_private", [False, True])
def test_isolated_bot_sees_the_system_and_its_own_read_only_and_nothing_else(table, isolated, is_private):
    """Rights of files would stop root's bot, too, but not that of a user whose files they are."""
    found = look(table, isolated, "/", "/etc", "/proc", "/bot", is_private=is_private)
    shown = [*room.system(), *visible_paths()]
    tops = {Path(path).parts[1] for path in shown if Path(path).exists()}
    assert set(found["listed"]["/"]) == {*tops, "bot", "dev", "etc", "proc", "tmp"}
    names = {Path(path).parts[2] for path in room.system() if path.startswith("/etc/")}
    assert set(found["listed"]["/etc"]) == names | {"passwd"}
    assert [name for name in found["listed"]["/proc"] if name.isdigit()] == ["1", "2"], "its guard and itself"
    assert found["listed"]["/bot"] == ["inside.py"]
    writable = {place for place, traits in found["mounts"].items() if "ro" not in traits}
    assert {place for place in writable if not place.startswith("/dev/")} == {"/tmp", "/proc"}
    assert {Path(place).name for place in writable if place.startswith("/dev/")} == set(room.DEVICES)
    assert all("nosuid" in traits for place, traits in found["mounts"].items() if not place.startswith("/dev/"))


def test_reading_a_file_leaves_no_trace_of_it(table, isolated):
    place = table.bundle("inside.py", name="inside")
    os.utime(place / "inside.py", (1e9, 2e9))  # was changed after it was last read: reading it would be noted
    look(table, isolated)
    assert (place / "inside.py").stat().st_atime == 1e9


def test_limits_that_the_kernel_keeps(table, fence):
    found = look(table, fence)
    limits = {name: tuple(pair) for name, pair in found["limits"].items()}
    number = limits.pop("NPROC")
    assert number[0] == number[1] >= levels.MAX_PROCESSES
    if fence.is_isolated:
        assert number[0] == levels.MAX_PROCESSES, "nobody else's are counted"
    most, cpu_s = levels.STORAGE_MB << 20, CPU_S + CPU_SLACK_S
    assert limits == {
        "CORE": (0, 0),
        "FSIZE": (most, most),
        "NOFILE": (levels.MAX_OPEN_FILES, levels.MAX_OPEN_FILES),
        "MSGQUEUE": (0, 0),
        "NICE": (0, 0),
        "RTPRIO": (0, 0),
        "MEMLOCK": (1 << 20, 1 << 20),
        "CPU": (cpu_s, cpu_s + CPU_GRACE_S),
    }
    assert found["largest_file"] <= most


@pytest.mark.parametrize("cgroups", [True, False])
def test_processes_are_started_only_where_something_counts_them(table, fence, cgroups):
    """The kernel's limit does not count root's, of which a bot at `process` may be one."""
    level = fence if cgroups else msgspec.structs.replace(fence, cgroups=())
    found = look(table, level)
    assert found["may_fork"] == (found["uids"][0] != 0 or "pids" in level.cgroups)


def test_files_are_made_by_touching_them(table, fence):
    """Where changing times only seems to succeed, what fails then has to."""
    assert "touched" in look(table, fence)["touched"]


def test_environment_is_plain(table, any_level, monkeypatch):
    """Neither a program nor what a Python bot was forked from has anything of ours."""
    monkeypatch.setenv("ARENA_TEST_SECRET", "x")
    close_keepers()
    assert set(look(table, any_level)["environment"]) - {"LC_CTYPE"} == ENVIRONMENT
    close_keepers()


def test_python_bot_has_nothing_of_what_it_was_forked_from(table, any_level, monkeypatch):
    monkeypatch.setenv("ARENA_TEST_SECRET", "x")
    close_keepers()
    played = table.play([table.python("looks.py"), table.python("fair.py")], any_level)
    close_keepers()
    assert played.kinds == [None, None], played.details
    assert "LEAK" not in played.log(0), played.log(0)


SHARES = """
import os, time
kept = bytearray(os.urandom(1)) * (100 << 20)
if all(os.fork() for _ in range(4)):
    time.sleep(0.5)
"""
DAEMON = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
    kept = bytearray(os.urandom(1)) * (200 << 20)
os.close(1)
time.sleep(60)
"""


def test_memory_that_processes_share_counts_once(table, isolated):
    report = run(table.bundle("raw.py", name="raw"), isolated, (*table.raw().command[:1], "-c", SHARES), 256)
    assert (report.end, report.number) == ("exit", 0), report
    assert 100 < report.peak_mb < 256


def test_memory_of_processes_that_have_lost_their_parent_counts(table):
    """At `process` without a filter, since as root a bot may start no processes behind one."""
    resolve("process")
    level = Level("process")
    report = run(table.bundle("raw.py", name="raw"), level, (*table.raw().command[:1], "-c", DAEMON), 128)
    assert report.end == "memory", report


pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox needs Linux")
