"""Shell completion, as bash asks for it: games, bots, runs, options."""

import pytest


@pytest.fixture
def complete(played):
    """Returns a function that completes the last word of a line."""

    def ask(line):
        words = line.split(" ")
        env = {"_ARENA_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
        return _ask(played, env).out.split()

    return ask


def _ask(program, env):
    script = "import sys; sys.argv[0] = 'arena'; from arena.cli.main import main; main()"
    kept, program.env = program.env, {**program.env, **env}
    try:
        return program.script(script)
    finally:
        program.env = kept


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("arena run nin", ["ninjan"]),
        ("arena match conn", ["connect_four"]),
        ("arena games rules pirates_v", ["pirates_vs_ninjas"]),
        ("arena run ninjan rand", ["random"]),
        ("arena match ninjan random gree", ["greedy"]),
        ("arena status fo", ["four"]),
        ("arena resume n", ["ninjan"]),
        ("arena digest x", []),
        ("arena leaderboard --run f", ["four"]),
        ("arena leaderboard nin", ["ninjan"]),
    ],
)
def test_completion(complete, line, expected):
    assert complete(line) == expected


def test_completion_of_commands_and_options(complete):
    assert {"leaderboard"} == set(complete("arena lea"))
    assert "--deals" in complete("arena run --de")


def test_completion_without_a_database_is_empty(arena):
    env = {"_ARENA_COMPLETE": "complete_bash", "COMP_WORDS": "arena status ", "COMP_CWORD": "2"}
    done = _ask(arena, env)
    assert (done.out.strip(), done.err) == ("", "")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_script_for_the_shell(arena, shell):
    assert "_ARENA_COMPLETE" in arena("--show-completion", shell).out
