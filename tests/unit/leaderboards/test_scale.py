"""A million matches are rated by what differs in them, and importing the boards costs little."""

import subprocess
import sys

import numpy as np

from leaderboards.ratings.order_free import TrueSkill
from leaderboards.ratings.outcomes import from_table
from leaderboards.results import EntrantInfo, ResultsTable


def test_a_million_matches_are_some_hundred_messages():
    m, n = 1_000_000, 20
    rng = np.random.default_rng(0)
    first = rng.integers(0, n, m)
    lineups = np.stack([first, (first + rng.integers(1, n, m)) % n], axis=1).astype(np.int32)
    skills = rng.normal(25, 5, n)
    points = np.round(skills[lineups] + rng.normal(0, 25 / 6, (m, 2)))
    ranks = np.where(points >= points[:, ::-1], 1, 2).astype(np.int8)
    nothing, none = np.zeros((m, 2)), np.zeros((m, 2), np.int8)
    deals = np.arange(m) // 4
    entrants = tuple(EntrantInfo(f"b{i}", f"b{i}") for i in range(n))
    seats = np.full(m, 2, np.int8)
    table = ResultsTable("g", entrants, deals, deals, deals, seats, lineups, ranks, nothing, none, nothing)
    outcomes = from_table(table)
    fit = TrueSkill().fit_outcomes(outcomes)
    assert sum(group.counts.sum() for group in outcomes.groups) == m
    assert outcomes.num_distinct <= 570 and fit.ratings.converged and fit.ratings.iterations <= 20
    order = np.argsort(skills)
    assert np.corrcoef(fit.ratings.mu[order], skills[order])[0, 1] > 0.999


def test_boards_import_no_heavy_library():
    code = (
        "import sys, leaderboards.standings, leaderboards.report, leaderboards.results_files;"
        "print([m for m in ('scipy', 'numba', 'ray', 'sqlite3', 'trueskill') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
