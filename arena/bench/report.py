"""What a run of benchmarks is shown as: a table for people, plain values for programs."""

import os
import platform
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from arena.bench.model import Benchmark, Figures, Goal, Spread

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

PACKAGES = ("numba", "numpy", "ray", "open_spiel")
NOT_INSTALLED = "not installed"


def number(value: float) -> str:
    """Returns a figure with three digits or so, thousands parted by commas."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def with_unit(value: float, unit: str) -> str:
    """Returns a figure with its unit: `1,750,000/s`, `7.2 µs`."""
    return number(value) + (unit if unit.startswith("/") else f" {unit}")


def goal_text(goal: Goal, unit: str) -> str:
    """Returns a goal in words: `at least 10 times`, `at most 60 s`."""
    bound, value = ("at least", goal.at_least) if goal.at_least is not None else ("at most", goal.at_most)
    assert value is not None
    return f"{bound} {number(value)} times" if goal.of_ratio else f"{bound} {with_unit(value, unit)}"


def verdict(figures: Figures) -> str:
    """Returns whether the goal holds, in a word."""
    if figures.benchmark.goal is None:
        return ""
    return {True: "holds", False: "FALLS SHORT", None: "not judged"}[figures.holds]


def _range(values: Spread | None) -> str:
    return "" if values is None else f"{number(values.median)} ({number(values.low)}..{number(values.high)})"


def _peer(figures: Figures) -> str:
    if figures.benchmark.peer is None:
        return ""
    return with_unit(figures.peer.median, figures.benchmark.unit) if figures.peer else NOT_INSTALLED


def result_table(results: "Sequence[Figures]") -> "Table":
    """Returns the table of a run: medians, and ratios with their least and greatest."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for heading in ("benchmark", "ours", "peer", "ratio", "goal", ""):
        is_figure = heading in ("ours", "peer")
        # What is looked for stays whole in a narrow terminal; ranges and goals may fold.
        table.add_column(heading, justify="right" if is_figure else "left", no_wrap=is_figure or heading == "benchmark")
    for figures in results:
        benchmark = figures.benchmark
        goal = goal_text(benchmark.goal, benchmark.unit) if benchmark.goal else ""
        ours = with_unit(figures.ours.median, benchmark.unit)
        style = "red" if figures.holds is False else ""
        cells = (benchmark.name, ours, _peer(figures), _range(figures.ratio), goal)
        table.add_row(*map(Text, cells), Text(verdict(figures), style=style))
    return table


def detail_lines(results: "Sequence[Figures]") -> list[str]:
    """Returns a line for each benchmark that has more to say."""
    return [
        f"{figures.benchmark.name}: {'; '.join(f'{name} {number(value)}' for name, value in details.items())}"
        for figures in results
        if (details := figures.measurement.details)
    ]


def list_table(benchmarks: "Sequence[Benchmark]") -> "Table":
    """Returns the table of what can be measured."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for heading in ("benchmark", "what", "peer", "goal"):
        table.add_column(heading)
    for each in benchmarks:
        goal = goal_text(each.goal, each.unit) if each.goal else ""
        table.add_row(*map(Text, (each.name, each.title, each.peer or "", goal)))
    return table


def describe(benchmark: Benchmark) -> dict[str, Any]:
    """Returns a benchmark as plain values."""
    goal = benchmark.goal
    return {
        "name": benchmark.name,
        "title": benchmark.title,
        "unit": benchmark.unit,
        "peer": benchmark.peer,
        "extra": benchmark.extra,
        "goal": msgspec.to_builtins(goal) | {"text": goal_text(goal, benchmark.unit)} if goal else None,
    }


def as_values(figures: Figures) -> dict[str, Any]:
    """Returns a benchmark and what it measured as plain values."""
    measured = figures.measurement
    spreads = {"ours": figures.ours, "peers": figures.peer, "ratio": figures.ratio}
    return {
        **describe(figures.benchmark),
        **{name: msgspec.to_builtins(each) for name, each in spreads.items()},
        "samples": list(measured.ours),
        "peers_samples": list(measured.peer),
        "details": dict(measured.details),
        "holds": figures.holds,
    }


def machine() -> dict[str, Any]:
    """Returns what figures depend on: processor, cores, versions, and how busy the machine was just now."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "packages": {name: _version(name) for name in PACKAGES},
        "load": round(os.getloadavg()[0], 2),
    }


def _processor() -> str:
    """Returns the processor's name; Python knows it on no Linux, the kernel does."""
    facts = Path("/proc/cpuinfo")
    lines = facts.read_text(encoding="utf-8").splitlines() if facts.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or platform.machine()


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return NOT_INSTALLED
