"""Transcripts of the line protocol as a program in any language sees it, byte for byte (formats.md 2)."""

import json
import re
import sys
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from typer.testing import CliRunner

from arena import load_game
from arena.cli.main import app
from arena.core.bot import Result
from arena.core.spec import Conditions, Entrant, GameRef, Limits, MatchSpec
from arena.errors import MissingExtra
from arena.games import all_games
from arena.hosts import wire
from arena.hosts.program import Program
from arena.hosts.sandbox import resolve
from arena.hosts.subprocess import SubprocessHost
from arena.match.referee import play_match

RAW = Path(__file__).parents[1] / "hosts" / "programs" / "raw.py"
GOLDEN = Path(__file__).parents[1] / "golden" / "wire"
LIMITS = Limits(start_s=20.0, move_s=5.0, bank_s=5.0, memory_mb=512)


def transcript(game, players, seat):
    """Plays a match and returns what one seat read and wrote."""
    try:
        level = resolve("auto")
    except MissingExtra as error:
        pytest.skip(str(error))
    python = str(Path(sys.executable).resolve())
    hosts = []

    def make_host(entrant):
        program = Program(str(RAW.parent), command=(python, RAW.name, "transcribe"))
        hosts.append(SubprocessHost(program, LIMITS, level))
        return hosts[-1]

    rules = load_game(game)
    conditions = Conditions(GameRef(rules.name, rules.version, {}), players, LIMITS, run_seed=7)
    lineup = tuple(Entrant(f"bot{place}", "1") for place in range(players))
    outcome = play_match(MatchSpec(conditions, 5, 0, lineup), make_host)
    assert outcome.faults == (None,) * players
    return hosts[seat].account().log.decode()


@pytest.mark.parametrize("name", all_games())
def test_transcript(golden, name):
    text = transcript(name, load_game(name).seats[-1], 1)
    # What the bank holds is the only thing that differs from run to run.
    golden.check(f"wire/{name}.txt", re.sub(r'"bank_s":[0-9.e-]+}$', '"bank_s":...}', text, flags=re.MULTILINE))
    for line in text.splitlines():
        if line[0] in "<>":
            json.loads(line[2:])


@pytest.fixture(scope="module", params=all_games())
def messages_schema(request):
    """What `arena games schema GAME --messages` prints for one game, and the game."""
    done = CliRunner().invoke(app, ["games", "schema", request.param, "--messages"])
    assert done.exit_code == 0, done.output
    return load_game(request.param), json.loads(done.stdout)


def test_full_view_agrees_with_its_schema_and_its_short_form():
    """What a foreign program is sent holds all that our own child is sent."""
    for name in all_games():
        text = transcript(name, load_game(name).seats[0], 0)
        acts = [json.loads(line[2:]) for line in text.splitlines() if line.startswith('< {"type":"act"')]
        schema = load_game(name).view_type.schema()
        properties = schema["$defs"][load_game(name).view_class]["properties"]
        for act in acts:
            assert set(act["view"]) == set(properties)
            assert act["legal"]


def test_transcripts_are_valid_by_the_printed_schema(messages_schema):
    game, schema = messages_schema
    Draft202012Validator.check_schema(schema)
    directions = {
        mark: Draft202012Validator({**schema, "anyOf": [{"$ref": f"#/$defs/{name}"}]})
        for mark, name in (("<", "to_bot"), (">", "from_bot"))
    }
    seen = set()
    for line in (GOLDEN / f"{game.name}.txt").read_text(encoding="utf-8").splitlines():
        if line[0] in directions:
            message = json.loads(line[2:].replace('"bank_s":...', '"bank_s":4.9'))
            directions[line[0]].validate(message)
            seen.add((line[0], message["type"]))
            other = directions["<>".replace(line[0], "")]
            assert not other.is_valid(message), "a message of the other direction"
            for field in message.keys() - {"note"}:
                assert not directions[line[0]].is_valid({**message, field: [[0.5]]}), field
    to_bot = {("<", kind) for kind in ("hello", "start", "act", "end", "quit")}
    assert seen == to_bot | {(">", "ready"), (">", "act")}


def test_schema_of_messages_holds_the_view_and_the_bounds_of_notes(messages_schema):
    game, schema = messages_schema
    view = game.view_type.schema()["$defs"]
    assert {name: schema["$defs"][name] for name in view} == view
    reply = Draft202012Validator({**schema, "anyOf": [{"$ref": "#/$defs/Reply"}]})
    answer = {"type": "act", "ply": 1, "action": "x"}
    for note, is_valid in (
        ({"value": 0.5, "n" * 64: 1}, True),
        ({"n" * 65: 1}, False),
        ({str(number): 1 for number in range(33)}, False),
        ({"value": "high"}, False),
    ):
        assert reply.is_valid({**answer, "note": note}) == is_valid, note


def test_result_of_a_match_is_told_by_seat():
    line = wire.line(wire.End("m", Result((12, 31), (2, 1), (None, "timeout"))))
    assert json.loads(line)["result"] == {"scores": [12, 31], "ranks": [2, 1], "faults": [None, "timeout"]}
    assert line.endswith(b"}\n")


def test_child_imports_neither_numpy_nor_numba(run_python):
    """What a plain Python bot's process is forked from costs no such import."""
    heavy = "{'numpy', 'numba', 'ray', 'sqlite3', 'typer', 'rich'}"
    done = run_python("-c", f"import sys, arena.hosts.keeper; print(*{heavy} & set(sys.modules))")
    assert done.stdout.split() == []
