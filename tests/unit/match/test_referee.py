"""What bots are told and asked, and that a match hangs on its spec alone."""

import random
import threading

import msgspec
import pytest

from arena.core.bot import Bot
from arena.core.seeding import bot_seed
from arena.core.spec import Limits
from arena.errors import ArenaError
from arena.games import all_games, load_game
from arena.kernels.simulation import Simulation
from arena.match.referee import Referee


class Diary(Bot):
    """Plays at random and writes down all that it is told."""

    def __init__(self, options=None):
        super().__init__(options)
        self.info = self.result = None
        self.views = []
        self.answers = []

    def start(self, match):
        self.info = match

    def act(self, view):
        self.views.append(view)
        self.answers.append(view.rng.choice(view.legal))
        return self.answers[-1]

    def finish(self, result):
        self.result = result


SEATINGS = [(game.name, num_seats) for game in all_games().values() for num_seats in game.seats]
EVERY_SEATING = pytest.mark.parametrize(("game", "num_seats"), SEATINGS, ids=str)


def positions(played):
    """Yields (ply, seat, legal actions, action) of a match that was played."""
    spec = played.spec
    rules = load_game(spec.conditions.game.name)
    words = rules.encode_options(rules.parse_options({}))
    position = Simulation.from_deal(rules, words, len(spec.lineup), spec.deal)
    for ply, action in enumerate(played.outcome.action_list):
        yield ply, position.to_move, position.legal, action
        position.play(action)


@EVERY_SEATING
def test_each_seat_has_a_bot_of_its_own(play, game, num_seats):
    """One object a seat and match, told its own seat and seed (cases.md B10)."""
    played = play(game, [Diary] * num_seats, deal=3)
    assert len({id(bot) for bot in played.bots}) == num_seats
    for seat, bot in enumerate(played.bots):
        info = bot.info
        assert (info.match, info.game, info.players, info.seat) == (played.spec.id, game, num_seats, seat)
        assert info.seed == bot_seed(5, played.spec.id, seat) < 2**53
        assert info.limits == Limits()
        assert {view.seat for view in bot.views} <= {seat}
        assert {view.num_seats for view in bot.views} <= {num_seats}
    assert len({bot.info.seed for bot in played.bots}) == num_seats


@EVERY_SEATING
def test_bots_are_asked_for_every_choice_and_no_other_ply(play, game, num_seats):
    played = play(game, [Diary] * num_seats, deal=4)
    asked = {(view.ply, bot.info.seat): (view.legal, answer) for bot in played.bots
             for view, answer in zip(bot.views, bot.answers, strict=True)}  # fmt: skip
    for ply, seat, legal, action in positions(played):
        if len(legal) > 1:
            assert asked.pop((ply, seat)) == (legal, action)
    assert not asked
    think_us = memoryview(played.outcome.think_us).cast("I").tolist()
    assert [us > 0 for us in think_us] == [len(legal) > 1 for _, _, legal, _ in positions(played)]


@EVERY_SEATING
def test_moves_are_what_was_seen_since_the_last_answer(play, game, num_seats):
    """All views of a seat, one after the other, tell once of everything that it has seen and did not just do itself.

    An own action is told of where it is revealed later than it was made, or was made without asking.
    """
    played = play(game, [Diary] * num_seats, deal=6)
    rules = load_game(game)
    history = [(seat, action) for _, seat, _, action in positions(played)]
    for seat, bot in enumerate(played.bots):
        told, own = [], 0
        for view, answer in zip(bot.views, bot.answers, strict=True):
            seen = list(rules.seen(history[: view.ply], num_seats, seat))
            told += view.moves
            assert told == seen
            after = list(rules.seen(history[: view.ply + 1], num_seats, seat))
            if after == [*seen, (seat, answer)]:
                told.append((seat, answer))
                own += 1
        assert own + sum(move.seat == seat for view in bot.views for move in view.moves) <= sum(
            actor == seat for actor, _ in history
        )


@pytest.mark.parametrize("num_seats", [2, 3])
def test_seen_may_be_a_list_of_its_own(play, monkeypatch, num_seats):
    """A game may build what was seen anew each time, where Ninjan often hands back the history itself."""
    kind = type(load_game("ninjan"))

    def moves():
        bots = play("ninjan", [Diary] * num_seats, deal=6).bots
        return [[view.moves for view in bot.views] for bot in bots]

    expected, seen = moves(), kind.seen
    monkeypatch.setattr(kind, "seen", lambda *arguments: list(seen(*arguments)))
    assert moves() == expected


class TestMovesOfNinjan:
    """The documentation of View.moves on two rounds of three seats."""

    @pytest.fixture
    def bots(self, play):
        return play("ninjan", [Diary] * 3, deal=9).bots

    def names(self, view):
        return [(move.seat, view.name(move.action)) for move in view.moves]

    def test_first_view_has_none_and_later_choosers_see_no_card(self, bots):
        for bot in bots:
            assert bot.views[0].ply == bot.info.seat
            assert bot.views[0].moves == ()

    def test_reveal_tells_all_cards_one_s_own_included(self, bots):
        cards = [(seat, bot.views[0].name(bot.answers[0])) for seat, bot in enumerate(bots)]
        second = [next(view for view in bot.views if view.ply >= 3) for bot in bots]
        assert any(view.ply == 3 for view in second) or any(len(bot.views) > 1 for bot in bots)
        for view in second:
            assert self.names(view)[:3] == cards

    def test_own_choice_of_a_pile_is_not_told_again(self, bots):
        """Of what a seat has done itself a view tells cards and forced piles, no pile that it was asked for."""
        num_asked = 0
        for bot in bots:
            asked = {view.ply for view in bot.views if not view.is_choosing}
            num_asked += len(asked)
            own_piles = [move for view in bot.views for move in view.moves if move.seat == bot.info.seat]
            own_piles = [move for move in own_piles if bot.views[0].name(move.action).startswith("@")]
            assert len(own_piles) + len(asked) <= 9
        assert num_asked > 0

    def test_forced_plies_of_one_s_own_are_told(self, play):
        """With every choice but the last made, the ninth card is forced; so is a single pile."""
        played = play("ninjan", [Diary] * 2, deal=2)
        forced = [(ply, seat, action) for ply, seat, legal, action in positions(played) if len(legal) == 1]
        num_told = 0
        for ply, seat, action in forced:
            later = [view for view in played.bots[seat].views if view.ply > ply]
            if later and ply % 4 >= 2:
                assert (seat, action) in later[0].moves
                num_told += 1
        assert num_told > 0


def without_times(outcome):
    return outcome.action_list, outcome.scores, outcome.ranks, outcome.faults


class Turns:
    """Lets two matches, each in a thread of its own, take turns at every move."""

    def __init__(self) -> None:
        self.condition = threading.Condition()
        self.turn = 0
        self.running = {0, 1}
        self.num_switches = 0

    def step(self, me: int) -> None:
        with self.condition:
            other = 1 - me
            if other in self.running:
                self.turn = other
                self.num_switches += 1
                self.condition.notify_all()
                assert self.condition.wait_for(lambda: self.turn == me or other not in self.running, timeout=30)

    def leave(self, me: int) -> None:
        with self.condition:
            self.running.discard(me)
            self.turn = 1 - me
            self.condition.notify_all()


@EVERY_SEATING
def test_matches_in_one_process_do_not_disturb_each_other(play, uniform, game, num_seats):
    """Two matches move by move in turn, and each alone: the same (cases.md C2)."""
    alone = [without_times(play(game, [uniform] * num_seats, deal=deal).outcome) for deal in (21, 22)]
    turns = Turns()
    found = [None, None]

    def run(me):
        class Waits(uniform):
            def act(self, view):
                turns.step(me)
                return super().act(view)

        try:
            kinds = [type("Uniform", (Waits,), {})] * num_seats
            found[me] = without_times(play(game, kinds, deal=21 + me).outcome)
        finally:
            turns.leave(me)

    threads = [threading.Thread(target=run, args=(me,)) for me in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == alone
    assert turns.num_switches > 5


def test_match_played_within_a_move_of_another_changes_neither(play, uniform):
    alone = without_times(play("ninjan", [uniform] * 3, deal=31).outcome)
    inner = []

    class Nests(uniform):
        def act(self, view):
            inner.append(without_times(play("ninjan", [uniform] * 3, deal=32).outcome))
            return super().act(view)

    Nests.__name__ = "Uniform"
    assert without_times(play("ninjan", [Nests] * 3, deal=31).outcome) == alone
    assert inner == [without_times(play("ninjan", [uniform] * 3, deal=32).outcome)] * len(inner)


def test_seat_s_draws_are_its_own(play, uniform):
    """However much another seat draws, this one's generator gives what its seed gives (cases.md C4)."""

    class Draws(Bot):
        drawn = 0

        def act(self, view):
            self.drawn += view.rng.randrange(50)
            for _ in range(self.drawn):
                view.rng.random()
            return view.legal[0]

    first = play("connect_four", [Draws, Diary], deal=5)
    diary = first.bots[1]
    rng = random.Random(diary.info.seed)
    assert [rng.choice(view.legal) for view in diary.views] == diary.answers


def test_deal_is_fixed_before_any_bot_acts(play, first, uniform):
    """The same deal meets all line-ups, whatever they draw or do."""
    setups = {
        str(next(iter(positions(play("ninjan", kinds, deal=8))))[2])
        for kinds in ([first] * 2, [uniform] * 2, [Diary, first])
    }
    assert len(setups) == 1


@EVERY_SEATING
def test_global_generator_is_left_alone_and_has_no_part(play, uniform, game, num_seats):
    state = random.getstate()
    outcome = without_times(play(game, [uniform] * num_seats, deal=3).outcome)
    assert random.getstate() == state
    try:
        random.setstate(random.Random(2).getstate())
        assert without_times(play(game, [uniform] * num_seats, deal=3).outcome) == outcome
    finally:
        random.setstate(state)


def test_other_run_seed_gives_other_bots_the_same_deal(play, uniform):
    first = play("ninjan", [uniform] * 2, deal=3, run_seed=1)
    second = play("ninjan", [uniform] * 2, deal=3, run_seed=2)
    assert next(iter(positions(first)))[2] == next(iter(positions(second)))[2]
    assert first.outcome.action_list != second.outcome.action_list


def test_watcher_sees_every_position(play, uniform):
    shown = []
    played = play("ninjan", [uniform] * 2, deal=3, watch=lambda words, ply, action: shown.append((words, ply, action)))
    assert [ply for _, ply, _ in shown] == list(range(37))
    assert [action for _, _, action in shown] == [None, *played.outcome.action_list]
    assert all(isinstance(word, int) for words, _, _ in shown for word in words)
    assert shown[-1][0][0] == -1


def test_game_of_another_version_is_a_failure_of_ours(ready, uniform):
    spec = ready("ninjan", [uniform] * 2).spec
    game = msgspec.structs.replace(spec.conditions.game, version="0")
    conditions = msgspec.structs.replace(spec.conditions, game=game)
    with pytest.raises(ArenaError, match="the match is of ninjan version 0; here is version"):
        Referee(msgspec.structs.replace(spec, conditions=conditions), lambda entrant: None)
