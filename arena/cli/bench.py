"""arena bench: the project's own speeds beside its peers'."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.common import Json, interruptible
from arena.cli.examples import examples
from arena.cli.terminal import data, json_data, say, show
from arena.errors import Interrupted

if TYPE_CHECKING:
    from arena.bench.model import Benchmark, Figures

BenchmarkNames = Annotated[
    list[str] | None, typer.Argument(metavar="[NAME...]", help="Benchmarks or groups of them, as in search; else all.")
]
IsList = Annotated[bool, typer.Option("--list", help="List what can be measured, and measure nothing.")]
IsQuick = Annotated[bool, typer.Option("--quick", help="Spend a minute at most: noisier figures.")]


def add_to(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("bench", epilog=examples("arena bench playouts search-pvn"))(bench)


def bench(
    names: BenchmarkNames = None, is_list: IsList = False, is_quick: IsQuick = False, as_json: Json = False
) -> None:
    """Measure the arena's speeds beside its peers' and the goals; see docs/benchmarks.md for the method."""
    from arena.bench import report
    from arena.bench.peers import require_openspiel
    from arena.bench.registry import find

    chosen = find(names or ())
    if is_list:
        if as_json:
            return json_data("bench", benchmarks=[report.describe(each) for each in chosen])
        return show(report.list_table(chosen))
    for each in chosen:
        if each.extra and each.name in (names or ()):
            require_openspiel(each.name)
    machine = report.machine()
    results: list[Figures] = []
    try:
        with interruptible(lambda: f"{len(results)} of {len(chosen)} benchmarks were measured, and nothing is stored"):
            for each in chosen:
                results.append(_measured(each, is_quick))
    except Interrupted:
        if results and not as_json:
            _print(results, machine, is_quick)
        raise
    if as_json:
        rows = [report.as_values(figures) for figures in results]
        return json_data("bench", quick=is_quick, machine=machine, benchmarks=rows)
    return _print(results, machine, is_quick)


def _print(results: "list[Figures]", machine: dict[str, Any], is_quick: bool) -> None:
    from arena.bench import report

    show(report.result_table(results))
    data("\n".join(["", *report.detail_lines(results), ""]))
    data(f"{machine['processor']}, {machine['cores']} cores, {'quick run' if is_quick else 'full run'}")


def _measured(benchmark: "Benchmark", is_quick: bool) -> "Figures":
    from arena.bench.model import FULL, QUICK, Figures

    say(f"measuring {benchmark.name}: {benchmark.title}")
    return Figures(benchmark, benchmark.measure(QUICK if is_quick else FULL))
