"""Bots in processes of their own: what a move costs beyond the bot's thinking, and how soon a bot is ready."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from arena.bench.model import Benchmark, Effort, Goal, Measurement
from arena.bench.positions import first_view
from arena.bench.timing import Load, rates, seconds_of
from arena.core.bot import MatchInfo
from arena.core.spec import Limits
from arena.hosts import wire
from arena.hosts.launch import Keeper, storage_folder, visible_paths, warm_keeper
from arena.hosts.orders import KeeperSettings, Preload
from arena.hosts.program import Program, preload_of
from arena.hosts.sandbox import Level, probe, resolve
from arena.hosts.subprocess import SubprocessHost

GAME, SEATS = "ninjan", 2
LIMITS = Limits(start_s=60.0)
PAUSE_S = 0.05  # between two starts, as a match lies between them: the next guard is made ahead meanwhile

PLAIN = "from arena import Bot\n\n\nclass Plain(Bot):\n    def act(self, view):\n        return view.legal[0]\n"
SIMULATING = PLAIN.replace("return view.legal[0]", "return view.simulate().legal[0]")
SCRIPT = 'read line; echo \'{"type":"ready"}\'; read line; read line'
ECHO = (
    "import os, sys\nanswer = b'x' * int(sys.argv[1]) + b'\\n'\ndata = b''\n"
    "while more := os.read(0, 65536):\n    data += more\n    if data[-1] == 10:\n        data = b''\n"
    "        os.write(1, answer)\n"
)


@contextmanager
def _bot(source: str, level: Level) -> Iterator[SubprocessHost]:
    """Makes the host of a Python bot, not started, with its keeper warmed; closes it."""
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        Path(folder).chmod(0o755)
        Path(folder, "bot.py").write_text(source)
        program = Program(folder, python="bot.py")
        warm_keeper(level, preload_of(program, GAME))
        host = SubprocessHost(program, LIMITS, level)
        try:
            yield host
        finally:
            host.close()


def _info() -> MatchInfo:
    return MatchInfo("bench", GAME, SEATS, 0, 1, LIMITS)


def _moves(host: SubprocessHost) -> Load:
    """Returns the load of asking a started bot for moves: always for the same one, which it cannot know."""
    view = first_view(GAME, SEATS)

    def load(number: int) -> float:
        for _ in range(number):
            host.act(view)
        return number

    return load


def _pipe(process: "subprocess.Popen[bytes]") -> Load:
    """Returns the load of sending as many bytes to a bare echo, and reading as many as a bot answers."""
    assert process.stdin is not None and process.stdout is not None
    to_echo, from_echo = process.stdin, process.stdout
    request = wire.act_line("bench", first_view(GAME, SEATS), is_short=True)

    def load(number: int) -> float:
        for _ in range(number):
            to_echo.write(request)
            from_echo.readline()
        return number

    return load


def move(effort: Effort) -> Measurement:
    """Measures a move's round trip to a bot that does not think, in the short form, beside a bare pipe's."""
    levels = [offer.level for offer in probe() if offer.level is not None]
    answer = wire.line(wire.ChildReply(0, 1))
    command = [sys.executable, "-S", "-c", ECHO, str(len(answer) - 1)]
    found: dict[str, tuple[float, ...]] = {}
    bare: tuple[float, ...] = ()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as process:
        for level in levels:
            with _bot(PLAIN, level) as host:
                host.start(_info())
                ours, peer = rates(effort, _moves(host), None if bare else _pipe(process))
                found[level.name] = tuple(1e6 / each for each in ours)
                bare = bare or tuple(1e6 / each for each in peer)
        assert process.stdin is not None
        process.stdin.close()
    best, *others = found
    details = {f"{name}, µs": sorted(found[name])[len(found[name]) // 2] for name in others}
    return Measurement(found[best], bare, details)


def ready(source: str, effort: Effort) -> Measurement:
    """Measures a bot from the order to start it until it says that it is ready; its keeper is warm."""
    level, samples = resolve("auto"), []
    for number in range(effort.repeats + 1):
        with _bot(source, level) as host:
            time.sleep(PAUSE_S)
            seconds = seconds_of(host.start, _info())
        if number:  # the first finds files that nobody has read yet
            samples.append(1e3 * seconds)
    return Measurement(tuple(samples))


def parent(effort: Effort) -> Measurement:
    """Measures the keeper that bots are forked from, from its start until it takes orders."""
    settings = KeeperSettings(resolve("auto"), Preload(GAME), visible_paths(), storage_folder())
    samples = []
    for _ in range(effort.repeats + 1):
        begun = time.perf_counter()
        keeper = Keeper(settings)
        samples.append(1e3 * (time.perf_counter() - begun))
        keeper.close()
    return Measurement(tuple(samples[1:]))


def program(effort: Effort) -> Measurement:
    """Measures a program of another language from its order to its `ready`, beside the same program without a fence."""
    level, ours, bare = resolve("auto"), [], []
    hello = wire.line(wire.Hello(wire.PROTOCOL, GAME, LIMITS))
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        Path(folder).chmod(0o755)
        command = ("/bin/sh", "-c", SCRIPT)
        warm_keeper(level, Preload())
        for _ in range(effort.repeats + 1):
            host = SubprocessHost(Program(folder, command=command), LIMITS, level)
            time.sleep(PAUSE_S)
            ours.append(1e3 * seconds_of(host.start, _info()))
            host.close()
            bare.append(1e3 * seconds_of(_start_bare, command, hello))
    extra = sorted(a - b for a, b in zip(ours[1:], bare[1:], strict=True))
    details = {"beyond its own start-up, ms": max(extra[len(extra) // 2], 1e-3)}
    return Measurement(tuple(ours[1:]), tuple(bare[1:]), details)


def _start_bare(command: tuple[str, ...], hello: bytes) -> None:
    """Starts a program as any program is started, and waits until it is ready; it ends with its input."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(hello)
        process.stdout.readline()


BENCHMARKS = (
    Benchmark("hosts-move", "A move of a fenced Python bot", "µs", move, Goal(at_most=100), peer="a bare pipe"),
    Benchmark("hosts-ready", "A Python bot is ready", "ms", partial(ready, PLAIN)),
    Benchmark("hosts-simulating", "A bot that simulates is ready", "ms", partial(ready, SIMULATING), Goal(at_most=15)),
    Benchmark("hosts-parent", "The process that bots are forked from is warm", "ms", parent, Goal(at_most=60)),
    Benchmark("hosts-program", "A shell script is ready", "ms", program, peer="without a fence"),
)
if sys.platform != "linux":  # there are no fences elsewhere, nor keepers
    BENCHMARKS = ()
