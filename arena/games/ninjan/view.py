"""What a seat of Ninjan may know."""

import msgspec

from arena.core.view import View
from arena.games.ninjan.game import CARD_NAMES, card_names, pile_cards, queue_seats
from arena.games.ninjan.layout import CHOSEN, CLAIMED, HAND, NUM_PILES, ROUND, SCORE, SEEN


class NinjanFields(msgspec.Struct, frozen=True):
    """The named fields of a view; cards are in notation (`R8`, `P-3`)."""

    round: int
    """The round, from 0 to 8."""
    hand: list[str]
    """The cards in one's own hand, without the one chosen."""
    piles: list[list[str]]
    """The three piles with all their cards, the top card last."""
    claimed: list[list[str]]
    """The cards that each seat has claimed."""
    scores: list[int]
    """The sum of the values claimed, by seat."""
    revealed: list[str]
    """All cards ever revealed, the first piles included."""
    chosen: list[str | None]
    """The card of each seat this round: all of them from the reveal on, before it only one's own."""
    queue: list[int]
    """The seats that are still to resolve, the next first; empty while choosing."""


class NinjanView(View):
    """A view of Ninjan; `NinjanFields` says what its properties hold."""

    __slots__ = ()
    Fields = NinjanFields

    @property
    def is_choosing(self) -> bool:
        """Whether a card is to be chosen, rather than a pile."""
        return not self.queue

    @property
    def round(self) -> int:
        """The round, from 0 to 8."""
        return self.words[ROUND]

    @property
    def hand(self) -> list[str]:
        """The cards in one's own hand, without the one chosen."""
        return card_names(self.words[HAND + self.seat])

    @property
    def piles(self) -> list[list[str]]:
        """The three piles with all their cards, the top card last."""
        words = self.words
        return [[CARD_NAMES[card] for card in pile_cards(words, pile)] for pile in range(NUM_PILES)]

    @property
    def claimed(self) -> list[list[str]]:
        """The cards that each seat has claimed."""
        words = self.words
        return [card_names(words[CLAIMED + seat]) for seat in range(self.num_seats)]

    @property
    def scores(self) -> list[int]:
        """The sum of the values claimed, by seat."""
        return list(self.words[SCORE : SCORE + self.num_seats])

    @property
    def revealed(self) -> list[str]:
        """All cards ever revealed, the first piles included."""
        return card_names(self.words[SEEN])

    @property
    def chosen(self) -> list[str | None]:
        """The card of each seat this round: all of them from the reveal on, before it only one's own."""
        cards = self.words[CHOSEN : CHOSEN + self.num_seats]
        return [CARD_NAMES[card] if card >= 0 else None for card in cards]

    @property
    def queue(self) -> list[int]:
        """The seats that are still to resolve, the next first; empty while choosing."""
        return queue_seats(self.words)
