"""The shapes of pictures: escaped, cut to width, well-formed, the same colours in both themes' lists."""

import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games import drawing

SVG = "{http://www.w3.org/2000/svg}"
# Everything that Python can hold in a string, lone surrogates and control characters included.
TEXTS = st.text(st.characters(exclude_categories=()), max_size=60)


def parse(svg):
    return ET.fromstring(svg.encode("utf-8"))


@given(TEXTS)
def test_any_text_is_well_formed_and_comes_back(text):
    root = parse(drawing.document(text, 100, [drawing.label(0, 20, text)]))
    assert (root.find(f"{SVG}text").text or "") == drawing.plain(text)
    assert root.get("aria-label") is not None
    assert "\n" not in drawing.label(0, 0, text)


@given(TEXTS)
def test_plain_keeps_what_is_harmless(text):
    kept = drawing.plain(text)
    assert drawing.plain(kept) == kept
    assert [char for char in text if char.isalnum()] == [char for char in kept if char.isalnum()]


@pytest.mark.parametrize("mark", ["\u202e", "\u2067", "\u200f", "\u061c", "\x00", "\x1b", "\n", "\ud800", "\ufffe"])
def test_marks_that_turn_or_break_the_line_are_dropped(mark):
    assert drawing.plain(f"a{mark}b") == "ab"


def test_joiners_stay():
    family = "\U0001f469\u200d\U0001f4bb"
    assert drawing.plain(family) == family


@given(TEXTS, st.integers(30, 600), st.integers(11, 24))
def test_shortened_text_fits_by_estimate_and_is_a_beginning(text, room, size):
    cut = drawing.shorten(text, room, size)
    if cut == drawing.plain(text):
        return
    assert cut.endswith("…")
    assert drawing.plain(text).startswith(cut[:-1])
    assert sum(map(drawing.letter_width, cut[:-1])) * size <= room


def test_short_text_is_left_alone():
    assert drawing.shorten("mcts:simulations=500", 400) == "mcts:simulations=500"


def test_every_colour_used_is_in_the_palette():
    style = drawing.stylesheet()
    for name in drawing.PALETTE:
        assert f".f-{name}{{" in style
        assert f".s-{name}{{" in style
    assert style.count("--arena-ink:") == 2


def test_style_has_colours_for_who_knows_no_variables():
    light = drawing.PALETTE["ink"][drawing.LIGHT]
    assert f".f-ink{{fill:{light};fill:var(--arena-ink)}}" in drawing.stylesheet()


def test_shapes_are_one_line_each():
    heart = drawing.Glyph(fill="M0 0H4V4Z", line="M1 1L2 2", cut="M3 3H4V4Z", cut_line="M0 0L9 9", over="M5 5H6V6Z")
    shapes = [
        drawing.box(0, 0, 10, 10),
        drawing.circle(5, 5, 3, fill="red"),
        drawing.die(0, 0, heart, "5"),
        drawing.blank_die(0, 0),
        drawing.card(0, 0, heart, "R5"),
        drawing.card(0, 0, heart, "R5", width=58, height=80),
        drawing.card_back(0, 0),
        drawing.turn_mark(3, 4),
        *drawing.heading("title", "status"),
    ]
    assert all("\n" not in shape for shape in shapes)
    root = parse(drawing.document("shapes", 100, shapes))
    assert len(root) == len(shapes) + 3  # title, style and ground stand before them


def test_glyph_is_painted_in_layers():
    heart = drawing.Glyph(fill="MF", line="ML", cut="MC", cut_line="MD", over="MO")
    assert re.findall('d="(M.)"', drawing.glyph(heart, 0, 0, 24)) == ["MF", "ML", "MC", "MD", "MO"]


@pytest.mark.parametrize(("value", "text"), [(3, "3"), (3.0, "3"), (2.54, "2.5"), (-0.5, "-0.5")])
def test_coordinates_are_short(value, text):
    assert drawing.number(value) == text
