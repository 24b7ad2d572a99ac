"""Moments of the truncated normal distribution, accurate in both tails and the same to the bit on every machine.

Everything is built from + - * / and powers of two, which IEEE 754 rounds correctly; the exponential functions of
numpy differ in their last bit between processors. One function carries the tails: with the Mills ratio
M(x) = (1 - Phi(x)) / phi(x), the excess R(x) = 1 / M(x) - x falls from 0.798 at 0 to 1/x at infinity, and
(x + 3) R(x) is a Chebyshev series in (x - 3) / (x + 3) over all x >= 0, whose coefficients below were computed from
Taylor series and continued fraction with 60 digits. Measured against them the relative error is below 5e-15.

Shapes: every argument and result is a float64 array of one common shape, unless said otherwise.
"""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_SPLIT = 3.0
_EXCESS = (
    1.6997170520043452,
    -0.7287393526020162,
    -0.0010474146938390689,
    0.03382315057695199,
    -0.00199834442404165,
    -0.0020439032493460144,
    0.0001646477356697844,
    0.00014331633041641406,
    -9.35875173152673e-06,
    -1.0819803801678362e-05,
    2.304057745635089e-07,
    8.231444642359427e-07,
    3.563891252447252e-08,
    -5.9128713809847186e-08,
    -7.551785824657976e-09,
    3.694528968520294e-09,
    9.200436709931283e-10,
    -1.6884088490746555e-10,
    -8.471292330808344e-11,
    1.4196948015336257e-12,
    5.928335831499135e-12,
    7.216900399046692e-13,
    -2.7048949018115833e-13,
    -8.539974283294782e-14,
    -8.465450562766818e-17,
    4.4688211464638526e-15,
    4.661635660818675e-16,
)
_LOG2_E = 1.4426950408889634
_LN2_HIGH = 0.6931471803691238  # the first 33 bits, so that k * _LN2_HIGH is exact for every k that occurs
_LN2_LOW = 1.9082149292705877e-10
_INV_SQRT_2PI = 0.3989422804014327
# exp(-745.2) is the least that is not zero.
_UNDERFLOW = 745.0
_EXPM1_TERMS = 14
# Below this half width of a tie's interval its density is exponential to the last bit but few.
_NARROW = 1e-4


def _expm1_parts(y: Array) -> tuple[Array, NDArray[np.int32]]:
    """Returns (q, k) with exp(-y) = 2**k (1 + q) and \\|q\\| < 0.42, for 0 <= y <= 745."""
    k = np.rint(-y * _LOG2_E)
    r = (-y - k * _LN2_HIGH) - k * _LN2_LOW
    q = np.ones_like(r)
    for n in range(_EXPM1_TERMS, 1, -1):
        q = 1.0 + r * q / n
    return r * q, k.astype(np.int32)


def exp_neg(y: Array) -> Array:
    """Returns exp(-y) for y >= 0; 0 where it underflows."""
    q, k = _expm1_parts(np.minimum(y, _UNDERFLOW))
    return np.where(y > _UNDERFLOW, 0.0, np.ldexp(1.0 + q, k))


def one_minus_exp_neg(y: Array) -> Array:
    """Returns 1 - exp(-y) for y >= 0 without cancellation near 0."""
    q, k = _expm1_parts(np.minimum(y, _UNDERFLOW))
    return np.where(y > _UNDERFLOW, 1.0, (1.0 - np.ldexp(1.0, k)) - np.ldexp(q, k))


def excess(x: Array) -> Array:
    """Returns R(x) = phi(x) / (1 - Phi(x)) - x for x >= 0, the mean of a tail beyond its edge."""
    y = (x - _SPLIT) / (x + _SPLIT)
    y2 = 2.0 * y
    b1 = np.zeros_like(y)
    b2 = np.zeros_like(y)
    for c in _EXCESS[:0:-1]:
        b1, b2 = c + y2 * b1 - b2, b1
    return (_EXCESS[0] + y * b1 - b2) / (x + _SPLIT)


def pdf(x: Array) -> Array:
    """Returns the standard normal density."""
    return _INV_SQRT_2PI * exp_neg(0.5 * x * x)


def upper_tail(x: Array) -> Array:
    """Returns 1 - Phi(x) for x >= 0."""
    return pdf(x) / (x + excess(x))


def win_moments(t: Array) -> tuple[Array, Array]:
    """Returns v and w of a difference that is known to be above its margin.

    Args:
        t: (mean - margin) / deviation of the difference.

    Returns:
        v = phi(t) / Phi(t), by which the mean moves up in deviations, and w = v (v + t) in (0, 1), by which the
        variance shrinks (Herbrich, Minka, Graepel, TrueSkill, 2006).
    """
    x = np.abs(t)
    r = excess(x)
    density = pdf(x)
    above = density / (1.0 - density / (x + r))
    v = np.where(t < 0.0, x + r, above)
    w = np.where(t < 0.0, (x + r) * r, above * (above + x))
    return v, w


def draw_moments(t: Array, h: Array) -> tuple[Array, Array]:
    """Returns v and w of a difference that is known to lie within its margin of 0.

    Args:
        t: mean / deviation of the difference.
        h: margin / deviation, not negative.

    Returns:
        v, which has the sign of -t, and w in [0, 1]. Where the margin is nothing, -t and 1.
    """
    x = np.abs(t)
    v = np.empty_like(x)
    w = np.empty_like(x)
    narrow = h < _NARROW
    inside = ~narrow & (x < h)
    outside = ~narrow & ~inside
    for mask, moments in ((narrow, _narrow_draw), (inside, _inside_draw), (outside, _outside_draw)):
        if mask.any():
            v[mask], w[mask] = moments(x[mask], h[mask])
    return np.where(t < 0.0, v, -v), np.clip(w, 0.0, 1.0)


def _narrow_draw(x: Array, h: Array) -> tuple[Array, Array]:
    """Does it for margins so thin that the density over them is exp(x u): Langevin's function and its slope."""
    y = x * h
    y2 = y * y
    small = y < 0.3
    big = np.maximum(y, 0.3)
    e = exp_neg(2.0 * big)
    d = one_minus_exp_neg(2.0 * big)
    mean = np.where(small, y * (1 / 3 - y2 * (1 / 45 - y2 * (2 / 945 - y2 / 4725))), (1.0 + e) / d - 1.0 / big)
    slope = np.where(small, 1 / 3 - y2 * (1 / 15 - y2 * (2 / 189 - y2 / 675)), 1.0 / (big * big) - 4.0 * e / (d * d))
    return x - h * mean, 1.0 - h * h * slope


def _inside_draw(x: Array, h: Array) -> tuple[Array, Array]:
    """Does it where 0 lies within a margin of the mean."""
    a, b = h - x, h + x
    pa, pb = pdf(a), pdf(b)
    mass = 1.0 - pa / (a + excess(a)) - pb / (b + excess(b))
    v = pa * one_minus_exp_neg(2.0 * h * x) / mass
    return v, v * v + (a * pa + b * pb) / mass


def _outside_draw(x: Array, h: Array) -> tuple[Array, Array]:
    """Does it where the margin lies in a tail, everything scaled by the density at its nearer edge."""
    a, b = x - h, x + h
    ra, rb = excess(a), excess(b)
    big_a = a + ra
    e = exp_neg(2.0 * h * x)
    d = one_minus_exp_neg(2.0 * h * x)
    gap = 2.0 * h + (rb - ra)
    scale = gap + d * big_a
    v = d * big_a * (b + rb) / scale
    return v, v * (ra - e * big_a * gap / scale + e * 2.0 * h / d)
