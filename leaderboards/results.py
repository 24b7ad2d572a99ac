"""The results of one game's finished matches, as columns: what ratings, statistics and boards are made from.

Shapes: M matches, K the most seats of any of them, N entrants. A place that a match does not use is padding.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from arena.errors import BadRecord

# The codes in the column of faults are 1-based places in this list; 0 is none.
FAULT_CLASSES = ("no_start", "crash", "timeout", "illegal", "protocol", "memory", "output")


class EntrantInfo(msgspec.Struct, frozen=True):
    """Says who an entrant is.

    Attributes:
        label: how the entrant is written on the command line, `mcts:simulations=500`; unique in a table.
        bot: the bot's name.
        version: the bot's version; empty where it is not known.
        options: the bot's options with defaults filled in.
    """

    label: str
    bot: str
    version: str = ""
    options: dict[str, Any] = {}


class MatchRow(msgspec.Struct, frozen=True):
    """One finished match; every sequence is by seat.

    Attributes:
        match: the match id, unique in a table.
        lineup: labels of the entrants, all different.
        ranks: 1 is best, equal results share a rank.
        deal: names the deal; matches of one deal are one cluster of statistics. The block where it is empty.
        block: names the block. The match where it is empty.
        scores: points; empty where they are not known.
        faults: fault classes, None for none; empty for none at all.
        think_ms: mean thinking time a move; empty where it is not known.
    """

    match: str
    lineup: tuple[str, ...]
    ranks: tuple[int, ...]
    deal: str = ""
    block: str = ""
    scores: tuple[float, ...] = ()
    faults: tuple[str | None, ...] = ()
    think_ms: tuple[float, ...] = ()


@dataclass(frozen=True, eq=False)
class ResultsTable:
    """The finished matches of one game, in any order.

    Whoever builds one directly vouches for it: nothing is checked here. `from_rows` checks.

    Attributes:
        game: the game's name.
        entrants: [N] who played.
        match_ids: [M] bytes or str; they only fix an order for what depends on one.
        deals: int64 [M]; matches with the same number were played on the same deal.
        blocks: int64 [M].
        num_seats: int8 [M].
        lineups: int32 [M, K] places in `entrants`, -1 for padding.
        ranks: int8 [M, K], 1 best, 0 for padding.
        scores: float64 [M, K], nan where not known.
        faults: int8 [M, K], 0 for none, else the 1-based place in FAULT_CLASSES.
        think_ms: float64 [M, K] mean thinking time a move, nan where not known.
        notes: sentences about how the matches were played, for the board.
    """

    game: str
    entrants: tuple[EntrantInfo, ...]
    match_ids: NDArray[Any]
    deals: NDArray[np.int64]
    blocks: NDArray[np.int64]
    num_seats: NDArray[np.int8]
    lineups: NDArray[np.int32]
    ranks: NDArray[np.int8]
    scores: NDArray[np.float64] = field(repr=False)
    faults: NDArray[np.int8] = field(repr=False)
    think_ms: NDArray[np.float64] = field(repr=False)
    notes: tuple[str, ...] = ()

    @property
    def num_matches(self) -> int:
        """The number M of matches."""
        return len(self.num_seats)

    @property
    def num_entrants(self) -> int:
        """The number N of entrants, those included that played no match."""
        return len(self.entrants)

    @property
    def num_blocks(self) -> int:
        """The number of different blocks."""
        return len(np.unique(self.blocks))

    @property
    def players(self) -> list[int]:
        """The numbers of seats that occur, ascending."""
        return [int(n) for n in np.unique(self.num_seats)]

    def take(self, rows: NDArray[Any]) -> "ResultsTable":
        """Returns the table of some matches, by places or by a mask, with all entrants kept."""
        return ResultsTable(
            self.game,
            self.entrants,
            self.match_ids[rows],
            self.deals[rows],
            self.blocks[rows],
            self.num_seats[rows],
            self.lineups[rows],
            self.ranks[rows],
            self.scores[rows],
            self.faults[rows],
            self.think_ms[rows],
            self.notes,
        )


def from_rows(game: str, rows: Iterable[MatchRow], entrants: Sequence[EntrantInfo] = ()) -> ResultsTable:
    """Builds a table from matches given one by one.

    Args:
        game: the game's name.
        rows: the matches. Consumed.
        entrants: who is known already; labels beyond them become entrants in order of appearance.

    Raises:
        BadRecord: if a match contradicts itself or occurs twice.
    """
    matches = list(rows)
    infos = list(entrants)
    places = {info.label: i for i, info in enumerate(infos)}
    if len(places) < len(infos):
        raise BadRecord("two entrants have one label; number the copies, as in random#2")
    seen: set[str] = set()
    for row in matches:
        _check_row(row, seen)
        for label in row.lineup:
            if label not in places:
                places[label] = len(infos)
                infos.append(parse_entrant(label))
    return _columns(game, tuple(infos), places, matches)


def parse_entrant(label: str) -> EntrantInfo:
    """Splits `name@version:option=value,...` into its parts; values stay text. Never raises."""
    head, _, tail = label.partition(":")
    bot, _, version = head.partition("@")
    options = dict(part.split("=", 1) for part in tail.split(",") if "=" in part)
    return EntrantInfo(label, bot, version, options)


def _check_row(row: MatchRow, seen: set[str]) -> None:
    """Raises BadRecord if a match cannot be right."""
    n = len(row.lineup)
    if row.match in seen:
        raise BadRecord(f"match {row.match!r} occurs twice; results are kept once each")
    seen.add(row.match)
    if not 2 <= n <= 127:
        raise BadRecord(f"match {row.match!r} has {n} seats; a match has 2 to 127")
    if len(set(row.lineup)) < n:
        raise BadRecord(f"match {row.match!r} has one entrant in two seats; number the copies, as in random#2")
    for name, column in (("ranks", row.ranks), ("scores", row.scores), ("faults", row.faults), ("ms", row.think_ms)):
        if len(column) != n and (column or name == "ranks"):
            raise BadRecord(f"match {row.match!r} has {n} seats and {len(column)} {name}; give one a seat")
    if not all(1 <= rank <= 127 for rank in row.ranks):
        raise BadRecord(f"match {row.match!r} has ranks {list(row.ranks)}; the best is 1, the worst 127 at most")
    for fault in row.faults:
        if fault is not None and fault not in FAULT_CLASSES:
            raise BadRecord(f"match {row.match!r} has fault {fault!r}; the classes are {', '.join(FAULT_CLASSES)}")


def _columns(
    game: str, entrants: tuple[EntrantInfo, ...], places: dict[str, int], matches: list[MatchRow]
) -> ResultsTable:
    """Fills the columns from checked matches."""
    m, k = len(matches), max((len(row.lineup) for row in matches), default=2)
    lineups = np.full((m, k), -1, np.int32)
    ranks = np.zeros((m, k), np.int8)
    scores = np.full((m, k), np.nan)
    faults = np.zeros((m, k), np.int8)
    think_ms = np.full((m, k), np.nan)
    codes = {None: 0} | {name: i + 1 for i, name in enumerate(FAULT_CLASSES)}
    blocks = [row.block or f"\0{row.match}" for row in matches]
    deals = [row.deal or block for row, block in zip(matches, blocks, strict=True)]
    for i, row in enumerate(matches):
        n = len(row.lineup)
        lineups[i, :n] = [places[label] for label in row.lineup]
        ranks[i, :n] = row.ranks
        if row.scores:
            scores[i, :n] = row.scores
        if row.faults:
            faults[i, :n] = [codes[fault] for fault in row.faults]
        if row.think_ms:
            think_ms[i, :n] = row.think_ms
    return ResultsTable(
        game,
        entrants,
        np.array([row.match for row in matches], dtype=np.str_),
        _numbers(deals),
        _numbers(blocks),
        np.array([len(row.lineup) for row in matches], np.int8),
        lineups,
        ranks,
        scores,
        faults,
        think_ms,
    )


def _numbers(names: list[str]) -> NDArray[np.int64]:
    """Numbers names by their order as text, so that the order of rows does not matter."""
    order = {name: i for i, name in enumerate(sorted(set(names)))}
    return np.array([order[name] for name in names], np.int64)
