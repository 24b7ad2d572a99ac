"""The three icon actions, decision by decision."""

# Seat 0 owns P and N; in the default set 29 turns, 41 swaps and 49 replaces, the others here have no icon.
HANDS = ("t29 t41 t49", "t46 t47 t48")


def test_a_tile_without_an_icon_ends_the_turn(table):
    position = table({"0,0": "t1"}, ("t3 t5", "t6 t7"))
    assert position.play("t3", "1,0/0").seat == 1


def test_rotate_names_the_facing_to_come(table):
    position = table({"0,0": "t1/1", "1,0": "P"}, HANDS).play("t29", "2,0/3")
    assert position.legal == ["-", "0,0/0", "0,0/2", "0,0/3"]
    position.play("0,0/3")
    assert position.layout == {"0,0": "t1/3", "1,0": "P/0", "2,0": "t29/3"}
    assert position.seat == 1


def test_rotate_offers_only_another_look(table):
    tiles = {1: "P P P P", 2: "P N P N"}
    position = table({"0,0": "t1", "1,0": "t2/1"}, HANDS, tiles=tiles).play("t29", "2,0/0")
    assert position.legal == ["-", "1,0/0"]


def test_rotate_on_the_first_tile_can_only_be_declined(table):
    position = table({}, HANDS).play("t29", "0,0/0")
    assert position.legal == ["-"]
    assert position.play("-").seat == 1


def test_every_icon_may_be_declined(table):
    for tile in ("t29", "t41", "t49"):
        position = table({"0,0": "t1"}, HANDS).play(tile, "1,0/0")
        assert position.legal[0] == "-"
        position.play("-")
        assert position.layout == {"0,0": "t1/0", "1,0": f"{tile}/0"}
        assert position.seat == 1


def test_swap_takes_the_lower_cell_first_and_never_the_last(table):
    position = table({"0,0": "t1", "1,0": "R", "0,1": "t2"}, HANDS).play("t41", "0,-1/0")
    assert position.legal == ["-", "0,-1", "0,0", "1,0"]
    assert position.clone().play("1,0").legal == ["0,1"]
    assert position.play("0,-1").legal == ["0,0", "1,0", "0,1"]


def test_swap_of_an_opponents_base_with_the_tile_just_played(table):
    position = table({"0,0": "t1", "1,0": "R"}, HANDS).play("t41", "-1,0/2", "-1,0", "1,0")
    assert position.legal == ["/0", "/1", "/2", "/3"]
    position.play("/3")
    assert position.legal == ["/0"]
    position.play("/0")
    assert position.layout == {"-1,0": "R/0", "0,0": "t1/0", "1,0": "t41/3"}
    assert position.seat == 1


def test_swap_turns_both_tiles(table):
    position = table({"0,0": "t1", "0,1": "t2/1"}, HANDS).play("t41", "1,0/0", "0,0", "0,1", "/2", "/3")
    assert position.layout == {"0,0": "t2/3", "1,0": "t41/0", "0,1": "t1/2"}


def test_swap_may_leave_the_facings_as_they_are(table):
    position = table({"0,0": "t1/2", "0,1": "t2/1"}, HANDS).play("t41", "1,0/0", "0,0", "0,1", "/2", "/1")
    assert position.layout == {"0,0": "t2/1", "1,0": "t41/0", "0,1": "t1/2"}


def test_a_swap_that_is_begun_is_not_declined(table):
    position = table({"0,0": "t1", "0,1": "t2"}, HANDS).play("t41", "1,0/0", "0,0")
    assert "-" not in position.legal


def test_replace_takes_all_but_opponents_bases(table):
    layout = {"0,0": "t1", "1,0": "R", "2,0": "P"}
    position = table(layout, HANDS).play("t49", "0,1/0")
    assert position.legal == ["-", "0,0", "2,0", "0,1"]


def test_replace_puts_in_another_piece_and_draws_afterwards(table):
    position = table({"0,0": "t1", "1,0": "R"}, HANDS, pile=[[10, 11], [12]]).play("t49", "0,1/0", "0,0")
    assert position.legal == ["t29", "t41", "P", "N"]
    position.play("t29")
    assert position.legal == ["/0", "/1", "/2", "/3"]
    position.play("/1")
    assert position.layout == {"0,0": "t29/1", "1,0": "R/0", "0,1": "t49/0"}
    assert position.hand(0) == {"t1", "t41", "P", "N", "t10"}
    assert position.seat == 1, "a tile that comes in by replace gives no action"


def test_replace_of_the_tile_just_played_by_a_base(table):
    position = table({"0,0": "t1"}, HANDS).play("t49", "1,0/0", "1,0", "N")
    assert position.legal == ["/0"]
    position.play("/0")
    assert position.layout == {"0,0": "t1/0", "1,0": "N/0"}
    assert "t49" in position.hand(0)


def test_replace_takes_an_own_base_back(table):
    position = table({"0,0": "t1", "1,0": "P"}, HANDS).play("t49", "2,0/0", "1,0", "t29", "/0")
    assert position.layout == {"0,0": "t1/0", "1,0": "t29/0", "2,0": "t49/0"}
    assert {"P", "N"} <= position.hand(0)
    position.play("t46", "3,0/0")
    assert "P" in position.legal
    assert ">P" not in position.legal


def test_a_tile_taken_by_replace_is_known_until_it_is_played(table):
    position = table({"0,0": "t1"}, HANDS).play("t49", "1,0/0", "0,0", "t29", "/0")
    assert position.known(0) == {"t1"}
    position.play("t46", "2,0/0")
    assert position.known(0) == {"t1"}
    position.play("t1", "3,0/0")
    assert position.known(0) == set()


def test_a_tile_named_is_known_before_it_lies(table):
    position = table({"0,0": "t1"}, HANDS).play("t49")
    assert position.known(0) == {"t49"}
    assert position.play("1,0/0", "0,0", "t29").known(0) == {"t29"}
