"""A tuner: options of a bot raced against each other on shared deals, the best of them judged on fresh ones.

Every candidate plays the bot as it is given, on the same deals in all seatings, so candidates are compared in pairs.
Half of them drop out each round while the others get twice the deals, so that every round costs the same and the last
one is played on all deals. The winner of a race has been lucky as well as
good, so it is judged by deals that the race has not seen.
Source: Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits", ICML 2013 (sequential halving).
"""

import itertools
import math
import random
from collections.abc import Callable, Iterator, Sequence
from statistics import NormalDist, fmean, stdev

import msgspec

from arena.core.record import Outcome
from arena.core.seeding import deal_seed, derive
from arena.core.spec import Conditions, Entrant, MatchSpec
from arena.core.wording import counted
from arena.errors import InfrastructureError, UsageError
from arena.executors.base import Executor, Task, WorkQueue
from arena.schedule.seatings import seat

MAX_CANDIDATES = 12
FEWEST_DEALS = 10  # of the first round, where that many were asked for
JUDGED = 10_000_000  # deal numbers from here on are for judging: no race gets so far


class Span(msgspec.Struct, frozen=True):
    """The values that an option may take: a list of texts."""

    option: str
    values: tuple[str, ...]


class Evidence(msgspec.Struct, frozen=True):
    """How a candidate did against the bot as given."""

    entrant: str
    deals: int
    score_share: float
    interval: tuple[float, float]
    """95 %, deals being what is independent."""


class Tuned(msgspec.Struct, frozen=True):
    """What a tuner found."""

    recommended: str
    """The entrant to prefer: the winner of the race if it is better beyond doubt, else the bot as given."""
    is_better: bool
    """Whether the winner's interval on fresh deals lies above one half."""
    judged: Evidence
    """The winner on fresh deals."""
    race: list[Evidence]
    """All candidates on the deals of the race, the best first."""


def parse_span(text: str, num_values: int = 5) -> Span:
    """Reads `option=low..high` (as many values, evenly spaced by ratio where both are above 0) or `option=a|b|c`.

    Raises:
        UsageError: it is neither.
    """
    option, equals, values = text.partition("=")
    if not equals or not option.strip() or not values.strip():
        raise UsageError(f"--option {text!r}: write option=low..high or option=a|b|c")
    if "," in values:
        raise UsageError(f"--option {text!r}: values hold no comma; write option=a|b|c, and --option again for another")
    low, dots, high = values.partition("..")
    if not dots:
        return Span(option.strip(), tuple(value.strip() for value in values.split("|")))
    try:
        first, last = float(low), float(high)
    except ValueError:
        raise UsageError(f"--option {text!r}: {low!r} and {high!r} must be numbers") from None
    if not (math.isfinite(first) and math.isfinite(last)):
        raise UsageError(f"--option {text!r}: {low!r} and {high!r} must be finite numbers")
    if not first < last:
        raise UsageError(f"--option {text!r}: the first number must be the lower one")
    is_whole = "." not in low and "." not in high
    points = [_between(first, last, step / (num_values - 1)) for step in range(num_values)]
    written = [str(round(point)) if is_whole else f"{point:.4g}" for point in points]
    return Span(option.strip(), tuple(dict.fromkeys(written)))


def _between(first: float, last: float, share: float) -> float:
    if first > 0:
        return float(first * (last / first) ** share)
    return first * (1 - share) + last * share  # not by last - first, which may be more than a float holds


def candidates(spans: Sequence[Span], seed: int) -> list[dict[str, str]]:
    """Returns the combinations of values to race, at most MAX_CANDIDATES, drawn evenly where there are more.

    Raises:
        UsageError: two spans are of one option.
    """
    for span, other in itertools.combinations(spans, 2):
        if span.option == other.option:
            values = "|".join(dict.fromkeys(span.values + other.values))
            raise UsageError(f"--option {span.option} is given twice; give it once, as in {span.option}={values}")
    combinations = [dict(zip([s.option for s in spans], values, strict=True)) for values in _products(spans)]
    if len(combinations) <= MAX_CANDIDATES:
        return combinations
    return random.Random(derive(seed, "candidates")).sample(combinations, MAX_CANDIDATES)


def _products(spans: Sequence[Span]) -> Iterator[tuple[str, ...]]:
    return itertools.product(*(span.values for span in spans))


class Tuner:
    """Races entrants against a base under some conditions of two seats."""

    def __init__(self, conditions: Conditions, base: Entrant, executor: Executor) -> None:
        self.conditions = conditions
        self.base = base
        self.executor = executor
        self._points: dict[bytes, dict[int, list[float]]] = {}
        self._labels: dict[bytes, str] = {}

    def race(self, entrants: Sequence[Entrant], max_deals: int, tell: Callable[[str], None]) -> Tuned:
        """Races entrants, judges the winner on max_deals fresh deals, and returns what was found."""
        alive = [entrant for entrant in entrants if entrant.key != self.base.key]
        if not alive:
            raise UsageError("every candidate is the bot as given; give other values to try")
        num_halvings = len(alive).bit_length() - 1
        deals = max(FEWEST_DEALS, max_deals >> max(num_halvings - 1, 0))
        while True:
            self._play(alive, range(min(deals, max_deals)))
            alive.sort(key=lambda entrant: -self._evidence(entrant, judged=False).score_share)
            best = self._evidence(alive[0], judged=False)
            left = counted(len(alive), "candidate")
            tell(f"{left} after {counted(best.deals, 'deal')}; best {best.entrant} {best.score_share:.3f}")
            if len(alive) == 1 or deals >= max_deals:
                break
            alive = alive[: max(1, len(alive) // 2)]
            deals *= 2
        winner = alive[0]
        self._play([winner], range(JUDGED, JUDGED + max_deals))
        judged = self._evidence(winner, judged=True)
        race = sorted((self._evidence(e, judged=False) for e in entrants if e.key in self._points), key=_by_share)
        is_better = judged.interval[0] > 0.5
        return Tuned(winner.label if is_better else self.base.label, is_better, judged, race)

    def _play(self, entrants: Sequence[Entrant], deals: range) -> None:
        """Plays what is missing of some deals for each entrant.

        Raises:
            InfrastructureError: a match failed through no bot's fault.
        """
        tasks = [
            Task(MatchSpec(self.conditions, self._deal(number), number, lineup), 1)
            for number in deals
            for entrant in entrants
            if number not in self._points.get(entrant.key, {})
            for lineup in seat((entrant, self.base))
        ]
        for finished in self.executor.run(WorkQueue(iter(tasks))):
            for task, outcome in zip(finished.tasks, finished.result.outcomes, strict=True):
                if not isinstance(outcome, Outcome):
                    raise InfrastructureError(f"match {task.spec.id} could not be played: {outcome}")
                self._note(task.spec, outcome)

    def _deal(self, number: int) -> int:
        conditions = self.conditions
        return deal_seed(conditions.run_seed, conditions.game.name, conditions.players, number)

    def _note(self, spec: MatchSpec, outcome: Outcome) -> None:
        place = 0 if spec.lineup[0].key != self.base.key else 1
        entrant = spec.lineup[place]
        own, other = outcome.ranks[place], outcome.ranks[1 - place]
        self._labels[entrant.key] = entrant.label
        by_deal = self._points.setdefault(entrant.key, {})
        by_deal.setdefault(spec.deal_number, []).append((other > own) + 0.5 * (other == own))

    def _evidence(self, entrant: Entrant, *, judged: bool) -> Evidence:
        by_deal = self._points.get(entrant.key, {})
        means = [sum(points) / len(points) for deal, points in by_deal.items() if (deal >= JUDGED) == judged]
        return Evidence(entrant.label, len(means), sum(means) / max(len(means), 1), share_interval(means))


def share_interval(shares: Sequence[float]) -> tuple[float, float]:
    """Returns 95 % bounds of the mean of shares in [0, 1], one a deal, by Student's t.

    A deal that was lost and one that was won are added first: without them, two deals that went the same way would
    leave no doubt at all, and with hundreds they do not count.
    Source of the addition: Agresti and Coull, "Approximate is better than exact", The American Statistician 52, 1998;
    of the quantile's expansion: Abramowitz and Stegun, 26.7.5.
    """
    values = [0.0, 1.0, *shares]
    count, mean, z = len(values), fmean(values), NormalDist().inv_cdf(0.975)
    freedom = count - 1
    quantile = z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
    half = quantile * stdev(values) / count**0.5
    return max(0.0, mean - half), min(1.0, mean + half)


def _by_share(evidence: Evidence) -> tuple[int, float]:
    return -evidence.deals, -evidence.score_share
