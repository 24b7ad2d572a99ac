"""Ratings: the order-free fit of a large log."""

import time
from functools import partial

import numpy as np

from arena.bench.model import Benchmark, Effort, Goal, Measurement
from arena.bench.positions import SEED
from arena.bench.timing import seconds_of
from leaderboards.ratings.order_free import TrueSkill
from leaderboards.results import EntrantInfo, ResultsTable

MATCHES, QUICK_MATCHES = 1_000_000, 100_000
BOTS = 20
SKILL_SPREAD = 4.0  # points between the bots of a standard deviation
PERFORMANCE_SPREAD = 25.0 / 6.0
TIE_WITHIN = 1.0  # points between two performances that end in a tie


def made_up_results(num_matches: int) -> ResultsTable:
    """Returns two-player matches of BOTS bots of unequal skill, every pairing equally likely, about a tenth tied."""
    rng = np.random.default_rng(SEED)
    skills = rng.normal(0.0, SKILL_SPREAD, BOTS)
    first = rng.integers(0, BOTS, num_matches)
    second = (first + rng.integers(1, BOTS, num_matches)) % BOTS
    lead = skills[first] - skills[second] + rng.normal(0.0, PERFORMANCE_SPREAD * 2**0.5, num_matches)
    ranks = np.ones((num_matches, 2), np.int8)
    ranks[lead < -TIE_WITHIN, 0] = 2
    ranks[lead > TIE_WITHIN, 1] = 2
    numbers = np.arange(num_matches)
    return ResultsTable(
        game="ninjan",
        entrants=tuple(EntrantInfo(f"bot-{number}", f"bot-{number}") for number in range(BOTS)),
        match_ids=numbers,
        deals=numbers // 2,
        blocks=numbers // 2,
        num_seats=np.full(num_matches, 2, np.int8),
        lineups=np.stack([first, second], axis=1).astype(np.int32),
        ranks=ranks,
        scores=np.full((num_matches, 2), np.nan),
        faults=np.zeros((num_matches, 2), np.int8),
        think_ms=np.full((num_matches, 2), np.nan),
    )


def fit(effort: Effort) -> Measurement:
    """Measures a fit of a million matches that are in memory."""
    table = made_up_results(QUICK_MATCHES if effort.is_quick else MATCHES)
    work = partial(TrueSkill().fit, table)
    begun = time.perf_counter()
    ratings = work()
    first_s = time.perf_counter() - begun
    samples = tuple(seconds_of(work) for _ in range(effort.few))
    details = {"first fit of the process, s": first_s, "iterations": ratings.iterations, "matches": table.num_matches}
    return Measurement(samples, details=details, is_whole=not effort.is_quick)


BENCHMARKS = (Benchmark("ratings", "Rating a million two-player matches of 20 bots", "s", fit, Goal(at_most=2)),)
