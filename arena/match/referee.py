"""The referee: one match from its spec to its outcome (design.md, rules 3 and 7).

A bot's failing is a fault, and scored. Our own failing raises, and nothing is scored.
"""

from array import array
from collections.abc import Callable, Sequence
from functools import lru_cache
from math import nan

import msgspec
import numpy as np

from arena.core.bot import MatchInfo, Result
from arena.core.clock import Stopwatch, monotonic
from arena.core.game import Action, Game
from arena.core.record import Fault, Outcome, pack_actions, rank_scores
from arena.core.seeding import bot_seed, derive
from arena.core.spec import Entrant, GameRef, Limits, MatchSpec
from arena.core.view import NO_CLOCK, BotRandom, Clock, View
from arena.errors import ArenaError
from arena.games import load_game
from arena.hosts.base import BotFault, Host
from arena.kernels.rng import LUCK_WORDS, below, seed_luck
from arena.kernels.simulation import kernels_of

MAX_THINK_US = 2**32 - 1  # what a record holds of one answer's time: 71 minutes

HostMaker = Callable[[Entrant], Host]
Watcher = Callable[[tuple[int, ...], int, Action | None], None]
"""Is shown each position: the complete state, the ply, and the action that led to it (None at first)."""


@lru_cache(maxsize=64)
def _option_words(encoded: bytes) -> tuple[Game, "np.ndarray[tuple[int], np.dtype[np.int64]]"]:
    """Returns the game of a reference, checked to be the one here, and its option words."""
    reference = msgspec.json.decode(encoded, type=GameRef)
    game = load_game(reference.name)
    if game.version != reference.version:
        raise ArenaError(f"the match is of {game.name} version {reference.version}; here is version {game.version}")
    options = msgspec.convert(reference.options, game.Options)
    return game, np.array(game.encode_options(options), np.int64)


def game_of(reference: GameRef) -> tuple[Game, "np.ndarray[tuple[int], np.dtype[np.int64]]"]:
    """Returns a reference's game and its option words.

    Raises:
        ArenaError: the game here is of another version.
    """
    return _option_words(msgspec.json.encode(reference, order="sorted"))


def _nanoseconds(seconds: float | None) -> float:
    return float("inf") if seconds is None else seconds * 1e9


def _describe_number(action: Action) -> str:
    """Returns a number that is no action id, however large it is."""
    return f"action {action}" if abs(action) < 1 << 63 else f"a number of {action.bit_length()} bits"


class _Seat:
    """One seat of a match being played: its host, clock, and what it has seen."""

    __slots__ = ("bank_ns", "fault", "host", "move_ns", "num_asked", "num_seen", "rng", "substitute", "think_ns")

    def __init__(self, host: Host, limits: Limits, seed: int) -> None:
        self.host = host
        self.rng = BotRandom(seed)
        self.fault: Fault | None = None
        self.num_seen = 0
        self.num_asked = 0
        self.think_ns = 0
        self.move_ns = _nanoseconds(limits.move_s)
        self.bank_ns = _nanoseconds(limits.bank_s)
        self.substitute: np.ndarray[tuple[int], np.dtype[np.uint64]] | None = None

    def charge(self, spent_ns: int) -> bool:
        """Takes a move's time off the bank and says whether there was enough."""
        if spent_ns > self.move_ns:
            self.bank_ns -= spent_ns - self.move_ns
        return self.bank_ns >= 0

    def clock(self, limits: Limits) -> Clock:
        """Returns the time left, as the bot sees it."""
        bank_s = None if limits.bank_s is None else self.bank_ns / 1e9
        return Clock(move_s=limits.move_s, bank_s=bank_s)


class Referee:
    """Plays one match. The object is used once."""

    def __init__(self, spec: MatchSpec, make_host: HostMaker, stopwatch: Stopwatch = monotonic) -> None:
        self.spec = spec
        self.game, options = game_of(spec.conditions.game)
        self.kernels = kernels_of(self.game)
        self.num_seats = len(spec.lineup)
        self.limits = spec.conditions.limits
        self.stopwatch = stopwatch
        self.history: list[tuple[int, Action]] = []
        self.num_faults = 0
        self.think_us: list[int] = []
        self.state = np.zeros(self.game.state_words, np.int64)
        self.luck = np.empty(LUCK_WORDS, np.uint64)
        seed_luck(np.uint64(spec.deal), self.luck)
        self.kernels.deal(self.state, self.num_seats, options, self.luck)
        run_seed, match_id = spec.conditions.run_seed, spec.id
        self.seats = [
            _Seat(make_host(entrant), self.limits, bot_seed(run_seed, match_id, seat))
            for seat, entrant in enumerate(spec.lineup)
        ]

    def play(self, watch: Watcher | None = None) -> Outcome:
        """Plays the match to its end and returns the outcome."""
        self._start()
        if watch is not None:
            watch(tuple(self.state.tolist()), 0, None)
        self._run(watch)
        return self._finish()

    def _start(self) -> None:
        for number, seat in enumerate(self.seats):
            info = MatchInfo(self.spec.id, self.game.name, self.num_seats, number, seat.rng.seed, self.limits)
            try:
                seat.host.start(info)
            except BotFault as fault:
                self._charge(number, fault.kind, fault.detail)

    def _run(self, watch: Watcher | None) -> None:
        """Plays plies until the match is over, decided by faults or by the rules."""
        state, luck, history, think_us = self.state, self.luck, self.history, self.think_us
        legal_kernel, apply_kernel = self.kernels.legal, self.kernels.apply
        out = np.empty(self.game.max_legal, np.int64)
        while not self._is_decided():
            number = state.item(0)
            if number < 0:
                break
            count = legal_kernel(state, out)
            seat = self.seats[number]
            spent_us = 0
            if count == 1:
                action = out.item(0)
            elif seat.fault is not None:
                action = self._substitute(number, count, out)
            else:
                legal = tuple(out[:count].tolist())
                answer, spent_us = self._ask(number, seat, legal)
                if answer is None:
                    continue  # a fault: with two seats the match is decided, with more a substitute plays on
                action = answer
            history.append((number, action))
            think_us.append(spent_us)
            apply_kernel(state, action, luck)
            if spent_us and self.game.has_hidden_actions:
                self._note_seen(number, seat)
            if watch is not None:
                watch(tuple(state.tolist()), len(history), action)

    def _ask(self, number: int, seat: _Seat, legal: tuple[Action, ...]) -> tuple[Action | None, int]:
        """Asks a bot and returns its action, or None after a fault, and the microseconds it took, at least 1."""
        masked = np.empty_like(self.state)
        self.kernels.observe(self.state, number, masked)
        history = self.history
        seen = self.game.seen(history, self.num_seats, number) if self.game.has_hidden_actions else history
        clock = NO_CLOCK if self.limits.move_s is None else seat.clock(self.limits)
        view: View = self.game.view_type(
            self.game,
            masked.tobytes(),
            self.num_seats,
            number,
            len(history),
            legal,
            seen[seat.num_seen :],
            seat.rng,
            clock,
        )
        # What it has seen by now, its own coming action included: the next view begins after that.
        seat.num_seen = len(seen) + 1 if seen is history else len(seen)
        begun = self.stopwatch()
        try:
            action = seat.host.act(view)
        except BotFault as fault:
            self._charge(number, fault.kind, fault.detail)
            return None, 0
        spent_ns = self.stopwatch() - begun
        seat.num_asked += 1
        seat.think_ns += spent_ns
        if self.limits.move_s is not None and not seat.charge(spent_ns):
            self._charge(number, "timeout", f"took {spent_ns / 1e9:.3f} s, more than its limit and bank allow")
            return None, 0
        if action not in legal:
            self._charge(number, "illegal", self._describe_illegal(action, legal))
            return None, 0
        return action, min(max(1, spent_ns // 1000), MAX_THINK_US)

    def _describe_illegal(self, action: Action, legal: Sequence[Action]) -> str:
        name = self.game.action_name
        given = name(action) if 0 <= action < self.game.num_actions else _describe_number(action)
        shown = " ".join(map(name, legal[:20])) + (" ..." if len(legal) > 20 else "")
        return f"{given} is not legal; legal: {shown}"

    def _note_seen(self, number: int, seat: _Seat) -> None:
        """Leaves a seat's own action out of its next view, unless it was made in secret and is yet to be revealed."""
        num_seen = len(self.game.seen(self.history, self.num_seats, number))
        if num_seen == seat.num_seen + 1:
            seat.num_seen = num_seen

    def _charge(self, number: int, kind: str, detail: str) -> None:
        self.seats[number].fault = Fault(kind, len(self.history), detail)
        self.num_faults += 1

    def _is_decided(self) -> bool:
        """Says whether faults have ended the match: one of two seats out, or all of several."""
        return self.num_faults > 0 and (self.num_seats == 2 or self.num_faults == self.num_seats)

    def _substitute(self, number: int, count: int, out: "np.ndarray[tuple[int], np.dtype[np.int64]]") -> Action:
        """Draws a stand-in's action, from a stream of the deal's own."""
        seat = self.seats[number]
        if seat.substitute is None:
            seat.substitute = np.array([derive(self.spec.deal, "substitute", number)], np.uint64)
        return out.item(below(seat.substitute, 0, count))

    def _finish(self) -> Outcome:
        """Ranks the seats and tells the result to all who are left."""
        scores = np.zeros(self.num_seats, np.int64)
        self.kernels.scores(self.state, scores)
        faults = tuple(seat.fault for seat in self.seats)
        result = Result(
            scores=tuple(scores.tolist()),
            ranks=self._ranks(),
            faults=tuple(fault.kind if fault else None for fault in faults),
        )
        for seat in self.seats:
            if seat.fault is None:
                seat.host.finish(result)
        return Outcome(
            match=self.spec.id,
            scores=result.scores,
            ranks=result.ranks,
            faults=faults,
            actions=pack_actions([action for _, action in self.history]),
            think_us=array("I", self.think_us).tobytes(),
            think_ms=tuple(seat.think_ns / 1e6 / seat.num_asked if seat.num_asked else nan for seat in self.seats),
        )

    def _ranks(self) -> tuple[int, ...]:
        """Returns the places: by the rules for who played on, below them the faulted, later above earlier."""
        utilities = np.zeros(self.num_seats, np.float64)
        if self.state.item(0) < 0:
            self.kernels.returns(self.state, utilities)
        keys: list[tuple[float, ...]] = [(1.0, utility) for utility in utilities.tolist()]
        for number, seat in enumerate(self.seats):
            if seat.fault is not None:
                # Bots are started together: who did not get ready is out at the same time.
                keys[number] = (0.0, -1.0 if seat.fault.kind == "no_start" else float(seat.fault.ply))
        return rank_scores(keys)


def play_match(spec: MatchSpec, make_host: HostMaker, stopwatch: Stopwatch = monotonic) -> Outcome:
    """Plays a match from its spec: the pure function that everything else is built around."""
    return Referee(spec, make_host, stopwatch).play()
