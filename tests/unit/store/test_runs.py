"""Runs are names for configurations: unique ignoring case and Unicode form, and driven by one process at a time."""

import os
import platform
import subprocess
import sys

import psutil
import pytest

from arena.core.spec import Entrant
from arena.errors import StoreError, UnknownName
from arena.store.store import Store, fold

BOTS = (Entrant("greedy", "1"), Entrant("random", "1"))


@pytest.fixture
def league(store, conditions):
    store.save_run("League", conditions(), BOTS, 10)
    return store


def test_run_comes_back(league, conditions):
    run = league.get_run("League")
    assert (run.name, run.conditions, run.entrants, run.deals) == ("League", conditions(), BOTS, 10)


@pytest.mark.parametrize(
    ("name", "same"),
    [
        ("League", "lEAGUE"),
        ("Ｌeague", "League"),
        ("Käse", "KA\N{COMBINING DIAERESIS}SE"),
        ("Straße", "STRASSE"),
        ("ﬁnal", "FINAL"),
        ("İzmir", "i\N{COMBINING DOT ABOVE}zmir"),
        ("忍者", "忍者"),
    ],
)
def test_names_are_one_ignoring_case_and_form(store, conditions, name, same):
    """cases.md G1, G2."""
    store.save_run(name, conditions(), BOTS, 10)
    store.save_run(same, conditions(), BOTS, 20)
    assert [(run.name, run.deals) for run in store.runs()] == [(name, 20)]
    assert store.get_run(same).name == store.find_run(same).name == name
    assert fold(fold(name)) == fold(name)


@pytest.mark.parametrize(
    "name", ["\N{RIGHT-TO-LEFT OVERRIDE}evil", "a/b", "a\nb", "", "x" * 5000, "🦜", "'; DROP TABLE runs; --"]
)
def test_any_name_is_only_a_name(store, conditions, name):
    store.save_run(name, conditions(), BOTS, 1)
    assert store.get_run(name).name == name


def test_extending_keeps_the_name_and_the_first_day(league, conditions):
    before = league.get_run(None)
    league.save_run("league", conditions(), (*BOTS, Entrant("mcts", "1")), 20)
    after = league.get_run(None)
    assert (after.name, after.deals, len(after.entrants)) == ("League", 20, 3)
    assert after.created == before.created


def test_run_used_last_is_first(league, conditions):
    league.save_run("cup", conditions(), BOTS, 1)
    assert [run.name for run in league.runs()] == ["cup", "League"]
    assert league.get_run(None).name == "cup"
    league.save_run("league", conditions(), BOTS, 10)
    assert league.get_run(None).name == "League"


def test_unknown_run_names_the_nearest(league):
    with pytest.raises(UnknownName, match=r"there is no run 'leage'\. Did you mean 'League'\? Runs: League"):
        league.get_run("leage")
    assert league.find_run("leage") is None


def test_no_run_yet(store):
    with pytest.raises(UnknownName, match="there is no run yet; `arena run` starts one"):
        store.get_run(None)


DRIVER = """
import sys
from pathlib import Path
from arena.store.store import Store
with Store(Path(sys.argv[1])) as store, store.driving("League"):
    print("driving", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def driver(path, league):
    """A real process that drives the run until its input ends."""
    command = [sys.executable, "-c", DRIVER, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "driving\n"
        yield process
        process.kill()


class TestDriving:
    def test_second_driver_is_told_which_process(self, league, driver):
        expected = f"run 'League' is being driven by process {driver.pid} on "
        with pytest.raises(StoreError, match=expected) as caught, league.driving("League"):
            pytest.fail("two processes drive one run")
        assert caught.value.exit_code == 4
        assert league.driver("LEAGUE")[1] == driver.pid

    def test_name_in_another_form_is_the_same_run(self, league, driver):
        with pytest.raises(StoreError, match="is being driven"), league.driving("lEAGUE"):
            pytest.fail("two processes drive one run")

    def test_other_runs_may_be_driven(self, league, driver):
        with league.driving("cup"):
            assert league.driver("cup")[1] == os.getpid()

    def test_claim_ends_with_the_block(self, league, driver):
        driver.stdin.close()
        driver.wait()
        assert league.driver("League") is None
        with league.driving("League"):
            pass
        assert league.driver("League") is None

    def test_claim_of_a_killed_process_does_not_count(self, league, driver):
        driver.kill()
        driver.wait()
        assert league.driver("League") is None
        with league.driving("League"):
            assert league.driver("League")[1] == os.getpid()

    def test_nor_that_of_one_whom_nobody_has_waited_for(self, league, driver):
        """As in containers whose first process waits for nobody."""
        driver.kill()
        os.waitid(os.P_PID, driver.pid, os.WEXITED | os.WNOWAIT)
        assert psutil.Process(driver.pid).status() == psutil.STATUS_ZOMBIE
        assert league.driver("League") is None
        with league.driving("League"):
            pass

    def test_nor_that_of_a_process_whose_number_is_another_s_by_now(self, league):
        """This process lives, and was not started when the claim says."""
        with league.transaction() as db:
            claim = ("league", platform.node(), os.getppid(), psutil.Process(os.getppid()).create_time() - 3600)
            db.execute("INSERT INTO drivers VALUES (?, ?, ?, ?)", claim)
        with league.driving("League"):
            pass

    def test_process_on_another_machine_is_taken_to_be_alive(self, league):
        with league.transaction() as db:
            db.execute("INSERT INTO drivers VALUES ('league', 'elsewhere', 1, 0.0)")
        with pytest.raises(StoreError, match="by process 1 on elsewhere"), league.driving("League"):
            pytest.fail("two machines drive one run")

    def test_claim_ends_when_the_block_fails(self, league):
        with pytest.raises(ZeroDivisionError), league.driving("League"):
            raise ZeroDivisionError
        assert league.driver("League") is None


def test_two_stores_may_write_to_one_database(path, league, played, conditions):
    with Store(path) as other:
        league.save(played[:6])
        other.save(played[4:])
        other.save_run("cup", conditions(), BOTS, 1)
        assert len(league.done(played[0].spec.conditions)) == len(played)
        assert {run.name for run in league.runs()} == {"League", "cup"}
