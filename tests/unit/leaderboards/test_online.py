"""The model that wraps the package."""

import numpy as np
import pytest
import trueskill

from leaderboards.ratings.model import BETA, MU, SIGMA
from leaderboards.ratings.online import OnlineTrueSkill
from leaderboards.results import MatchRow, from_rows


def test_it_is_the_package_in_canonical_order(league, table_of):
    played = league(8, 6, (2,), 80)
    ratings = OnlineTrueSkill(draw_probability=0.1).fit(table_of(played).take(np.arange(80)[::-1]))
    env = trueskill.TrueSkill(MU, SIGMA, BETA, 0.0, 0.1, backend="scipy")
    expected = {}
    for labels, ranks in played:
        before = [(expected.get(label, env.create_rating()),) for label in labels]
        for label, (rating,) in zip(labels, env.rate(before, ranks), strict=True):
            expected[label] = rating
    for i, info in enumerate(table_of(played).entrants):
        assert ratings.mu[i] == pytest.approx(expected[info.label].mu, abs=1e-6)
        assert ratings.sigma[i] == pytest.approx(expected[info.label].sigma, abs=1e-6)


def test_upsets_that_break_the_package_are_rated():
    """Where sigma is small beside a gap of hundreds of points the package raises FloatingPointError."""
    rows = [MatchRow(f"m{i:04d}", ("a", "b"), (1, 2)) for i in range(30)] + [MatchRow("z", ("a", "b"), (2, 1))]
    model = OnlineTrueSkill(sigma=2000.0, beta=0.01, draw_probability=1e-9)
    with np.errstate(all="raise", under="ignore"):
        ratings = model.fit(from_rows("g", rows))
    assert np.isfinite(ratings.mu).all() and (ratings.sigma > 0).all()
    with pytest.raises(FloatingPointError):
        env = trueskill.TrueSkill(25.0, 1.0, 1.0, 0.0, 0.1)
        env.rate([(env.create_rating(-400.0, 1.0),), (env.create_rating(400.0, 1.0),)], [1, 2])


def test_ties_among_several_favour_no_seat():
    ratings = OnlineTrueSkill().fit(from_rows("g", [MatchRow("m", ("a", "b", "c", "d", "e"), (2, 2, 1, 2, 2))]))
    tied = ratings.mu[[0, 1, 3, 4]]
    assert np.ptp(tied) < 1e-9 and ratings.mu[2] > tied[0]
