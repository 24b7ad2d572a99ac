"""Results tables in files (formats.md, section 3): CSV or JSON lines, one row a seat.

Columns are `game, block, match, seat, bot, rank` and optionally `score, fault`; others are ignored. Seats count from
0, `rank` 1 is best and equal ranks tie, an empty `fault` is none. The rows of a match need not stand together. Such a
table does not name deals, so each block is taken for one.
"""

import csv
import json
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from arena.errors import BadRecord
from leaderboards.csv_lines import csv_line
from leaderboards.results import FAULT_CLASSES, MatchRow, ResultsTable, from_rows

_REQUIRED = ("game", "block", "match", "seat", "bot", "rank")
_COLUMNS = (*_REQUIRED, "score", "fault")


class _Match:
    """The rows of one match as they come in. Mutable."""

    def __init__(self, line: int, block: str) -> None:
        self.line = line
        self.block = block
        self.seats: dict[int, tuple[str, int, float, str | None]] = {}


def read_results(path: Path) -> dict[str, ResultsTable]:
    """Reads a results table.

    Args:
        path: JSON lines if the first character that is no blank is `{`, CSV with a head line otherwise.

    Returns:
        One table a game, in the order of appearance.

    Raises:
        BadRecord: if the file cannot be read or a row cannot be right; the message names the line.
    """
    games: dict[str, dict[str, _Match]] = {}
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            for line, record in _records(path, file):
                _add(path, line, record, games)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise BadRecord(f"{path} cannot be read as a results table in UTF-8: {error}") from error
    return {game: _table(path, game, matches) for game, matches in games.items()}


def write_results(table: ResultsTable, path: Path) -> None:
    """Writes a table, JSON lines if the file's name ends so (`.jsonl`, `.ndjson`), CSV otherwise.

    Deals and thinking times are not written; the format has no place for them.

    Raises:
        BadRecord: if the file cannot be written.
    """
    as_json = path.suffix.lower() in {".jsonl", ".ndjson"}
    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            if as_json:
                file.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in _seat_records(table))
            else:
                file.write(csv_line(_COLUMNS))
                file.writelines(csv_line(record.values()) for record in _seat_records(table))
    except OSError as error:
        raise BadRecord(f"{path} cannot be written: {error}") from error


def _records(path: Path, file: TextIO) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yields the number of the line and the fields of each row."""
    start = next((line for line in file if line.strip()), "")
    file.seek(0)
    if start.lstrip().startswith("{"):
        for number, line in enumerate(file, 1):
            if line.strip():
                yield number, _json_record(path, number, line)
        return
    reader = csv.DictReader(file, strict=True)
    missing = [name for name in _REQUIRED if name not in (reader.fieldnames or ())]
    if missing:
        raise BadRecord(f"{path}, line 1: no column {', '.join(missing)}; a results table has {', '.join(_REQUIRED)}")
    for row in reader:
        yield reader.line_num, row


def _json_record(path: Path, number: int, line: str) -> dict[str, Any]:
    """Reads one line of JSON."""
    try:
        record = json.loads(line)
    except (json.JSONDecodeError, RecursionError) as error:
        raise BadRecord(f"{path}, line {number}: no JSON: {error}") from error
    if not isinstance(record, dict):
        raise BadRecord(f"{path}, line {number}: a row is one JSON object")
    return record


def _add(path: Path, line: int, record: Mapping[str, Any], games: dict[str, dict[str, _Match]]) -> None:
    """Puts one row where it belongs."""
    game, block, match, bot = (_text(path, line, record, name) for name in ("game", "block", "match", "bot"))
    seat = _whole(path, line, record, "seat", 0, 126)
    rank = _whole(path, line, record, "rank", 1, 127)
    entry = games.setdefault(game, {}).setdefault(match, _Match(line, block))
    if entry.block != block:
        raise BadRecord(f"{path}, line {line}: match {match!r} is in block {block!r}, and was in {entry.block!r}")
    if seat in entry.seats:
        raise BadRecord(f"{path}, line {line}: match {match!r} has seat {seat} twice")
    entry.seats[seat] = (bot, rank, _score(path, line, record), _fault(path, line, record))


def _text(path: Path, line: int, record: Mapping[str, Any], name: str) -> str:
    """Returns a field that must be there; numbers are taken as their text."""
    value = record.get(name)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str) or not value:
        raise BadRecord(f"{path}, line {line}: {name} is {value!r}; it must be a text that is not empty")
    return value


def _whole(path: Path, line: int, record: Mapping[str, Any], name: str, least: int, most: int) -> int:
    """Returns a field that must be a whole number in a range."""
    text = str(record.get(name)).strip()
    if not (text.isascii() and text.isdigit()) or not least <= int(text[:20]) <= most:
        raise BadRecord(f"{path}, line {line}: {name} is {record.get(name)!r}; it must be {least} to {most}")
    return int(text)


def _score(path: Path, line: int, record: Mapping[str, Any]) -> float:
    """Returns the points, nan where there are none."""
    value = record.get("score")
    if value is None or value == "":
        return float("nan")
    try:
        return float(value)
    except (TypeError, ValueError) as error:
        raise BadRecord(f"{path}, line {line}: score is {value!r}; it must be a number or empty") from error


def _fault(path: Path, line: int, record: Mapping[str, Any]) -> str | None:
    """Returns the class of a fault, None for none."""
    value = record.get("fault")
    if value is None or value == "":
        return None
    if value not in FAULT_CLASSES:
        raise BadRecord(f"{path}, line {line}: fault is {value!r}; the classes are {', '.join(FAULT_CLASSES)}")
    return str(value)


def _table(path: Path, game: str, matches: dict[str, _Match]) -> ResultsTable:
    """Builds the table of one game."""
    spelled: dict[str, str] = {}
    rows: list[MatchRow] = []
    for name, match in matches.items():
        start = f"{path}, line {match.line}"
        if sorted(match.seats) != list(range(len(match.seats))) or len(match.seats) < 2:
            found = ", ".join(str(seat) for seat in sorted(match.seats))
            raise BadRecord(f"{start}: match {name!r} has seats {found}; they count from 0, two or more")
        seats = [match.seats[seat] for seat in range(len(match.seats))]
        bots = tuple(bot for bot, _, _, _ in seats)
        if len(set(bots)) < len(bots):
            raise BadRecord(f"{start}: match {name!r} has one bot in two seats; number the copies, as in random#2")
        for bot in bots:
            known = spelled.setdefault(unicodedata.normalize("NFKC", bot).casefold(), bot)
            if known != bot:
                raise BadRecord(f"{start}: bots {known!r} and {bot!r} differ only in case or form")
        ranks = tuple(rank for _, rank, _, _ in seats)
        scores = tuple(score for _, _, score, _ in seats)
        faults = tuple(fault for _, _, _, fault in seats)
        rows.append(MatchRow(name, bots, ranks, block=match.block, scores=scores, faults=faults))
    return from_rows(game, rows)


def _seat_records(table: ResultsTable) -> Iterator[dict[str, Any]]:
    """Yields one row a seat with the columns in their order, matches in the order of the table."""
    for row in range(table.num_matches):
        match = table.match_ids[row]
        name = match.decode() if isinstance(match, bytes) else str(match)
        for seat in range(int(table.num_seats[row])):
            score, fault = float(table.scores[row, seat]), int(table.faults[row, seat])
            yield {
                "game": table.game,
                "block": str(table.blocks[row]),
                "match": name,
                "seat": seat,
                "bot": table.entrants[table.lineups[row, seat]].label,
                "rank": int(table.ranks[row, seat]),
                "score": None if np.isnan(score) else int(score) if score.is_integer() else score,
                "fault": FAULT_CLASSES[fault - 1] if fault else None,
            }
