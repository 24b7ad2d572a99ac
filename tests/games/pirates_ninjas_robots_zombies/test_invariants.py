"""What holds in every position of every match."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.pirates_ninjas_robots_zombies.layout import HAND_SIZE, MIN_X, STATE_WORDS

SEEDS = st.integers(0, 2**32)
ALL_TILES = {f"t{number}" for number in range(1, 55)}


def play_random(table, seed):
    """Yields the table at every position of a random match."""
    rng = random.Random(seed)
    yield table
    while table.seat is not None:
        table.play(rng.choice(table.legal))
        yield table


def is_connected(layout):
    spots = {tuple(map(int, cell.split(","))) for cell in layout}
    todo, reached = [next(iter(spots))], set()
    while todo:
        x, y = todo.pop()
        if (x, y) not in reached:
            reached.add((x, y))
            todo += spots & {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)}
    return reached == spots


@pytest.mark.parametrize("num_seats", [2, 3, 4])
@settings(max_examples=10, database=None)
@given(seed=SEEDS)
def test_pieces_are_conserved_and_the_layout_hangs_together(dealt, num_seats, seed):
    bases = None
    for table in play_random(dealt(num_seats, seed), seed):
        seats = range(num_seats)
        held = [piece for seat in seats for piece in table.hand(seat)]
        pile = [f"t{number}" for part in table.pile for number in part]
        laid = [placed.partition("/")[0] for placed in table.layout.values()]
        pieces = sorted(held + pile + laid)
        assert len(table.layout) == table.num_placed == len(laid)
        assert sorted(piece for piece in pieces if piece in ALL_TILES) == sorted(ALL_TILES)
        bases = bases or [piece for piece in pieces if piece not in ALL_TILES]
        assert [piece for piece in pieces if piece not in ALL_TILES] == bases
        assert len(bases) == (3 if num_seats == 3 else 4)
        assert [len(table.hand(seat)) for seat in seats] == list(table.words[HAND_SIZE : HAND_SIZE + num_seats])
        assert all(table.known(seat) <= table.hand(seat) for seat in seats)
        if laid:
            assert is_connected(table.layout)
            assert table.words[MIN_X] - 128 == min(int(cell.split(",")[0]) for cell in table.layout)
        assert (table.legal == []) == (table.seat is None)


@settings(max_examples=10, database=None)
@given(seed=SEEDS)
def test_unused_words_stay_clear(dealt, seed):
    """Equal positions are equal words: nothing of a turn or of a tile that moved stays behind."""
    for table in play_random(dealt(2, seed), seed):
        assert len(table.words) == STATE_WORDS
        entries = [word >> shift & 0xFFFFFFFF for word in table.words[-25:] for shift in (0, 32)]
        assert entries[: table.num_placed] == sorted(entries[: table.num_placed])
        assert not any(entries[table.num_placed :])
