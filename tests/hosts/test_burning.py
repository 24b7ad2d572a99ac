"""The processor time of a bot's processes: counted however they begin and end, and limited."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena.core.bot import MatchInfo
from arena.core.spec import Limits
from arena.hosts.launch import FENCE_S, launch, receive
from arena.hosts.orders import Order, Preload, Report
from arena.hosts.sandbox import Level, resolve
from arena.hosts.sandbox.burning import Burning, Meter, read_turn
from arena.hosts.subprocess import CPU_SLACK_S, SubprocessHost

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox needs Linux")

NO_LIMITS, LIMITS = Limits(), Limits(start_s=20.0, move_s=5.0, bank_s=5.0, memory_mb=512)
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
SHORT_CHILDREN = """
while True:
    if os.fork() == 0: burn(0.004); os._exit(0)
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
        level = Level("process")  # with a filter, root's bot may start no processes where no cgroup counts them
    raw = table.raw()
    order = Order(raw.folder, None, (raw.command[0], "-c", BURN + program), True, None, cpu_s, unasked_s)
    bench = launch(level, Preload(), order)
    bench.turn.change(is_asked)
    report, _ = receive(bench.control, 2 * FENCE_S)
    bench.close()
    assert isinstance(report, Report)
    return report


@pytest.mark.parametrize("program", [LOOPS, CHILDREN, SHORT_CHILDREN, MANY_CHILDREN])
@pytest.mark.parametrize("name", ["isolated", "process"])
def test_processor_time_of_all_processes_is_limited(table, name, program):
    report = burning(table, name, program, 1, None, True)
    assert (report.end, report.detail) == ("cpu", "used more processor time than the match allows, 1 s")
    assert 0.5 < report.cpu_s < 3, "of two sums, which differ for many short processes, the larger one counts"


@pytest.mark.parametrize("program", [LOOPS, CHILDREN, SHORT_CHILDREN, MANY_CHILDREN])
@pytest.mark.parametrize("name", ["isolated", "process"])
def test_processor_time_of_a_bot_that_is_not_asked_is_limited(table, name, program):
    """By as much as that a bot can hold up another, with however many processes."""
    report = burning(table, name, program, 60, 0.5, False)
    assert (report.end, report.detail[:24]) == ("cpu", "used 0.5 s of processor ")
    assert 0.25 < report.cpu_s < 2


def test_processor_time_of_processes_that_nobody_waits_for_is_seen_while_they_live(settles):
    """What they have used is lost with them: the sum over the living is no larger with the next one."""
    command = [sys.executable, "-c", BURN + "burn(0.1); print(flush=True); time.sleep(60)"]
    meter, seen = Meter(), []
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        for _ in range(2):
            with subprocess.Popen(command, stdout=subprocess.PIPE) as child:
                child.stdout.readline()
                seen.append(meter.read([child.pid]))
                child.kill()
                assert settles(lambda pid=child.pid: not Path(f"/proc/{pid}").exists())
    finally:
        signal.signal(signal.SIGCHLD, before)
    assert min(seen) >= 100_000_000, seen


def test_processor_time_of_processes_that_end_between_two_looks_is_counted():
    """No look has met them; who waited for them has their time."""
    program = (
        BURN + "print(flush=True); input()\nif os.fork() == 0: burn(0.1); os._exit(0)\nos.wait(); print(flush=True)"
    )
    meter = Meter()
    with subprocess.Popen(
        [sys.executable, "-c", f"{program}; input()"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        process.stdout.readline()
        meter.read([process.pid])
        process.stdin.write(b"\n")
        process.stdin.flush()
        process.stdout.readline()
        assert meter.read([process.pid]) >= 80_000_000, "but for a tick or two"
        process.stdin.write(b"\n")


def test_processes_that_nobody_waits_for_are_counted_too(table):
    """Their processor time is nowhere to be seen; each is short, or it is seen while it lives."""
    report = burning(table, "isolated", LOST_CHILDREN, 60, 5.0, False)
    assert (report.end, report.detail) == (
        "processes",
        "started more than 256 processes while it was not asked for anything",
    )


def test_only_what_is_used_between_two_looks_without_a_question_is_not_asked_for():
    def burn():
        end = time.process_time() + 0.02
        while time.process_time() < end:
            pass

    burned, me = Burning(False), [os.getpid()]
    burned.look(me, 1)
    for turn in (2, 3, 4, 6):  # asked at one of the looks, or in between
        burn()
        burned.look(me, turn)
    assert burned.unasked_ns == 0
    burn()
    burned.look(me, 6)
    assert 20_000_000 <= burned.unasked_ns < burned.total_ns


@pytest.mark.parametrize("name", ["isolated", "process"])
def test_bot_that_is_asked_may_think(table, name):
    report = burning(table, name, "burn(1.0)", 60, 0.2, True)
    assert (report.end, report.number) == ("exit", 0), report


def test_guard_is_told_when_a_bot_is_asked(table, any_level):
    """From the end of its start it is not, until it is asked for an action."""
    host = SubprocessHost(table.raw(), LIMITS, any_level)
    host._launch("ninjan")
    turn = host._bench.turn
    assert read_turn(turn.fd) % 2 == 1
    host._greet(MatchInfo("m", "ninjan", 2, 0, 1, LIMITS))
    assert read_turn(turn.fd) % 2 == 0
    before = read_turn(turn.fd)
    turn.change(is_asked=True)
    turn.change(is_asked=False)
    assert read_turn(turn.fd) == before + 2, "and that it was asked in between can be seen"
    host.close()


def test_processor_time_is_limited_by_what_a_match_allows(table, any_level):
    """cases.md B1: the start, the bank, and every ply that the game can have; a trusted bot has no limits."""
    for limits in (LIMITS, NO_LIMITS):
        host = SubprocessHost(table.raw(), limits, any_level)
        host._launch("connect_four")
        order = host._order()
        host.close()
        found = (order.memory_mb, order.cpu_s, order.unasked_s)
        if limits is NO_LIMITS or any_level.is_trusted:
            assert found == (None, None, None)
        else:
            assert found == (512, 20 + 5 + 5 * 42 + CPU_SLACK_S, 1.0)
