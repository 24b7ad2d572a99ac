"""A fair bot gets a fair match, wherever it runs; what it does wrong has one name at every level."""

import os
import time
from pathlib import Path

import pytest

from arena import load_game
from arena.core.bot import MatchInfo, Result
from arena.core.options import FilledIn
from arena.core.spec import Conditions, Entrant, GameRef, Limits, MatchSpec
from arena.errors import InfrastructureError, MissingExtra, UsageError
from arena.hosts.base import BotFault, Unusable
from arena.hosts.inprocess import InProcessHost
from arena.hosts.launch import close_keepers
from arena.hosts.program import Program, preload_of
from arena.hosts.roster import load_file
from arena.hosts.sandbox import probe, resolve
from arena.hosts.subprocess import SubprocessHost
from arena.match.referee import play_match

pytestmark = pytest.mark.usefixtures("nothing_left")

NO_LIMITS = Limits()
RELAXED = Limits(start_s=20.0, move_s=5.0, bank_s=5.0, memory_mb=512)
GAMES = ["ninjan", "connect_four", "pirates_vs_ninjas", "pirates_ninjas_robots_zombies"]


def play_in_process(path, num_seats, limits, *, game="ninjan", deal=1, options=None, hosts=None):
    rules = load_game(game)
    kind = load_file(path)

    def make_host(entrant):
        host = InProcessHost(kind(kind.Options(**(options or {}))))
        if hosts is not None:
            hosts.append(host)
        return host

    lineup = tuple(Entrant(f"bot{seat}", "1") for seat in range(num_seats))
    conditions = Conditions(GameRef(rules.name, rules.version, {}), num_seats, limits, run_seed=7)
    return play_match(MatchSpec(conditions, deal, 0, lineup), make_host)


@pytest.mark.parametrize("game", GAMES)
def test_one_seed_plays_the_same_moves_everywhere(table, any_level, game):
    program = table.python("chooses.py")
    trusted = play_in_process(table.folder / "chooses" / "chooses.py", 2, RELAXED, game=game)
    played = table.play([program] * 2, any_level, game=game, limits=RELAXED)
    assert played.outcome.actions == trusted.actions
    assert played.outcome.scores == trusted.scores
    assert played.kinds == [None, None]


def test_bot_simulates_within_its_fence(table, any_level):
    program = table.python("simulates.py")
    assert preload_of(program, "ninjan").simulates
    trusted = play_in_process(table.folder / "simulates" / "simulates.py", 3, RELAXED)
    played = table.play([program] * 3, any_level, limits=RELAXED)
    assert played.kinds == [None] * 3, played.details
    assert played.outcome.actions == trusted.actions


def test_bot_that_never_simulates_imports_no_kernels(table, any_level):
    """The bot itself asserts that neither numpy nor numba is there. Each seat has its own object (cases.md B10)."""
    program = table.python("fair.py")
    assert not preload_of(program, "ninjan").simulates
    played = table.play([program] * 2, any_level, limits=RELAXED)
    assert played.kinds == [None, None], played.details
    assert "seat 0 of 2" in played.log(0)
    assert "seat 1 of 2" in played.log(1), "what it prints is its log"
    assert "END (None, None)" in played.log(1)


def test_whatever_a_python_bot_prints_is_its_log(table, any_level):
    """cases.md A7, A9: print, the file below it, C's own output, a child's: none of it reaches the protocol."""
    program = table.python("prints.py")
    played = table.play([program, table.python("fair.py")], any_level, limits=RELAXED)
    assert played.kinds == [None, None], played.details
    log = played.log(0)
    expected = ["at import", '"action":-1', "no line's endbehind print", "from below"]
    if any_level.is_isolated or any_level.is_trusted or os.geteuid() != 0 or "pids" in any_level.cgroups:
        expected += ["from a child"]
    assert all(text in log for text in expected), log


def test_bot_that_is_ready_cannot_say_that_it_has_not_started(table, any_level):
    played = table.play([table.python("charges.py"), table.python("fair.py")], any_level, limits=RELAXED)
    assert (played.kinds, played.details[0]) == (
        ["protocol", None],
        "said that it had not started, after it was ready",
    )


@pytest.mark.parametrize("where", ["start", "act", "finish", "exit", "none", "text", "memory"])
def test_exceptions_are_the_faults_that_they_are_in_process(table, any_level, where):
    program = table.python("raises.py", where=where)
    played = table.play([program, table.python("fair.py")], any_level, limits=RELAXED)
    if where == "memory":  # in this process it would be the machine's affair
        assert played.kinds == ["crash", None]
        assert "MemoryError" in played.details[0]
        return
    path = table.folder / "raises" / "raises.py"
    alone = table.play([program, program], any_level, limits=RELAXED)
    trusted = play_in_process(path, 2, RELAXED, options={"where": where})
    assert [fault and (fault.kind, fault.ply) for fault in alone.outcome.faults] == [
        fault and (fault.kind, fault.ply) for fault in trusted.faults
    ]
    expected = {"start": "no_start", "finish": None, "none": "illegal", "text": "illegal"}.get(where, "crash")
    assert played.kinds == [expected, None]
    if where in ("start", "act"):
        assert "Traceback" in played.log(0)


def test_options_reach_the_bot_and_wrong_ones_are_its_fault(table):
    level = resolve("auto")
    assert table.play([table.python("raises.py", where="act")] * 2, level).kinds[0] == "crash"
    played = table.play([table.python("raises.py", where="nowhere")] * 2, level)
    assert played.kinds == ["no_start", "no_start"]


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        ("x = 1\n", {}, "nobot.py must define exactly one public subclass of arena.Bot, and has none"),
        (None, {"where": "nowhere"}, "bot raisin: option where='nowhere' cannot be used; give one of "),
        (None, {"were": "act"}, "bot raisin has no option 'were' (did you mean 'where'?); its options: where"),
    ],
)
def test_what_can_never_be_a_bot_is_found_before_any_match(table, any_level, text, options, words):
    place = table.bundle("raises.py", name="tried")
    if text is not None:
        (place / "nobot.py").write_text(text)
    program = Program(str(place), python="raises.py" if text is None else "nobot.py", options=options, name="raisin")
    with pytest.raises(Unusable) as caught:
        SubprocessHost(program, RELAXED, any_level).try_out("ninjan")
    assert words in caught.value.detail and str(place) not in caught.value.detail
    played = table.play([program, table.python("fair.py")], any_level, limits=RELAXED)
    assert played.kinds == ["no_start", None], "in a match it is this fault"


@pytest.mark.parametrize("text", ["while True:\n    pass\n", "1 / 0\n", "import os\nos._exit(1)\n"])
def test_what_may_be_a_bot_is_left_to_the_match(table, any_level, text):
    """Slow or failing at its start (cases.md A1): trying it out finds nothing to say."""
    place = table.bundle("raises.py", name="tried")
    (place / "raises.py").write_text(text + (place / "raises.py").read_text())
    limits = Limits(start_s=0.5, move_s=5.0, bank_s=5.0, memory_mb=256)
    host = SubprocessHost(Program(str(place), python="raises.py", options={"where": "act"}), limits, any_level)
    assert host.try_out("ninjan") is None
    assert host.report is not None, "and nothing of it runs on"


@pytest.mark.parametrize(
    ("given", "expected"),
    [({}, FilledIn({"where": "act"})), ({"where": "exit"}, FilledIn({"where": "exit"}, ("where",)))],
)
def test_a_bot_says_what_its_options_are_and_plays_with_them(table, any_level, given, expected):
    program = Program(str(table.bundle("raises.py", name="tried")), python="raises.py", options=given)
    host = SubprocessHost(program, RELAXED, any_level)
    assert host.try_out("ninjan") == expected
    assert host.report is not None, "and nothing of it runs on"
    full = Program(program.folder, python="raises.py", options=expected.values)
    played = [table.play([each] * 2, any_level, limits=RELAXED) for each in (program, full)]
    assert played[0].details == played[1].details and played[0].kinds[0] == "crash"


def test_long_start_costs_no_move_time(table):
    """cases.md A1, A2: a bot that loads for eight seconds loses nothing with start_s=10, nor a first match alone."""
    place = table.bundle(name="loads")
    limits = Limits(start_s=10.0, move_s=0.5, bank_s=0.0, memory_mb=256)
    for match, seconds in enumerate((8, 1, 1)):
        (place / "loads.py").write_text(
            f"import time\nfrom arena import Bot\ntime.sleep({seconds})\n\n\n"
            "class Loads(Bot):\n    def act(self, view):\n        return view.legal[0]\n"
        )
        program = Program(str(place), python="loads.py")
        played = table.play([program, table.python("fair.py")], resolve("auto"), limits=limits)
        assert played.kinds == [None, None], (match, played.details)
        assert len(played.hosts[0].account().wall_us) > 0


def test_account_holds_times_notes_and_the_last_view(table, any_level):
    played = table.play([table.raw(), table.raw("ends_by_a_signal")], any_level)
    first, second = (host.account() for host in played.hosts)
    assert first.notes["legal"][1] == len(first.wall_us) == len(first.cpu_us)
    assert first.notes["legal"][0] >= first.notes["legal"][1]
    assert all(0 <= cpu <= wall + 20_000 for wall, cpu in zip(first.wall_us, first.cpu_us, strict=True))
    assert b'"hand"' in second.request
    assert b'"legal"' in second.request
    assert 0 < first.peak_mb < 200
    assert first.cpu_s > 0
    assert first.level.startswith(any_level.name)


def test_notes_of_a_python_bot_are_the_same_everywhere(table, any_level):
    hosts = []
    program = table.python("notes.py")
    trusted = play_in_process(table.folder / "notes" / "notes.py", 2, RELAXED, hosts=hosts)
    played = table.play([program] * 2, any_level, limits=RELAXED)
    assert played.kinds == [None, None], played.details
    assert played.outcome.actions == trusted.actions
    assert [host.account().notes for host in played.hosts] == [host.notes for host in hosts]
    for seat, host in enumerate(played.hosts):
        notes, num_answers = host.account().notes, len(host.account().wall_us)
        assert notes["seat"] == (seat, 1)
        assert notes["value"][1] == notes["self"][1] == num_answers > 1
        assert notes["value"][0] > 0, "of two numbers of one name the later counts"


@pytest.mark.parametrize("bad", ["infinite", "text", "huge", "long", "many", "undecodable"])
def test_bad_note_is_a_crash_in_the_bot_s_own_code(table, any_level, bad):
    program = table.python("notes.py", bad=bad)
    trusted = play_in_process(table.folder / "notes" / "notes.py", 2, RELAXED, options={"bad": bad})
    played = table.play([program, program], any_level, limits=RELAXED)
    assert played.kinds == ["crash", None]
    assert played.details == [fault and fault.detail for fault in trusted.faults]
    assert "ValueError: " in played.details[0] and "note" in played.details[0]
    assert "self.note(**BAD" in played.log(0)


def test_survivors_are_told_and_the_dead_are_not_needed(table):
    """cases.md E6: who is left hears the result, however many have failed."""
    played = table.play([table.raw("ends_by_a_signal"), table.raw(), table.python("fair.py")], resolve("auto"))
    assert played.kinds == ["crash", None, None]
    assert '"faults": ["crash", null, null]' in played.log(1)
    assert "END ('crash', None, None)" in played.log(2)


def test_no_limits_are_no_limits(table, any_level):
    played = table.play([table.python("fair.py"), table.raw()], any_level, limits=NO_LIMITS)
    assert played.kinds == [None, None], played.details


@pytest.mark.parametrize(
    "name",
    [
        "-rf",
        'it\'s "quoted" <b>&amp;',
        "\x1b[31mred\x07",
        "\u202eright to left",
        "żółć 忍者",
        "$(touch arena-mark) `x` ; x",
        "new\nline",
        "n" * 150 + "/" + "n" * 150,
    ],
)
def test_folders_of_any_name(table, any_level, name):
    place = table.bundle("raw.py", "fair.py", name=name)
    (place / "-fair 'x'.py").write_text((place / "fair.py").read_text())
    command = (*table.raw().command[:1], "raw.py", name.replace("/", ""))
    programs = [Program(str(place), command=command), Program(str(place), python="-fair 'x'.py")]
    played = table.play(programs, any_level)
    assert played.kinds == [None, None], played.details
    assert "END" in played.log(1)


def test_private_folder_is_read_by_its_bot_alone(table, any_level):
    """A folder that only its owner may enter: the bot, another user perhaps, reads its own files all the same."""
    place = table.bundle("raw.py", "fair.py", name="private")
    for path in place.iterdir():
        path.chmod(0o600)
    place.chmod(0o700)
    programs = [Program(str(place), command=table.raw().command), Program(str(place), python="fair.py")]
    assert table.play(programs, any_level).kinds == [None, None]


@pytest.mark.parametrize(
    ("command", "text"),
    [
        (("./absent",), "No such file"),
        (("./data.txt",), "Permission denied"),
        (("./broken",), "Exec format error"),
        (("./folder",), "Permission denied"),
    ],
)
def test_program_that_cannot_be_run_did_not_start(table, any_level, command, text):
    """cases.md A4: no file, no right to run it, nothing that can be run: told at once, and nobody waits."""
    place = table.bundle("raw.py", name="unstartable")
    (place / "data.txt").write_text("data")
    (place / "broken").write_bytes(b"\x7fELF broken")
    (place / "broken").chmod(0o755)
    (place / "folder").mkdir(exist_ok=True)
    played = table.play([Program(str(place), command=command), table.python("fair.py")], any_level)
    assert played.kinds == ["no_start", None]
    assert text in played.details[0]


def test_interpreter_that_is_not_there_is_our_failure(table):
    """cases.md D13: a match that could not begin is no result."""
    program = Program(str(table.bundle("raw.py", name="x")), command=("no-such-interpreter", "raw.py"))
    with pytest.raises(InfrastructureError, match="no-such-interpreter"):
        table.play([program, table.python("fair.py")], resolve("auto"))


@pytest.mark.parametrize("path", ["../fair.py", "/etc/passwd", "a/../../x.py", ""])
def test_python_file_lies_within_the_folder(path):
    with pytest.raises(UsageError):
        Program("/tmp", python=path)


def test_program_is_a_file_or_a_command():
    for wrong in ({}, {"python": "a.py", "command": ("a",)}, {"command": ("a\0b",)}, {"command": ("",)}):
        with pytest.raises(UsageError):
            Program("/tmp", **wrong)
    with pytest.raises(UsageError):
        Program("relative", python="a.py")


@pytest.mark.parametrize(
    "text", ["def act(view):\n", "x = (\n", "import no_such_module\n", "1 / 0\n", "raise SystemExit\n"]
)
def test_file_that_holds_no_bot_did_not_start(table, text):
    place = table.bundle(name="nobot")
    (place / "nobot.py").write_text(text)
    played = table.play([Program(str(place), python="nobot.py"), table.python("fair.py")], resolve("auto"))
    assert played.kinds == ["no_start", None]


def test_module_beside_the_bot_is_found(table, any_level):
    place = table.bundle(name="two")
    (place / "helper.py").write_text("def first(view):\n    return view.legal[0]\n")
    (place / "two.py").write_text(
        "from __future__ import annotations\nfrom dataclasses import dataclass\nfrom arena import Bot\n"
        "from helper import first\n\n\n@dataclass\nclass _Memory:\n    ply: int = 0\n\n\n"
        "class Two(Bot):\n    def act(self, view):\n        return first(view)\n"
    )
    played = table.play([Program(str(place), python="two.py")] * 2, any_level)
    assert played.kinds == [None, None], played.details
    assert sorted(path.name for path in place.iterdir()) == ["helper.py", "two.py"], "nothing was written there"


def test_host_that_is_dropped_ends_its_bot(table, any_level):
    """The referee does not close what a failure of ours leaves behind: losing the host is enough."""
    program = table.raw()
    host = SubprocessHost(program, RELAXED, any_level)
    host.start(MatchInfo("m", "ninjan", 2, 0, 1, RELAXED))
    pid = host._bench.pid
    assert Path(f"/proc/{pid}").exists()
    del host  # and `nothing_left` sees to the rest


def test_closed_host_is_not_running(table):
    host = SubprocessHost(table.python("fair.py"), RELAXED, resolve("auto"))
    host.start(MatchInfo("m", "ninjan", 2, 0, 1, RELAXED))
    host.finish(Result((1, 2), (2, 1), (None, None)))
    assert (host.report.end, host.report.number, host.report.num_left) == ("exit", 0, 0)
    host.close()
    host.finish(Result((1, 2), (2, 1), (None, None)))
    with pytest.raises(BotFault, match="not running"):
        host._send(b"x", None)


def test_bot_that_does_not_read_is_out_of_time(table, any_level):
    program = Program(table.raw().folder, command=("/bin/sleep", "60"))
    host = SubprocessHost(program, RELAXED, any_level)
    host._launch("ninjan")
    with pytest.raises(BotFault, match="did not read what it was sent in time") as caught:
        host._send(bytes(1 << 20), host._deadline(0.1, 0.1))
    assert caught.value.kind == "timeout"


def test_keepers_start_again_after_they_have_ended(table):
    for _ in range(2):
        assert table.play([table.python("fair.py")] * 2, resolve("auto")).kinds == [None, None]
        close_keepers()


def test_levels_are_probed_and_named():
    offers = {offer.name: offer for offer in probe()}
    assert list(offers) == ["isolated", "process", "trusted"]
    assert all(offer.reason for offer in offers.values())
    assert offers["trusted"].level is not None
    best = resolve("auto")
    assert best.name == next(name for name, offer in offers.items() if offer.level)
    with pytest.raises(UsageError, match="levels: auto, isolated, process, trusted"):
        resolve("strict")


def test_isolation_that_cannot_be_had_says_what_helps(run_python):
    """Without namespaces to be had, `isolated` is refused and `auto` takes `process`."""
    program = (
        "import ctypes, os\n"
        "libc = ctypes.CDLL(None)\n"
        "libc.prctl(38, 1, 0, 0, 0)\n"
        "from arena.hosts.sandbox import resolve, seccomp\n"
        "from arena.errors import MissingExtra\n"
        "seccomp.install(True, True)\n"
        "try:\n    resolve('isolated')\n"
        "except MissingExtra as error:\n    print(error.exit_code, error)\n"
        "print(resolve('auto').name)\n"
    )
    lines = run_python("-c", program).stdout.splitlines()
    assert lines[0].startswith("3 the sandbox level isolated cannot be had here: ")
    assert "Debian package" in lines[0]
    assert lines[1] == "process"


def test_missing_level_is_missing_extra():
    assert MissingExtra.exit_code == 3


def test_time_of_a_move_is_bounded_by_the_clock(table):
    limits = Limits(start_s=5.0, move_s=0.2, bank_s=0.1, memory_mb=256)
    begun = time.monotonic()
    played = table.play([table.raw("sleeps_for_ever"), table.python("fair.py")], resolve("auto"), limits=limits)
    assert played.kinds == ["timeout", None]
    assert time.monotonic() - begun < 10
