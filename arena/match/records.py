"""Game records (formats.md 1): making one from an outcome, writing, reading, and replaying it ply by ply."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from arena.core.game import Action
from arena.core.options import changed_options
from arena.core.record import FAULT_CLASSES, Outcome
from arena.core.seeding import format_seed
from arena.core.spec import GameRef
from arena.errors import ArenaError, BadRecord, IllegalAction, UnknownName
from arena.games import load_game
from arena.kernels.simulation import Simulation

VERSION = 1


class Header(msgspec.Struct, frozen=True, omit_defaults=True):
    """The first line: what is played, and what chance laid out."""

    record: int
    game: str
    players: int
    seed: str
    """The deal's seed, 16 hex digits."""
    bots: list[str]
    """Entrants by seat."""
    setup: dict[str, Any]
    options: dict[str, Any] = {}
    """The game's options that differ from the defaults."""


class PlyLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """One ply."""

    ply: int
    seat: int
    action: str
    ms: float | None = None
    """Milliseconds that the answer took; the only field that differs when the match is played again."""
    substitute: bool = False
    """Whether the arena decided in place of a faulted seat."""
    chance: Any = None
    """What chance did within the ply."""
    legal: list[str] | None = None
    """All legal actions, sorted by code point."""


class ResultBody(msgspec.Struct, frozen=True):
    """The end of the match, by seat."""

    scores: list[int]
    ranks: list[int]
    faults: list[str | None]


class ResultLine(msgspec.Struct, frozen=True):
    """The last line."""

    result: ResultBody


class GameRecord(NamedTuple):
    """A finished game, complete."""

    header: Header
    plies: list[PlyLine]
    result: ResultBody


class Position(NamedTuple):
    """A step of a replay: the position, and the ply that led to it (None at first)."""

    simulation: Simulation
    ply: PlyLine | None
    history: tuple[tuple[int, Action], ...]


def make_record(
    reference: GameRef, deal: int, labels: Sequence[str], outcome: Outcome, *, with_legal: bool = False
) -> GameRecord:
    """Makes the record of a stored outcome by playing its actions again on its deal.

    Raises:
        ArenaError: the rules here do not reproduce the outcome.
    """
    game = load_game(reference.name)
    options = msgspec.convert(reference.options, game.Options)
    position = Simulation.from_deal(game, game.encode_options(options), len(labels), deal)
    header = Header(
        record=VERSION,
        game=game.name,
        players=len(labels),
        seed=format_seed(deal),
        bots=list(labels),
        setup=game.setup(position.words()),
        options=msgspec.to_builtins(changed_options(options)),
    )
    times = np.frombuffer(outcome.think_us, np.uint32)
    out_from = [fault.ply if fault else len(times) for fault in outcome.faults]
    plies = []
    for number, action in enumerate(outcome.action_list):
        seat = position.to_move
        if seat is None or action not in position.legal:
            raise ArenaError(f"ply {number} of match {outcome.match} is not legal by the rules of {game.name} here")
        line = describe_ply(position, number, action, with_legal=with_legal)
        ms = round(times.item(number) / 1000, 3)
        plies.append(msgspec.structs.replace(line, ms=ms, substitute=number >= out_from[seat]))
    faults = [fault.kind if fault else None for fault in outcome.faults]
    return GameRecord(header, plies, ResultBody(list(outcome.scores), list(outcome.ranks), faults))


def describe_ply(position: Simulation, number: int, action: Action, *, with_legal: bool) -> PlyLine:
    """Plays a legal action and returns its line, without the time."""
    game, seat = position.game, position.to_move
    legal = sorted(map(game.action_name, position.legal)) if with_legal else None
    before, luck = position.words(), position.luck_words()
    position.play(action)
    chance = game.chance(before, luck, action, position.words())
    assert seat is not None  # a legal action has a seat that takes it
    return PlyLine(number, seat, game.action_name(action), chance=chance, legal=legal)


def encode_record(record: GameRecord) -> bytes:
    """Returns the record's lines."""
    lines = [record.header, *record.plies, ResultLine(record.result)]
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


def read_record(path: Path) -> GameRecord:
    """Reads a record file.

    Raises:
        BadRecord: it cannot be read, or a line is not what the format says; the message names the line.
    """
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise BadRecord(f"{path}: the record cannot be read ({error.strerror}); give a .jsonl file") from error
    while lines and not lines[-1].strip():
        lines.pop()
    if len(lines) < 2:
        raise BadRecord(f"{path}: a record has a header line, a line a ply, and a result line; this has {len(lines)}")
    header = _decode(path, 1, lines[0], Header)
    if header.record != VERSION:
        raise BadRecord(f"{path}, line 1: record version {header.record}; this program reads version {VERSION}")
    plies = [_decode(path, number, line, PlyLine) for number, line in enumerate(lines[1:-1], start=2)]
    result = _decode(path, len(lines), lines[-1], ResultLine).result
    return GameRecord(header, plies, result)


def _decode(path: Path, number: int, line: bytes, kind: Any) -> Any:
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        what = {Header: "header", PlyLine: "ply", ResultLine: "result"}[kind]
        raise BadRecord(f"{path}, line {number}: no {what} line ({error}); the file is damaged or cut short") from error


def _check(condition: bool, path: Path, number: int, message: str) -> None:
    if not condition:
        raise BadRecord(f"{path}, line {number}: {message}")


def replay(record: GameRecord, path: Path) -> Iterator[Position]:
    """Plays a record again from its seed and yields every position; each ply and the result are checked.

    Args:
        record: the record.
        path: what to call it in messages.

    Raises:
        BadRecord: it contradicts the rules; the message names the line.
    """
    position = _first_position(record, path)
    history: list[tuple[int, Action]] = []
    yield Position(position, None, ())
    out = set[int]()
    for number, line in enumerate(record.plies):
        _check_ply(record, path, position, number, line, out)
        action = position.game.parse_action(line.action)
        played = describe_ply(position, number, action, with_legal=line.legal is not None)
        _check(played.chance == line.chance, path, number + 2, f"chance is {line.chance}, by the deal {played.chance}")
        _check(played.legal == line.legal, path, number + 2, "the legal actions are others by the rules")
        history.append((line.seat, action))
        yield Position(position, line, tuple(history))
    _check_result(record, path, position, out)


def _first_position(record: GameRecord, path: Path) -> Simulation:
    header = record.header
    try:
        game = load_game(header.game)
        options = msgspec.convert(header.options, game.Options)
        deal = int(header.seed, 16)
    except UnknownName as error:
        raise BadRecord(f"{path}, line 1: {error}") from error
    except (msgspec.ValidationError, ValueError) as error:
        raise BadRecord(f"{path}, line 1: the header cannot be used ({error})") from error
    _check(header.players in game.seats, path, 1, f"{game.name} is not played with {header.players} seats")
    _check(len(header.bots) == header.players, path, 1, f"{len(header.bots)} bots for {header.players} seats")
    _check(0 <= deal < 1 << 64, path, 1, f"the seed {header.seed!r} is not 64 bits in hex")
    position = Simulation.from_deal(game, game.encode_options(options), header.players, deal)
    _check(game.setup(position.words()) == header.setup, path, 1, "the setup is not what the seed deals")
    return position


def _check_ply(record: GameRecord, path: Path, position: Simulation, number: int, line: PlyLine, out: set[int]) -> None:
    """Raises BadRecord unless a ply's number, seat and action are what the rules allow."""
    where = number + 2
    _check(line.ply == number, path, where, f"ply {line.ply} stands where ply {number} should")
    _check(position.to_move is not None, path, where, "the match is over before this ply")
    _check(
        line.seat == position.to_move, path, where, f"seat {line.seat} acts, and it is seat {position.to_move}'s ply"
    )
    try:
        action = position.game.parse_action(line.action)
    except IllegalAction as error:
        raise BadRecord(f"{path}, line {where}: {error}") from error
    if action not in position.legal:
        legal = " ".join(map(position.game.action_name, position.legal[:20]))
        raise BadRecord(f"{path}, line {where}: {line.action} is not legal; legal: {legal}")
    if line.substitute:
        out.add(line.seat)
    _check(line.substitute or line.seat not in out, path, where, f"seat {line.seat} plays on after it was out")
    is_faulted = line.seat < len(record.result.faults) and record.result.faults[line.seat] is not None
    _check(not line.substitute or is_faulted, path, where, f"seat {line.seat} is replaced, and the result has no fault")


def _check_result(record: GameRecord, path: Path, position: Simulation, out: set[int]) -> None:
    """Raises BadRecord unless scores, ranks and faults follow from the plies; `out` are the seats with substitutes."""
    result, where, seats = record.result, len(record.plies) + 2, record.header.players
    for name, column in (("scores", result.scores), ("ranks", result.ranks), ("faults", result.faults)):
        _check(len(column) == seats, path, where, f"{len(column)} {name} for {seats} seats")
    known = all(fault is None or fault in FAULT_CLASSES for fault in result.faults)
    _check(known, path, where, f"faults are of the classes {', '.join(FAULT_CLASSES)}")
    num_faults = sum(fault is not None for fault in result.faults)
    is_decided = position.is_over or (num_faults and seats == 2) or num_faults == seats
    _check(bool(is_decided), path, where, "the match ends before it is decided; the file is cut short")
    _check_faults(result, position.is_over, out, path, where)
    scores = list(position.scores())
    _check(result.scores == scores, path, where, f"the scores are {result.scores}, by the rules {scores}")
    _check_ranks(result, list(position.returns()), path, where)


def _check_faults(result: ResultBody, is_over: bool, out: set[int], path: Path, where: int) -> None:
    """Raises BadRecord unless each fault shows in the plies: it ends a match of two, and is stood in for in others."""
    faulted = {seat for seat, fault in enumerate(result.faults) if fault is not None}
    is_two = len(result.faults) == 2
    _check(not (is_two and faulted and is_over), path, where, "a fault of one of two ends the match, and it goes on")
    # Who did not get ready may never have come to act, and nobody is stood in for when all are out.
    charged = {seat for seat in faulted if result.faults[seat] != "no_start"}
    is_shown = is_two or len(faulted) == len(result.faults) or charged <= out
    _check(is_shown, path, where, f"seats {sorted(charged - out)} are at fault, and no ply of theirs is a substitute's")


def _check_ranks(result: ResultBody, returns: list[float], path: Path, where: int) -> None:
    """Raises BadRecord unless the ranks of who played on follow the returns, and the faulted stand below them."""
    honest = [seat for seat, fault in enumerate(result.faults) if fault is None]
    for seat in honest:
        rank = 1 + sum(returns[other] > returns[seat] for other in honest)
        is_alone = len(honest) == 1  # all others are out, the match may not have been played to its end
        message = f"seat {seat} is ranked {result.ranks[seat]}, by the rules {rank}"
        _check(result.ranks[seat] == (1 if is_alone else rank), path, where, message)
    for seat in set(range(len(result.ranks))) - set(honest):
        is_below = result.ranks[seat] > len(honest) or not honest
        _check(is_below, path, where, f"seat {seat} is at fault and not ranked below all who played on")
