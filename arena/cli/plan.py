"""arena run --dry-run: what a plan would play, and how long it would take."""

import os
from typing import TYPE_CHECKING

from arena.cli.terminal import data, json_data
from arena.core.spec import unique_labels
from arena.core.wording import counted, duration
from arena.executors.base import Task, hosts_of, make_batch, play_batch, warm_up

if TYPE_CHECKING:
    from arena.cli.config import Request
    from arena.hosts.bundle_host import Kit
    from arena.schedule.plan import Plan

SAMPLE_S = 0.5  # seconds of play that the estimate is made from


def print_plan(name: str, plan: "Plan", request: "Request", kit: "Kit", *, as_json: bool) -> None:
    """Prints what a run would play, how often each pair meets and each entrant sits, and an estimate of the time."""
    seconds = _estimate_s(plan, request, kit)
    from leaderboards.report.names import safe_name

    labels = list(unique_labels(plan.entrants).values())
    counts = plan.pair_counts().items()
    pairs = {(min(labels[a], labels[b]), max(labels[a], labels[b])): count for (a, b), count in counts}
    matches = dict(sorted((labels[number], count) for number, count in plan.entrant_counts().items()))
    seats = plan.conditions.players
    if as_json:
        json_data(
            "plan",
            run=name,
            game=plan.conditions.game.name,
            players=seats,
            deals=plan.deals,
            is_complete=plan.is_complete,
            blocks=plan.num_blocks,
            matches=plan.num_matches,
            estimated_s=round(seconds, 3),
            entrants=[{"entrant": e, "matches": n, "matches_per_seat": n // seats} for e, n in matches.items()],
            pairs=[{"a": a, "b": b, "matches": count} for (a, b), count in sorted(pairs.items())],
        )
        return
    kind = "every set of entrants" if plan.is_complete else "a balanced part of the sets of entrants"
    data(f"run {safe_name(name)}: {plan.conditions.game.name}, {seats} seats, round robin, {kind}")
    blocks = f"{counted(plan.num_blocks, 'block')} of {plan.matches_per_block} seatings"
    data(f"{counted(plan.deals, 'deal')}, {blocks}, {_matches(plan.num_matches)}")
    about = "" if seconds < 1 else "about "
    data(f"{about}{duration(seconds)} on {counted(_num_workers(request), 'worker')}")
    for label, count in matches.items():
        data(f"{safe_name(label)}: {_matches(count)}, {count // seats} in each seat")
    for (first, second), count in sorted(pairs.items()):
        data(f"{safe_name(first)} - {safe_name(second)}: {_matches(count)}")


def _matches(count: int) -> str:
    return counted(count, "match", "matches")


def _num_workers(request: "Request") -> int:
    return 1 if request.executor == "inline" else request.workers or os.cpu_count() or 1


def _estimate_s(plan: "Plan", request: "Request", kit: "Kit") -> float:
    """Returns the seconds that a plan may take, from playing its first blocks here for a moment."""
    warm_up(plan.conditions, plan.entrants)
    hosts = hosts_of(kit)
    seconds, matches = 0.0, 0
    for block in plan.blocks():
        seconds += play_batch(make_batch([Task(spec, 1) for spec in block.matches]), hosts).seconds
        matches += len(block.matches)
        if seconds > SAMPLE_S:
            break
    return plan.num_matches * seconds / matches / _num_workers(request)
