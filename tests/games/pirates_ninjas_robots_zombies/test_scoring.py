"""The worked cases of the rules page, and what they leave to be said, one seat a character."""

import pytest

from arena.games.pirates_ninjas_robots_zombies.reading import SECTION_NAMES, layout_of
from arena.games.pirates_ninjas_robots_zombies.scoring import points_of, regions_of

HANDS = ("t51", "t52", "t53", "t54")


def score(table, layout, tiles):
    """Returns the points of P, N, R and Z, by the kernels and by the plain scorer alike."""
    position = table(layout, HANDS, "0123", tiles)
    assert position.scores == points_of(position.words)
    return position.scores


SHIP_AND_EIGHT = {"0,0": "P", "1,0": "t1", "2,0": "t2", "2,1": "t3"}
PICTURES = {1: "P P P P", 2: "P P P P", 3: "N N N p", 4: "N N N P!", 5: "N P! N N"}


def test_a_quarter_turn_brings_the_bottom_left_to_the_top_left(table):
    position = table({"0,0": "t1/1"}, tiles={1: "P P P N"})
    (placed,) = layout_of(position.words)
    assert [SECTION_NAMES[section] for section in placed.sections] == ["N", "P", "P", "P"]


@pytest.mark.parametrize("krakens", [{"3,0": "t4"}, {"2,-1": "t5"}, {"3,0": "t4", "2,-1": "t5"}])
def test_ship_eight_pirates_one_of_them_at_a_kraken_and_a_chest(table, krakens):
    assert score(table, SHIP_AND_EIGHT | krakens, PICTURES)[0] == 5 + 7 + 3


def test_without_a_kraken_all_eight_count(table):
    assert score(table, SHIP_AND_EIGHT, PICTURES)[0] == 5 + 8 + 3


def test_a_kraken_takes_nothing_from_a_ninja(table):
    assert score(table, {"0,0": "t1", "1,0": "t2"}, {1: "N N N N", 2: "P! P! P! P!"}) == [0, 4, 0, 0]


def test_a_negated_pirate_still_links(table):
    tiles = {1: "P P P P", 2: "N N P P", 3: "P P P P", 4: "P! N N N"}
    layout = {"0,0": "t1", "1,0": "t2", "2,0": "t3", "1,-1": "t4"}
    assert score(table, layout, tiles)[0] == 4 + 0 + 1 + 4


def test_only_the_best_region_of_robots_counts(table):
    tiles = {1: "R R R R", 2: "R N N R", 3: "N N N N", 4: "R R R R", 5: "R R R R", 6: "R N N N"}
    line = {"0,0": "R", **{f"{number},0": f"t{number}" for number in tiles}}
    position = table(line, HANDS, "0123", tiles)
    robots = [region.points for region in regions_of(layout_of(position.words)) if region.character == 2]
    assert robots == [11, 9]
    assert position.scores[2] == 11


def test_a_base_counts_once_and_is_never_negated(table):
    around = {"0,0": "P", "1,0": "t1", "-1,0": "t2", "0,1": "t3", "0,-1": "t4"}
    assert score(table, around, dict.fromkeys((1, 2, 3, 4), "P! P! P! P!")) == [5, 0, 0, 0]


def test_an_arch_enemy_is_no_part_of_a_region(table):
    layout = {"0,0": "t1", "1,0": "t2", "2,0": "t3"}
    assert score(table, layout, {1: "P P P P", 2: "P! P! P! P!", 3: "P P P P"})[0] == 2


def test_a_bonus_item_is_negated_within_its_tile(table):
    assert score(table, {"0,0": "t1"}, {1: "p P! N n"}) == [0, 4, 0, 0]


def test_pictures_at_a_corner_do_not_meet(table):
    assert score(table, {"0,0": "t1"}, {1: "P N P R"}) == [1, 1, 1, 0]


def test_a_player_has_the_sum_of_its_characters(table):
    tiles = {1: "P P P N", 2: "Z Z R R"}
    assert table({"0,0": "t1", "1,0": "t2"}, tiles=tiles, owners="0101").scores == [3 + 2, 1 + 2]


def test_the_character_that_left_the_game_counts_for_nobody(table):
    position = table({"0,0": "t1"}, ("t51", "t52", "t53"), "01-2", {1: "R R R R"})
    assert position.scores == [0, 0, 0]
