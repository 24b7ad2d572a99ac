"""Whole matches beside the plain implementation: every decision, every hand, every score."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.pirates_ninjas_robots_zombies.scoring import points_of
from arena.games.pirates_ninjas_robots_zombies.tiles import PICTURES

ICONS = ("", "rotate", "swap", "replace")


def wild_rows(rng, icons=ICONS):
    """Returns a tile set drawn at random, with many tiles that look alike from several sides."""
    kinds = (
        lambda: [rng.choice(PICTURES)] * 4,
        lambda: [rng.choice(PICTURES), rng.choice(PICTURES)] * 2,
        lambda: [rng.choice(PICTURES) for _ in range(4)],
        lambda: [rng.choice(PICTURES[:4]) for _ in range(4)],
    )
    return tuple(",".join([str(number), *rng.choice(kinds)(), rng.choice(icons)]) for number in range(1, 55))


def farthest(axis, sign):
    """Returns a way to play that grows the layout in one direction, the bases along."""

    def choose(rng, legal):
        if "," not in legal[0] and ("," not in legal[-1]):
            moves = [name for name in legal if name.startswith(">")]
            return rng.choice(moves or legal)
        if legal[0] == "-":
            return "-" if rng.random() < 0.5 else rng.choice(legal)
        return max(legal, key=lambda name: sign * int(name.partition("/")[0].split(",")[axis]))

    return choose


def at_random(rng, legal):
    return rng.choice(legal)


WAYS = {
    "random": at_random,
    "right": farthest(0, 1),
    "left": farthest(0, -1),
    "up": farthest(1, 1),
    "down": farthest(1, -1),
}


def follow(table, model, choose, rng):
    """Plays a match on both sides and compares them at every ply."""
    while True:
        names = table.legal
        assert sorted(names) == sorted(model.legal())
        assert table.seat == (None if model.is_over else model.seat)
        assert {cell: tuple(placed.split("/")) for cell, placed in table.layout.items()} == {
            f"{x},{y}": (piece, str(facing)) for (x, y), (piece, facing) in model.cells.items()
        }
        for seat in range(model.num_seats):
            assert table.hand(seat) == model.hands[seat]
            assert table.known(seat) == model.known[seat]
        if not model.turn:
            assert table.scores == model.scores() == points_of(table.words)
            assert [[f"t{number}" for number in part] for part in table.pile] == model.pile
        if not names:
            return
        name = choose(rng, names)
        table.play(name)
        model.play(name)


@pytest.mark.parametrize("num_seats", [2, 3, 4])
@settings(max_examples=8, database=None)
@given(seed=st.integers(0, 2**32))
def test_random_matches(dealt, reference, num_seats, seed):
    table = dealt(num_seats, seed)
    follow(table, reference(table), at_random, random.Random(seed))


@pytest.mark.parametrize("num_seats", [2, 3, 4])
@settings(max_examples=8, database=None)
@given(seed=st.integers(0, 2**32))
def test_random_matches_with_wild_tiles(dealt, reference, num_seats, seed):
    rng = random.Random(seed)
    table = dealt(num_seats, seed, wild_rows(rng))
    follow(table, reference(table), at_random, rng)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("icons", [("",), ("swap",), ("replace",)], ids=["plain", "swap", "replace"])
def test_layouts_that_grow_in_one_direction(dealt, reference, way, icons):
    rng = random.Random(7)
    table = dealt(2, 7, wild_rows(rng, icons))
    follow(table, reference(table), WAYS[way], rng)


@pytest.mark.parametrize(("axis", "sign"), [(0, 1), (0, -1), (1, 1), (1, -1)], ids=["right", "left", "up", "down"])
def test_tiles_in_one_line_reach_as_far_as_there_are_turns(dealt, axis, sign):
    table = dealt(2, 1)
    while table.seat is not None:
        names = table.legal
        is_where = "/" in names[-1] and names[0] != "-"
        way = farthest(axis, sign)
        table.play(way(None, names) if is_where else next(name for name in names if name[0] in "t-"))
        assert all(0 <= value <= 1 for value in table.simulation.evaluate())
    reached = [sign * int(cell.split(",")[axis]) for cell in table.layout]
    assert sorted(reached) == list(range(50))
