"""`arena bots check`: what each kind of bad bot fails at, and what is said of it."""

import pytest

FAILS = {
    "late": (2, "no_start", "the weights are missing"),
    "crasher": (3, "crash", "no idea what to do"),
    "cheat": (3, "illegal", "legal"),
    "moody": (4, "the same match went another way", "--by-clock"),
    "sulky": (6, "exited with code 3", "lost match"),
}


@pytest.mark.parametrize("kind", FAILS)
def test_the_step_that_fails_is_named_and_ends_the_check(arena, bot, kind):
    number, *words = FAILS[kind]
    path = bot(kind, games="ninjan")
    done = arena("bots", "check", path, code=1)
    lines = done.out.splitlines()
    assert [line.split()[1] for line in lines] == ["ok"] * (number - 1) + ["FAIL"]
    assert all(word in lines[-1] for word in words), lines[-1]
    assert f"step {number} failed" in done.err
    assert "\x1b" not in done.out + done.err
    found = arena("bots", "check", path, "--json", code=1).json
    assert not found["passed"] and [step["is_passed"] for step in found["steps"]] == [True] * (number - 1) + [False]
    assert f"since step {number} failed" in arena("bots", "submit", path, code=1).err
    assert arena.rows("SELECT * FROM bots") == []


def test_what_the_bot_saw_stands_beside_its_fault(arena, bot):
    line = arena("bots", "check", bot("crasher", games="ninjan"), code=1).out.splitlines()[-1]
    assert 'it saw {"' in line and '"hand":' in line and "its log ends with" in line
    assert "with 2 seats, seat" in line


def test_every_seat_count_of_every_game_is_played(arena, bot):
    done = arena("bots", "check", bot("fair"))
    line = done.out.splitlines()[2]
    for text in ("ninjan with 2 to 5", "connect_four with 2 seats", "pirates_vs_ninjas with 2", "zombies with 2 to 4"):
        assert text in line


def test_a_bot_that_plays_by_the_clock_is_taken_at_its_word(arena, bot):
    path = bot("moody", games="connect_four")
    assert "as its author says" in arena("bots", "check", path, "--by-clock").out
    arena("bots", "submit", path, "--by-clock")
    assert arena("bots", "show", "moody", "--json").json["versions"][0]["by_clock"] is True


def test_a_folder_that_is_no_bot_is_unusable_input(arena, folder):
    place = folder({"bot.py": "x = 1\n"}, 'name = "rook"\n')
    assert "bot.toml" in arena.refuse("bots", "check", place)


def test_a_file_with_no_bot_or_two_is_not_guessed_at(arena, bot):
    path = bot("fair", games="connect_four", more="\n\nclass Second(Fair):\n    pass\n")
    line = arena("bots", "check", path, code=1).out.splitlines()[-1]
    assert line.startswith("2 FAIL") and "exactly one public subclass" in line and "Second" in line
    assert line.count("exactly one") == 1 and "/bot/" not in line


def test_a_file_that_is_no_python_fails_at_the_first_step(arena, bot, folder):
    path = bot("fair", more="    def broken(:\n")
    place = folder({"bot.py": path.read_text()})
    lines = len(path.read_text().splitlines())
    for given, name in ((path, "fair.py"), (place, "bot.py")):
        done = arena("bots", "check", given, code=1)
        assert done.out.startswith("1 FAIL the bundle is sound: ") and len(done.out.splitlines()) == 1
        assert f"({name}, line {lines})" in done.out and "<unknown>" not in done.out
        assert "step 1 failed" in done.err
        found = arena("bots", "check", given, "--json", code=1).json
        assert (found["passed"], found["version"], found["steps"][0]["number"]) == (False, None, 1)
        for command in (("match", "c4", given, "random"), ("bots", "submit", given)):
            assert f"({name}, line {lines})" in arena.refuse(*command)


def test_a_traceback_begins_in_the_bots_own_file(arena, bot):
    """What the arena's own frames hold tells the bot's author nothing."""
    for kind, error in (("late", "RuntimeError: the weights are missing"), ("crasher", "ValueError: no idea")):
        path = bot(kind)
        arena("run", "c4", path, "random", "--deals", "1", "--name", kind, "--executor", "inline")
        log = arena("bots", "log", kind, "--json").json["seats"][0]["log"]
        _, _, trace = log.partition("Traceback (most recent call last):\n")
        assert f'/{kind}.py", line' in trace.splitlines()[0], log
        assert "arena/hosts" not in trace and error in trace.splitlines()[-1]


def test_a_file_that_fails_while_it_is_loaded_is_told_with_its_own_line(arena, bot):
    line = arena("bots", "check", bot("fair", more="\n\nimport no_such_library\n"), code=1).out.splitlines()[-1]
    number = len(bot("fair", more="\n\nimport no_such_library\n").read_text().splitlines())
    said = "fair.py cannot be loaded: ModuleNotFoundError: No module named 'no_such_library'"
    assert f"{said} (line {number} of <module>)" in line


def test_a_program_that_is_not_there_fails_the_check(arena, folder):
    toml = 'name = "gone"\ngames = ["connect_four"]\ncommand = ["nosuchprog"]\n'
    place = folder({}, toml, "gone")
    line = arena("bots", "check", place, code=1).out.splitlines()[-1]
    assert line.startswith("2 FAIL") and "install 'nosuchprog' on this machine, or put the program" in line
    assert "not submitted, since step 2 failed" in arena("bots", "submit", place, code=1).err
    # In a match it is nobody's fault: another machine may have the program.
    assert "install 'nosuchprog'" in arena("match", "c4", place, "random", code=5).err


def test_an_option_without_a_default_is_named(arena, tmp_path):
    path = tmp_path / "bare.py"
    path.write_text(BARE)
    said = "bot bare: option 'width' has no default; give each option one"
    assert said in arena("bots", "check", path, code=1).out.splitlines()[-1]
    assert said in arena.refuse("match", "c4", f"{path}:width=3", "random", "--seed", str(2**90))


BARE = """
import arena
import msgspec


class Settings(msgspec.Struct, frozen=True):
    width: int
    depth: int = 2


class Bare(arena.Bot):
    Options = Settings

    def act(self, view):
        return view.legal[0]
"""
