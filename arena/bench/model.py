"""What a benchmark is, how much is spent on it, and what it found."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from statistics import median

import msgspec


class Effort(msgspec.Struct, frozen=True):
    """How much time a run spends: the figures of a quick one are the same, only noisier."""

    is_quick: bool
    sample_s: float
    """Seconds that a sample should last."""
    repeats: int
    """Samples of each side."""
    few: int
    """Samples of what takes seconds by its nature."""
    load_s: float
    """Seconds of a load that executors carry, on each side."""
    parts: int
    """Parts of that load, one side's and the other's by turns."""


FULL = Effort(is_quick=False, sample_s=0.25, repeats=11, few=5, load_s=60.0, parts=6)
QUICK = Effort(is_quick=True, sample_s=0.04, repeats=3, few=1, load_s=4.0, parts=2)


class Goal(msgspec.Struct, frozen=True):
    """What a figure must reach: the ratio to the peer, or our own figure; one bound of the two."""

    at_least: float | None = None
    at_most: float | None = None
    of_ratio: bool = False

    def holds(self, value: float) -> bool:
        """Says whether a figure is within the bounds."""
        return (self.at_least is None or value >= self.at_least) and (self.at_most is None or value <= self.at_most)


class Spread(msgspec.Struct, frozen=True):
    """Samples in three numbers."""

    median: float
    low: float
    high: float


@dataclass(frozen=True)
class Measurement:
    """What a benchmark measured."""

    ours: tuple[float, ...]
    """Samples of ours, in the benchmark's unit."""
    peer: tuple[float, ...] = ()
    """Samples of the peer; the one at a place was taken right after ours at that place. Empty without a peer."""
    details: Mapping[str, float] = field(default_factory=dict)
    """What else there is to know, by a name that carries the unit."""
    is_whole: bool = True
    """Whether it was the whole task, so that the goal can be judged by it."""

    def ratios(self) -> tuple[float, ...]:
        """Returns ours over the peer's, pair by pair: what slows the machine for a while slows both of a pair."""
        return tuple(a / b for a, b in zip(self.ours, self.peer, strict=False))


@dataclass(frozen=True)
class Benchmark:
    """One thing that is measured."""

    name: str
    """As it is typed; what stands before the first hyphen is its group."""
    title: str
    unit: str
    """`/s` where more is better, a unit of time or memory where less is."""
    measure: Callable[[Effort], Measurement]
    goal: Goal | None = None
    peer: str | None = None
    """What it is compared with."""
    extra: str | None = None
    """The extra that brings the peer; None for a peer that is always there."""


@dataclass(frozen=True)
class Figures:
    """A benchmark beside what it measured, as it is reported."""

    benchmark: Benchmark
    measurement: Measurement

    @property
    def ours(self) -> Spread:
        """Our samples."""
        return spread(self.measurement.ours)

    @property
    def peer(self) -> Spread | None:
        """The peer's samples, None without any."""
        return spread(self.measurement.peer) if self.measurement.peer else None

    @property
    def ratio(self) -> Spread | None:
        """The ratios of the pairs, None without a peer."""
        ratios = self.measurement.ratios()
        return spread(ratios) if ratios else None

    @property
    def holds(self) -> bool | None:
        """Whether the goal is reached, by the median; None where there is no goal or it cannot be judged."""
        goal = self.benchmark.goal
        judged = self.ratio if goal and goal.of_ratio else self.ours
        if goal is None or judged is None or not self.measurement.is_whole:
            return None
        return goal.holds(judged.median)


def spread(samples: tuple[float, ...]) -> Spread:
    """Returns the median, the least and the greatest of some samples."""
    return Spread(median(samples), min(samples), max(samples))
