"""The picture: well-formed, legible at any size of layout, and with nothing that its reader may not see."""

import random
import xml.etree.ElementTree as ET

import pytest

from arena.games.pirates_ninjas_robots_zombies.game import GAME
from arena.games.pirates_ninjas_robots_zombies.svg import COLOUR, ICONS, MAX_CELL, PICTURES, Frame

SVG = "{http://www.w3.org/2000/svg}"


def texts(svg):
    return ["".join(element.itertext()) for element in ET.fromstring(svg).iter(f"{SVG}text")]


def masked(table, seat):
    return memoryview(table.simulation.observed(seat)).cast("q").tolist()


def test_every_picture_is_unlike_every_other():
    glyphs = [glyph for kind in PICTURES for glyph in kind] + [glyph for glyph in ICONS if glyph]
    assert len(set(glyphs)) == 16 + 3
    assert len(set(COLOUR)) == 4


@pytest.mark.parametrize("num_seats", [2, 3, 4])
def test_every_position_is_well_formed(dealt, num_seats):
    rng = random.Random(2)
    table = dealt(num_seats, 2)
    while table.seat is not None:
        ET.fromstring(GAME.svg(table.words))
        ET.fromstring(GAME.svg(masked(table, 1), observer=1))
        table.play(rng.choice(table.legal))
    ET.fromstring(GAME.svg(table.words))


def test_names_are_escaped_and_shown(table):
    svg = GAME.svg(table({"0,0": "t1"}).words, names=["<b>&", "bob"])
    assert "<b>&" in texts(svg)
    assert "bob" in texts(svg)


def test_a_seat_sees_its_own_hand_and_backs(table):
    position = table({"0,0": "t1"}, ("t21", "t24 t28"))
    assert {"t21", "t24", "t28"} <= set(texts(GAME.svg(position.words)))
    seen = set(texts(GAME.svg(masked(position, 0), observer=0)))
    assert "t21" in seen
    assert not {"t24", "t28"} & seen


def test_the_best_regions_are_marked_at_the_end_only(table):
    tiles = {1: "P P P P", 2: "P! N N N", 51: "Z Z Z Z"}
    position = table({"0,0": "t1", "1,0": "t2", "-1,0": "P"}, tiles=tiles, pile=[[], []], turns_left=1)
    assert texts(GAME.svg(position.words)).count("P 8") == 1, "at the seat"
    position.play("t51", "2,0/0")
    assert texts(GAME.svg(position.words)).count("P 8") == 2, "and at the region"


def test_a_tile_is_the_same_line_however_far_the_layout_grows(table):
    small = table({"0,0": "t1/2", "1,0": "P"})
    large = table({"0,0": "t1/2", "1,0": "P", **{f"{x},1": f"t{x + 10}" for x in range(20)}})
    shared = set(GAME.svg(small.words).split("\n")) & set(GAME.svg(large.words).split("\n"))
    assert sum('<g transform="translate(0 -100)">' in line for line in shared) == 1
    assert sum('<g transform="translate(100 -100)">' in line for line in shared) == 1


@pytest.mark.parametrize(("columns", "rows"), [(1, 1), (50, 1), (1, 50), (25, 26)])
def test_the_layout_stays_within_the_picture(columns, rows):
    class Cell:
        def __init__(self, x, y):
            self.x, self.y = x, y

    frame = Frame([Cell(-7, -9), Cell(columns - 8, rows - 10)])
    left, top = frame.corner(-7, rows - 9)
    right, bottom = frame.corner(columns - 7, -9)
    assert 24 <= left < right <= 800 - 24
    assert bottom - top == pytest.approx(frame.height)
    assert 0 < frame.cell <= MAX_CELL


def test_the_character_that_left_the_game_is_not_marked(table):
    tiles = {1: "P P P P", 2: "R R R R", 51: "Z Z Z Z"}
    position = table({"0,0": "t1", "1,0": "t2"}, ("t51", "t52", "t53"), "01-2", tiles, [[], [], []], turns_left=1)
    shown = texts(GAME.svg(position.play("t51", "2,0/0").words))
    assert shown.count("P 4") == 2
    assert "R 4" not in shown
