"""What a seat of Pirates, Ninjas, Robots, & Zombies may know."""

import msgspec

from arena.core.view import View
from arena.games.pirates_ninjas_robots_zombies.layout import (
    ALL_BASES,
    CHOSEN,
    FIRST_CELL,
    HAND,
    HAND_SIZE,
    INCOMING,
    KNOWN,
    MOVED,
    NO_PIECE,
    PART_SIZE,
    SECOND_CELL,
    STAGE,
    TURNS_LEFT,
)
from arena.games.pirates_ninjas_robots_zombies.reading import (
    PIECE_NAMES,
    SECTION_NAMES,
    bits_of,
    cell_name,
    characters_of,
    hand_names,
    layout_of,
    tile_set,
)
from arena.games.pirates_ninjas_robots_zombies.scoring import points_of
from arena.games.pirates_ninjas_robots_zombies.tiles import ICONS, rows_of

DECISIONS = (
    "what",
    "where",
    "move where",
    "rotate",
    "swap first",
    "replace",
    "swap second",
    "swap first facing",
    "swap second facing",
    "replace with",
    "replace facing",
)
"""The stages of a turn, by number."""


class PlacedPiece(msgspec.Struct, frozen=True):
    """A tile or a base in play."""

    x: int
    """To the right of the first tile."""
    y: int
    """Above the first tile."""
    piece: str
    """In notation: `t17`, or `P` for a base."""
    facing: int
    """Quarter turns clockwise."""
    sections: list[str]
    """The four pictures as they lie, clockwise from the top left; a base shows its letter four times."""
    icon: str
    """`rotate`, `swap`, `replace` or nothing."""


class PnrzFields(msgspec.Struct, frozen=True):
    """The named fields of a view; pieces are in notation (`t17`, `P`)."""

    decision: str
    """What is to be decided: one of DECISIONS."""
    chosen: str | None
    """The piece that the turn is about, once it is chosen; it counts to the hand until it is placed."""
    cells: list[str]
    """The cells that a swap or a replace has named so far."""
    incoming: str | None
    """The piece that a replace puts in, once it is chosen."""
    layout: list[PlacedPiece]
    """The pieces in play, by y, then x."""
    hand: list[str]
    """One's own tiles and bases."""
    characters: list[list[str]]
    """The characters of each seat."""
    bases_in_hand: list[list[str]]
    """The bases that each seat has not in play."""
    known: list[list[str]]
    """The tiles in each hand that everybody has seen, one's own included."""
    hand_sizes: list[int]
    """The tiles and bases in each hand."""
    pile_sizes: list[int]
    """The tiles left in each seat's part of the pile."""
    moved_base: list[bool]
    """Whether each seat's last turn was a base move."""
    turns_left: int | None
    """The turns left in the final round, this one included; None before it."""
    scores: list[int]
    """Each seat's points as the layout lies."""
    tiles: list[str]
    """The tile set: a CSV row a tile (number, sections clockwise from the top left, icon)."""


class PnrzView(View):
    """A view of Pirates, Ninjas, Robots, & Zombies; `PnrzFields` says what its properties hold."""

    __slots__ = ()
    Fields = PnrzFields

    @property
    def decision(self) -> str:
        """What is to be decided: one of DECISIONS."""
        return DECISIONS[self.words[STAGE]]

    @property
    def chosen(self) -> str | None:
        """The piece that the turn is about, once it is chosen; it counts to the hand until it is placed."""
        return self._piece(CHOSEN)

    @property
    def cells(self) -> list[str]:
        """The cells that a swap or a replace has named so far."""
        return [cell_name(cell) for cell in (self.words[FIRST_CELL], self.words[SECOND_CELL]) if cell]

    @property
    def incoming(self) -> str | None:
        """The piece that a replace puts in, once it is chosen."""
        return self._piece(INCOMING)

    @property
    def layout(self) -> list[PlacedPiece]:
        """The pieces in play, by y, then x."""
        return [
            PlacedPiece(
                placed.x,
                placed.y,
                PIECE_NAMES[placed.piece],
                placed.facing,
                [SECTION_NAMES[section] for section in placed.sections],
                ICONS[placed.icon],
            )
            for placed in layout_of(self.words)
        ]

    @property
    def hand(self) -> list[str]:
        """One's own tiles and bases."""
        return hand_names(self.words, self.seat)

    @property
    def characters(self) -> list[list[str]]:
        """The characters of each seat."""
        return [characters_of(self.words, seat) for seat in range(self.num_seats)]

    @property
    def bases_in_hand(self) -> list[list[str]]:
        """The bases that each seat has not in play."""
        return [self._names(self.words[HAND + seat] & ALL_BASES) for seat in range(self.num_seats)]

    @property
    def known(self) -> list[list[str]]:
        """The tiles in each hand that everybody has seen, one's own included."""
        return [self._names(self.words[KNOWN + seat]) for seat in range(self.num_seats)]

    @property
    def hand_sizes(self) -> list[int]:
        """The tiles and bases in each hand."""
        return list(self.words[HAND_SIZE : HAND_SIZE + self.num_seats])

    @property
    def pile_sizes(self) -> list[int]:
        """The tiles left in each seat's part of the pile."""
        return list(self.words[PART_SIZE : PART_SIZE + self.num_seats])

    @property
    def moved_base(self) -> list[bool]:
        """Whether each seat's last turn was a base move."""
        return [bool(self.words[MOVED] >> seat & 1) for seat in range(self.num_seats)]

    @property
    def turns_left(self) -> int | None:
        """The turns left in the final round, this one included; None before it."""
        turns = self.words[TURNS_LEFT]
        return turns if turns >= 0 else None

    @property
    def scores(self) -> list[int]:
        """Each seat's points as the layout lies."""
        return points_of(self.words)

    @property
    def tiles(self) -> list[str]:
        """The tile set: a CSV row a tile (number, sections clockwise from the top left, icon)."""
        return list(rows_of(tile_set(self.words)))

    def _piece(self, word: int) -> str | None:
        piece = self.words[word]
        return PIECE_NAMES[piece] if piece != NO_PIECE else None

    @staticmethod
    def _names(mask: int) -> list[str]:
        return [PIECE_NAMES[piece] for piece in bits_of(mask)]
