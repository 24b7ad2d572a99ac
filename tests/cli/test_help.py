"""The tree of commands: every one has help, an example that can be typed as it stands, and a place in the promise."""

import shlex

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


def _examples(command):
    """Returns the examples of a command's epilog as lists of words, without where their output goes."""
    heading, _, text = command.epilog.partition(":")
    assert heading in ("Example", "Examples")
    parts = [part.strip() for part in text.split(" | ") if part.strip().startswith("arena ")]
    return [shlex.split(part.split(" > ")[0]) for part in parts]


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
    command = COMMANDS[name]
    examples = _examples(command)
    assert examples
    for words in examples:
        assert words[: 1 + len(name.split())] == ["arena", *name.split()]
        # It raises where the words are not understood.
        command.make_context(name, words[1 + len(name.split()) :])


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
