"""What is printed: to pipes that close, without colour, in narrow terminals, in any locale, with any name."""

import os
import subprocess

import pytest
from rich.cells import cell_len

ESCAPE = "\x1b"
READERS = [
    ("leaderboard",), ("leaderboard", "--csv"), ("leaderboard", "--markdown"), ("leaderboard", "--json"), ("status",),
    ("runs",), ("games", "list"), ("games", "rules", "ninjan"), ("bots", "list"),
]  # fmt: skip
every_reader = pytest.mark.parametrize("arguments", READERS, ids=" ".join)


def close_early(program, *arguments):
    """Runs a command whose output nobody reads; returns its exit code and standard error."""
    read, write = os.pipe()
    os.close(read)
    process = program.start(*arguments, stdout=write)
    os.close(write)
    _, err = process.communicate(timeout=300)
    return process.returncode, err.decode()


@every_reader
def test_output_into_a_closed_pipe_is_no_error(played, arguments):
    assert close_early(played, *arguments) == (0, "")


def test_head_gets_its_line(played):
    # A big output, so that the reader is gone before the writer is done.
    (match,) = played.rows("SELECT lower(hex(id)) FROM matches LIMIT 1")[0]
    for arguments in (("replay", match), ("games", "rules", "ninjan"), ("record", match, "--legal")):
        process = played.start(*arguments)
        head = subprocess.run(["head", "-n", "1"], stdin=process.stdout, capture_output=True, check=True)
        process.stdout.close()
        process.stdout = None
        _, err = process.communicate(timeout=300)
        assert head.stdout.count(b"\n") == 1
        assert (process.returncode, err) == (0, b"")


def test_errors_keep_their_code_when_the_pipe_is_closed(played):
    code, err = close_early(played, "status", "nobody")
    assert code == 2 and err.count("\n") == 1


def test_run_goes_on_when_nobody_reads_its_messages(arena):
    read, write = os.pipe()
    os.close(read)
    process = arena.start(
        "run", "c4", "random", "greedy", "--deals", "3", "--executor", "inline", "--json", stderr=write
    )
    os.close(write)
    out, _ = process.communicate(timeout=300)
    assert process.returncode == 0
    assert arena.num_stored() == 6
    assert b'"matches":6' in out


def test_closed_streams(arena):
    for redirection in (">&-", "2>&-", ">&- 2>&-"):
        line = f"exec {' '.join(arena.command)} games list {redirection}"
        done = subprocess.run(["sh", "-c", line], env=arena.env, cwd=arena.folder, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, b"")


def test_full_output(played):
    with open("/dev/full", "wb") as full:  # noqa: PTH123
        process = played.start("leaderboard", stdout=full)
        _, err = process.communicate(timeout=300)
    assert process.returncode == 5
    assert "the output cannot be written (No space left on device)" in err.decode()
    assert err.count(b"\n") == 1


@every_reader
def test_no_colour_where_the_output_is_no_terminal(played, arguments):
    assert ESCAPE not in played(*arguments).out


@pytest.mark.parametrize(
    "env",
    [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C"}, {"LC_ALL": "POSIX", "PYTHONCOERCECLOCALE": "0"}, {"LANG": ""}],
    ids=str,
)
def test_output_is_utf8_in_any_locale(played, env):
    for arguments in (("leaderboard",), ("games", "rules", "ninjan"), ("leaderboard", "--markdown")):
        assert played(*arguments, env=env).out == played(*arguments).out
    assert "ü" in played.refuse("status", "grün", env=env)


@pytest.mark.parametrize("width", ["40", "80", "200"])
def test_board_fits_the_terminal(played, width):
    done = played("leaderboard", env={"COLUMNS": width})
    lines = done.out.splitlines()
    assert max(map(cell_len, lines)) <= int(width)
    assert all(any(name in line for line in lines) for name in ("greedy", "random#2"))


def test_every_game_is_watched_in_forty_columns(arena):
    for game in arena("games", "list", "--json").json["games"]:
        seats = game["players"][0]
        bots = ["random", "greedy", "random#2", "greedy#2", "random#3"][:seats]
        done = arena("match", game["name"], *bots, "--seed", "5", "--watch", env={"COLUMNS": "40"})
        *pictures, _ = done.out.splitlines()
        too_wide = [line for line in pictures if cell_len(line.rstrip()) > 40]
        assert not too_wide, f"{game['name']}: {too_wide[:3]}"


def test_replay_in_forty_columns(played):
    for run in ("ninjan", "four"):
        game = played("status", run, "--json").json["game"]
        (match,) = played.rows(
            f"SELECT lower(hex(matches.id)) FROM matches JOIN conditions ON conditions.id = condition "
            f"WHERE game = '{game}' LIMIT 1"
        )[0]
        *pictures, _ = played("replay", match, env={"COLUMNS": "40"}).out.splitlines()
        assert max(cell_len(line.rstrip()) for line in pictures) <= 40


NAMES = {
    "unicode": "Müller 北京 🤖 Ωμέγα",
    "right to left": "שלום \u202eevil\u202c",
    "escape sequences": "\x1b[31mred\x1b]0;title\x07\x1b[2J",
    "markup": "[bold red]x[/] :smile: <b>&amp;</b> | *x* `y`",
    "line ends": "one\ntwo\r\nthree\u2028four\tfive",
    "quotes": 'it\'s "quoted" $HOME `id` \\',
    "wide": "的" * 100,
    "option": "--help",
    "path": "../../etc/passwd",
    "nothing to see": "\u200b\u200d",
    "sql": "x'; DROP TABLE runs; --",
}


def _is_harmless(text, allowed=""):
    return not [
        c for c in text if (ord(c) < 32 or ord(c) == 127 or c in "\u202e\u202c\u2028\u200b") and c not in "\n" + allowed
    ]


@pytest.mark.parametrize("kind", NAMES)
def test_any_name_of_a_run(arena, kind):
    name = NAMES[kind]
    command = ("run", "c4", "random", "greedy", "--deals", "1", "--seed", "1", "--executor", "inline", f"--name={name}")
    done = arena(*command)
    assert _is_harmless(done.err) and _is_harmless(done.out)
    assert done.err.count("\n") == 2
    # In JSON it is what it was; what people see is on one line and moves nothing.
    assert [run["run"] for run in arena("runs", "--json").json["runs"]] == [name]
    status = arena("status", "--json", "--", name).json
    assert status["run"] == name
    for arguments in (("runs",), ("status", "--", name), ("leaderboard", f"--run={name}")):
        assert _is_harmless(arena(*arguments).out), arguments
    assert arena("digest", "--", name).out == arena("digest").out
    assert "stored already" in arena(*command).err


@pytest.mark.parametrize(
    ("first", "second"),
    [("Straße", "STRASSE"), ("caf\u00e9", "cafe\u0301"), ("ﬁne", "FINE"), ("ninjan", "NINJAN")],
)
def test_names_that_differ_in_case_or_form_are_one(arena, first, second):
    command = ("run", "c4", "random", "greedy", "--deals", "1", "--executor", "inline")
    arena(*command, "--seed", "1", "--name", first)
    line = arena.refuse(*command, "--seed", "2", "--name", second)
    assert f"run {first!r} has another configuration" in line
    assert arena("status", second, "--json").json["run"] == first


def test_names_in_a_record_file_cannot_disturb_the_terminal(arena):
    arena("match", "c4", "random", "greedy", "--seed", "3", "--record", "x.jsonl")
    path = arena.folder / "x.jsonl"
    evil = r'"\u001b[31mred\u001b[2J\u202e [bold]b[/]"'
    path.write_text(path.read_text().replace('"random"', evil, 1))
    shown = arena("replay", "x.jsonl").out
    assert _is_harmless(shown)
    assert "[bold]b[/]" in shown
