"""The tree of commands: every one has help, an example that can be typed as it stands, and a place in the promise."""

import shlex
import subprocess
import sys

import pytest
import typer
from typer.testing import CliRunner

from arena.cli import main
from arena.cli.main import app

# What users were told that there is, or will be; a command beyond it needs to be told first.
PROMISED = {
    "run", "resume", "status", "runs", "digest", "leaderboard", "crosstable", "matches", "match", "record", "replay",
    "play", "compare", "games list", "games rules", "games schema", "games perft", "games check", "bots list",
    "bots new", "bots check", "bots submit", "bots show", "bots log", "bots repro", "bots retire", "analyse", "tune",
    "verify", "rate", "plot board", "plot history", "plot crosstable", "site", "serve", "export", "doctor", "bench",
}  # fmt: skip
# These print JSON, or JSON lines, in any case; or talk with a person; or write files.
WITHOUT_JSON = {"record", "games schema", "play", "bots new", "bots retire", "site", "serve", "export"}


def _walk(command, path=()):
    """Yields every command that does something, with its path."""
    children = getattr(command, "commands", None)
    if children is None:
        yield " ".join(path), command
    for name, child in (children or {}).items():
        yield from _walk(child, (*path, name))


ROOT = typer.main.get_command(app)
COMMANDS = dict(_walk(ROOT))
every_command = pytest.mark.parametrize("name", COMMANDS)


def _examples(name):
    """Returns the examples of a command's help, each as it is printed."""
    lines = CliRunner().invoke(app, [*name.split(), "--help"]).output.splitlines()
    (heading,) = [number for number, line in enumerate(lines) if line.startswith(("  Example: ", "  Examples:"))]
    found = [line.removeprefix("  Example: ").strip() for line in lines[heading:]]
    return [line for line in found if line.startswith("arena ")]


def test_every_command_is_promised():
    assert set(COMMANDS) <= PROMISED


@every_command
def test_help_of_every_command(name):
    command = COMMANDS[name]
    long, short = (CliRunner().invoke(app, [*name.split(), flag]) for flag in ("--help", "-h"))
    assert long.exit_code == short.exit_code == 0
    assert long.output == short.output
    assert f"Usage: arena {name}" in long.output
    assert "Example" in long.output
    assert command.help and command.help.split("\n")[0].rstrip().endswith(".")


@every_command
def test_every_option_is_explained(name):
    for parameter in COMMANDS[name].params:
        if parameter.name not in ("help",):
            assert getattr(parameter, "help", None), f"{name}: {parameter.name} has no help"


@every_command
def test_examples_can_be_typed(name):
    examples = _examples(name)
    assert examples
    for example in examples:
        words = shlex.split(example.split(" > ")[0])
        assert words[: 1 + len(name.split())] == ["arena", *name.split()]
        # It raises where the words are not understood.
        COMMANDS[name].make_context(name, words[1 + len(name.split()) :])


# In this order each example finds what those before it have made; "" is `arena --help` itself.
ORDER = (
    "games list", "games rules", "games schema", "games perft", "games check", "bots list", "bots new", "bots check",
    "bots submit", "", "run", "resume", "status", "runs", "digest", "leaderboard", "matches", "match", "record",
    "replay", "analyse", "play", "bots show", "bots log", "bots repro", "bots retire", "tune", "bench", "doctor",
)  # fmt: skip
# What would take too long as it stands, and the words that are put behind it here.
SHORTENED = {"arena tune ninjan mcts:simulations=200 --option exploration=0.3..2.0": "--deals 2 --executor inline"}
NOT_RUN = {
    "arena games check ninjan": "plays for half a minute; test_commands.py runs it on a quicker game, with -n 1",
    "arena bench playouts search-pvn": "measures for a minute; tests/bench/test_command.py measures less, with --quick",
    "arena doctor --json": "starts Ray once more; test_commands.py runs just this",
}


def test_examples_work_as_printed(arena):
    assert set(ORDER) == {*COMMANDS, ""}
    examples = dict.fromkeys(example for name in ORDER for example in _examples(name))
    assert {*SHORTENED, *NOT_RUN} <= set(examples)
    program = f'arena() {{ {shlex.quote(sys.executable)} -m arena "$@"; }}'
    for example in examples:
        if example in NOT_RUN:
            continue
        typed = f"{program}; {example} {SHORTENED.get(example, '')}"
        done = subprocess.run(
            ["bash", "-c", typed],
            cwd=arena.folder,
            env=arena.env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, f"{example}\n{done.stderr}\n{done.stdout}"
        assert "Traceback" not in done.stderr and "bug:" not in done.stderr, f"{example}\n{done.stderr}"
        assert done.stdout or done.stderr or " > " in example, f"{example} says nothing"
    made = {path.name for path in arena.folder.iterdir() if path.is_file()}
    assert made >= {"ninjan.schema.json", "match.jsonl", "match.html"}


@every_command
def test_json_of_every_command_that_reads(name):
    options = {option for parameter in COMMANDS[name].params for option in parameter.opts}
    assert ("--json" in options) != (name in WITHOUT_JSON)


def test_groups_without_a_command_show_their_help(arena):
    for words in ((), ("games",), ("bots",)):
        done = arena(*words, code=2)
        assert "Usage: arena" in done.out
        assert done.err == ""


def test_a_bug_says_how_it_is_reported(arena, capsys, monkeypatch):
    monkeypatch.delenv("ARENA_DEBUG", raising=False)
    assert main._bug(KeyError("what")) == 70
    line = capsys.readouterr().err
    assert line.startswith("arena: bug: KeyError: 'what'; ") and "`arena --debug ...`" in line
    arena("--debug", "games", "list")


@pytest.mark.parametrize("words", [("games", "rules"), ("games", "perft", "c4", "1", "--seed")])
def test_what_was_given_is_not_repeated_at_any_length(words, capsys):
    assert main._run([*words, "x" * 5000]) == 2
    line = capsys.readouterr().err
    assert line.count("\n") == 1 and len(line) < 400 and "xxx..." in line


def test_help_as_a_process(arena):
    assert arena("-h").out == arena("--help").out
    assert "Example: arena run ninjan" in arena("--help").out
    assert arena("--version").out.startswith("arena ")
