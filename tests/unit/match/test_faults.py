"""Faults are results (design.md, rule 3): bots that fail in every way, in every seat of two and three."""

import asyncio

import msgspec
import numpy as np
import pytest

from arena.core.bot import Bot
from arena.core.record import FAULT_CLASSES
from arena.core.seeding import derive
from arena.core.spec import Limits
from arena.games import load_game
from arena.kernels.rng import below

NINJAN = load_game("ninjan")


class Witness(Bot):
    """Plays the first legal action and keeps what it was told."""

    def __init__(self, options=None):
        super().__init__(options)
        self.result = None
        self.num_results = 0

    def act(self, view):
        return view.legal[0]

    def finish(self, result):
        self.result = result
        self.num_results += 1


def raising(error):
    """Returns a bot class whose first move raises."""

    class Raises(Witness):
        def act(self, view):
            raise error

    return Raises


def answering(make_answer):
    """Returns a bot class whose first move answers what the function makes of the view."""

    class Answers(Witness):
        def act(self, view):
            return make_answer(view)

    return Answers


class NoStart(Witness):
    def start(self, match):
        raise FileNotFoundError("weights.bin")


class NoConstruction(Witness):
    def __init__(self, options=None):
        raise ImportError("no module named torch")


class ForgotItsView(Witness):
    def act(self):
        return 0


class Raised(Exception):
    """An exception whose text cannot be made."""

    def __str__(self):
        raise ValueError("twice wrong")


class Unprintable:
    def __repr__(self):
        raise ValueError("nothing to see")


class Sly(int):
    """A number that claims to be equal to any other."""

    def __eq__(self, other):
        return True

    __hash__ = int.__hash__


class BadIndex:
    def __index__(self):
        raise TypeError("no index after all")


CRASHES = {
    "ValueError": raising(ValueError("bad luck")),
    "SystemExit": raising(SystemExit(3)),
    "GeneratorExit": raising(GeneratorExit()),
    "CancelledError": raising(asyncio.CancelledError()),
    "BaseException": raising(BaseException("base")),
    "RecursionError": answering(lambda view: (lambda f: f(f))(lambda f: f(f))),
    "TypeError of its own": answering(lambda view: len(5)),
    "StopIteration": raising(StopIteration()),
    "text of two lines": raising(RuntimeError("first\nsecond")),
    "text that cannot be made": raising(Raised()),
    "lone surrogate": raising(ValueError("\udc80 undecodable")),
    "act without a view": ForgotItsView,
    "abstract act": Bot,
}
ILLEGAL = {
    "int": answering(lambda view: 50 if 50 not in view.legal else 49),
    "other legal action": answering(lambda view: next(a for a in range(48) if a not in view.legal)),
    "negative": answering(lambda view: -1),
    "past the last": answering(lambda view: NINJAN.num_actions),
    "huge": answering(lambda view: 10**5000),
    "huge negative": answering(lambda view: -(10**30)),
    "64 bits": answering(lambda view: view.legal[0] + 2**64),
    "None": answering(lambda view: None),
    "notation": answering(lambda view: view.name(view.legal[0])),
    "float": answering(lambda view: float(view.legal[0])),
    "tuple": answering(lambda view: view.legal),
    "numpy array": answering(lambda view: np.array(view.legal[:2])),
    "numpy float": answering(lambda view: np.float64(view.legal[0])),
    "unprintable object": answering(lambda view: Unprintable()),
    "bad __index__": answering(lambda view: BadIndex()),
    "sly int": answering(lambda view: Sly(10**6)),
    "False where 0 is not legal": answering(lambda view: False),
    "coroutine function": answering(lambda view: asyncio.sleep),
}
NO_START = {"start raises": NoStart, "constructor raises": NoConstruction}
CASES = [
    *(("crash", name, kind) for name, kind in CRASHES.items()),
    *(("illegal", name, kind) for name, kind in ILLEGAL.items()),
    *(("no_start", name, kind) for name, kind in NO_START.items()),
]
BY_NAME = pytest.mark.parametrize(("fault", "kind"), [(f, kind) for f, _, kind in CASES], ids=[c[1] for c in CASES])
DEAL = 9  # nobody holds R-6, action 0, in this deal


@BY_NAME
@pytest.mark.parametrize(("num_seats", "seat"), [(2, 0), (2, 1), (3, 0), (3, 1), (3, 2)])
def test_fault_is_scored_against_its_seat(play, fault, kind, num_seats, seat):
    kinds = [Witness] * num_seats
    kinds[seat] = kind
    played = play("ninjan", kinds, deal=DEAL)
    outcome = played.outcome
    assert played.kinds == [fault if number == seat else None for number in range(num_seats)]
    assert fault in FAULT_CLASSES
    assert outcome.ranks[seat] == num_seats
    detail = outcome.faults[seat].detail
    assert detail
    assert len(detail) < 500
    assert detail.isprintable()
    assert msgspec.json.decode(msgspec.json.encode(outcome)), "it can be stored"
    # In the first round seat s is asked at ply s; who did not start is out before.
    assert outcome.faults[seat].ply == (0 if fault == "no_start" else seat)
    num_plies = len(outcome.action_list)
    assert num_plies == (outcome.faults[seat].ply if num_seats == 2 else 18 * num_seats)
    for bot in played.bots:
        if isinstance(bot, Witness) and type(bot) is Witness:
            assert bot.num_results == 1, "all who are left are told the result"
            assert bot.result.ranks == outcome.ranks
            assert bot.result.scores == outcome.scores
            assert list(bot.result.faults) == played.kinds
        elif isinstance(bot, Witness):
            assert bot.num_results == 0


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("ValueError", "ValueError: bad luck (line "),
        ("text of two lines", "RuntimeError: first (line "),
        ("text that cannot be made", "Raised: <its text cannot be made: ValueError> (line "),
        ("lone surrogate", r"ValueError: \udc80 undecodable (line "),
        ("act without a view", "takes 1 positional argument but 2 were given"),
        ("abstract act", "Bot must define act(self, view)"),
        ("huge", "a number of 16610 bits is not legal; legal: R"),
        ("past the last", "action 51 is not legal; legal: R"),
        ("notation", "act returned no action but 'R"),
        ("None", "act returned no action but None"),
        ("unprintable object", "act returned no action but <its text cannot be made: ValueError>"),
    ],
)
def test_detail_helps_the_author(play, name, words):
    kind = {**CRASHES, **ILLEGAL}[name]
    assert words in play("ninjan", [kind, Witness], deal=DEAL).outcome.faults[0].detail


@pytest.mark.parametrize("convert", [np.int64, np.uint8, np.int32, Sly], ids=lambda convert: convert.__name__)
def test_whole_numbers_of_other_types_are_actions(play, convert):
    """numpy's integers stand for themselves, in the history as plain ints."""
    other = play("ninjan", [answering(lambda view: convert(view.legal[0])), Witness]).outcome
    assert other.faults == (None, None)
    plain = play("ninjan", [Witness, Witness]).outcome
    assert other.action_list == plain.action_list
    assert all(type(action) is int for action in other.action_list)


def test_true_and_false_are_one_and_zero(play):
    class Logical(Witness):
        def act(self, view):
            return True if 1 in view.legal else view.legal[0]

    outcome = play("connect_four", [Logical, Logical], deal=4).outcome
    assert outcome.faults == (None, None)
    assert 1 in outcome.action_list


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_what_is_not_of_the_bot_goes_through(play, error):
    with pytest.raises(error):
        play("ninjan", [raising(error()), Witness])


def test_failing_to_hear_the_result_changes_nothing(play):
    class Sulks(Witness):
        def finish(self, result):
            raise SystemExit("not fair")

    played = play("ninjan", [Sulks, Witness, Sulks])
    assert played.kinds == [None, None, None]
    assert played.bots[1].num_results == 1


def failing_at(ply):
    """Returns a bot class that fails when it is first asked at a ply or later."""

    class FailsLater(Witness):
        def act(self, view):
            if view.ply >= ply:
                raise RuntimeError("enough")
            return view.legal[0]

    return FailsLater


class TestSeveralFaults:
    def test_later_out_ranks_above_earlier(self, play):
        played = play("ninjan", [failing_at(20), Witness, failing_at(7), failing_at(13)], deal=3)
        plies = [fault.ply if fault else None for fault in played.outcome.faults]
        assert plies[2] < plies[3] < plies[0]
        assert played.outcome.ranks == (2, 1, 4, 3)
        assert len(played.outcome.action_list) == 72
        assert played.bots[1].result.ranks == (2, 1, 4, 3)

    @pytest.mark.parametrize("num_seats", [3, 4, 5])
    def test_match_ends_when_all_are_out(self, play, num_seats):
        kinds = [failing_at(4 * num_seats + seat) for seat in range(num_seats)]
        outcome = play("ninjan", kinds, deal=3).outcome
        last = max(fault.ply for fault in outcome.faults)
        assert len(outcome.action_list) == last
        order = sorted(range(num_seats), key=lambda seat: -outcome.faults[seat].ply)
        assert [outcome.ranks[seat] for seat in order] == list(range(1, num_seats + 1))

    def test_none_ready_is_a_tie(self, play):
        """Bots are started together."""
        for num_seats in (2, 3):
            outcome = play("ninjan", [NoStart] * num_seats).outcome
            assert outcome.ranks == (1,) * num_seats
            assert outcome.action_list == []

    def test_not_ready_ranks_below_out_at_the_first_ply(self, play):
        outcome = play("ninjan", [failing_at(0), NoStart, Witness]).outcome
        assert [fault.ply if fault else None for fault in outcome.faults] == [0, 0, None]
        assert outcome.ranks == (2, 3, 1)

    def test_last_of_three_wins_whatever_the_scores(self, play, uniform):
        for deal in range(12):
            outcome = play("ninjan", [failing_at(30), uniform, failing_at(20)], deal=deal).outcome
            assert outcome.ranks == (2, 1, 3)

    def test_honest_seats_are_ranked_by_score(self, play, uniform):
        for deal in range(12):
            outcome = play("ninjan", [uniform, raising(ValueError()), uniform], deal=deal).outcome
            first, _, last = outcome.scores
            expected = (1, 3, 2) if first > last else (2, 3, 1) if last > first else (1, 3, 1)
            assert outcome.ranks == expected


class TestSubstitute:
    def test_it_is_uniform_from_a_stream_of_the_deal(self, play):
        """Seat 1 is out at once: its choices are those of the stream `derive(deal, "substitute", 1)`."""
        outcome = play("ninjan", [Witness, raising(ValueError()), Witness], deal=11).outcome
        stream = np.array([derive(11, "substitute", 1)], np.uint64)
        for legal, seat, action in walk(11, 3, outcome.action_list):
            if seat == 1 and len(legal) > 1:
                assert action == legal[below(stream, 0, len(legal))]

    def test_it_hangs_on_the_deal_and_seat_alone(self, play, first, uniform):
        """Other opponents and another way to fail change none of its first choices."""
        chosen = set()
        for other in (first, uniform):
            for kind in (raising(ValueError()), ILLEGAL["None"], NoStart):
                actions = play("ninjan", [other, kind, other], deal=11).outcome.action_list
                chosen.add(actions[1])
        assert len(chosen) == 1

    def test_bot_that_is_out_is_asked_no_more(self, play):
        asked = []

        class Counts(Witness):
            def act(self, view):
                asked.append(view.ply)
                raise ValueError

        play("ninjan", [Witness, Counts, Witness])
        assert asked == [1]


def walk(deal, num_seats, actions):
    """Yields for each ply the legal actions, the seat and the action."""
    from arena.kernels.simulation import Simulation

    position = Simulation.from_deal(NINJAN, [], num_seats, deal)
    for action in actions:
        yield position.legal, position.to_move, action
        position.play(action)


class Ticks:
    """A stopwatch that moves only when a bot says that it thinks."""

    def __init__(self) -> None:
        self.now = 0

    def __call__(self) -> int:
        return self.now


class TestClock:
    """Time over `move_s` drains the bank; past the bank it is a timeout."""

    @pytest.fixture
    def timed(self, play):
        def run(num_seats, seat, thoughts, limits):
            """Plays with a bot in one seat that thinks so many seconds on its moves, and records its clocks."""
            ticks, clocks = Ticks(), []

            class Thinks(Witness):
                def act(self, view):
                    clocks.append(view.clock)
                    ticks.now += round(thoughts[min(len(clocks), len(thoughts)) - 1] * 1e9)
                    return view.legal[0]

            kinds = [Witness] * num_seats
            kinds[seat] = Thinks
            return play("ninjan", kinds, stopwatch=ticks, limits=limits), clocks

        return run

    @pytest.mark.parametrize(("num_seats", "seat"), [(2, 0), (2, 1), (3, 0), (3, 1), (3, 2)])
    def test_timeout_is_that_of_the_slow_seat(self, timed, num_seats, seat):
        """cases.md A15: with the slow bot in each seat."""
        played, clocks = timed(num_seats, seat, [0.1, 0.1, 5], Limits(move_s=1, bank_s=3))
        assert played.kinds == ["timeout" if number == seat else None for number in range(num_seats)]
        assert played.outcome.ranks[seat] == num_seats
        assert len(clocks) == 3
        assert "took 5.000 s" in played.outcome.faults[seat].detail

    def test_exactly_the_limit_is_in_time(self, timed):
        played, clocks = timed(2, 0, [1.0], Limits(move_s=1, bank_s=0))
        assert played.kinds == [None, None]
        assert all(clock.bank_s == 0 for clock in clocks)

    def test_a_little_over_it_without_a_bank_is_a_timeout(self, timed):
        played, _ = timed(2, 0, [1.000001], Limits(move_s=1, bank_s=0))
        assert played.kinds == ["timeout", None]

    def test_bank_drains_by_what_is_over(self, timed):
        played, clocks = timed(2, 1, [1.5, 0.2, 2.25, 0.9, 1.25], Limits(move_s=1, bank_s=2))
        assert [clock.bank_s for clock in clocks] == [2, 1.5, 1.5, 0.25, 0.25, 0]
        assert all(clock.move_s == 1 for clock in clocks)
        assert played.kinds == [None, "timeout"]

    def test_bank_used_up_to_the_last_is_in_time(self, timed):
        played, clocks = timed(2, 1, [2.0, 2.0, 2.0001], Limits(move_s=1, bank_s=2))
        assert [clock.bank_s for clock in clocks] == [2, 1, 0]
        assert played.kinds == [None, "timeout"]

    def test_no_limit_is_none(self, timed):
        played, clocks = timed(2, 0, [1e6], Limits())
        assert played.kinds == [None, None]
        assert {(clock.move_s, clock.bank_s) for clock in clocks} == {(None, None)}

    def test_time_past_what_is_stored_is_the_most_that_is(self, timed):
        """A person at the table may think for hours; microseconds are stored up to 71 minutes."""
        played, _ = timed(2, 0, [1e6], Limits())
        assert max(memoryview(played.outcome.think_us).cast("I")) == 2**32 - 1
        assert played.outcome.think_ms[0] == 1e9

    def test_bank_without_bound(self, timed):
        played, clocks = timed(2, 0, [1e6], Limits(move_s=1))
        assert played.kinds == [None, None]
        assert {(clock.move_s, clock.bank_s) for clock in clocks} == {(1, None)}

    def test_think_time_is_by_seat_and_ply(self, timed):
        played, clocks = timed(2, 1, [0.25], Limits())
        outcome = played.outcome
        think_us = list(memoryview(outcome.think_us).cast("I"))
        seats = [seat for _, seat, _ in walk(1, 2, outcome.action_list)]
        asked = [us for us, seat in zip(think_us, seats, strict=True) if seat == 1 and us]
        assert asked == [250_000] * len(clocks)
        assert outcome.think_ms[1] == pytest.approx(250)
        assert outcome.think_ms[0] == 0
        assert set(think_us) == {0, 1, 250_000}

    def test_late_answer_is_not_played(self, timed):
        """The move that took too long is the substitute's (cases.md A18)."""
        played, _ = timed(3, 0, [9], Limits(move_s=1, bank_s=1))
        assert played.outcome.faults[0].ply == 0
        stream = np.array([derive(1, "substitute", 0)], np.uint64)
        legal, _, action = next(walk(1, 3, played.outcome.action_list))
        assert action == legal[below(stream, 0, 9)]


class Meddler(Witness):
    """Writes wherever a view lets it, then plays on."""

    def act(self, view):
        legal = view.legal
        changes = {"legal": (999,), "ply": -5, "seat": 1, "_moves": None, "_state": b"", "clock": 0}
        for name, value in changes.items():
            setattr(view, name, value)
        return legal[0]


@pytest.mark.parametrize("num_seats", [2, 3])
def test_meddling_with_a_view_changes_nothing(play, num_seats):
    """cases.md A18: what a bot holds is its own copy."""
    meddled = play("ninjan", [Meddler] * num_seats).outcome
    assert meddled.faults == (None,) * num_seats
    assert meddled.action_list == play("ninjan", [Witness] * num_seats).outcome.action_list
