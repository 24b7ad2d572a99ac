"""Ninjan: facts, notation, record and picture."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from arena.core.game import Action, Game, Ply, Words
from arena.games.ninjan.layout import BELOW, HAND, NONE, NUM_PILES, NUM_SEATS, QUEUE, STAGE, STATE_WORDS, TOP

if TYPE_CHECKING:
    from rich.console import RenderableType

SUITS = "RPS"
VALUES = tuple(value for value in range(-6, 11) if value != 0)
CARD_NAMES = tuple(f"{suit}{value}" for suit in SUITS for value in VALUES)
ACTION_NAMES = CARD_NAMES + tuple(f"@{pile + 1}" for pile in range(NUM_PILES))
ACTION_IDS = {name: action for action, name in enumerate(ACTION_NAMES)}


def cards_in(mask: int) -> Iterator[int]:
    """Yields the cards of a mask, ascending."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def card_names(mask: int) -> list[str]:
    """Returns the cards of a mask in notation, by suit and value."""
    return [CARD_NAMES[card] for card in cards_in(mask)]


def pile_cards(words: Words, pile: int) -> list[int]:
    """Returns a pile's cards from the bottom up."""
    cards = []
    card = words[TOP + pile]
    while card != NONE:
        cards.append(card)
        card = (words[BELOW + card // 8] >> (8 * (card % 8))) & NONE
    return cards[::-1]


def queue_seats(words: Words) -> list[int]:
    """Returns the seats that are still to resolve, the next first; empty while choosing."""
    num_seats, stage = words[NUM_SEATS], words[STAGE]
    first = stage - num_seats if stage >= num_seats else num_seats
    return [(words[QUEUE] >> (3 * place)) & 7 for place in range(first, num_seats)]


class Ninjan(Game):
    """Simultaneous card game: 48 cards, nine rounds, three piles."""

    name = "ninjan"
    title = "Ninjan"
    version = "1"
    seats = range(2, 6)
    state_words = STATE_WORDS
    num_actions = len(ACTION_NAMES)
    max_legal = 9
    max_plies = 9 * 2 * 5
    has_hidden_state = True
    has_hidden_actions = True
    view_class = "NinjanView"

    def action_name(self, action: Action) -> str:
        return ACTION_NAMES[action]

    def parse_action(self, text: str) -> Action:
        try:
            return ACTION_IDS[text]
        except KeyError:
            raise self.unknown_action(text) from None

    def setup(self, state: Words) -> dict[str, Any]:
        hands = [card_names(state[HAND + seat]) for seat in range(state[NUM_SEATS])]
        return {"hands": hands, "piles": [CARD_NAMES[state[TOP + pile]] for pile in range(NUM_PILES)]}

    def seen(self, history: Sequence[Ply], num_seats: int, seat: int) -> Sequence[Ply]:
        """Leaves out the cards chosen in a round until all of them are: they are revealed together, in seat order."""
        chosen = len(history) % (2 * num_seats)
        return history[: len(history) - chosen] if chosen < num_seats else history

    def render(self, words: Words, *, names: Sequence[str] = (), observer: int | None = None) -> "RenderableType":
        from arena.games.ninjan.render import table

        return table(words, names, observer)

    def svg(self, words: Words, *, names: Sequence[str] = (), observer: int | None = None) -> str:
        from arena.games.ninjan.svg import table

        return table(words, names, observer)


GAME = Ninjan()
