"""Counts and times in words."""

import pytest

from arena.core.wording import counted, duration


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((0, "deal"), "0 deals"),
        ((1, "deal"), "1 deal"),
        ((2, "deal"), "2 deals"),
        ((1, "match", "matches"), "1 match"),
        ((3, "match", "matches"), "3 matches"),
    ],
)
def test_one_of_a_thing_is_told_from_many(arguments, words):
    assert counted(*arguments) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "less than a second"),
        (0.99, "less than a second"),
        (1, "0:01"),
        (59.7, "1:00"),
        (75, "1:15"),
        (3599.4, "59:59"),
        (7390, "2:03:10"),
        (360_000, "100:00:00"),
    ],
)
def test_times_stay_short(seconds, words):
    assert duration(seconds) == words
