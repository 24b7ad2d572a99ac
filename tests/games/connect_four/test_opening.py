"""The random opening: its length, uniform where every line is possible, never won."""

from collections import Counter
from itertools import product

import msgspec
import pytest
from scipy.stats import chisquare

from arena.core.view import BotRandom
from arena.errors import BadOption
from arena.games.connect_four.game import GAME
from arena.games.connect_four.layout import DISCS, NOBODY, WINNER

ALPHA = 1e-4


def opening_of(position):
    return "".join(GAME.setup(position.words())["opening"])


@pytest.mark.parametrize("length", [0, 1, 2, 7, 8, 16])
def test_length_and_seat_to_act(deal, length):
    options = {"opening": str(length)} if length != 2 else {}
    for seed in range(50):
        position = deal(GAME, 2, seed, **options)
        assert len(opening_of(position)) == length
        assert position.to_move == length % 2
        discs = position.words()[DISCS : DISCS + 2]
        assert sum(mask.bit_count() for mask in discs) == length
        assert position.words()[WINNER] == NOBODY


@pytest.mark.parametrize("length", [2, 7, 12, 16])
def test_setup_is_what_was_played(deal, length):
    for seed in range(100):
        position = deal(GAME, 2, seed, opening=str(length))
        again = deal(GAME, 2, seed, opening="0")
        for column in opening_of(position):
            again.play(GAME.parse_action(column))
            assert not again.is_over
        assert again.words()[:WINNER] == position.words()[:WINNER]


@pytest.mark.parametrize(("length", "num_deals"), [(1, 3000), (2, 10_000)])
def test_every_opening_is_equally_likely(deal, length, num_deals):
    counts = Counter(opening_of(deal(GAME, 2, seed, opening=str(length))) for seed in range(num_deals))
    assert set(counts) == {"".join(columns) for columns in product("1234567", repeat=length)}
    assert chisquare(list(counts.values())).pvalue > ALPHA


def test_openings_in_which_a_win_was_possible_are_uniform_without_it(deal):
    """Seven plies, all in two columns: of such openings those with four in a column of one's own are left out."""
    openings = Counter(opening_of(deal(GAME, 2, seed, opening="7")) for seed in range(20_000))
    assert "1212121" not in openings
    last = Counter()
    for opening, count in openings.items():
        last[opening[-1]] += count
    assert chisquare(list(last.values())).pvalue > ALPHA


@pytest.mark.parametrize(("text", "words"), [("17", "up"), ("-1", "from 0"), ("two", "whole number"), ("", "whole")])
def test_option_out_of_range(text, words):
    with pytest.raises(BadOption, match=words):
        GAME.parse_options({"opening": text})


def test_view_shows_the_opening(deal):
    position = deal(GAME, 2, 3, opening="5")
    view = GAME.view_type(GAME, position.observed(1), 2, 1, 0, position.legal, (), BotRandom(1))
    assert "".join(view.opening) == opening_of(position)
    message = msgspec.json.decode(msgspec.json.encode(view.message()))
    assert message["opening"] == view.opening
    assert message["board"] == view.board
