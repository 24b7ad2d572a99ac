"""Every worked case of the rules page, and each sentence of "A round" and "End" on positions made for it."""

import pytest

from arena.core.record import rank_scores
from arena.errors import IllegalAction

FILL = ["R-1", "P-1", "S-1", "R-2", "P-2"]  # cards that stand for the rest of a hand


class TestWorkedCases:
    """The section "Worked cases", line by line."""

    @pytest.fixture
    def revealed(self, table):
        position = table([["R8"], ["S8"], ["P8"]], [["S4"], ["P2"], ["P-6"]])
        return position.play("R8", "S8", "P8")

    def test_queue_of_all_three_suits(self, revealed):
        assert revealed.queue == [0, 1, 2]

    def test_rock_must_claim_the_scissors(self, revealed):
        assert (revealed.seat, revealed.legal) == (0, ["@1"])
        revealed.play("@1")
        assert revealed.claimed(0) == {"S4"}
        assert revealed.scores == [4, 0, 0]
        assert revealed.piles == [["R8"], ["P2"], ["P-6"]]

    def test_scissors_must_claim_one_of_two_papers(self, revealed):
        revealed.play("@1")
        assert (revealed.seat, revealed.legal) == (1, ["@2", "@3"])

    @pytest.mark.parametrize(("pile", "scores"), [("@2", [4, 2, 8]), ("@3", [4, -6, 8])])
    def test_paper_must_claim_the_rock_just_laid(self, revealed, pile, scores):
        revealed.play("@1", pile)
        assert (revealed.seat, revealed.legal) == (2, ["@1"])
        revealed.play("@1")
        assert revealed.claimed(2) == {"R8"}
        assert revealed.scores == scores

    @pytest.mark.parametrize(
        ("first", "second"), [("P5", "R5"), ("R5", "S5"), ("S5", "P5")], ids=lambda card: f"{card}"
    )
    @pytest.mark.parametrize("is_swapped", [False, True])
    def test_equal_values_of_two_suits(self, table, first, second, is_swapped):
        cards = [second, first] if is_swapped else [first, second]
        position = table([[card] for card in cards], [["R1"], ["R2"], ["R3"]]).play(*cards)
        assert [cards[seat] for seat in position.queue] == [first, second]

    def test_nothing_to_claim(self, table):
        position = table([["S9"], ["S-6"]], [["R1"], ["R2"], ["R3"]]).play("S9", "S-6")
        assert (position.seat, position.legal) == (0, ["@1", "@2", "@3"])
        position.play("@2")
        assert position.piles == [["R1"], ["R2", "S9"], ["R3"]]
        assert position.scores == [0, 0]
        assert position.claimed(0) == set()


class TestClaim:
    def test_it_is_a_must_for_less_than_nothing(self, table):
        position = table([["P9"], ["P-6"]], [["R-4", "R-3"], ["S5"], ["P1"]]).play("P9", "P-6")
        assert position.legal == ["@1"]
        position.play("@1")
        assert position.scores == [-7, 0]
        assert position.claimed(0) == {"R-4", "R-3"}

    def test_only_the_top_card_counts(self, table):
        """A beaten card under another one is no reason to claim, and no right to."""
        position = table([["P9"], ["P-6"]], [["R10", "S1"], ["R9", "P3"], ["S5"]]).play("P9", "P-6")
        assert position.legal == ["@1", "@2", "@3"]
        position.play("@1")
        assert position.scores == [0, 0]
        assert position.piles[0] == ["R10", "S1", "P9"]

    def test_values_play_no_part_in_what_beats_what(self, table):
        position = table([["P-6"], ["S-6"]], [["R10"], ["S5"], ["S4"]]).play("P-6", "S-6")
        assert position.queue == [1, 0]
        position.play("@2")
        assert position.legal == ["@1"]

    def test_a_whole_pile_goes_and_the_card_starts_it_anew(self, table):
        pile = ["S10", "S9", "P-6", "R2"]
        position = table([["P1"], ["P-1"]], [pile, ["P5"], ["P6"]]).play("P1", "P-1", "@1")
        assert position.claimed(0) == set(pile)
        assert position.scores[0] == 15
        assert position.piles[0] == ["P1"]

    def test_a_card_just_laid_can_be_claimed_with_what_is_under_it(self, table):
        position = table([["R9"], ["P8"], ["R-6"]], [["P7"], ["P6"], ["S-1", "P5"]]).play("R9", "P8", "R-6")
        assert position.play("@3").legal == ["@3"]
        position.play("@3")
        assert position.claimed(1) == {"S-1", "P5", "R9"}
        assert position.scores == [0, 13, 0]

    def test_a_pile_started_in_this_round_can_be_claimed_again(self, table):
        position = table([["R9"], ["P8"], ["S7"]], [["S6"], ["R1"], ["R2"]]).play("R9", "P8", "S7", "@1")
        assert position.legal == ["@1", "@2", "@3"]
        position.play("@1")
        assert position.legal == ["@1"]
        position.play("@1")
        assert position.scores == [6, 9, 8]

    def test_other_piles_are_not_legal(self, table):
        position = table([["R8"], ["S-6"]], [["S4"], ["P2"], ["P-6"]]).play("R8", "S-6")
        with pytest.raises(IllegalAction, match="@2 is not legal here; legal: @1"):
            position.play("@2")


class TestRound:
    def test_seats_choose_in_order_and_resolve_by_value(self, table):
        position = table([["R1", FILL[0]], ["S5", FILL[1]], ["P9", FILL[2]]], [["R2"], ["R3"], ["R4"]], round_number=7)
        seats = []
        for card in ("R1", "S5", "P9"):
            seats.append(position.seat)
            assert position.queue == []
            position.play(card)
        assert seats == [0, 1, 2]
        assert position.queue == [2, 1, 0]

    def test_next_round_begins_with_seat_0(self, table):
        position = table([["R1", "R5"], ["S5", "S6"]], [["R2"], ["R3"], ["R4"]], round_number=7)
        position.play("R1", "S5", "@1", "@1")
        assert (position.seat, position.legal) == (0, ["R5"])
        assert position.hand(1) == {"S6"}

    @pytest.mark.parametrize("num_seats", [2, 3, 4, 5])
    def test_match_is_nine_rounds(self, dealt, num_seats):
        position = dealt(num_seats, 5)
        plies = 0
        while position.seat is not None:
            position.play(position.legal[-1])
            plies += 1
        assert plies == 9 * 2 * num_seats
        assert all(position.hand(seat) == set() for seat in range(num_seats))


class TestEnd:
    def test_cards_left_in_piles_count_for_nobody(self, table):
        position = table([["R1"], ["R-6"]], [["P10"], ["P9"], ["P8"]], claimed=[["S1"], ["S2"]])
        position.play("R1", "R-6", "@1", "@1")
        assert position.seat is None
        assert position.scores == [1, 2]
        assert position.simulation.returns() == (0.0, 1.0)

    @pytest.mark.parametrize(
        ("claimed", "ranks", "returns"),
        [
            ([["R5"], ["P5"]], (1, 1), (0.5, 0.5)),
            ([[], ["P-1"]], (1, 2), (1.0, 0.0)),
            ([["R5"], ["P5"], ["S1"]], (1, 1, 3), (0.75, 0.75, 0.0)),
            ([["R1"], ["P5"], ["S5"]], (3, 1, 1), (0.0, 0.75, 0.75)),
            ([["R2"], ["P2"], ["S2"]], (1, 1, 1), (0.5, 0.5, 0.5)),
            ([["R3"], ["P1"], ["S2"], ["R2"]], (1, 4, 2, 2), (1.0, 0.0, 0.5, 0.5)),
            ([["R1"], ["R2"], ["R3"], ["R4"], ["R5"]], (5, 4, 3, 2, 1), (0.0, 0.25, 0.5, 0.75, 1.0)),
            ([["R-6"], ["P-6"], ["S-6"], ["R4"], ["P4"]], (3, 3, 3, 1, 1), (0.25, 0.25, 0.25, 0.875, 0.875)),
        ],
    )
    def test_equal_scores_share_the_rank(self, table, claimed, ranks, returns):
        """The last round is laid, not claimed: Rocks on Papers."""
        cards = ["R10", "R9", "R8", "R7", "R6"][: len(claimed)]
        position = table([[card] for card in cards], [["P10"], ["P9"], ["P8"]], claimed=claimed)
        position.play(*cards, *["@1", "@2", "@3", "@1", "@2"][: len(claimed)])
        assert position.seat is None
        assert position.simulation.returns() == returns
        assert rank_scores(position.simulation.returns()) == ranks == rank_scores(position.scores)
