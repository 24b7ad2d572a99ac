"""What `arena status` shows of a run."""

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from arena.cli.terminal import data, show
from arena.core.record import FAULT_CLASSES
from arena.core.spec import unique_labels
from arena.core.wording import counted
from arena.schedule.plan import make_plan

MOST_FAILURES = 20  # failed attempts that are shown, the last ones

if TYPE_CHECKING:
    from arena.store.store import Run, Store


def describe(store: "Store", run: "Run") -> dict[str, Any]:
    """Returns a run's state: matches planned, done and pending, failures, and the shares of bots and workers."""
    from leaderboards.from_store import of_run

    plan = make_plan(run.conditions, list(run.entrants), run.deals)
    done_ids = store.done(run.conditions)
    # Runs may share matches and conditions: what is counted here is what this one's plan lists.
    own = {match for block in plan.blocks() for spec in block.matches if (match := bytes.fromhex(spec.id)) in done_ids}
    done = len(own)
    failures = store.failures(run.name)
    driver = store.driver(run.name)
    whole = of_run(store, run)
    entrants = store.entrants()
    unique = unique_labels(run.entrants)
    labels = {row: unique.get(entrant.key, entrant.label) for row, entrant in entrants.items()}
    levels = store.accounts.levels(_condition(store, run), own)
    return {
        "run": run.name,
        "game": run.conditions.game.name,
        "players": run.conditions.players,
        "seed": str(run.conditions.run_seed),
        "deals": run.deals,
        "matches": {"planned": plan.num_matches, "done": done, "pending": plan.num_matches - done},
        "whole_blocks": len(whole.ids) // plan.matches_per_block,
        "failed_attempts": len(failures),
        "failures": [f._asdict() for f in failures[-MOST_FAILURES:]],
        "driver": None if driver is None else {"host": driver[0], "pid": driver[1]},
        "bots": _by_bot(whole.lineups, whole.faults, labels),
        "sandbox": {labels[row]: levels[row] for row in sorted(levels) if entrants[row].key in unique},
        "workers": store.workers(run.conditions, own),
    }


def _condition(store: "Store", run: "Run") -> int:
    """Returns the row of a run's conditions."""
    keys = {conditions.key: row for row, conditions in store.conditions(run.conditions.game.name).items()}
    return keys[run.conditions.key]


def _by_bot(lineups: Any, faults: Any, labels: dict[int, str]) -> list[dict[str, Any]]:
    """Returns for each entrant its matches in whole blocks and its faults by class."""
    rows = []
    for number in np.unique(lineups).tolist():
        codes = Counter(faults[lineups == number].tolist())
        kinds = {FAULT_CLASSES[code - 1]: count for code, count in sorted(codes.items()) if code}
        rows.append({"entrant": labels[number], "matches": int((lineups == number).sum()), "faults": kinds})
    return sorted(rows, key=lambda row: str(row["entrant"]))


def print_status(found: dict[str, Any]) -> None:
    """Prints a run's state for people."""
    from rich.table import Table
    from rich.text import Text

    from leaderboards.report.names import safe_name

    matches = found["matches"]
    data(f"run {safe_name(found['run'])}: {found['game']}, {found['players']} seats, {counted(found['deals'], 'deal')}")
    data(f"seed {found['seed']}")
    data(f"{matches['done']} of {matches['planned']} matches done, {matches['pending']} pending")
    data(f"{counted(found['whole_blocks'], 'whole block')}, {counted(found['failed_attempts'], 'failed attempt')}")
    for failure in found["failures"]:
        where = f"match {failure['match']}, attempt {failure['attempt']} on {safe_name(failure['worker'])}"
        data(f"failed: {where}: {safe_name(failure['reason'])}")
    if found["driver"]:
        data(f"driven by process {found['driver']['pid']} on {found['driver']['host']}")
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for heading in ("bot", "matches", "faults"):
        table.add_column(heading)
    for row in found["bots"]:
        faults = ", ".join(f"{kind} {count}" for kind, count in row["faults"].items()) or "-"
        table.add_row(Text(safe_name(row["entrant"])), Text(str(row["matches"])), Text(faults))
    show(table)
    for label, levels in found["sandbox"].items():
        played = ", ".join(f"{level} in {counted(count, 'match', 'matches')}" for level, count in levels.items())
        data(f"sandbox of {safe_name(label)}: {played}")
    for worker, count in found["workers"].items():
        data(f"worker {worker}: {counted(count, 'match', 'matches')}")
