"""Connect Four's board: lines of four against brute force, the bitboards' edges, draws, counts from the empty board."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.view import BotRandom
from arena.games.connect_four.game import GAME, disc_at
from arena.games.connect_four.layout import COLUMN_BITS, COLUMNS, DISCS, FULL, NOBODY, ROWS, WINNER
from arena.games.connect_four.rules import has_four
from arena.kernels.drivers import perft
from arena.kernels.jit import IS_JIT_DISABLED
from arena.kernels.rng import LUCK_WORDS
from arena.kernels.simulation import kernels_of

CELLS = [(column, row) for column in range(COLUMNS) for row in range(ROWS)]
PLAIN_DEPTH = 5  # perft to here takes a second without compilation
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
DRAWN = "441365675334466335442232661515577771217122"


def lines():
    """Returns all lines of four cells on the board."""
    every = [
        [(column + step * dx, row + step * dy) for step in range(4)] for column, row in CELLS for dx, dy in DIRECTIONS
    ]
    return [line for line in every if set(line) <= set(CELLS)]


def mask_of(cells):
    return sum(1 << (column * COLUMN_BITS + row) for column, row in cells)


def has_line(cells):
    """Says by looking along every line whether cells hold four in a row."""
    return any(set(line) <= set(cells) for line in lines())


@pytest.fixture
def empty(deal):
    return deal(GAME, 2, 1, opening="0")


def play(position, columns):
    for column in columns:
        position.play(GAME.parse_action(column))
    return position


def view_of(position):
    legal = position.legal
    return GAME.view_type(GAME, position.observed(0), 2, 0, 0, legal, (), BotRandom(1))


class TestLines:
    def test_there_are_69(self):
        assert len(lines()) == 69

    @pytest.mark.parametrize("line", lines(), ids=str)
    def test_each_is_a_win_and_three_of_it_are_none(self, line):
        assert has_four(mask_of(line))
        for left_out in line:
            assert not has_four(mask_of(cell for cell in line if cell != left_out))

    def test_lines_do_not_run_over_the_edge(self):
        """Four bits in step that are no line of the board: they leave a column at its top or pass its empty bit."""
        on_board = {mask_of([cell]) for cell in CELLS}
        every = {mask_of(line) for line in lines()}
        num_checked = 0
        for start in range(COLUMNS * COLUMN_BITS):
            for step in range(1, 3 * COLUMN_BITS):
                bits = [1 << (start + k * step) for k in range(4)]
                if not set(bits) <= on_board or sum(bits) in every:
                    continue
                assert not has_four(sum(bits))
                num_checked += 1
        assert num_checked > 100

    @settings(max_examples=200, database=None)
    @given(st.sets(st.sampled_from(CELLS), max_size=30))
    def test_any_discs(self, cells):
        assert bool(has_four(mask_of(cells))) == has_line(cells)


class TestPlay:
    def test_discs_fall_on_each_other(self, empty):
        play(empty, "4441")
        assert view_of(empty).board == [
            ".......",
            ".......",
            ".......",
            "...0...",
            "...1...",
            "1..0...",
        ]
        assert disc_at(empty.words(), 3, 2) == 0
        assert disc_at(empty.words(), 3, 3) is None

    @pytest.mark.parametrize("column", "1234567")
    def test_full_column_takes_no_more(self, empty, column):
        play(empty, column * ROWS)
        assert empty.legal == tuple(action for action in range(COLUMNS) if str(action + 1) != column)
        other = "1" if column != "1" else "2"
        play(empty, other)
        filled = empty.words()[DISCS] | empty.words()[DISCS + 1]
        assert filled & ~FULL == 0

    @pytest.mark.parametrize(
        ("columns", "winner"),
        [
            ("1212121", 0),
            ("71212121", 1),
            ("1122334", 0),
            ("71122334", 1),
            ("12233434464", 0),
            ("712233434464", 1),
            ("76655454424", 0),
        ],
    )
    def test_win_ends_the_match(self, empty, columns, winner):
        play(empty, columns)
        assert empty.is_over
        assert empty.words()[WINNER] == winner
        assert empty.legal == ()
        assert empty.scores() == (1 - winner, winner)
        assert empty.returns() == (1.0 - winner, float(winner))

    def test_draw(self, empty):
        play(empty, DRAWN)
        assert empty.is_over
        assert empty.words()[WINNER] == NOBODY
        assert empty.words()[DISCS] | empty.words()[DISCS + 1] == FULL
        assert empty.scores() == (0, 0)
        assert empty.returns() == (0.5, 0.5)

    def test_win_with_the_last_disc_is_a_win(self, empty):
        """The board is full and the last disc makes a line."""
        position, rng = None, random.Random(1)
        for _ in range(200_000):
            position = empty.clone()
            while not position.is_over:
                position.play(rng.choice(position.legal))
            is_full = position.words()[DISCS] | position.words()[DISCS + 1] == FULL
            if is_full and position.words()[WINNER] != NOBODY:
                break
        assert is_full
        assert sorted(position.returns()) == [0.0, 1.0]

    def test_random_matches_against_a_plain_board(self, empty):
        for seed in range(30):
            position, rng = empty.clone(), random.Random(seed)
            discs = [[], []]
            heights = [0] * COLUMNS
            while not position.is_over:
                assert [heights[column] < ROWS for column in range(COLUMNS)] == [
                    column in position.legal for column in range(COLUMNS)
                ]
                seat, column = position.to_move, rng.choice(position.legal)
                discs[seat].append((column, heights[column]))
                heights[column] += 1
                position.play(column)
                assert list(position.words()[DISCS : DISCS + 2]) == [mask_of(cells) for cells in discs]
                assert position.is_over == (has_line(discs[seat]) or len(discs[0]) + len(discs[1]) == 42)
                assert (position.words()[WINNER] == seat) == has_line(discs[seat])


@pytest.mark.parametrize(
    ("depth", "leaves"),
    list(enumerate([7, 49, 343, 2401, 16_807, 117_649, 823_536, 5_673_234], start=1)),
)
def test_perft_from_the_empty_board(empty, depth, leaves):
    if IS_JIT_DISABLED and depth > PLAIN_DEPTH:
        pytest.skip("minutes without compilation")
    kernels = kernels_of(GAME)
    states = np.zeros((depth + 1, GAME.state_words), np.int64)
    states[0] = empty.words()
    lucks = np.zeros((depth + 1, LUCK_WORDS), np.uint64)
    outs = np.zeros((depth + 1, GAME.max_legal), np.int64)
    assert perft(kernels.legal, kernels.apply, states, lucks, outs, depth) == leaves
