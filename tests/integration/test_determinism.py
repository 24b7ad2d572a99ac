"""One digest for a run, however and wherever it is played, interrupted and resumed (design.md, rule 6)."""

import random
import signal

import pytest

ENTRANTS = ("random", "greedy", "random#2")
DEALS = 600
NUM_MATCHES = DEALS * 6  # three pairs in two seatings each
SETTINGS = ("--deals", str(DEALS), "--seed", "20", "--name", "one")
RUN = ("run", "ninjan", *ENTRANTS, *SETTINGS)
ROWS = "SELECT hex(id), scores, ranks, faults, actions, attempt, finished FROM matches ORDER BY id"


DISTURBING = """
import random
import numpy
from arena.core.spec import Conditions, GameRef, Limits, MatchSpec
from arena.executors.base import Task, WorkQueue
from arena.executors.ray import RayExecutor
from arena.games import load_game
from arena.hosts.roster import parse_entrant

random.seed(5)
numpy.random.seed(5)
before = random.getstate(), numpy.random.get_state()


def compare():
    now = random.getstate(), numpy.random.get_state()
    print(repr(now) == repr(before))


executor = RayExecutor(1)
compare()
conditions = Conditions(GameRef("connect_four", load_game("connect_four").version, {"opening": 2}), 2, Limits(), 1)
lineup = (parse_entrant("random"), parse_entrant("random#2"))
list(executor.run(WorkQueue(Task(MatchSpec(conditions, deal, deal, lineup), 1) for deal in range(9))))
compare()
executor.close()
compare()
"""


@pytest.fixture(scope="module")
def alone(programs, tmp_path_factory):
    """The run played inline without interruption."""
    program = programs.Program(tmp_path_factory.mktemp("alone"))
    program(*RUN, "--executor", "inline")
    return program


@pytest.fixture(scope="module")
def expected(alone):
    """The digest of the uninterrupted run."""
    digest = alone("digest", "one").out.strip()
    assert len(digest) == 32
    return digest


def results(program):
    """Returns what is stored of each match, in order of id, without when and by which attempt."""
    return [row[:5] for row in program.rows(ROWS)]


def test_every_match_is_stored_once_in_canonical_form(alone):
    assert len({row[0] for row in results(alone)}) == alone.num_stored() == NUM_MATCHES


@pytest.mark.parametrize("size", [1, 7])
def test_batch_size_changes_nothing(arena, alone, expected, size):
    arena.script(
        "import sys, arena.executors.base as base; base.FIRST_BATCH = base.MAX_BATCH = int(sys.argv[1])\n"
        "from arena.cli.main import main; main(sys.argv[2:])",
        *(str(size), *RUN, "--executor", "inline"),
    )
    assert arena("digest").out.strip() == expected
    assert results(arena) == results(alone)


@pytest.mark.parametrize("workers", [1, 2])
def test_ray_gives_the_same_digest(arena, alone, expected, workers):
    # An address in the environment is for whoever asks for it: a cluster of our own is started all the same.
    done = arena(*RUN, "--workers", str(workers), "--json", env={"RAY_ADDRESS": "127.0.0.1:1"})
    assert done.json["digest"] == expected
    assert results(arena) == results(alone)
    assert all(line.startswith("arena: ") for line in done.err.splitlines()), done.err
    names = {name for (name,) in arena.rows("SELECT DISTINCT worker FROM matches")}
    assert names == {f"ray-{number}" for number in range(workers)}


def test_order_of_entrants_changes_nothing(arena, expected):
    arena("run", "ninjan", *reversed(ENTRANTS), *SETTINGS, "--executor", "inline")
    assert arena("digest").out.strip() == expected


def test_killed_at_random_points_and_resumed(arena, alone, expected):
    points = sorted(random.Random(793).sample(range(1, NUM_MATCHES * 3 // 4), 20)[::4])
    kills = 0
    for point in points:
        if arena.num_stored() >= point:
            continue  # a batch has carried the run beyond it
        process = arena.start(*RUN, "--executor", "inline")
        arena.wait_for_matches(process, point)
        process.kill()
        process.communicate()
        assert process.returncode == -signal.SIGKILL
        kills += 1
        # A board of what there is can be read at any time, and counts whole blocks alone.
        assert arena("leaderboard", "--json").json["matches"] <= arena.num_stored()
    assert kills >= 3
    done = arena("resume", "one", "--executor", "inline")
    assert f"{NUM_MATCHES}/{NUM_MATCHES} matches" in done.err
    assert arena("digest").out.strip() == expected
    assert results(arena) == results(alone)
    assert arena("status", "--json").json["failed_attempts"] == 0


def test_more_bots_and_deals_leave_what_was_played(arena, programs, tmp_path_factory):
    seed = ("--seed", "20", "--name", "grown", "--executor", "inline")
    arena("run", "ninjan", "random", "greedy", "--deals", "5", *seed)
    before = arena.rows(ROWS)
    done = arena("run", "ninjan", "greedy", "random", "random#2", "--deals", "9", *seed)
    after = {row[0]: row for row in arena.rows(ROWS)}
    assert len(before) == 10 and len(after) == 54
    assert "54/54 matches" in done.err
    # Not only equal: the very rows, with the time at which they were stored.
    assert [after[row[0]] for row in before] == before
    fresh = programs.Program(tmp_path_factory.mktemp("fresh"))
    fresh("run", "ninjan", "random", "greedy", "random#2", "--deals", "9", *seed)
    assert results(fresh) == results(arena)
    assert fresh("digest").out == arena("digest").out


def test_given_again_it_plays_nothing(arena):
    command = ("run", "connect_four", "random", "greedy", "--deals", "3", "--executor", "inline")
    arena(*command)
    before = arena.rows(ROWS)
    done = arena(*command)
    assert "all 6 matches are stored already" in done.err
    assert arena.rows(ROWS) == before


def test_runs_share_a_database_and_each_keeps_its_digest(arena, expected):
    arena(*RUN, "--executor", "inline")
    arena("run", "ninjan", "random", "flat", "--deals", "2", "--seed", "20", "--name", "other", "--executor", "inline")
    arena("run", "ninjan", *ENTRANTS, "--deals", "3", "--seed", "21", "--name", "third", "--executor", "inline")
    assert arena("digest", "one").out.strip() == expected


def test_starting_ray_is_not_noticed_by_the_global_generators(arena):
    done = arena.script(DISTURBING)
    assert done.out.split() == ["True"] * 3
