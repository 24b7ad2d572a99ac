"""The fit against its two oracles, and the promises of design 5.9."""

import itertools

import numpy as np
import pytest
import trueskill
import trueskillthroughtime as ttt
from hypothesis import given, settings
from hypothesis import strategies as st

from leaderboards.ratings.model import BETA, MU, SIGMA
from leaderboards.ratings.order_free import TrueSkill, fit_outcomes
from leaderboards.ratings.outcomes import from_table
from leaderboards.results import EntrantInfo, MatchRow, ResultsTable, from_rows


def package_rate(ranks, *, p=0.1, mu=MU, sigma=SIGMA):
    env = trueskill.TrueSkill(mu, sigma, BETA, 0.0, p, backend="scipy")
    after = env.rate([(env.create_rating(),) for _ in ranks], ranks, min_delta=1e-13)
    return np.array([r.mu for (r,) in after]), np.array([r.sigma for (r,) in after])


UNTIED = [p for n in (2, 3, 4, 5) for p in itertools.islice(itertools.permutations(range(1, n + 1)), 0, 120, 7)]


@pytest.mark.parametrize(
    ("ranks", "p"), [*((ranks, p) for ranks in UNTIED for p in (0.0, 0.1, 0.6)), ((1, 1), 0.1), ((1, 1), 0.6)], ids=str
)
def test_a_single_match_is_the_packages(table_of, ranks, p):
    ratings = TrueSkill(draw_probability=p).fit(table_of([([f"b{i}" for i in range(len(ranks))], ranks)]))
    mu, sigma = package_rate(ranks, p=p)
    assert ratings.converged
    np.testing.assert_allclose(ratings.mu, mu, atol=1e-6)
    np.testing.assert_allclose(ratings.sigma, sigma, atol=1e-6)


def test_a_single_match_is_the_packages_from_other_priors(table_of):
    table = table_of([(("a", "b", "c"), (2, 1, 3))])
    ratings = TrueSkill(mu=100.0, sigma=20.0, draw_probability=0.2).fit(table)
    mu, sigma = package_rate((2, 1, 3), p=0.2, mu=100.0, sigma=20.0)
    np.testing.assert_allclose(ratings.mu, mu, atol=1e-6)
    np.testing.assert_allclose(ratings.sigma, sigma, atol=1e-6)


@pytest.mark.parametrize("ranks", [(1, 1, 3), (1, 2, 2), (1, 2, 2, 4), (1, 1, 3, 3, 5)], ids=str)
def test_a_tie_among_several_seats_is_between_the_packages_orders(table_of, ranks):
    """The package favours places in the list by a few thousandths; the fit stays as near and favours none."""
    n = len(ranks)
    ratings = TrueSkill(draw_probability=0.1).fit(table_of([([f"b{i}" for i in range(n)], ranks)]))
    mu, sigma = package_rate(ranks)
    for rank in set(ranks):
        tied = [i for i in range(n) if ranks[i] == rank]
        assert len({ratings.mu[i] for i in tied}) == 1
        assert ratings.mu[tied[0]] == pytest.approx(np.mean(mu[tied]), abs=2e-3)
        assert ratings.sigma[tied[0]] == pytest.approx(np.mean(sigma[tied]), abs=2e-3)


def through_time(played, names, p):
    """TrueSkill Through Time without drift; one batch of all matches, iterated to rest.

    Seats must be listed from first to last: version 1.1.0 puts the messages of three players and more back with the
    permutation that sorted them instead of its inverse. Its shared mean is what takes the many iterations.
    """
    priors = {name: ttt.Player(ttt.Gaussian(MU, SIGMA), BETA, 0.0) for name in names}
    composition = [[[name] for name in labels] for labels, _ in played]
    results = [[-rank for rank in ranks] for _, ranks in played]
    batch = ttt.History(composition, results, [0] * len(played), priors, MU, SIGMA, BETA, 0.0, p).batches[0]
    assert batch.convergence(epsilon=1e-6, iterations=400) < 400
    posterior = batch.posteriors()
    return np.array([posterior[n].mu for n in names]), np.array([posterior[n].sigma for n in names])


@pytest.mark.parametrize(
    ("seed", "sizes", "matches", "tie"), [(1, (2,), 200, 1.5), (2, (3,), 60, 0.0), (3, (2, 3), 80, 1.0)]
)
def test_many_matches_are_through_times(league, table_of, seed, sizes, matches, tie):
    played = []
    for labels, ranks in league(seed, 9, sizes, matches, tie=tie):
        if len(ranks) == 2 or len(set(ranks)) > 1:
            order = np.argsort(ranks, kind="stable")
            mirror = sorted(range(len(ranks)), key=lambda seat: (ranks[seat], -seat))
            # A tie in both its orders, as often, because the oracle favours one.
            for listed in (order, mirror) if len(ranks) == 3 else (order,):
                played.append(([labels[i] for i in listed], [ranks[i] for i in listed]))
    table = table_of(played)
    names = [e.label for e in table.entrants]
    ratings = TrueSkill(draw_probability=0.1).fit(table)
    mu, sigma = through_time(played, names, 0.1)
    assert any(len(set(ranks)) < len(ranks) for _, ranks in played) == (tie > 0)
    np.testing.assert_allclose(ratings.mu, mu, atol=1e-3)
    np.testing.assert_allclose(ratings.sigma, sigma, atol=1e-3)


def values(table: ResultsTable):
    ratings = TrueSkill().fit(table)
    return {
        e.label: (m, s) for e, m, s in zip(table.entrants, ratings.mu.tolist(), ratings.sigma.tolist(), strict=True)
    }


@pytest.mark.parametrize("sizes", [(2,), (3,), (2, 3, 5)])
def test_order_and_names_change_nothing_to_the_bit(league, table_of, sizes):
    played = league(7, 9, sizes, 200)
    before = values(table_of(played))
    rng = np.random.default_rng(3)
    for trial in range(4):
        order = rng.permutation(len(played))
        names = {f"bot{i}": f"{chr(97 + int(k))}{trial}" for i, k in enumerate(rng.permutation(9))}
        after = []
        for k in order:
            seats = rng.permutation(len(played[k][0]))
            after.append(([names[played[k][0][s]] for s in seats], [played[k][1][s] for s in seats]))
        renamed = values(table_of(after))
        assert {bot: renamed[names[bot]] for bot in before} == before


def test_symmetric_results_change_nothing_to_the_bit(table_of):
    """A ring of six, each beating the next: colours alone tell nobody apart."""
    ring = [((f"x{i}", f"x{(i + 1) % 6}"), (1, 2)) for i in range(6)]
    pairs = [((f"y{i}", f"z{i}"), (1, 2)) for i in range(5)]
    found = values(table_of(ring + pairs + pairs))
    assert len({found[f"x{i}"] for i in range(6)}) == 1
    assert len({found[f"y{i}"] for i in range(5)}) == 1
    assert found["x0"][0] == 25.0
    swap = {"y0": "y3", "y3": "y0", "z0": "z3", "z3": "z0", "x1": "x4", "x4": "x1"}
    renamed = [(tuple(swap.get(name, name) for name in labels), ranks) for labels, ranks in ring]
    back = values(table_of(pairs + renamed + pairs))
    assert {name: found[name] for name in sorted(found)} == {name: back[name] for name in sorted(back)}


@given(st.permutations(range(5)), st.sampled_from([(1, 1, 1, 1, 1), (1, 2, 2, 2, 2), (1, 1, 1, 4, 4), (1, 1, 3, 3, 3)]))
@settings(max_examples=25, deadline=None, derandomize=True)
def test_equal_results_give_equal_ratings(order, ranks):
    """F1: whoever ties, in whatever seat, is worth the same."""
    table = from_rows("g", [MatchRow("m", tuple(f"b{i}" for i in order), tuple(ranks[i] for i in order))])
    found = values(table)
    for i, j in itertools.combinations(range(5), 2):
        assert (found[f"b{i}"] == found[f"b{j}"]) == (ranks[i] == ranks[j])


MATCHES = st.lists(
    st.tuples(st.integers(0, 5), st.integers(1, 5), st.sampled_from([(1, 2), (2, 1), (1, 1)]), st.integers(1, 40)),
    max_size=12,
)


def tally(matches):
    return [((f"b{i}", f"b{(i + step) % 6}"), ranks) for i, step, ranks, count in matches for _ in range(count)]


@given(MATCHES, st.integers(0, 5), st.integers(1, 5))
@settings(max_examples=80, deadline=None, derandomize=True)
def test_a_win_never_lowers_the_winner(matches, winner, step):
    entrants = tuple(EntrantInfo(f"b{i}", f"b{i}") for i in range(6))
    model = TrueSkill(draw_probability=0.1)

    def rate(played):
        rows = [MatchRow(f"m{i}", labels, ranks) for i, (labels, ranks) in enumerate(played)]
        return model.fit(from_rows("g", rows, entrants))

    played = tally(matches)
    before = rate(played)
    after = rate([*played, ((f"b{winner}", f"b{(winner + step) % 6}"), (1, 2))])
    assert after.mu[winner] >= before.mu[winner]
    assert after.skill[winner] >= before.skill[winner]


@given(
    st.lists(st.floats(-1000.0, 1000.0), min_size=5, max_size=5),
    st.lists(st.floats(0.01, 1000.0), min_size=5, max_size=5),
    st.lists(
        st.tuples(st.permutations(range(5)), st.integers(2, 5), st.lists(st.booleans(), min_size=4, max_size=4)),
        min_size=1,
        max_size=8,
    ),
    st.sampled_from([0.0, 1e-300, 1e-12, 1e-6, 0.1, 0.9, 1 - 1e-12, None]),
    st.sampled_from([1, 1000, 10**6]),
)
@settings(max_examples=60, deadline=None, derandomize=True)
def test_never_fails_for_numerical_reasons(mu, sigma, matches, probability, times):
    rows = []
    for i, (order, size, ties) in enumerate(matches):
        ranks = [1]
        for k in range(1, size):
            ranks.append(ranks[-1] if ties[k - 1] else k + 1)
        rows.append(MatchRow(f"m{i}", tuple(f"b{k}" for k in order[:size]), tuple(ranks)))
    outcomes = from_table(from_rows("g", rows, tuple(EntrantInfo(f"b{i}", f"b{i}") for i in range(5))))
    for group in outcomes.groups:
        group.counts[:] *= times
    with np.errstate(all="raise", under="ignore"):
        fit = fit_outcomes(outcomes, np.array(mu), np.array(sigma), draw_probability=probability)
    assert np.isfinite(fit.ratings.mu).all()
    assert (fit.ratings.sigma > 0).all() and np.isfinite(fit.ratings.sigma).all()


@pytest.mark.parametrize("times", [1, 100, 100_000])
def test_all_won_and_all_lost_are_finite(table_of, times):
    outcomes = from_table(
        table_of([(("best", "mid"), (1, 2)), (("mid", "worst"), (1, 2)), (("best", "worst"), (1, 2))])
    )
    outcomes.groups[0].counts[:] *= times
    ratings = TrueSkill(draw_probability=0.05).fit_outcomes(outcomes).ratings
    assert ratings.converged
    assert ratings.mu[0] > ratings.mu[1] > ratings.mu[2]
    assert np.abs(ratings.mu - 25).max() < 100
    assert ratings.mu.sum() == pytest.approx(75, abs=1e-6)


def test_groups_that_never_met_keep_the_mean_of_the_prior(table_of):
    ratings = TrueSkill().fit(table_of([(("a", "b"), (1, 2))] * 50 + [(("c", "d"), (2, 1))] * 3))
    assert ratings.mu[0] + ratings.mu[1] == pytest.approx(50, abs=1e-6)
    assert ratings.mu[2] + ratings.mu[3] == pytest.approx(50, abs=1e-6)


def test_repetition_costs_nothing(league, table_of):
    """A fit works on distinct outcomes: a thousand times the matches are the same messages."""
    outcomes = from_table(table_of(league(5, 8, (2, 3), 500)))
    before = outcomes.num_distinct
    for group in outcomes.groups:
        group.counts[:] *= 1000
    fit = TrueSkill().fit_outcomes(outcomes)
    assert fit.ratings.converged and fit.ratings.iterations < 40
    assert sum(len(chains.counts) for chains in fit.chains) == before < 400


def test_a_huge_tie_is_rated_by_pairs(table_of):
    ratings = TrueSkill().fit(table_of([([f"b{i}" for i in range(12)], [1, *[2] * 10, 12])]))
    assert ratings.converged
    assert ratings.mu[0] > ratings.mu[1] == ratings.mu[5] > ratings.mu[11]


def test_nobody_played():
    ratings = TrueSkill().fit(from_rows("g", [], (EntrantInfo("a", "a"), EntrantInfo("b", "b"))))
    assert ratings.mu.tolist() == [25.0, 25.0] and ratings.draw_probability == 0.1
    assert TrueSkill().fit(from_rows("g", [])).mu.tolist() == []
