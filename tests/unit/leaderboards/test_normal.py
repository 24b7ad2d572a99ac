import math

import numpy as np
import pytest
from scipy import integrate, stats
from scipy.special import erfcx, log_ndtr

from leaderboards.ratings import normal


def test_exponential_functions_agree_with_libm() -> None:
    y = np.concatenate([np.linspace(0, 1, 500), np.geomspace(1e-12, 744, 500)])
    np.testing.assert_allclose(normal.exp_neg(y), np.exp(-y), rtol=3e-15)
    np.testing.assert_allclose(normal.one_minus_exp_neg(y), -np.expm1(-y), rtol=3e-15)
    assert normal.exp_neg(np.array([1e9]))[0] == 0.0
    assert normal.one_minus_exp_neg(np.array([1e9]))[0] == 1.0


def test_upper_tail_agrees_with_scipy() -> None:
    x = np.linspace(0, 37, 1000)
    np.testing.assert_allclose(normal.upper_tail(x), stats.norm.sf(x), rtol=1e-12)


def test_excess_is_the_mills_ratio_near_zero_and_one_over_x_far_out() -> None:
    x = np.linspace(0, 5, 300)
    mills = math.sqrt(math.pi / 2) * erfcx(x / math.sqrt(2))
    np.testing.assert_allclose(normal.excess(x), 1 / mills - x, rtol=1e-12)
    far = np.array([1e3, 1e6, 1e12])
    np.testing.assert_allclose(normal.excess(far), 1 / far * (1 - 2 / far**2 + 10 / far**4), rtol=1e-14)


def test_win_moments_agree_with_scipy() -> None:
    t = np.linspace(-30, 30, 2001)
    v, w = normal.win_moments(t)
    expected = np.exp(stats.norm.logpdf(t) - log_ndtr(t))
    np.testing.assert_allclose(v, expected, rtol=1e-12)
    np.testing.assert_allclose(w, expected * (expected + t), rtol=1e-9, atol=1e-300)


@pytest.mark.parametrize("h", [2e-4, 0.01, 0.3, 1.0, 4.0])
@pytest.mark.parametrize("t", [-12.0, -3.0, -0.005, 0.0, 0.2, 0.9, 2.5, 7.0])
def test_draw_moments_agree_with_integration(t: float, h: float) -> None:
    def moment(k: int) -> float:
        scale = min(abs(t) - h, 0.0) if abs(t) > h else 0.0
        edge = max(abs(t) - h, 0.0)
        value, _ = integrate.quad(
            lambda u: (u - t) ** k * math.exp(-((u - t) ** 2) / 2 + edge**2 / 2 + scale), -h, h, epsabs=0, epsrel=1e-11
        )
        return value

    mean = moment(1) / moment(0)
    variance = moment(2) / moment(0) - mean**2
    v, w = normal.draw_moments(np.array([t]), np.array([h]))
    assert v[0] == pytest.approx(mean, rel=1e-9, abs=1e-9)
    assert w[0] == pytest.approx(1 - variance, rel=1e-7, abs=1e-7)


def test_draw_moments_join_at_the_narrow_margin() -> None:
    t = np.geomspace(1e-3, 1e4, 200)
    below = normal.draw_moments(t, np.full_like(t, 1e-4 * (1 - 1e-9)))
    above = normal.draw_moments(t, np.full_like(t, 1e-4))
    np.testing.assert_allclose(below[0], above[0], rtol=1e-8)
    np.testing.assert_allclose(below[1], above[1], rtol=1e-6)


def test_nothing_is_lost_at_the_extremes() -> None:
    t = np.array([-1e12, -1e6, -500.0, -40.0, 0.0, 40.0, 500.0, 1e6, 1e12])
    with np.errstate(all="raise", under="ignore"):
        for h in (0.0, 1e-300, 1e-5, 1e-4, 1.0, 100.0):
            v, w = normal.draw_moments(t, np.full_like(t, h))
            assert np.isfinite(v).all() and (w >= 0).all() and (w <= 1).all()
            np.testing.assert_array_equal(v, -v[::-1])
        v, w = normal.win_moments(t)
    assert np.isfinite(v).all() and (v >= 0).all() and (w >= 0).all() and (w <= 1).all()
