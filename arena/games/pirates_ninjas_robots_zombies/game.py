"""Pirates, Ninjas, Robots, & Zombies: facts, options, notation, record and picture."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from arena.core.game import Action, Game, Words
from arena.core.options import parse_options
from arena.games.pirates_ninjas_robots_zombies.layout import (
    AT,
    AT_FACING,
    CHARACTERS,
    MAX_LEGAL,
    NUM_ACTIONS,
    NUM_SEATS,
    STATE_WORDS,
)
from arena.games.pirates_ninjas_robots_zombies.reading import (
    PIECE_NAMES,
    cell_name,
    characters_of,
    hand_names,
    parse_cell,
    pile_numbers,
    pile_part,
    tile_set,
)
from arena.games.pirates_ninjas_robots_zombies.tiles import (
    default_tiles,
    encode_tiles,
    parse_rows,
    read_tiles,
    rows_of,
)

if TYPE_CHECKING:
    from rich.console import RenderableType

SHORT_NAMES = (
    *PIECE_NAMES,
    *(f">{character}" for character in CHARACTERS),
    *(f"/{facing}" for facing in range(4)),
    "-",
)
"""The actions without a cell, by id: pieces, bases to move, facings, declining."""
SHORT_IDS = {name: action for action, name in enumerate(SHORT_NAMES)}


class PnrzOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The game's options."""

    tiles: Annotated[tuple[str, ...], msgspec.Meta(description="a CSV file of 54 tiles")] | None = None
    """The 54 rows of another tile set, as in the CSV; None for the set that comes with the game."""


class PiratesNinjasRobotsZombies(Game):
    """Tile-laying game: 54 tiles of four sections, four bases, one growing layout."""

    name = "pirates_ninjas_robots_zombies"
    title = "Pirates, Ninjas, Robots, & Zombies"
    aliases = ("pnrz",)
    version = "1"
    seats = range(2, 5)
    state_words = STATE_WORDS
    num_actions = NUM_ACTIONS
    max_legal = MAX_LEGAL
    # At most 50 plays of six plies (a swap takes four), and no more base moves, of two plies, than plays.
    max_plies = 50 * 6 + 50 * 2
    has_hidden_state = True
    view_class = "PnrzView"
    Options = PnrzOptions

    def parse_options(self, given: Mapping[str, str]) -> PnrzOptions:
        """Reads the file that `tiles` names; what is kept is its rows, and nothing where they are the game's own."""
        others = {key: value for key, value in given.items() if key != "tiles"}
        parse_options(PnrzOptions, others, owner=f"game {self.name}")
        if "tiles" not in given or given["tiles"].lower() == "none":
            return PnrzOptions()
        tiles = read_tiles(given["tiles"])
        return PnrzOptions(tiles=None if tiles == default_tiles() else rows_of(tiles))

    def encode_options(self, options: Any) -> list[int]:
        """Returns the 18 words of the tile set; raises BadOption where stored rows are none."""
        return encode_tiles(default_tiles() if options.tiles is None else parse_rows(options.tiles))

    def action_name(self, action: Action) -> str:
        if action >= AT_FACING:
            place = action - AT_FACING
            return f"{cell_name(place >> 2)}/{place & 3}"
        return cell_name(action - AT) if action >= AT else SHORT_NAMES[action]

    def parse_action(self, text: str) -> Action:
        if text in SHORT_IDS:
            return SHORT_IDS[text]
        place, slash, facing = text.partition("/")
        cell = parse_cell(place)
        if cell is None or (slash and facing not in ("0", "1", "2", "3")):
            raise self.unknown_action(text)
        return AT_FACING + (cell << 2) + int(facing) if slash else AT + cell

    def setup(self, state: Words) -> dict[str, Any]:
        seats = range(state[NUM_SEATS])
        laid_out: dict[str, Any] = {
            "characters": [characters_of(state, seat) for seat in seats],
            "hands": [[int(name[1:]) for name in hand_names(state, seat) if name[0] == "t"] for seat in seats],
            "pile": [pile_part(state, seat) for seat in seats],
        }
        tiles = tile_set(state)
        return laid_out if tiles == default_tiles() else {**laid_out, "tiles": list(rows_of(tiles))}

    def chance(self, before: Words, luck: Sequence[int], action: Action, after: Words) -> Any:
        """Says which tile was drawn: the one that has left the pile."""
        for number, left in zip(pile_numbers(before), pile_numbers(after), strict=True):
            if number != left:
                return {"drawn": number}
        return None

    def render(self, words: Words, *, names: Sequence[str] = (), observer: int | None = None) -> "RenderableType":
        from arena.games.pirates_ninjas_robots_zombies.render import table

        return table(words, names)

    def svg(self, words: Words, *, names: Sequence[str] = (), observer: int | None = None) -> str:
        from arena.games.pirates_ninjas_robots_zombies.svg import table

        return table(words, names)


GAME = PiratesNinjasRobotsZombies()
