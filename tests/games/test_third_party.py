"""A game that somebody else has installed passes the sweeps by existing: nothing here knows of it."""

from pathlib import Path

SWEEPS = ["test_conformance.py", "test_records.py", "test_messages.py", "test_noninterference.py"]
WITHOUT_GOLDEN = "coin_race and not golden"


def test_installed_game_passes_the_sweeps(installed_game, run_python):
    _, env = installed_game
    here = Path(__file__).parent
    files = [str(here / name) for name in SWEEPS]
    options = ["-q", "-p", "no:cacheprovider", f"--rootdir={here.parent.parent}", "-k", WITHOUT_GOLDEN]
    run = run_python("-m", "pytest", *options, *files, env=env | {"NUMBA_DISABLE_JIT": "1"}, check=False)
    assert run.returncode == 0, run.stdout
    counts = dict(reversed(pair.split(" ")) for pair in run.stdout.splitlines()[-1].split(" in ")[0].split(", "))
    assert int(counts["passed"]) > 60


def test_missing_golden_files_of_a_new_game_are_failures_that_say_how_to_make_them(installed_game, run_python):
    _, env = installed_game
    here = Path(__file__).parent
    options = ["-q", "-p", "no:cacheprovider", f"--rootdir={here.parent.parent}", "-k", "coin_race"]
    env = env | {"NUMBA_DISABLE_JIT": "1"}
    run = run_python("-m", "pytest", *options, str(here / "test_golden.py"), env=env, check=False)
    assert run.returncode == 1
    for name in ("playthroughs/coin_race-2.txt", "playthroughs/coin_race-3.txt", "perft/coin_race.txt"):
        assert f"there is no tests/golden/{name}; make it with `pytest --update-golden`" in run.stdout


def test_two_games_of_one_name_are_refused(installed_game, run_python):
    folder, env = installed_game
    game = folder / "game.py"
    game.write_text(game.read_text().replace('name = "coin_race"', 'name = "Ninjan"'))
    program = "from arena.games import all_games; all_games()"
    run = run_python("-c", program, env=env, check=False)
    assert "ArenaError: two installed games are called" in run.stderr


def test_game_that_cannot_be_loaded_is_named(installed_game, run_python):
    folder, env = installed_game
    (folder / "game.py").write_text("import no_such_module_at_all\n")
    program = "from arena.games import all_games; all_games()"
    run = run_python("-c", program, env=env, check=False)
    expected = "ArenaError: the installed game 'coin_race' (coin_race.game:GAME) cannot be loaded: No module named"
    assert expected in run.stderr
