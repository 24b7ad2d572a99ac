"""The numbered steps that a bot must pass before it is admitted, each with one line of what was found."""

from array import array
from collections.abc import Callable, Iterator
from typing import NamedTuple

import msgspec

from arena.core.bot import MatchInfo, Result
from arena.core.game import Game
from arena.core.record import Account, Outcome
from arena.core.seeding import deal_seed
from arena.core.spec import Conditions, Entrant, GameRef, Limits, MatchSpec
from arena.core.wording import counted
from arena.errors import CheckFailed
from arena.executors.base import play_hosted
from arena.games import all_games, load_game
from arena.hosts.base import BotFault, ProgramMissing, Unusable
from arena.hosts.bundle import Bundle
from arena.hosts.bundle_host import BundleHosts
from arena.match.revisit import view_at_fault
from arena.schedule.seatings import seatings

RUN_SEED = 20_240_229  # of the matches of a check: any, but the same for everyone
MOST_SHOWN = 700  # characters of a view in a step's line
CLOSE = 0.5  # of a limit used: worth a word


class Step(NamedTuple):
    """One step of a check."""

    number: int
    title: str
    is_passed: bool
    detail: str
    """One line: what was found; where it failed, what the bot did and what it saw."""


BUNDLE = "the bundle is sound"


def broken(detail: str) -> Step:
    """Returns the first step of a bot whose file is no Python: there is no bundle to check further."""
    return Step(1, BUNDLE, False, detail)


class Played(NamedTuple):
    """A match that was played for a check."""

    spec: MatchSpec
    outcome: Outcome
    accounts: list[Account]
    """By seat."""


class Admission:
    """Checks one bundle. The object is used once."""

    def __init__(self, bundle: Bundle, limits: Limits, hosts: BundleHosts, *, by_clock: bool = False) -> None:
        """Takes what is to be checked.

        Args:
            bundle: the bot.
            limits: what it must keep to.
            hosts: makes its hosts.
            by_clock: whether its moves may depend on time, so that a match need not repeat.
        """
        self.bundle = bundle
        self.limits = limits
        self.hosts = hosts
        self.by_clock = by_clock
        names = bundle.manifest.games or list(all_games())
        self.games = [load_game(name) for name in names]
        self.entrant = Entrant(bundle.manifest.name, bundle.version)
        self.played: list[Played] = []

    def steps(self) -> Iterator[Step]:
        """Yields the steps as they are done; the first that fails is the last.

        Raises:
            InfrastructureError: this machine cannot run the bot, through no fault of its own.
        """
        todo: list[tuple[str, Callable[[], str]]] = [
            (BUNDLE, self._check_bundle),
            ("it gets ready in time", self._check_start),
            ("it plays legally in every seat", self._check_play),
            ("it plays the same under the same seed", self._check_repeat),
            ("its times are within the limits", self._check_times),
            ("it ends in order after a lost match", self._check_lost),
            ("its memory is within the limit", self._check_memory),
            ("it plays a whole block against itself", self._check_block),
        ]
        for number, (title, check) in enumerate(todo, 1):
            try:
                yield Step(number, title, True, check())
            except CheckFailed as failure:
                yield Step(number, title, False, str(failure))
                return

    # The steps

    def _check_bundle(self) -> str:
        files = len(self.bundle.files)
        return f"{counted(files, 'file')}, {self.bundle.num_bytes:,} bytes, version {self.bundle.version}"

    def _check_start(self) -> str:
        self._fill_in(self.games[0])
        found = []
        for game in self.games:
            host = self.hosts.make(self.entrant, self.limits)
            try:
                host.start(self._info(game))
            except BotFault as fault:
                host.close()
                log = _last_line(host.account().log)
                raise CheckFailed(f"{game.name}: {fault.kind}: {fault.detail}{log}") from fault
            except ProgramMissing as problem:
                own = "or put the program into the bot's folder and begin the command with ./"
                raise CheckFailed(f"{game.name}: {problem}, {own}") from problem
            finally:
                host.close()
            found.append(f"{game.name} {host.account().start_ms:.0f} ms")
        return f"{', '.join(found)}{_limit_text(self.limits.start_s, 's')}"

    def _fill_in(self, game: Game) -> None:
        """Fills in the options of the entrant, as a run does; a bot that fails to say fails again when it starts."""
        try:
            filled_in = self.hosts.try_out(self.bundle.version, {}, game.name, self.limits)
        except Unusable as problem:
            raise CheckFailed(f"{game.name}: {problem.kind}: {problem.detail}") from problem
        if filled_in is not None:
            self.entrant = msgspec.structs.replace(self.entrant, options=filled_in.values)

    def _check_play(self) -> str:
        said = []
        for game in self.games:
            for players in game.seats:
                self._play(self._spec(game, players))
            first, last = game.seats.start, game.seats.stop - 1
            said.append(f"{game.name} with {first if first == last else f'{first} to {last}'} seats")
        answers = sum(len(account.wall_us) // 4 for match in self.played for account in match.accounts)
        return f"{', '.join(said)}, {answers} answers"

    def _check_repeat(self) -> str:
        first = self.played[0]
        again = self._play(first.spec)
        if again.outcome.actions == first.outcome.actions:
            return f"{len(first.outcome.action_list)} plies twice"
        plies = zip(first.outcome.action_list, again.outcome.action_list, strict=False)
        ply = next((number for number, (one, other) in enumerate(plies) if one != other), -1)
        if self.by_clock:
            return f"it does not (from ply {ply} on), as its author says"
        raise CheckFailed(
            f"{first.spec.conditions.game.name}: the same match went another way at ply {ply}; draw from view.rng "
            "(or the seed of `start`) alone. A bot that plays by the clock is checked and submitted with --by-clock"
        )

    def _check_times(self) -> str:
        accounts = [account for match in self.played for account in match.accounts]
        starts = [account.start_ms for account in accounts]
        walls = sorted(each / 1000 for account in accounts for each in array("I", account.wall_us)) or [0.0]
        drained = max(map(self._drained_s, accounts))
        bank_s, start_s = self.limits.bank_s, self.limits.start_s
        words = [
            f"ready after {max(starts):.0f} ms at most",
            f"an answer took {sum(walls) / len(walls):.2f} ms (95 %: {walls[int(0.95 * (len(walls) - 1))]:.2f}, "
            f"most {walls[-1]:.2f}){_limit_text(self.limits.move_s, 's')}",
        ]
        if bank_s:
            words.append(f"{drained:.1f} of {bank_s:g} s of the bank used")
        is_close = (bank_s and drained > CLOSE * bank_s) or (start_s and max(starts) > CLOSE * start_s * 1000)
        return ", ".join(words) + ("; that is close: other machines are slower" if is_close else "")

    def _drained_s(self, account: Account) -> float:
        """Returns what a match took of its bank."""
        if self.limits.move_s is None:
            return 0.0
        return sum(max(0.0, each / 1e6 - self.limits.move_s) for each in array("I", account.wall_us))

    def _check_lost(self) -> str:
        """Tells the bot at once that it has lost, as it is told when the others have failed, and looks how it ends."""
        game = self.games[0]
        players = game.seats.start
        host = self.hosts.make(self.entrant, self.limits)
        try:
            host.start(self._info(game))
            ranks = (players, *range(1, players))
            host.finish(Result(scores=tuple(-rank for rank in ranks), ranks=ranks, faults=(None,) * players))
        except BotFault as fault:
            raise CheckFailed(f"{fault.kind}: {fault.detail}") from fault
        finally:
            host.close()
        report = host.host.report
        if report is None or report.end != "exit":
            how = "it had to be ended" if report is None or report.end == "stopped" else f"{report.end} {report.number}"
            raise CheckFailed(f"told of a lost match and to quit, it did not exit in time: {how}")
        if report.number:
            log = _last_line(report.log)
            raise CheckFailed(f"told of a lost match and to quit, it exited with code {report.number}{log}")
        return "told that it had come last, it exited with code 0"

    def _check_memory(self) -> str:
        peak = max(account.peak_mb for match in self.played for account in match.accounts)
        return f"{peak:.0f} MB at most{_limit_text(self.limits.memory_mb, 'MB')}"

    def _check_block(self) -> str:
        """Plays copies of the bot on one deal in all seatings, as a run does."""
        game = self.games[0]
        players = game.seats.start
        copies = [msgspec.structs.replace(self.entrant, copy=number + 1) for number in range(players)]
        for seating in seatings(players):
            spec = self._spec(game, players)
            self._play(msgspec.structs.replace(spec, lineup=tuple(copies[number] for number in seating)))
        return f"{len(seatings(players))} matches of {game.name}"

    # Playing

    def _info(self, game: Game) -> MatchInfo:
        return MatchInfo("check", game.name, game.seats.start, 0, 1, self.limits)

    def _spec(self, game: Game, players: int) -> MatchSpec:
        reference = GameRef(game.name, game.version, msgspec.to_builtins(game.parse_options({})))
        conditions = Conditions(reference, players, self.limits, RUN_SEED)
        deal = deal_seed(RUN_SEED, game.name, players, 0)
        copies = tuple(msgspec.structs.replace(self.entrant, copy=number + 1) for number in range(players))
        return MatchSpec(conditions, deal, 0, copies)

    def _play(self, spec: MatchSpec) -> Played:
        """Plays a match of the bot against itself.

        Raises:
            CheckFailed: it failed in some seat.
        """
        outcome = play_hosted(spec, self.hosts)
        played = Played(spec, outcome, [account for account in outcome.accounts if account is not None])
        for seat, fault in enumerate(outcome.faults):
            if fault is not None:
                raise CheckFailed(_describe(played, seat))
        self.played.append(played)
        return played


def _describe(played: Played, seat: int) -> str:
    """Returns what a seat did wrong and what it saw, on one line."""
    spec, outcome = played.spec, played.outcome
    fault = outcome.faults[seat]
    assert fault is not None  # the caller has found one there
    where = f"{spec.conditions.game.name} with {spec.conditions.players} seats, seat {seat}, ply {fault.ply}"
    view = view_at_fault(spec, outcome, seat)
    saw = f"; it saw {msgspec.json.encode(view.message()).decode()[:MOST_SHOWN]}" if view is not None else ""
    return f"{where}: {fault.kind}: {fault.detail}{_last_line(played.accounts[seat].log)}{saw}"


def _last_line(log: bytes) -> str:
    """Returns the last line of a log, as a part of a sentence; nothing for an empty one."""
    lines = [line for line in log.decode(errors="replace").splitlines() if line.strip()]
    return f"; its log ends with {lines[-1].strip()[:200]!r}" if lines else ""


def _limit_text(limit: float | None, unit: str) -> str:
    return "" if limit is None else f"; the limit is {limit:g} {unit}"
