"""The bench of hostile bots, each in each seat, at every level that claims to stop it (docs/reference/sandbox.md)."""

import socket

import pytest

from arena.core.spec import Limits

pytestmark = pytest.mark.usefixtures("nothing_left")

FAULTS = {
    "never_ready": ("no_start", "did not answer in time"),
    "exits_at_once": ("no_start", "exited with code 0"),
    "exits_with_three": ("no_start", "exited with code 3"),
    "prints_a_banner": ("protocol", "is no message"),
    "answers_before_it_is_ready": ("protocol", "before it was asked"),
    "hangs_in_c": ("timeout", "did not answer in time"),
    "loops": ("timeout", "did not answer in time"),
    "sleeps_for_ever": ("timeout", "did not answer in time"),
    "answers_late": ("timeout", "did not answer in time"),
    "stops_itself": ("timeout", "did not answer in time"),
    "drips": ("timeout", "half a line"),
    "floods_standard_output": ("output", "a line of more than"),
    "floods_with_lines": ("output", "for one answer"),
    "floods_its_log": ("output", "on standard error"),
    "writes_half_a_line": ("timeout", "half a line"),
    "ends_within_a_line": ("crash", "half a line"),
    "answers_a_later_ply": ("protocol", "is to come"),
    "answers_before_it_is_asked": ("protocol", "before it was asked"),
    "leaves_with_its_answer": ("crash", "exited with code 0"),
    "answers_an_unknown_action": ("illegal", "is no action of ninjan"),
    "answers_an_illegal_action": ("illegal", "is not legal; legal: "),
    "answers_no_text": ("protocol", "is no message"),
    "answers_nan": ("protocol", "is no message"),
    "answers_a_huge_number": ("protocol", "is no message"),
    "answers_a_huge_ply": ("protocol", "is no message"),
    "answers_deep_json": ("protocol", "is no message"),
    "answers_bad_utf8": ("protocol", "is no message"),
    "answers_many_notes": ("protocol", "length <= 32"),
    "says_ready_again": ("protocol", "ready again"),
    "pretends_to_be_the_child": ("protocol", "is no message"),
    "ends_by_a_signal": ("crash", "SIGSEGV"),
    "closes_its_output": ("crash", "closed its standard output"),
    "allocates_eight_gigabytes": ("memory", "limit 256 MB"),
    "allocates_in_many_processes": ("memory", "limit 256 MB"),
    "allocates_under_a_false_name": ("memory", "limit 256 MB"),
    "fills_page_tables": ("memory", "limit 256 MB"),
}
"""Misdeeds, each with the fault class that is charged and what its author is told."""

HARMLESS = [
    "logs_ten_megabytes",
    "logs_within_its_answer",
    "answers_an_earlier_ply",
    "ignores_signals",
    "leaves_a_daemon",
    "starts_fifty_threads",
]
"""Misdeeds that are no fault, and must do no harm."""


def seated(hostile, fair, seat):
    return [hostile, fair] if seat == 0 else [fair, hostile]


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("name", FAULTS)
def test_fault_is_charged_to_its_seat_alone(table, fence, name, seat):
    """cases.md A4, A5, A9, A14, A15, A18, B3, D17: each misdeed ends by its own class, in its own seat.

    A bot that exits, hangs in Python or in C, prints what is no message, answers too late or floods: the limit is
    enforced from outside, the other seat is charged with nothing, and no process of the bot is left to use the core.
    """
    limits = Limits(start_s=1.0 if name == "never_ready" else 5.0, move_s=0.4, bank_s=0.2, memory_mb=256)
    played = table.play(seated(table.raw(name), table.python("fair.py"), seat), fence, limits=limits)
    kind, detail = FAULTS[name]
    assert (played.kinds[seat], played.kinds[1 - seat]) == (kind, None), played.details
    assert detail in played.details[seat]
    assert played.outcome.ranks[seat] == 2
    assert played.outcome.ranks[1 - seat] == 1
    assert "END" in played.log(1 - seat), "who is left is told the result"
    assert "LEAK" not in played.log(seat)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("name", HARMLESS)
def test_nuisance_is_no_fault(table, fence, name, seat):
    """cases.md A7, A18, B1, B6: a full log, a log in the midst of an answer, late answers and daemons harm nobody."""
    played = table.play(seated(table.raw(name), table.python("fair.py"), seat), fence)
    assert played.kinds == [None, None], played.details
    assert len(played.hosts[seat].account().log) <= 64 * 1024


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    "name",
    [
        "forks_a_thousand",
        "fills_the_disk",
        "keeps_unlinked_files_open",
        "keeps_unlinked_files_mapped",
        "makes_many_files",
        "nests_folders",
    ],
)
def test_taking_too_much_harms_nobody_else(table, fence, name, seat):
    """cases.md B1: a thousand forks and a full disk are the bot's own trouble, and gone with it."""
    played = table.play(seated(table.raw(name), table.python("fair.py"), seat), fence)
    assert played.kinds[1 - seat] is None
    assert played.outcome.ranks[1 - seat] == 1 or played.kinds[seat] is None
    assert "LEAK" not in played.log(seat)


@pytest.mark.parametrize("seat", [0, 1])
def test_flood_of_folders_is_told_as_what_it_is(table, fence, seat):
    """To remove them takes seconds, for which the report does not wait. When isolated, the kernel refuses them."""
    limits = Limits(start_s=3.0, move_s=1.0, bank_s=1.0, memory_mb=256)
    played = table.play(seated(table.raw("makes_many_folders"), table.python("fair.py"), seat), fence, limits=limits)
    kind, detail = ("no_start", "in time") if fence.is_isolated else ("output", "made more than 1024 files")
    assert (played.kinds[seat], played.kinds[1 - seat]) == (kind, None), played.details
    assert detail in played.details[seat]


@pytest.mark.parametrize("seat", [0, 1])
def test_busy_processes_hold_up_nobody_for_long(table, fence, seat):
    """A bot that starts many busy processes behind its answer is out before the other's bank is hurt."""
    limits = Limits(start_s=20.0, move_s=1.0, bank_s=10.0, memory_mb=256)
    spinner, thinker = table.raw("spins_when_it_is_not_asked"), table.python("thinks.py")
    played = table.play(seated(spinner, thinker, seat), fence, limits=limits)
    assert (played.kinds[seat], played.kinds[1 - seat]) == ("timeout", None), (played.details, played.log(1 - seat))
    assert played.details[seat] == "used 1 s of processor time while it was not asked for anything"


@pytest.mark.parametrize("seat", [0, 1])
def test_flood_that_is_spread_over_all_answers_is_one_too(table, fence, seat):
    limits = Limits(start_s=5.0, move_s=2.0, bank_s=5.0, memory_mb=256)
    lineup = seated(table.raw("floods_bit_by_bit"), table.python("fair.py"), seat)
    played = table.play(lineup, fence, limits=limits, game="pirates_ninjas_robots_zombies")
    assert (played.kinds[seat], played.kinds[1 - seat]) == ("output", None), played.details
    assert played.details[seat] == "wrote more than 16 MB on standard output"


@pytest.mark.parametrize("seat", [0, 1])
def test_bot_that_leaves_with_its_answer_is_always_told_the_same(table, fence, seat):
    """Whether its end is met when it is asked again or before: the whole answer before is no half line."""
    for deal in range(4):
        hostile = table.raw("leaves_with_its_answer")
        played = table.play(seated(hostile, table.python("fair.py"), seat), fence, deal=deal)
        assert played.details[seat] == "exited with code 0"


@pytest.mark.parametrize("seat", [0, 1])
def test_no_way_out(table, fence, seat, victim, listener):
    outside = table.bundle(name="outside")  # where no rights of files stand in the way
    secret = outside / "arena.db"
    secret.write_text("secret")
    secret.chmod(0o644)
    fair = table.python("fair.py")
    (table.bundle("raw.py", name="raw") / "link").unlink(missing_ok=True)
    (table.bundle("raw.py", name="raw") / "link").symlink_to(secret)
    name, letters = outside / "socket", outside / "letters"
    port = listener.getsockname()[1]
    with (
        socket.socket(socket.AF_UNIX) as local,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as service,
        socket.socket(socket.AF_UNIX) as abstract,
    ):
        local.bind(str(name))
        local.listen()
        service.bind(str(letters))
        service.setblocking(False)
        for path in (name, letters):
            path.chmod(0o666)
        abstract.bind(f"\0arena-test-{port}")
        abstract.listen()
        for arguments in (
            ("opens_sockets", str(port), str(name), str(letters)),
            ("reads_what_is_not_its_own", str(victim), str(secret)),
            ("kills_others", str(victim)),
            ("traces_others", str(victim)),
            ("slows_others", str(victim)),
            ("takes_memory_that_no_size_shows",),
            ("writes_to_its_folder",),
            ("signals_by_shared_files",),
            ("leaves_its_control_group",),
            ("looks_for_neighbours",),
            ("makes_a_session",),
        ):
            played = table.play(seated(table.raw(*arguments), fair, seat), fence)
            assert "LEAK" not in played.log(seat), played.log(seat)
            assert played.kinds == [None, None], (arguments, played.details, played.log(seat))
        with pytest.raises(BlockingIOError):
            listener.accept()
        with pytest.raises(BlockingIOError):
            service.recv(1)


@pytest.mark.parametrize("seat", [0, 1])
def test_nothing_is_carried_from_one_match_to_the_next(table, fence, seat):
    """cases.md B1, B8: a new process and a new empty folder for every match."""
    for hostile in (table.raw("leaves_something_behind"), table.python("patches.py")):
        for _ in range(3):
            played = table.play(seated(hostile, table.python("fair.py"), seat), fence)
            assert "LEAK" not in played.log(seat), played.log(seat)
            assert played.kinds[1 - seat] is None


def test_match_of_three_goes_on_without_the_hostile_one(table, fence):
    """cases.md E6: one rule for the rest, whoever fails: they play on, and are ranked above it."""
    for seat in range(3):
        programs = [table.python("fair.py")] * 3
        programs[seat] = table.raw("floods_standard_output")
        played = table.play(programs, fence)
        assert [kind for place, kind in enumerate(played.kinds) if place != seat] == [None, None]
        assert played.kinds[seat] == "output"
        assert played.outcome.ranks[seat] == 3
