"""Positions laid out by hand and matches played by notation."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from positions import Position

from arena.games.pirates_ninjas_robots_zombies.game import GAME, PnrzOptions
from arena.games.pirates_ninjas_robots_zombies.layout import (
    AT,
    CHARACTERS,
    CHOSEN,
    HAND,
    HAND_SIZE,
    INCOMING,
    KNOWN,
    MIN_X,
    MOVED,
    NO_PIECE,
    NUM_PLACED,
    NUM_SEATS,
    NUM_TILES,
    OWNER,
    PART_SIZE,
    PILE,
    PLACED,
    STATE_WORDS,
    TILE_WORDS,
    TILES,
    TURNS_LEFT,
)
from arena.games.pirates_ninjas_robots_zombies.reading import (
    PIECE_NAMES,
    bits_of,
    hand_names,
    layout_of,
    pile_part,
    tile_set,
)
from arena.games.pirates_ninjas_robots_zombies.tiles import default_tiles, rows_of
from arena.kernels.rng import LUCK_WORDS
from arena.kernels.simulation import Simulation, kernels_of

PILE_PLACES = 48


class Table(Position):
    """A position under test; pieces and actions are notation."""

    @property
    def layout(self) -> dict[str, str]:
        """Returns the pieces in play by cell: `{"0,0": "t1/2", "1,0": "P/0"}`."""
        return {f"{p.x},{p.y}": f"{PIECE_NAMES[p.piece]}/{p.facing}" for p in layout_of(self.words)}

    @property
    def num_placed(self) -> int:
        return self.words[NUM_PLACED]

    @property
    def turns_left(self) -> int:
        return self.words[TURNS_LEFT]

    @property
    def pile(self) -> list[list[int]]:
        return [pile_part(self.words, seat) for seat in range(self.words[NUM_SEATS])]

    def hand(self, seat: int) -> set[str]:
        return set(hand_names(self.words, seat))

    def known(self, seat: int) -> set[str]:
        return {PIECE_NAMES[piece] for piece in bits_of(self.words[KNOWN + seat])}


def rows_with(tiles: dict[int, str]) -> tuple[str, ...]:
    """Returns the default tile set with other tiles in some places: `{1: "P P P N swap"}`."""
    rows = list(rows_of(default_tiles()))
    for number, text in tiles.items():
        *sections, icon = [*text.split(), ""][:5]
        rows[number - 1] = ",".join([str(number), *sections, icon])
    return tuple(rows)


def make_table(
    layout: dict[str, str],
    hands: tuple[str, ...] = ("t51 t52 t53", "t48 t49 t50"),
    owners: str = "0011",
    tiles: dict[int, str] | None = None,
    pile: list[list[int]] | None = None,
    known: tuple[str, ...] = (),
    turns_left: int = -1,
    moved: int = 0,
) -> Table:
    """Lays out a position before seat 0's turn.

    Args:
        layout: piece and facing by cell, `{"0,0": "t1/2", "1,0": "P"}`.
        hands: the tiles in each hand; bases that are not in play are added.
        owners: the seat of P, N, R and Z, `-` for nobody.
        tiles: tiles that differ from the default set, by number.
        pile: each seat's part; without it every tile that is left, dealt out in order.
        known: the tiles in each hand that everybody has seen.
        turns_left: of the final round, -1 before it.
        moved: mask of the seats whose last turn was a base move.
    """
    num_seats = len(hands)
    state = np.zeros(STATE_WORDS, np.int64)
    state[NUM_SEATS], state[TURNS_LEFT], state[MOVED] = num_seats, turns_left, moved
    state[CHOSEN] = state[INCOMING] = NO_PIECE
    state[TILES : TILES + TILE_WORDS] = GAME.encode_options(PnrzOptions(tiles=rows_with(tiles or {})))
    for character, owner in enumerate(owners):
        state[OWNER + character] = int(owner) if owner != "-" else -1
    for word, named in ((HAND, hands), (KNOWN, known)):
        for seat, names in enumerate(named):
            for name in names.split():
                state[word + seat] |= 1 << PIECE_NAMES.index(name)
    in_play = {placed.partition("/")[0] for placed in layout.values()}
    for base, owner in zip(CHARACTERS, owners, strict=True):
        if owner != "-" and base not in in_play:
            state[HAND + int(owner)] |= 1 << PIECE_NAMES.index(base)
    for seat in range(num_seats):
        state[HAND_SIZE + seat] = int(state[HAND + seat]).bit_count()
    entries = []
    for cell, placed in layout.items():
        name, _, facing = placed.partition("/")
        entries.append(GAME.parse_action(cell) - AT << 8 | int(facing or 0) << 6 | PIECE_NAMES.index(name))
    for index, entry in enumerate(sorted(entries)):
        state[PLACED + index // 2] |= entry << (32 * (index % 2))
    state[NUM_PLACED] = len(entries)
    state[MIN_X] = min(entry >> 8 & 255 for entry in entries) if entries else 0
    if pile is None:
        used = sum(1 << (entry & 63) for entry in entries) | int(np.bitwise_or.reduce(state[HAND : HAND + 4]))
        rest = [number for number in range(1, NUM_TILES + 1) if not used >> (number - 1) & 1]
        pile = [rest[:PILE_PLACES][seat::num_seats] for seat in range(num_seats)]
    for seat, part in enumerate(pile):
        state[PART_SIZE + seat] = len(part)
        for row, number in enumerate(part):
            place = seat + num_seats * row
            state[PILE + place // 8] |= number << (6 * (place % 8))
    luck = np.zeros(LUCK_WORDS, np.uint64)
    return Table(Simulation(GAME, state, luck, num_seats, kernels_of(GAME)))


@pytest.fixture(scope="session")
def table() -> Callable[..., Table]:
    return make_table


@pytest.fixture(scope="session")
def dealt() -> Callable[..., Table]:
    """Returns a function that deals a match: seats, seed, rows of another tile set."""

    def make(num_seats: int, seed: int, rows: tuple[str, ...] | None = None) -> Table:
        return Table(Simulation.from_deal(GAME, GAME.encode_options(PnrzOptions(tiles=rows)), num_seats, seed))

    return make


@pytest.fixture(scope="session")
def rows() -> Callable[..., tuple[str, ...]]:
    return rows_with


@pytest.fixture(scope="session")
def reference(load_beside: Callable[..., Any]) -> Callable[..., Any]:
    """Returns a function that starts the plain implementation from a dealt table."""
    module = load_beside(__file__, "reference")

    def start(table: Table) -> Any:
        return module.Reference(GAME.setup(table.words), rows_of(tile_set(table.words)))

    return start
