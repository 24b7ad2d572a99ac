"""What each command imports: those that only look something up stay light (design.md, section 2)."""

import json
import resource

import pytest

SPY = (
    "import json, sys\n"
    "from arena.cli.main import main\n"
    "try: main(sys.argv[1:])\n"
    "except SystemExit: pass\n"
    "heavy = [name for name in ('numba', 'ray', 'numpy', 'rich', 'sqlite3') if name in sys.modules]\n"
    "print('HEAVY', json.dumps(heavy))"
)
HELP_S = 0.4


def imported(program, *arguments):
    """Returns which heavy modules a command has imported by its end."""
    done = program.script(SPY, *arguments)
    return set(json.loads(done.out.split("HEAVY")[1]))


@pytest.mark.parametrize("arguments", [("--help",), ("-h",), ("run", "--help"), ("--version",)], ids=" ".join)
def test_help_imports_nothing_heavy(arena, arguments):
    assert not imported(arena, *arguments) & {"numba", "ray", "numpy", "rich", "sqlite3"}


@pytest.mark.parametrize("what", ["games", "bots"])
@pytest.mark.parametrize("form", [(), ("--json",)], ids=["text", "json"])
def test_lists_import_neither_numba_nor_ray(arena, what, form):
    assert not imported(arena, what, "list", *form) & {"numba", "ray"}


@pytest.mark.parametrize(
    "arguments",
    [("leaderboard",), ("leaderboard", "ninjan", "--json"), ("digest",), ("status", "--json"), ("runs",)],
    ids=" ".join,
)
def test_reading_results_imports_neither_numba_nor_ray(played, arguments):
    assert not imported(played, *arguments) & {"numba", "ray"}


def test_completion_imports_neither_numba_nor_ray(arena):
    done = arena.script(
        "import sys\nfrom arena.cli.common import complete_bot, complete_game\ncomplete_bot('r'); complete_game('n')\n"
        "print(sorted({'numba', 'ray', 'numpy'} & set(sys.modules)))"
    )
    assert done.out.strip() == "[]"


def test_help_is_quick(arena):
    times = []
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        arena("--help")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    # The processor's time, not the clock's: other tests run beside this one, and it waits for nothing else.
    assert min(times) < HELP_S, times
