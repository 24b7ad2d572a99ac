"""Natural logarithms of whole numbers, correctly rounded and the same on every machine: no libm call decides.

Source: ln 2 = 2 artanh(1/3) and ln p = ln((p-1)(p+1))/2 + artanh(1/(2p^2-1)), summed in integers of 128 fractional
bits; a product's logarithm is the sum of its factors'. The quotient of two Python integers is correctly rounded.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from arena.kernels.jit import helper

TABLE_BITS = 12
TABLE_SIZE = 1 << TABLE_BITS
FRACTION_BITS = 128


def _artanh_of_inverse(divisor: int) -> int:
    """Returns artanh(1/divisor) = 1/d + 1/(3 d^3) + 1/(5 d^5) + ..., in units of 2**-FRACTION_BITS."""
    power = (1 << FRACTION_BITS) // divisor
    square, total, odd = divisor * divisor, 0, 1
    while power:
        total += power // odd
        power //= square
        odd += 2
    return total


def fixed_point_logarithms(size: int) -> list[int]:
    """Returns ln n for n in 0..size - 1, in units of 2**-FRACTION_BITS, exact to a few of them; 0 for n = 0."""
    logs = [0] * (size + 1)
    logs[2] = 2 * _artanh_of_inverse(3)
    smallest_factor = list(range(size + 1))
    for factor in range(2, int(size**0.5) + 1):
        for multiple in range(factor * factor, size + 1, factor):
            smallest_factor[multiple] = min(smallest_factor[multiple], factor)
    for number in range(3, size + 1):
        factor = smallest_factor[number]
        if factor < number:
            logs[number] = logs[factor] + logs[number // factor]
        else:
            # number + 1 is even and comes later, so its logarithm is put together from its halves here.
            above = logs[2] + logs[(number + 1) // 2]
            logs[number] = (logs[number - 1] + above) // 2 + _artanh_of_inverse(2 * number * number - 1)
    return logs[:size]


def logarithm_table() -> npt.NDArray[np.float64]:
    """Returns float64[TABLE_SIZE + 1]: ln n at n, and ln 2 at the end."""
    fixed = fixed_point_logarithms(TABLE_SIZE)
    return np.array([log / (1 << FRACTION_BITS) for log in [*fixed, fixed[2]]])


@helper
def logarithm(logs: Any, number: int) -> float:
    """Returns ln of a number from 1; from TABLE_SIZE on, that of its leading bits, at most 0.0005 too low."""
    doublings = 0
    while number >= TABLE_SIZE:
        number >>= 1
        doublings += 1
    value: float = logs[number] + doublings * logs[TABLE_SIZE]
    return value
