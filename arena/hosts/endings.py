"""What the end of a bot's process means: the fault that it is charged with, or a failure that is not its own."""

import contextlib
import signal
from pathlib import Path

from arena.errors import InfrastructureError
from arena.hosts.base import ProgramMissing
from arena.hosts.orders import Report
from arena.hosts.program import Program
from arena.hosts.sandbox.levels import Level

KINDS = {
    "memory": "memory",
    "cpu": "timeout",
    "storage": "output",
    "log": "output",
    "processes": "crash",
    "stopped": "crash",
}
"""Fault classes by the reason for which a guard ended a bot."""


def explain(report: Report, program: Program, level: Level, num_kills_before: int, rest: str) -> tuple[str, str]:
    """Returns the fault class and its detail for the way that a bot has ended.

    Args:
        report: its guard's.
        program: what was run.
        level: how it was fenced.
        num_kills_before: what num_oom_kills() was when it was started.
        rest: what is to be told besides of one that ended by itself.

    Raises:
        InfrastructureError: it was the machine's doing.
    """
    if report.end == "failure":
        raise InfrastructureError(f"a bot's process could not be started: {report.detail}")
    if report.end == "machine":
        raise InfrastructureError(report.detail)
    if report.end == "unstartable":
        command = program.command[0]
        if "/" not in command:
            raise ProgramMissing(f"{report.detail}; install {command!r:.200} on this machine")
        return "no_start", report.detail
    if report.end == "exit":
        return "crash", f"exited with code {report.number}{rest}"
    if report.end != "signal":
        return KINDS.get(report.end, "crash"), report.detail
    if report.number == signal.SIGXCPU:
        return "timeout", "used more processor time than the match allows"
    is_counted = "memory" in level.cgroups  # then its guard knows; the machine counts other bots' ends, too
    if report.number == signal.SIGKILL and not is_counted and num_oom_kills() > num_kills_before:
        raise InfrastructureError("the machine ran out of memory and ended a bot")
    return "crash", f"was ended by {_signal_name(report.number)}{rest}"


def num_oom_kills() -> int:
    """Returns how many processes this machine has ended for want of memory."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/vmstat").read_text(encoding="ascii").splitlines():
            if line.startswith("oom_kill "):
                return int(line.split()[1])
    return 0


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
