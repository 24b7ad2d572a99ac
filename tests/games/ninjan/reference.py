"""Ninjan once more, written from the rules page with lists of cards and nothing of the kernels.

Slow and plain, so that it can be read beside the page. A card is its notation.
"""

from itertools import groupby

SUITS = "RPS"
VALUES = [*range(-6, 0), *range(1, 11)]
DECK = [f"{suit}{value}" for suit in SUITS for value in VALUES]
BEATS = {"P": "R", "R": "S", "S": "P"}
ALL_THREE = "RSP"  # equal values with all three suits present


def value(card: str) -> int:
    return int(card[1:])


def beats(card: str, other: str) -> bool:
    return BEATS[card[0]] == other[0]


def in_order(cards: list[str]) -> list[str]:
    """Returns chosen cards in the order in which they resolve."""
    ordered = []
    for _, group in groupby(sorted(cards, key=value, reverse=True), key=value):
        equal = list(group)
        if len(equal) == 2 and beats(equal[1], equal[0]):
            equal.reverse()
        if len(equal) == 3:
            equal.sort(key=lambda card: ALL_THREE.index(card[0]))
        ordered += equal
    return ordered


class Reference:
    """A match from its set-up: hands by seat, and the piles' first cards."""

    def __init__(self, hands, piles) -> None:
        self.hands = [list(hand) for hand in hands]
        self.piles = [[card] for card in piles]
        self.claimed = [[] for _ in hands]
        self.chosen = []  # by seat, while choosing
        self.queue = []  # seats that are to resolve
        self.revealed = set(piles)
        self.round = 0

    @property
    def num_seats(self) -> int:
        return len(self.hands)

    @property
    def seat(self):
        if self.round == 9:
            return None
        return self.queue[0] if self.queue else len(self.chosen)

    def legal(self) -> set[str]:
        if self.seat is None:
            return set()
        if not self.queue:
            return set(self.hands[self.seat])
        card = self.chosen[self.seat]
        to_claim = {f"@{i + 1}" for i, pile in enumerate(self.piles) if beats(card, pile[-1])}
        return to_claim or {"@1", "@2", "@3"}

    def play(self, action: str) -> None:
        seat = self.seat
        if not self.queue:
            self.hands[seat].remove(action)
            self.chosen.append(action)
            if len(self.chosen) == self.num_seats:
                self.revealed |= set(self.chosen)
                self.queue = [self.chosen.index(card) for card in in_order(self.chosen)]
            return
        card, pile = self.chosen[seat], self.piles[int(action[1]) - 1]
        if beats(card, pile[-1]):
            self.claimed[seat] += pile
            pile.clear()
        pile.append(card)
        self.queue.pop(0)
        if not self.queue:
            self.chosen = []
            self.round += 1

    def scores(self) -> list[int]:
        return [sum(map(value, cards)) for cards in self.claimed]
