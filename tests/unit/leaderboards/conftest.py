"""Builders of tables that several test modules use."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from leaderboards.results import MatchRow, ResultsTable, from_rows

BETA = 25 / 6

Played = Sequence[tuple[Sequence[str], Sequence[int]]]


def table_of(played: Played, *, deal_size: int = 1) -> ResultsTable:
    """Builds a table from (labels by seat, ranks by seat); so many matches in a row share a deal."""
    rows = []
    for i, (labels, ranks) in enumerate(played):
        deal = f"d{i // deal_size:06d}"
        rows.append(MatchRow(f"m{i:06d}", tuple(labels), tuple(ranks), deal=deal, block=deal))
    return from_rows("test", rows)


def league(seed: int, num_bots: int, sizes: Sequence[int], num_matches: int, spread: float = 5.0, tie: float = 1.0):
    """Plays matches between bots of normal skills; performances nearer than `tie` to the one above tie."""
    rng = np.random.default_rng(seed)
    skills = rng.normal(25, spread, num_bots)
    played = []
    for _ in range(num_matches):
        players = rng.choice(num_bots, rng.choice(sizes), replace=False)
        performance = skills[players] + rng.normal(0, BETA, len(players))
        ranks, rank, last = [0] * len(players), 0, np.inf
        for place, seat in enumerate(np.argsort(-performance)):
            if last - performance[seat] >= tie:
                rank = place + 1
            last = performance[seat]
            ranks[seat] = rank
        played.append(([f"bot{i}" for i in players], ranks))
    return played


@pytest.fixture(name="table_of")
def _table_of() -> Callable[..., ResultsTable]:
    return table_of


@pytest.fixture(name="league")
def _league():
    return league
