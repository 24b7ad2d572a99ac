"""Limits that the kernel keeps for all processes of a bot together, where groups can be made."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from arena.core.bot import MatchInfo
from arena.core.spec import Limits
from arena.hosts import launch
from arena.hosts.base import BotFault
from arena.hosts.orders import Order, Preload
from arena.hosts.sandbox import Level, cgroups, probing
from arena.hosts.sandbox.levels import MAX_PROCESSES
from arena.hosts.subprocess import SubprocessHost

pytestmark = pytest.mark.usefixtures("nothing_left")

PLACES = cgroups.find()
MEMORY = [place for place in PLACES if "memory" in place.controllers]
LIMITS = Limits(start_s=20.0, move_s=1.0, bank_s=30.0, memory_mb=256)
FORKS = """
import os, signal, threading, time
started = 1
try:
    while True:
        if started % 2:
            threading.Thread(target=time.sleep, args=(1e9,), daemon=True).start()
        elif os.fork() == 0:
            signal.pause()
        started += 1
except (OSError, RuntimeError):
    print(started, flush=True)
os.killpg(0, signal.SIGKILL)
"""


@pytest.fixture
def limited(fence) -> Level:
    """The levels that stop something, where this machine limits memory by groups."""
    if "memory" not in fence.cgroups:
        pytest.skip(f"no group can be made here: {fence.means}")
    return fence


def start(table, level) -> tuple[launch.Bench, Path]:
    """Starts a bot that waits; returns it and the folder in which its keeper has its groups of memory."""
    order = Order(table.raw().folder, None, ("/bin/cat",), True, 256, None)
    bench = launch.launch(level, Preload(), order)
    lines = Path(f"/proc/{bench.pid}/cgroup").read_text().splitlines()
    names = [line.split("/")[-2] for line in lines if "memory" in line.split(":")[1] or MEMORY[0].is_unified]
    return bench, Path(MEMORY[0].folder, *names)


def filled(group: cgroups.Group, megabytes: int) -> int:
    """Returns the exit status of a process in a group that takes so much memory, or is killed by this test."""
    pid = os.fork()
    if pid == 0:
        try:
            group.enter()
            Path("/proc/self/oom_score_adj").write_text("1000")
            kept = [bytes([1]) * (1 << 20) for _ in range(megabytes)]
            os.kill(os.getpid(), signal.SIGKILL if kept else signal.SIGSTOP)
        finally:
            os._exit(1)
    return os.waitpid(pid, 0)[1]


@pytest.fixture
def groups():
    """Groups like a keeper's."""
    if not MEMORY:
        pytest.skip("no group can be made here")
    made = cgroups.Groups(PLACES)
    yield made
    made.remove()


def test_kernel_ends_what_takes_more_than_the_limit(groups):
    group = groups.open(0)
    group.limit_memory(16)
    assert (filled(group, 16), group.find_kill()) == (signal.SIGKILL, None), "ended, but not by the kernel"
    assert (filled(group, 256), group.find_kill()) == (signal.SIGKILL, "memory")
    group.limit_memory(512)
    assert (filled(group, 256), group.find_kill()) == (signal.SIGKILL, None), "used again, with another limit"


def test_want_of_memory_elsewhere_is_not_charged_to_a_bot(groups):
    """What surrounds the group has less than the bot may have: a machine that runs out of memory."""
    group = groups.open(0)
    outer = next(folder for place, folder in groups._folders if place in MEMORY)
    Path(outer, cgroups._NAMES[MEMORY[0].is_unified].memory_limit).write_text(str(128 << 20))
    group.limit_memory(512)
    assert (filled(group, 256), group.find_kill()) == (signal.SIGKILL, "machine")


@pytest.mark.parametrize("seat", [0, 1])
def test_memory_that_no_process_shows_is_limited(table, limited, seat):
    """What the kernel keeps for a bot, as in sockets that nobody reads, makes none of its processes larger."""
    hostile, fair = table.raw("hoards_in_sockets"), table.python("fair.py")
    played = table.play([hostile, fair] if seat == 0 else [fair, hostile], limited, limits=LIMITS)
    assert (played.kinds[seat], played.kinds[1 - seat]) == ("memory", None), played.details
    assert played.details[seat] == "was ended by the kernel for its memory, limit 256 MB"


def test_bot_that_is_killed_otherwise_has_crashed_while_another_runs_out(table, limited, groups):
    """The machine's count of processes that it has ended grows by those of other groups: that is no excuse."""
    host = SubprocessHost(table.raw(), LIMITS, limited)
    host.start(MatchInfo("m", "ninjan", 2, 0, 1, LIMITS))
    group = groups.open(0)
    group.limit_memory(16)
    filled(group, 256)
    os.kill(host._bench.pid, signal.SIGKILL)
    with pytest.raises(BotFault, match="SIGKILL"):
        host._read_line(None)


def test_processes_and_threads_are_counted_together(groups):
    group = groups.open(0)
    program = [sys.executable, "-c", FORKS]
    done = subprocess.run(program, preexec_fn=group.enter, start_new_session=True, stdout=subprocess.PIPE, check=False)
    assert int(done.stdout) == MAX_PROCESSES + 1, "and the guard"


def test_group_is_used_again_by_the_next_match(table, limited, settles):
    """Groups that are removed stay in the kernel for long: there are no more than bots at a time, and a spare."""
    for deal in range(6):
        table.play([table.raw(), table.raw()], limited, deal=deal)
    bench, folder = start(table, limited)
    assert 0 < len([entry for entry in folder.iterdir() if entry.is_dir()]) <= 5
    bench.close()
    launch.close_keepers()
    assert settles(lambda: not folder.exists())


def test_what_a_killed_keeper_left_is_removed_by_the_next(table, limited, settles, storage_folders):
    bench, folder = start(table, limited)
    bench.keeper.process.kill()
    bench.keeper.process.wait()
    assert has_new_keeper(limited)
    ends_with_keeper = limited.is_isolated and os.geteuid() != 0
    assert folder.exists() or ends_with_keeper, "its bot still lives"
    bench.close()
    assert settles(lambda: has_new_keeper(limited) and not folder.exists())
    launch.close_keepers()
    assert settles(lambda: not storage_folders()), "nor is private storage left"


def has_new_keeper(level: Level) -> bool:
    """Starts another keeper, which sweeps."""
    launch.close_keepers()
    return launch.try_level(level, ("/bin/true",)) is None


def test_where_no_group_can_be_made_memory_is_watched(table, fence):
    level = msgspec.structs.replace(fence, cgroups=())
    assert "memory only watched" in level.means
    played = table.play([table.raw("allocates_eight_gigabytes"), table.python("fair.py")], level)
    assert played.kinds == ["memory", None]
    assert "MB of memory, limit 256 MB" in played.details[0]


def test_groups_that_are_not_ours_to_enter_are_done_without(monkeypatch):
    """Found out by trying, as levels are."""
    nowhere = (cgroups.Place("/proc/sys", ("memory", "pids"), False),)
    monkeypatch.setattr(cgroups, "find", lambda: nowhere)
    offer = probing._offer.__wrapped__("process")
    assert offer.level is not None
    assert offer.level.cgroups == ()
