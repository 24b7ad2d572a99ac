"""A bot in a process of its own, reached by the line protocol, at any level of fencing.

A new process for every seat of every match: nothing that a bot has learnt in one match reaches the next. Whatever
it does, each method returns or raises within the limits, and nothing of it is left when the host is closed.
"""

import contextlib
import math
import os
import select
import socket
import time
import weakref
from array import array
from typing import NoReturn

import msgspec

from arena.core.bot import MatchInfo, Result
from arena.core.clock import Stopwatch, monotonic
from arena.core.game import Action, Game
from arena.core.notes import Totals, add_note
from arena.core.options import FilledIn
from arena.core.spec import Limits
from arena.core.view import View
from arena.errors import InfrastructureError
from arena.games import load_game
from arena.hosts import wire
from arena.hosts.base import BotFault, Unusable
from arena.hosts.endings import explain, num_oom_kills
from arena.hosts.launch import Bench, GuardLost, launch, receive
from arena.hosts.orders import Order, Report
from arena.hosts.program import Program, is_readable_by_all, preload_of
from arena.hosts.sandbox.burning import clock_of
from arena.hosts.sandbox.levels import Level

QUIT_S = 0.5
"""How long a bot may take to exit after the match; then it is ended, and not charged."""
END_S = 1.0  # from the end of a bot's output to its guard's report
CLOSE_S = 10.0
CPU_SLACK_S = 5

UNASKED_SHARE, MIN_UNASKED_S = 0.1, 1.0
"""A bot that is not asked may use this share of bank_s in processor time: by as much it can hold up another."""


class Account(msgspec.Struct, frozen=True):
    """What one bot used and said in one match."""

    wall_us: tuple[int, ...]
    """Microseconds from request to reply, by move."""
    cpu_us: tuple[int, ...]
    """Microseconds of processor time that its process used meanwhile, by move."""
    notes: Totals
    """For each name in its notes, the sum and the number of values."""
    request: bytes
    """The last request that it was sent; for a Python bot in the short form."""
    log: bytes
    """The end of what it wrote on standard error."""
    cpu_s: float
    """Processor time of all its processes."""
    peak_mb: float
    """The most memory that was seen in use."""
    level: str
    """The level of fencing, and what it was made of."""


class SubprocessHost:
    """One bot program for one seat of one match."""

    def __init__(self, program: Program, limits: Limits, level: Level, stopwatch: Stopwatch = monotonic) -> None:
        self.program = program
        self.limits = limits
        self.level = level
        self.report: Report | None = None
        """How its process ended; None while it lives."""
        self._now = stopwatch
        self._is_child = program.python is not None
        self._is_ready = False
        self._bench: Bench | None = None
        self._buffer = b""
        self._begin = 0  # where in the buffer the next line begins
        self._num_read = 0
        self._num_read_now = 0
        self._request = b""
        self._notes: Totals = {}
        self._wall_us = array("q")
        self._cpu_us = array("q")

    # The match

    def start(self, match: MatchInfo) -> None:
        """Starts the program and waits until it is ready.

        Raises:
            BotFault: it did not get ready.
            InfrastructureError: it could not be started, through no fault of its own.
        """
        self._match = match.match
        self._launch(match.game)
        try:
            self._greet(match)
        except Unusable:
            raise
        except BotFault as fault:
            kind = "no_start" if fault.kind in ("crash", "timeout") else fault.kind
            raise BotFault(kind, fault.detail) from fault

    def try_out(self, game: str) -> FilledIn | None:
        """Has a Python bot's file loaded and the bot made, for no match: it never starts one.

        Its program's options are texts here, as they were written.

        Returns:
            Its options with defaults filled in, as far as a bot can be believed: they are of a form that can be used.
            None where it failed, as it will in a match, which is the place for that.

        Raises:
            Unusable: no bot can be made of it.
            InfrastructureError: it could not be started, through no fault of its own.
        """
        self._launch(game)
        until = self._deadline(self.limits.start_s, 0.0)
        trial = wire.ChildTrial(self.program.name, self.program.options)
        try:
            self._send(wire.line(trial) + wire.line(wire.Quit()), until)
            return wire.read_options(self._read_line(until))
        except Unusable:
            raise
        except BotFault as fault:
            has_flooded = self.report is not None and self.report.end in ("storage", "log")
            if fault.kind in ("protocol", "output") and not has_flooded:
                name, what = self.program.name, fault.detail
                raise Unusable(f"bot {name} does not say what its options are: {what}; name another") from fault
            return None
        finally:
            self.close()

    def act(self, view: View) -> Action:
        """Asks for an action; it is an integer, and not yet known to be legal."""
        self._request = data = wire.act_line(self._match, view, self._is_child)
        turn = self._living().turn
        self._num_read_now = 0
        self._take_unasked(view.ply)
        turn.change(is_asked=True)
        cpu = self._cpu_ns()
        begun = self._now()
        until = self._deadline(view.clock.move_s, view.clock.bank_s)
        self._send(data, until)
        while True:
            message = self._answer(until)
            if message.ply == view.ply:
                break
            if message.ply > view.ply:
                self._fail("protocol", f"answered ply {message.ply}, which is to come; asked was ply {view.ply}")
        self._wall_us.append((self._now() - begun) // 1000)
        self._cpu_us.append((self._cpu_ns() - cpu) // 1000)
        turn.change(is_asked=False)
        return self._action(message, view)

    def finish(self, result: Result) -> None:
        """Tells the bot the result, gives it a moment to exit, and ends it."""
        bench = self._bench
        if bench is None:
            return
        # The match is over and its result stands: whatever the bot does now harms nobody.
        with contextlib.suppress(BotFault, InfrastructureError):
            bench.turn.change(is_asked=True)  # whatever it does now, it holds up nobody
            data = wire.line(wire.End(self._match, result)) + wire.line(wire.Quit())
            self._send(data, self._deadline(QUIT_S, 0.0))
            self._take_report(bench.control, QUIT_S)
        self.close()

    def close(self) -> None:
        """Ends the bot and everything that it has started; waits until all of it is gone. May be called again."""
        bench, self._bench = self._bench, None
        if bench is None:
            return
        if self.report is None:
            with contextlib.suppress(OSError):
                bench.control.shutdown(socket.SHUT_WR)
            self._take_report(bench.control, CLOSE_S)
        self._release()

    def _take_report(self, control: socket.socket, timeout_s: float) -> None:
        """Waits for the guard's report; a guard that is lost has none."""
        with contextlib.suppress(GuardLost):
            report, _ = receive(control, timeout_s)
            self.report = report if isinstance(report, Report) else None

    def account(self) -> Account:
        """Returns what the bot used and said; complete once it is closed."""
        report = self.report or Report("stopped")
        return Account(
            wall_us=tuple(self._wall_us),
            cpu_us=tuple(self._cpu_us),
            notes=dict(self._notes),
            request=self._request,
            log=report.log,
            cpu_s=report.cpu_s,
            peak_mb=report.peak_mb,
            level=f"{self.level.name}: {self.level.means}",
        )

    # Starting

    def _launch(self, game: str) -> None:
        self._game: Game = load_game(game)
        self._oom_kills = num_oom_kills()
        self._take(launch(self.level, preload_of(self.program, game), self._order()))

    def _child_hello(self, game: str) -> bytes:
        return wire.line(wire.ChildHello(wire.PROTOCOL, game, self.limits, self.program.name, self.program.options))

    def _order(self) -> Order:
        program = self.program
        return Order(
            program.folder,
            program.python,
            program.command,
            is_readable_by_all(program.folder),
            None if self.level.is_trusted else self.limits.memory_mb,
            None if self.level.is_trusted else _cpu_limit(self.limits, self._game),
            None if self.level.is_trusted else _unasked_limit(self.limits),
        )

    def _take(self, bench: Bench) -> None:
        """Takes charge of a started bot; should this object be lost, so are its bot and its files."""
        self._bench = bench
        self._cpu_clock = clock_of(bench.pid)
        self._release = weakref.finalize(self, bench.close)
        self._poll = select.poll()
        self._poll.register(bench.stdout, select.POLLIN)

    def _greet(self, match: MatchInfo) -> None:
        until = self._deadline(self.limits.start_s, 0.0)
        start = wire.line(wire.Start(match.match, match.players, match.seat, match.seed))
        if self._is_child:
            self._send(self._child_hello(match.game) + start, until)
        else:
            self._send(wire.line(wire.Hello(wire.PROTOCOL, match.game, self.limits)), until)
        if not isinstance(self._receive(until), wire.Ready):
            self._fail("protocol", "sent an action before it was asked for one")
        self._is_ready = True
        if not self._is_child:
            self._send(start, until)
        self._living().turn.change(is_asked=False)

    # Messages

    def _action(self, message: wire.Reply | wire.ChildReply, view: View) -> Action:
        """Returns the action of a reply, and ends a bot whose answer takes it out of the match."""
        try:
            action = wire.action_of(message, self._game)
        except BotFault:
            self.close()
            raise
        if message.note:
            add_note(self._notes, message.note)
        if action not in view.legal:
            self.close()
        return action

    def _send(self, data: bytes, until: int | None) -> None:
        """Writes to the bot, which may be slow to read."""
        bench = self._living()
        while data:
            try:
                data = data[os.write(bench.stdin, data) :]
            except BlockingIOError:
                poll = select.poll()
                poll.register(bench.stdin, select.POLLOUT)
                if not poll.poll(self._milliseconds(until)):
                    self._fail("timeout", "did not read what it was sent in time")
            except OSError:
                self._fail_by_end("closed its standard input")

    def _take_unasked(self, ply: int) -> None:
        """Reads what the bot has written before it is asked: answers that are late, or come before their time."""
        while True:
            while (data := self._take_line()) is not None:
                message = self._as_answer(self._message(data))
                if message.ply >= ply:
                    self._fail("protocol", f"answered ply {message.ply} before it was asked")
            if not self._poll.poll(0):
                return
            self._buffer += self._read(self._now())

    def _answer(self, until: int | None) -> wire.Reply | wire.ChildReply:
        return self._as_answer(self._receive(until))

    def _as_answer(self, message: wire.Ready | wire.Reply | wire.ChildReply) -> wire.Reply | wire.ChildReply:
        if isinstance(message, wire.Ready):
            self._fail("protocol", "said ready again when it was asked for an action")
        return message

    def _receive(self, until: int | None) -> wire.Ready | wire.Reply | wire.ChildReply:
        """Returns the next message of the bot."""
        return self._message(self._read_line(until))

    def _message(self, data: bytes) -> wire.Ready | wire.Reply | wire.ChildReply:
        try:
            return wire.read_message(data, self._is_child)
        except BotFault as fault:
            self.close()
            if fault.kind == "no_start" and self._is_ready:  # our child program says so of none that is
                raise BotFault("protocol", "said that it had not started, after it was ready") from fault
            raise

    def _read_line(self, until: int | None) -> bytes:
        """Returns the next line of the bot, without its end."""
        while (line := self._take_line()) is None:
            self._buffer += self._read(until)
        return line

    def _take_line(self) -> bytes | None:
        """Takes the next line out of the buffer; where there is no whole one, only its beginning is left there."""
        end = self._buffer.find(b"\n", self._begin)
        line = self._buffer[self._begin : end if end >= 0 else None]
        if len(line) > wire.MAX_LINE:
            self._fail_by_length()
        if end >= 0:
            self._begin = end + 1
            return line
        self._buffer, self._begin = line, 0
        return None

    def _read(self, until: int | None) -> bytes:
        """Returns what the bot has written, waiting until it has written something."""
        if not self._poll.poll(self._milliseconds(until)):
            half = f" (it wrote half a line: {wire.shown(self._buffer)})" if self._buffer else ""
            self._fail("timeout", f"did not answer in time{half}")
        data = os.read(self._living().stdout, 1 << 16)
        if not data:
            self._fail_by_end("closed its standard output")
        self._num_read += len(data)
        self._num_read_now += len(data)
        if self._num_read_now > wire.MAX_MOVE_OUTPUT:
            self._fail("output", f"wrote more than {wire.MAX_MOVE_OUTPUT >> 20} MB for one answer")
        if self._num_read > wire.MAX_OUTPUT:
            self._fail("output", f"wrote more than {wire.MAX_OUTPUT >> 20} MB on standard output")
        return data

    # Faults

    def _living(self) -> Bench:
        if self._bench is None:
            raise BotFault("crash", "is not running")
        return self._bench

    def _fail(self, kind: str, detail: str) -> NoReturn:
        self.close()
        raise BotFault(kind, detail)

    def _fail_by_length(self) -> NoReturn:
        self._fail("output", f"wrote a line of more than {wire.MAX_LINE >> 10} KB")

    def _fail_by_end(self, what: str) -> NoReturn:
        """Raises the fault of a bot whose input or output has ended: most likely it has ended itself."""
        try:
            report, _ = receive(self._living().control, END_S)
        except GuardLost as error:
            self.close()
            if self.level.protects_guard:
                raise InfrastructureError("a bot's guard was lost, and the bot with it") from error
            raise BotFault("crash", "ended together with its guard") from error
        if not isinstance(report, Report):
            self._fail("crash", f"{what} and ran on")
        self.report = report
        half = self._half_line()
        rest = f", having written half a line: {wire.shown(half)}" if half else ""
        self.close()
        raise BotFault(*explain(report, self.program, self.level, self._oom_kills, rest))

    def _half_line(self) -> bytes:
        """Returns what a bot that has ended wrote behind its last whole line, read or not."""
        left = self._buffer[self._begin :]
        with contextlib.suppress(BlockingIOError):
            left += os.read(self._living().stdout, 1 << 16)
        return left.rpartition(b"\n")[2]

    # Time

    def _deadline(self, move_s: float | None, bank_s: float | None) -> int | None:
        """Returns when a bot's time is over; None is never."""
        return None if move_s is None or bank_s is None else self._now() + int((move_s + bank_s) * 1e9)

    def _milliseconds(self, until: int | None) -> int:
        """Returns what is left until then, for poll: at least nothing, rounded up; -1 for ever."""
        return -1 if until is None else max(0, -((self._now() - until) // 1_000_000))

    def _cpu_ns(self) -> int:
        try:
            return time.clock_gettime_ns(self._cpu_clock)
        except OSError:
            return 0  # it has just ended


def _cpu_limit(limits: Limits, game: Game) -> int | None:
    """Returns the seconds of processor time that no bot needs that keeps to its limits with one thread."""
    if limits.start_s is None or limits.move_s is None or limits.bank_s is None:
        return None
    return math.ceil(limits.start_s + limits.bank_s + limits.move_s * game.max_plies) + CPU_SLACK_S


def _unasked_limit(limits: Limits) -> float | None:
    """Returns the seconds of processor time that a bot may use while it is not asked for anything."""
    return None if limits.bank_s is None else max(MIN_UNASKED_S, UNASKED_SHARE * limits.bank_s)
