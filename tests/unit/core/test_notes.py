"""Notes: what a bot may give, and how the numbers are summed up."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena import Bot
from arena.core.notes import LARGEST, MAX_NOTES, add_note, checked_note, merge_notes


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ({"value": math.nan}, "value=nan is no finite number"),
        ({"value": -math.inf}, "is no finite number"),
        ({"value": 10**400}, "is no finite number"),
        ({"value": None}, "value=None is no finite number"),
        ({"value": "0.5"}, "value='0.5' is no finite number"),
        ({"value": np.zeros(3)}, "is no finite number"),
        ({"value": 1.7e308}, "value=1.7e[+]308 is too large; give a number up to 1e[+]300"),
        ({"value": -(10**301)}, "is too large"),
        ({"n" * 65: 1.0}, "65 letters"),
        ({"\ud800": 1.0}, "is not valid Unicode"),
        ({str(number): 1.0 for number in range(33)}, "33 numbers is too large; give at most 32"),
    ],
)
def test_what_is_no_note_is_said_in_one_line(numbers, words):
    with pytest.raises(ValueError, match=words) as caught:
        Bot().note(**numbers)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 200


def test_numbers_of_any_kind_become_plain_floats():
    note = checked_note({"a": 1, "b": True, "c": np.float32(0.5), "d": np.int64(7), "n" * 64: 0.1})
    assert list(note.values()) == [1.0, 1.0, 0.5, 7.0, 0.1]
    assert {type(value) for value in note.values()} == {float}


def test_a_match_has_so_many_names():
    totals = {}
    for number in range(2 * MAX_NOTES):
        add_note(totals, {f"n{number}": 1.0, "n0": 2.0})
    assert list(totals) == [f"n{number}" for number in range(MAX_NOTES)]
    assert totals["n0"] == (2.0 * 2 * MAX_NOTES, 2 * MAX_NOTES)


@given(st.lists(st.floats(-LARGEST, LARGEST), min_size=1), st.integers(1, 10**5))
def test_averages_are_those_of_the_numbers_however_large_they_are(values, times):
    totals = {}
    for value in values:
        add_note(totals, checked_note({"x": value}))
        merge_notes(totals, {"x": (value * times, times)})  # a match of so many answers
    total, count = totals["x"]
    assert count == len(values) * (times + 1)
    exact = sum(map(Fraction, values)) / len(values)
    assert abs(Fraction(total) / count - exact) <= Fraction(max(map(abs, values))) / 10**9
    json.dumps(totals, allow_nan=False)
