"""Seatings share out seats and neighbours evenly (design.md, rule 2; cases.md E1)."""

from collections import Counter
from itertools import pairwise, permutations

import pytest

from arena.schedule.seatings import seat, seatings

SIZES = pytest.mark.parametrize("size", [2, 3, 4, 5])


@pytest.mark.parametrize(("size", "count"), [(2, 2), (3, 6), (4, 4), (5, 10)])
def test_number_of_seatings(size, count):
    assert len(seatings(size)) == len(set(seatings(size))) == count


@SIZES
def test_each_is_a_seating_of_all(size):
    assert all(sorted(row) == list(range(size)) for row in seatings(size))


@SIZES
def test_everyone_sits_everywhere_equally_often(size):
    counts = Counter((member, place) for row in seatings(size) for place, member in enumerate(row))
    assert set(counts.values()) == {len(seatings(size)) // size}
    assert len(counts) == size * size


@SIZES
def test_everyone_follows_everyone_equally_often(size):
    """In the linear order of the seats: the last seat is followed by nobody."""
    counts = Counter(pair for row in seatings(size) for pair in pairwise(row))
    assert set(counts) == set(permutations(range(size), 2))
    assert len(set(counts.values())) == 1


@pytest.mark.parametrize("size", [2, 3])
def test_small_tables_are_seated_in_every_way(size):
    assert set(seatings(size)) == set(permutations(range(size)))


@SIZES
def test_everyone_sits_before_everyone_equally_often(size):
    counts = Counter((row[i], row[j]) for row in seatings(size) for i in range(size) for j in range(i + 1, size))
    assert len(set(counts.values())) == 1


def test_members_take_their_seats():
    assert seat(["a", "b"]) == [("a", "b"), ("b", "a")]
    assert seat("abc")[0] == ("a", "b", "c")
