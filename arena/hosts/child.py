"""Runs a Python bot file behind the line protocol. Forked from a keeper, inside the fence, once a match.

The bot's standard output goes to its log, so that printing never hurts it. What it does to this process, by patching
what it can reach, it does to itself alone.
"""

import contextlib
import os
import sys
import traceback
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn

import msgspec

from arena.core.bot import Bot, MatchInfo
from arena.core.game import Action, Game
from arena.core.options import fill_in, option_text, parse_options
from arena.core.spec import Limits
from arena.core.view import BotRandom, Clock
from arena.errors import BadOption
from arena.hosts.base import BotFault
from arena.hosts.inprocess import InProcessHost, describe_error
from arena.hosts.known_game import known_game
from arena.hosts.roster import BrokenFile, NotOneBot, load_file
from arena.hosts.wire import (
    UNUSABLE,
    ChildAct,
    ChildFault,
    ChildHello,
    ChildOptions,
    ChildReply,
    ChildTrial,
    End,
    Ready,
    Start,
    decode_to_child,
    line,
)

CHUNK = 1 << 16


class Line:
    """The connection to the engine: lines in, lines out."""

    def __init__(self, source: int, target: int) -> None:
        self.source = source
        self.target = target
        self._rest = b""

    def read(self) -> bytes:
        """Returns the next line, empty at the end."""
        rest = self._rest
        while True:
            head, newline, tail = rest.partition(b"\n")
            if newline:
                self._rest = tail
                return head
            data = os.read(self.source, CHUNK)
            if not data:
                return b""
            rest += data

    def send(self, message: msgspec.Struct) -> None:
        """Sends a message."""
        data = line(message)
        while data:
            data = data[os.write(self.target, data) :]


class Player:
    """One bot for one match."""

    def __init__(self, folder: str, file: str, wire: Line) -> None:
        self.folder = folder
        self.file = file
        self.wire = wire
        self.limits = Limits()
        self.game: Game | None = None
        self.note: dict[str, float] = {}
        """Goes with the answer in the making."""

    def play(self) -> None:
        """Answers messages until the match is over."""
        while data := self.wire.read():
            message = decode_to_child(data)
            if isinstance(message, ChildAct):
                action = self._act(message)
                self.wire.send(ChildReply(message.ply, action, self.note))
            elif isinstance(message, ChildHello):
                self._load(message)
            elif isinstance(message, ChildTrial):
                self._try_out(message)
            elif isinstance(message, Start):
                self._start(message)
            elif isinstance(message, End):
                self.host.finish(message.result)
            else:
                return

    def _load(self, hello: ChildHello) -> None:
        kind = self._load_class()
        with self._charged():
            options = options_of(kind.Options, hello.options, owner=f"bot {hello.bot}")
            self.host = InProcessHost(kind(options), self._keep_note)
        self.limits = hello.limits
        self.game = known_game(hello.game)
        self.view_type = self.game.view_type

    def _try_out(self, trial: ChildTrial) -> None:
        """Says what the bot's options are once defaults are filled in, and makes the bot."""
        kind, owner = self._load_class(), f"bot {trial.bot}"
        with self._charged():
            options = parse_options(kind.Options, trial.options, owner)
            filled = fill_in(options, owner)
            kind(options)
        self.wire.send(ChildOptions(filled.values, filled.changed))

    @contextlib.contextmanager
    def _charged(self) -> Iterator[None]:
        """Turns what the block raises into the bot's fault."""
        try:
            yield
        except BadOption as error:
            raise BotFault(UNUSABLE, str(error)) from error
        except (Exception, SystemExit) as error:
            raise BotFault("no_start", describe_error(cut_trace(error, self.folder))) from error

    def _load_class(self) -> type[Bot[Any]]:
        try:
            return load_file(Path(self.folder, self.file))
        except NotOneBot as error:
            raise BotFault(UNUSABLE, str(error).replace(f"{self.folder}/", "")) from error
        except BrokenFile as error:
            cause = cut_trace(error.__cause__ or error, self.folder)
            raise BotFault("no_start", f"{self.file} cannot be loaded: {describe_error(cause)}") from cause

    def _start(self, start: Start) -> None:
        self.rng = BotRandom(start.seed)
        self.num_seats, self.seat = start.players, start.seat
        name = self.game.name if self.game else ""
        self.host.start(MatchInfo(start.match, name, start.players, start.seat, start.seed, self.limits))
        self.wire.send(Ready())

    def _keep_note(self, note: dict[str, float]) -> None:
        self.note = note

    def _act(self, request: ChildAct) -> Action:
        assert self.game is not None
        self.note = {}
        view = self.view_type(
            self.game,
            request.view.state,
            self.num_seats,
            self.seat,
            request.ply,
            request.legal,
            request.view.moves,
            self.rng,
            Clock(self.limits.move_s, request.bank_s),
        )
        try:
            return self.host.act(view)
        except MemoryError as error:  # in the engine's own process it would be the machine's affair; here it is not
            raise BotFault("crash", describe_error(error)) from error


def options_of(kind: type[msgspec.Struct], given: Mapping[str, Any], owner: str) -> msgspec.Struct:
    """Makes a bot's options of those of its entrant.

    Raises:
        BadOption: they are none of the bot's.
    """
    if given.keys() <= {field.encode_name for field in msgspec.structs.fields(kind)}:
        with contextlib.suppress(msgspec.ValidationError):
            return msgspec.convert(given, kind)
    # As they were written: a 7 may be a text, and 1e3 a number.
    return parse_options(kind, {key: option_text(value) for key, value in given.items()}, owner)


def cut_trace(error: BaseException, folder: str) -> BaseException:
    """Returns an error, and what led to it, with tracebacks that begin in a bot's own files: ours say nothing to it."""
    seen: set[int] = set()
    link: BaseException | None = error
    while link is not None and id(link) not in seen:
        seen.add(id(link))
        traceback = link.__traceback__
        while traceback is not None and not traceback.tb_frame.f_code.co_filename.startswith(f"{folder}/"):
            traceback = traceback.tb_next
        link.__traceback__ = traceback
        link = link.__cause__ or link.__context__
    return error


def _divert_output() -> Line:
    """Takes the protocol's ends away from standard input and output, which become an empty file and the log."""
    wire = Line(os.dup(0), os.dup(1))
    nothing = os.open("/dev/null", os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    log: Any = open(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False)  # noqa: SIM115
    sys.stdout = sys.stderr = log
    return wire


def run(folder: str, file: str) -> NoReturn:
    """Plays one match with the bot of a file and ends this process.

    Args:
        folder: the bot's folder; its own modules are found there.
        file: the bot file's path in it.
    """
    wire = _divert_output()
    sys.dont_write_bytecode = True
    sys.path.insert(0, folder)
    sys.argv = [file]
    code = 0
    try:
        Player(folder, file, wire).play()
    except BotFault as fault:
        if fault.kind == UNUSABLE:
            print(fault.detail)
        else:
            traceback.print_exception(cut_trace(fault.__cause__ or fault, folder))
        code = 1
        wire.send(ChildFault(fault.kind, fault.detail))
    except BaseException as error:
        traceback.print_exception(cut_trace(error, folder))
        code = 1
    finally:
        os._exit(code)
