"""The store's matches as a results table: only whole blocks, in canonical order."""

import hashlib
from collections import Counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.core.record import actions_digest
from arena.core.spec import Conditions, Entrant, unique_labels
from arena.errors import UsageError
from arena.schedule.plan import Plan
from arena.schedule.seatings import seatings
from arena.store.store import Run, Store
from leaderboards.results import FAULT_CLASSES, EntrantInfo, ResultsTable


class Columns(NamedTuple):
    """All matches under one set of conditions, as stored; M matches of P seats, in order of match id."""

    conditions: Conditions
    ids: list[bytes]
    deals: NDArray[np.int64]
    """[M] deal numbers."""
    lineups: NDArray[np.int32]
    """[M, P] entrant rows of the database."""
    scores: NDArray[np.int64]
    ranks: NDArray[np.int8]
    faults: NDArray[np.int8]
    think_ms: NDArray[np.float32]
    actions: list[bytes]

    def take(self, rows: NDArray[np.int64]) -> "Columns":
        """Returns some of the matches."""
        picked = rows.tolist()
        return Columns(
            self.conditions,
            [self.ids[row] for row in picked],
            self.deals[rows],
            self.lineups[rows],
            self.scores[rows],
            self.ranks[rows],
            self.faults[rows],
            self.think_ms[rows],
            [self.actions[row] for row in picked],
        )


def read_columns(store: Store, condition: int, conditions: Conditions) -> Columns:
    """Reads all matches under one set of conditions."""
    rows = store.columns(condition)
    ids, deals, lineups, scores, ranks, faults, think_ms, actions = zip(*rows, strict=True) if rows else [()] * 8
    shape = (len(rows), conditions.players)
    return Columns(
        conditions,
        list(ids),
        np.array(deals, np.int64),
        np.frombuffer(b"".join(lineups), np.int32).reshape(shape),
        np.frombuffer(b"".join(scores), np.int64).reshape(shape),
        np.frombuffer(b"".join(ranks), np.int8).reshape(shape),
        np.frombuffer(b"".join(faults), np.int8).reshape(shape),
        np.frombuffer(b"".join(think_ms), np.float32).reshape(shape),
        list(actions),
    )


def block_numbers(columns: Columns) -> NDArray[np.int64]:
    """Returns int64 [M] the number of each match's block: its deal and its set of entrants."""
    members = np.sort(columns.lineups, axis=1)
    keys = np.column_stack([columns.deals, members])
    return np.unique(keys, axis=0, return_inverse=True)[1].reshape(-1).astype(np.int64)


def whole_blocks(columns: Columns) -> Columns:
    """Leaves out the matches of blocks that lack a seating: they would favour who happened to sit well."""
    if not columns.ids:
        return columns
    numbers = block_numbers(columns)
    sizes = np.bincount(numbers)
    return columns.take(np.flatnonzero(sizes[numbers] == len(seatings(columns.conditions.players))))


def of_run(store: Store, run: Run) -> Columns:
    """Returns the whole blocks that belong to a run: those that its plan lists."""
    rows = {conditions.key: (row, conditions) for row, conditions in store.conditions(run.conditions.game.name).items()}
    row, conditions = rows[run.conditions.key]
    columns = whole_blocks(read_columns(store, row, conditions))
    if not columns.ids:
        return columns
    keys = {number: entrant.key for number, entrant in store.entrants().items()}
    plan = Plan(run.conditions, run.entrants, run.deals)
    if plan.is_complete:
        members = [number for number, key in keys.items() if any(key == entrant.key for entrant in run.entrants)]
        is_listed = np.isin(columns.lineups, members).all(axis=1) & (columns.deals < run.deals)
    else:
        is_listed = _is_listed(columns, plan, keys)
    return columns.take(np.flatnonzero(is_listed))


def _is_listed(columns: Columns, plan: Plan, keys: dict[int, bytes]) -> NDArray[np.bool_]:
    """Returns bool [M] whether an incomplete plan lists each match's block."""
    listed = {(deal, frozenset(plan.entrants[n].key for n in members)) for deal, members in plan.sets()}
    blocks = zip(columns.deals.tolist(), columns.lineups.tolist(), strict=True)
    return np.array([(deal, frozenset(keys[n] for n in lineup)) in listed for deal, lineup in blocks], bool)


def digest(columns: Columns) -> str:
    """Returns the one hash of a run's whole blocks: ids, scores, ranks, fault classes and actions, in order of id."""
    result = hashlib.blake2b(digest_size=16)
    scores, ranks, faults = columns.scores.tolist(), columns.ranks.tolist(), columns.faults.tolist()
    for number, match in enumerate(columns.ids):
        result.update(match)
        kinds = [FAULT_CLASSES[code - 1] if code else None for code in faults[number]]
        result.update(repr((scores[number], ranks[number], kinds)).encode())
        result.update(actions_digest(columns.actions[number]))
    return result.hexdigest()


def _infos(store: Store, used: set[int]) -> tuple[tuple[EntrantInfo, ...], dict[int, int]]:
    """Returns the entrants of a table, in the order of their identities, and the place of each database row.

    Entrants whose labels are the same, two versions of one bot, are told apart by their versions.
    """
    entrants = {row: entrant for row, entrant in store.entrants().items() if row in used}
    rows = sorted(entrants, key=lambda row: entrants[row].key)
    labels = unique_labels(entrants[row] for row in rows)
    infos = tuple(_info(entrants[row], labels[entrants[row].key]) for row in rows)
    return infos, {row: place for place, row in enumerate(rows)}


def _info(entrant: Entrant, label: str) -> EntrantInfo:
    return EntrantInfo(label, entrant.bot, entrant.version, entrant.options)


def _padded(parts: list[NDArray[Any]], width: int, filler: float) -> NDArray[Any]:
    """Stacks [M, P] columns of different P to one of that width."""
    return np.concatenate([np.pad(p, ((0, 0), (0, width - p.shape[1])), constant_values=filler) for p in parts])


def _offset(parts: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Stacks numberings that each begin at 0, so that no two parts share a number."""
    start, shifted = 0, []
    for part in parts:
        shifted.append(part + start)
        start += int(part.max()) + 1
    return np.concatenate(shifted)


def table_of(store: Store, parts: list[Columns]) -> ResultsTable:
    """Makes the results table of matches, of which there are some, under one or more sets of conditions of one game."""
    filled = [part for part in parts if part.ids]
    used = {int(row) for part in filled for row in np.unique(part.lineups)}
    infos, places = _infos(store, used)
    to_place = np.full(max(used) + 1, -1, np.int32)
    to_place[list(places)] = list(places.values())
    width = max(part.conditions.players for part in filled)
    labels = {row: infos[place].label for row, place in places.items()}
    return ResultsTable(
        game=filled[0].conditions.game.name,
        entrants=infos,
        match_ids=np.array([match.hex() for part in filled for match in part.ids]),
        deals=_offset([part.deals for part in filled]),
        blocks=_offset([block_numbers(part) for part in filled]),
        num_seats=np.concatenate([np.full(len(part.ids), part.conditions.players, np.int8) for part in filled]),
        lineups=_padded([to_place[part.lineups] for part in filled], width, -1),
        ranks=_padded([part.ranks for part in filled], width, 0),
        scores=_padded([part.scores.astype(np.float64) for part in filled], width, np.nan),
        faults=_padded([part.faults for part in filled], width, 0),
        think_ms=_padded([part.think_ms.astype(np.float64) for part in filled], width, np.nan),
        notes=_sandbox_notes(store, filled, labels),
    )


def _sandbox_notes(store: Store, parts: list[Columns], labels: dict[int, str]) -> tuple[str, ...]:
    """Says at which level of the sandbox each submitted bot was fenced in, in the matches shown; nothing of none."""
    shown: dict[bytes, set[bytes]] = {}
    for part in parts:
        shown.setdefault(part.conditions.key, set()).update(part.ids)
    totals: dict[int, Counter[str]] = {}
    for row, conditions in store.conditions(parts[0].conditions.game.name).items():
        if conditions.key in shown:
            for entrant, levels in store.accounts.levels(row, shown[conditions.key]).items():
                totals.setdefault(entrant, Counter()).update(levels)
    said = [f"{labels[row]} {_levels_text(totals[row])}" for row in sorted(totals) if row in labels]
    return (f"sandbox of submitted bots: {', '.join(said)}",) if said else ()


def _levels_text(levels: "Counter[str]") -> str:
    if len(levels) == 1:
        return next(iter(levels))
    return " and ".join(f"{level} in {count} matches" for level, count in sorted(levels.items()))


def load_run(store: Store, run: Run) -> tuple[ResultsTable, str]:
    """Returns a run's results and its digest.

    Raises:
        UsageError: no whole block of it is stored yet.
    """
    columns = of_run(store, run)
    if not columns.ids:
        raise UsageError(
            f"{store.path}: no whole block of run {run.name!r} is stored yet; `arena resume {run.name}` plays it"
        )
    return table_of(store, [columns]), digest(columns)
