"""Where pieces go: free cells, facings, base moves."""

import pytest

ALL_ALIKE, ALTERNATING = "P P P P", "P N P N"


def cells(names):
    return {name.partition("/")[0] for name in names}


def test_the_first_piece_lies_at_the_origin(dealt):
    table = dealt(2, 1)
    tile = next(name for name in table.legal if name[0] == "t")
    assert table.clone().play(tile).legal == ["0,0/0", "0,0/1", "0,0/2", "0,0/3"]
    base = next(name for name in table.legal if name in "PNRZ")
    assert table.play(base).legal == ["0,0/0"]


def test_later_pieces_go_beside_those_in_play(table):
    names = table({"0,0": "t1", "1,0": "t2"}).play("t51").legal
    assert cells(names) == {"0,-1", "1,-1", "-1,0", "2,0", "0,1", "1,1"}
    assert len(names) == 6 * 4


def test_a_cell_that_the_layout_encloses_is_free(table):
    ring = ["0,0", "1,0", "2,0", "0,1", "2,1", "0,2", "1,2", "2,2"]
    names = table({cell: f"t{number}" for number, cell in enumerate(ring, 1)}).play("t51").legal
    assert "1,1/0" in names


@pytest.mark.parametrize(("sections", "facings"), [(ALL_ALIKE, 1), (ALTERNATING, 2), ("P P N N", 4)])
def test_only_facings_that_look_different_are_offered(table, sections, facings):
    names = table({"0,0": "t1"}, tiles={51: sections}).play("t51").legal
    assert [name for name in names if name.startswith("1,0/")] == [f"1,0/{facing}" for facing in range(facings)]


def test_a_base_has_one_facing(table):
    names = table({"0,0": "t1"}, ("t51", "t52")).play("P").legal
    assert names == ["0,-1/0", "-1,0/0", "1,0/0", "0,1/0"]


def test_legal_actions_are_in_order_of_y_then_x(table):
    names = table({"-12,-9": "t1", "-11,-9": "t2", "-11,-8": "t3"}).play("t51").legal
    keys = [(int(y), int(x)) for x, y in (cell.split(",") for cell in (name.partition("/")[0] for name in names))]
    assert keys == sorted(keys)


# Base moves


def test_a_base_at_the_rim_may_go_to_any_other_free_cell(table):
    position = table({"0,0": "t1", "1,0": "P"})
    assert ">P" in position.legal
    assert position.play(">P").legal == ["0,-1/0", "-1,0/0", "0,1/0"]
    position.play("0,1/0")
    assert position.layout == {"0,0": "t1/0", "0,1": "P/0"}
    assert position.seat == 1


def test_a_move_draws_nothing(table):
    position = table({"0,0": "t1", "1,0": "P"})
    pile, hand = position.pile, position.hand(0)
    position.play(">P", "0,1/0")
    assert (position.pile, position.hand(0)) == (pile, hand)


def test_a_base_that_holds_the_layout_together_stays(table):
    position = table({"-2,0": "t1", "-1,0": "t2", "0,0": "P", "1,0": "t3", "2,0": "t4"})
    assert not [name for name in position.legal if name.startswith(">")]


def test_a_base_may_go_where_it_joins_again_what_it_split(table):
    bent = {"0,0": "P", "-1,0": "t1", "0,1": "t2"}
    assert table(bent).play(">P").legal == ["-1,1/0"]


def test_a_base_that_joins_three_parts_stays_unless_one_cell_joins_them(table):
    cross = {"0,0": "P", "-1,0": "t1", "0,1": "t2", "1,0": "t3"}
    assert ">P" not in table(cross).legal
    assert ">P" in table(cross | {"1,1": "t4"}).legal
    assert table(cross | {"1,1": "t4"}).play(">P").legal == ["-1,1/0"]


def test_a_base_in_a_ring_may_leave_it(table):
    ring = ["1,0", "2,0", "0,1", "2,1", "0,2", "1,2", "2,2"]
    position = table({"0,0": "P", **{cell: f"t{number}" for number, cell in enumerate(ring, 1)}})
    assert ">P" in position.legal
    names = position.play(">P").legal
    assert "1,1/0" in names
    assert "0,0/0" not in names


def test_a_lone_base_has_nowhere_to_go(table):
    assert ">P" not in table({"0,0": "P"}).legal


def test_only_own_bases_in_play_move(table):
    layout = {"0,0": "t1", "1,0": "P", "-1,0": "R"}
    assert [name for name in table(layout).legal if name.startswith(">")] == [">P"]


def test_no_base_moves_right_after_a_base_move(table):
    position = table({"0,0": "t1", "1,0": "P", "-1,0": "N", "0,1": "R"})
    position.play(">P", "0,-1/0")
    position.play("t48", "0,2/0")
    assert position.seat == 0
    assert not [name for name in position.legal if name.startswith(">")]
    position.play("t53", "0,3/0")
    position.play("t49", "0,4/0", "-")
    assert {">P", ">N"} <= set(position.legal)


def test_swap_and_replace_are_no_base_moves(table):
    position = table({"0,0": "t1", "1,0": "P"}, ("t41 t51 t52", "t47 t48 t50"))
    position.play("t41", "-1,0/0", "-1,0", "1,0", "/0", "/0")
    assert position.layout["-1,0"] == "P/0"
    position.play("t47", "2,0/0")
    assert ">P" in position.legal
