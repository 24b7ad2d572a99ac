"""The table of logarithms is correctly rounded: no platform's libm has a say in what a search does."""

from decimal import Decimal, localcontext

import pytest

from arena.search.logarithms import TABLE_SIZE, logarithm, logarithm_table

LOGS = logarithm_table()


def nearest_double(number):
    with localcontext(prec=60):
        return float(Decimal(number).ln())


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5, 7, 97, 1000, 2048, 3001, 4093, TABLE_SIZE - 1])
def test_each_entry_is_the_nearest_double(number):
    assert LOGS[number] == nearest_double(number)


def test_every_seventh_entry_is_the_nearest_double():
    assert [LOGS[number] for number in range(1, TABLE_SIZE, 7)] == [nearest_double(n) for n in range(1, TABLE_SIZE, 7)]


def test_last_entry_is_the_logarithm_of_two():
    assert LOGS[TABLE_SIZE] == LOGS[2]


@pytest.mark.parametrize("number", [TABLE_SIZE, 5000, 123_456, 10**7, 2**31 - 1])
def test_large_numbers_are_close_from_below(number):
    exact = nearest_double(number)
    # Beyond the table only the leading twelve bits count: the number is taken up to a part in 2048 too small.
    assert exact - 0.0005 < logarithm(LOGS, number) <= exact + 1e-12
