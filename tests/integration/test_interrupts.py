"""Ctrl-C once and twice, kill -9 of the driver and of a worker: what is stored, what is said, what is left behind."""

import os
import signal
import subprocess

import pexpect
import pytest

LONG = ("run", "ninjan", "random", "greedy", "random#2", "--deals", "4000", "--seed", "3", "--name", "long")
NUM_LONG = 24_000


@pytest.fixture
def remains(programs):
    """What a test has started; it fails unless all of it, and every file that Ray made, is gone in the end."""
    found = programs.Remains()
    yield found
    assert found.processes and found.folders
    programs.wait_until(lambda: not found.left(), f"all of {found.processes} and {found.folders} is gone", 20)


def test_kill_of_the_driver_leaves_no_process_and_no_file(arena, programs, remains):
    process = arena.start(*LONG, "--workers", "2")
    arena.wait_for_matches(process, 50)
    remains.note(process.pid)
    assert sum("ray" in programs.title(each) for each in remains.processes) >= 4
    process.kill()
    process.communicate()
    status = arena("status", "--json").json
    assert status["driver"] is None
    assert status["matches"]["done"] == arena.num_stored() >= 50


def test_interrupted_once_it_stores_what_is_in_flight(arena, programs, remains):
    # In a terminal Ctrl-C reaches Ray's processes, too: they are of the same group, and must go on.
    child = pexpect.spawn(
        arena.command[0], [*arena.command[1:], *LONG, "--workers", "2"], env=arena.env, cwd=arena.folder,
        encoding="utf-8", timeout=programs.PATIENCE_S, dimensions=(24, 100),
    )  # fmt: skip
    child.expect("matches/s|/s,")
    remains.note(child.pid)
    child.sendintr()
    child.expect("stopping after the matches in flight; press Ctrl-C again to stop at once")
    child.expect(r"interrupted; `arena resume long --workers 2` goes on")
    child.expect(pexpect.EOF)
    child.close()
    assert (child.exitstatus, child.signalstatus) == (130, None)
    status = arena("status", "--json").json
    assert 0 < status["matches"]["done"] < NUM_LONG
    assert status["failed_attempts"] == 0
    assert arena("digest").out.strip()


def test_interrupted_twice_it_stops_at_once(arena, programs, remains):
    process = arena.start(*LONG, "--workers", "2")
    arena.wait_for_matches(process, 50)

    def both_workers():
        remains.note(process.pid)
        found = {each.pid: each for each in remains.processes if "_Worker" in programs.title(each)}
        return list(found.values()) if len(found) == 2 else None

    # The workers are stopped first, so that the first Ctrl-C cannot end the run: the second has to.
    workers = programs.wait_until(both_workers, "both workers are there")
    for worker in workers:
        worker.suspend()
    process.send_signal(signal.SIGINT)
    assert b"stopping after" in _read_until(process, b"at once\n", programs)
    process.send_signal(signal.SIGINT)
    done = programs.finish(process)
    assert done.code == 130
    assert done.complaint == "stopped at once; `arena resume long --workers 2` goes on"


def _read_until(process, mark, programs, stream="stderr"):
    """Reads a stream up to a mark, and what has come by then."""
    pipe = getattr(process, stream)
    os.set_blocking(pipe.fileno(), False)
    read = bytearray()

    def is_there():
        read.extend(pipe.read() or b"")
        return mark in read

    programs.wait_until(is_there, f"{mark!r} is said")
    os.set_blocking(pipe.fileno(), True)
    return bytes(read)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_inline(arena, number):
    process = arena.start(*LONG, "--executor", "inline")
    arena.wait_for_matches(process, 50)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.decode().splitlines()[-1] == "arena: interrupted; `arena resume long --executor inline` goes on"
    assert out == b""
    assert 50 <= arena.num_stored() < NUM_LONG


def test_resume_line_names_the_database_and_quotes_the_run(arena):
    command = [*LONG[:-1], "my run", "--db", "elsewhere.db", "--executor", "inline"]
    process = arena.start(*command)
    arena.db = arena.folder / "elsewhere.db"
    arena.wait_for_matches(process, 50)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert err.decode().splitlines()[-1].endswith("`arena resume 'my run' --executor inline --db elsewhere.db` goes on")


def test_killed_worker_is_replaced_and_its_matches_played_again(arena, programs, remains):
    settings = ("--deals", "1000", "--seed", "5", "--name", "hurt")
    process = arena.start("run", "ninjan", "random", "greedy", *settings, "--workers", "2", "--json")
    arena.wait_for_matches(process, 100)
    remains.note(process.pid)
    next(each for each in remains.processes if "_Worker" in programs.title(each)).kill()
    done = programs.finish(process)
    assert done.code == 0, done.err
    status = arena("status", "--json").json
    assert status["matches"] == {"planned": 2000, "done": 2000, "pending": 0}
    assert status["failed_attempts"] > 0
    assert {failure["attempt"] for failure in status["failures"]} == {1}
    assert "was lost" in status["failures"][0]["reason"]
    assert status["failures"][0]["worker"].startswith("ray-")
    shown = arena("status").out
    assert f"{status['failed_attempts']} failed attempts" in shown
    assert f"failed: match {status['failures'][0]['match']}, attempt 1 on ray-" in shown
    assert arena.rows("SELECT count(*) FROM matches WHERE attempt = 2")[0][0] == status["failed_attempts"]
    alone = programs.Program(arena.folder / "alone")
    alone.folder.mkdir()
    alone("run", "ninjan", "random", "greedy", *settings, "--executor", "inline")
    assert alone("digest").out.strip() == done.json["digest"]


FIRST = """
import arena


class First(arena.Bot):
    "Plays the first of the legal actions."

    def act(self, view):
        return view.legal[0]
"""
SLOW = "mcts:simulations=20000"
STOPPED = {
    "matches": (
        ("match", "ninjan", SLOW, "first.py", "-n", "500", "--records", "kept", "--seed", "1"),
        ("stdout", b"1: "),
        ("arena: interrupted; ", "of 500 matches were finished; records are in kept"),
    ),
    "a match that is watched": (
        ("match", "ninjan", SLOW, "first.py", "--watch", "--seed", "1"),
        ("stdout", b"ply 0"),
        ("arena: interrupted; the match was not finished, and nothing of it is kept", ""),
    ),
    "a person's match": (
        ("play", "ninjan", "first.py", "--seed", "1", "--seat", "1"),
        ("stdout", b"legal: "),
        ("arena: interrupted; the match is not finished, and nothing of it is stored", ""),
    ),
    "a race of options": (
        ("tune", "ninjan", SLOW, "--option", "exploration=0.3..2.0", "--seed", "9", "--executor", "inline"),
        ("stderr", b"candidates against"),
        ("arena: interrupted; nothing of the race is stored; --seed 9 plays it again", ""),
    ),
    "measurements": (
        ("bench", "playouts", "--quick"),
        ("stderr", b"measuring "),
        ("arena: interrupted; ", "benchmarks were measured, and nothing is stored"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", STOPPED)
def test_interrupted_outside_a_run(arena, programs, case):
    arguments, (stream, mark), (begin, end) = STOPPED[case]
    (arena.folder / "first.py").write_text(FIRST)
    process = arena.start(*arguments, stdin=subprocess.PIPE, env={"PYTHONUNBUFFERED": "1"})
    said = _read_until(process, mark, programs, stream=stream)
    below = programs.processes_below(process.pid)
    assert bool(below) == ("first.py" in arguments)
    process.send_signal(signal.SIGINT)
    done = programs.finish(process)
    assert done.code == 130
    lines = (said.decode() if stream == "stderr" else "").splitlines() + done.err.splitlines()
    assert lines[-1].startswith(begin) and lines[-1].endswith(end)
    assert all(line.startswith(("arena: ", " ")) for line in lines if line), lines
    programs.wait_until(lambda: not any(map(programs.is_alive, below)), f"all of {below} is gone", 20)
    kept = sorted(path.name for path in arena.folder.iterdir())
    assert kept == (["first.py", "kept"] if "kept" in arguments else ["first.py"])
    if "kept" in arguments:
        finished = int(lines[-1].split()[2])
        assert len(list((arena.folder / "kept").iterdir())) == finished >= 1


@pytest.mark.parametrize(
    ("bot", "num_deals", "executor", "reason"),
    [
        ("hungry", 20, ("--executor", "inline"), "MemoryError: no memory left for this match"),
        ("killer", 10, ("--workers", "2"), "was lost (ActorDiedError)"),
    ],
)
def test_failing_for_good_is_listed_and_spares_the_others(
    programs, plugins, tmp_path, bot, num_deals, executor, reason
):
    """cases.md D19: an exception in a worker hangs nothing; the exit code tells, and all others are played."""
    arena = programs.Program(tmp_path, PYTHONPATH=str(plugins))
    done = arena("run", "connect_four", "random", bot, "--deals", num_deals, "--seed", "6", *executor, code=5)
    stored = {match.lower() for (match,) in arena.rows("SELECT hex(id) FROM matches")}
    failed = {line.split("match ")[1].split(":")[0] for line in done.err.splitlines() if "failed for good: " in line}
    assert failed
    assert not failed & stored
    # All the others, and none else: one match in eight is struck, by its id.
    assert len(failed) + len(stored) == 2 * num_deals
    assert {match[0] for match in failed} <= {"0", "1"}
    assert not {match[0] for match in stored} & {"0", "1"}
    assert done.err.splitlines()[-1].startswith(f"arena: {len(failed)} matches failed for good; `arena resume ")
    assert reason in done.err
    status = arena("status", "--json").json
    assert status["failed_attempts"] >= 3 * len(failed)
    assert status["matches"]["pending"] == len(failed)
    attempts = arena.rows("SELECT lower(hex(match)), max(attempt) FROM failures GROUP BY match")
    assert {match for match, most in attempts if most == 3} == failed
    faults = {row["entrant"]: row["faults"] for row in status["bots"]}
    assert not any(faults.values()), "what failed is no bot's fault"
