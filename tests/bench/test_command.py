"""The command `arena bench`, as a user runs it."""

import json
import subprocess
import sys
from collections.abc import Callable

from arena.bench import registry

Runner = Callable[..., subprocess.CompletedProcess[str]]

# What a process without the extra does: the import fails as it would there.
WITHOUT_OPENSPIEL = """
import sys
sys.modules["pyspiel"] = None
from arena.cli.main import main
main(sys.argv[1:])
"""


def test_lists_every_benchmark_without_measuring(run_python: Runner) -> None:
    listed = json.loads(run_python("-m", "arena", "bench", "--list", "--json").stdout)
    assert listed["schema"] == "arena/bench/1"
    assert [each["name"] for each in listed["benchmarks"]] == [each.name for each in registry.ALL]
    goals = {each["name"]: each["goal"] for each in listed["benchmarks"]}
    assert goals["playouts-ninjan"]["text"] == "at least 10 times"
    assert goals["start-help"] == {"at_least": None, "at_most": 0.4, "of_ratio": False, "text": "at most 0.4 s"}


def test_measures_what_is_named_and_says_so_in_json(run_python: Runner) -> None:
    done = run_python("-m", "arena", "bench", "search-node", "playouts-pvn", "--quick", "--json")
    report = json.loads(done.stdout)
    assert (report["schema"], report["quick"]) == ("arena/bench/1", True)
    assert report["machine"]["cores"] > 0
    playouts, node = report["benchmarks"]
    assert [playouts["name"], node["name"]] == ["playouts-pvn", "search-node"]
    assert playouts["ours"]["low"] <= playouts["ours"]["median"] <= playouts["ours"]["high"]
    assert playouts["peers"] is None and playouts["ratio"] is None
    assert playouts["details"]["plies each"] > 20
    assert node["holds"] is True
    assert "measuring playouts-pvn" in done.stderr


def test_prints_a_table_for_people(run_python: Runner) -> None:
    printed = run_python("-m", "arena", "bench", "search-node", "--quick").stdout
    assert "search-node  64 bytes" in printed
    assert "at most 64 bytes" in printed
    assert "holds" in printed


def test_an_unknown_name_is_wrong_usage_and_names_the_nearest(run_python: Runner) -> None:
    done = run_python("-m", "arena", "bench", "playouts-ninjam", check=False)
    assert done.returncode == 2
    assert "playouts-ninjan" in done.stderr.splitlines()[-1]


def test_a_missing_peer_that_was_asked_for_names_the_extra(run_python: Runner) -> None:
    done = run_python("-c", WITHOUT_OPENSPIEL, "bench", "playouts-connect_four", "--quick", check=False)
    assert done.returncode == 3
    assert "bot-arena[openspiel]" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_missing_peer_that_was_not_asked_for_is_said_in_its_column(run_python: Runner) -> None:
    printed = run_python("-c", WITHOUT_OPENSPIEL, "bench", "playouts", "--quick").stdout
    line = next(line for line in printed.splitlines() if line.startswith("playouts-connect_four"))
    assert "not installed" in line
    assert "not judged" in line


def test_the_command_is_light_until_it_runs() -> None:
    heavy = "import sys, arena.cli.bench; print(sorted({'numpy', 'numba', 'ray', 'pyspiel'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", heavy], capture_output=True, text=True, check=True).stdout == "[]\n"
