"""All results of a game together, and under which different conditions they came about."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from arena.core.options import option_text
from arena.core.spec import Conditions, Limits
from arena.errors import UnknownName
from arena.store.store import Store
from leaderboards.board import Leaderboard, Pooled
from leaderboards.from_store import Columns, read_columns, table_of, whole_blocks
from leaderboards.ratings.model import Model
from leaderboards.standings import standings

MOST_NAMES = 3  # runs of one kind of conditions that the note names


def game_board(store: Store, game: str, model: Model | str) -> Leaderboard:
    """Makes the board of all whole blocks of a game, whatever run they were played for.

    Where they were played by different limits, options or versions of the game, the board says so.

    Raises:
        UnknownName: there are none, or there is no such model.
    """
    found = [(row, conditions) for row, conditions in store.conditions(game).items()]
    parts = [part for row, conditions in found if (part := whole_blocks(read_columns(store, row, conditions))).ids]
    if not parts:
        raise UnknownName(f"{store.path}: no whole block of {game} is stored here; {_where_to_look(store, game)}")
    board = standings(table_of(store, parts), model=model)
    pooled = _pooled(store, parts)
    if len(pooled) < 2:
        return board
    return msgspec.structs.replace(board, notes=[*board.notes, _note(pooled)], pooled=pooled)


def _where_to_look(store: Store, game: str) -> str:
    """Says which games have results, if any do."""
    others = sorted({conditions.game.name for conditions in store.conditions().values()} - {game})
    hint = f"there are runs of {', '.join(others)}; " if others else ""
    return f"{hint}`arena run {game} BOT BOT` plays some"


def _pooled(store: Store, parts: Sequence[Columns]) -> list[Pooled]:
    """Returns the different conditions of some matches, the ones with most matches first."""
    kinds: dict[bytes, list[Columns]] = {}
    for part in parts:
        kinds.setdefault(part.conditions.match_prefix, []).append(part)
    runs = store.runs()
    found = []
    for kind in kinds.values():
        keys = {part.conditions.key for part in kind}
        names = sorted(run.name for run in runs if run.conditions.key in keys)
        found.append(_entry(kind[0].conditions, names, sum(len(part.ids) for part in kind)))
    return sorted(found, key=lambda each: (-each.matches, each.runs))


def _entry(conditions: Conditions, runs: list[str], matches: int) -> Pooled:
    game = conditions.game
    return Pooled(runs, matches, game.version, game.options, msgspec.structs.asdict(conditions.limits))


def _note(pooled: Sequence[Pooled]) -> str:
    """Says what differs among the conditions, and in which runs."""
    shown = [f"{_what_differs(each, pooled)} in {_names(each.runs)}" for each in pooled]
    return f"pooled are matches under different conditions: {'; '.join(shown)}; --run NAME shows one run alone"


def _what_differs(one: Pooled, pooled: Iterable[Pooled]) -> str:
    """Returns those parts of some conditions in which the others are not all the same."""
    every = list(pooled)
    parts = []
    if any(each.limits != one.limits for each in every):
        parts.append(limits_text(Limits(**one.limits)))
    if any(each.version != one.version for each in every):
        parts.append(f"rules of version {one.version}")
    names = {name for each in every for name in each.options}
    for name in sorted(names):
        if any(each.options.get(name) != one.options.get(name) for each in every):
            parts.append(f"{name}={_short(one.options.get(name))}")
    return ", ".join(parts)


def limits_text(limits: Limits) -> str:
    """Returns limits in words: `move 1 s, bank 30 s, 512 MB`, or `no limit`."""
    seconds = (("start", limits.start_s), ("move", limits.move_s), ("bank", limits.bank_s))
    parts = [f"{name} {value:g} s" for name, value in seconds if value is not None]
    if limits.memory_mb is not None:
        parts.append(f"{limits.memory_mb} MB")
    return ", ".join(parts) or "no limit"


def _short(value: Any) -> str:
    text = option_text(value)
    return text if len(text) <= 24 else text[:21] + "..."


def _names(runs: Sequence[str]) -> str:
    more = f" and {len(runs) - MOST_NAMES} more" if len(runs) > MOST_NAMES else ""
    return ", ".join(runs[:MOST_NAMES]) + more
