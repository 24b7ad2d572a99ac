"""Ninjan as a picture: cards with the glyph and letter of their suit, piles, queue, hands and claimed cards."""

from collections.abc import Iterable, Sequence

from arena.core.game import Words
from arena.games.drawing import (
    MARGIN,
    WIDTH,
    Glyph,
    box,
    card,
    card_back,
    document,
    heading,
    label,
    shorten,
    turn_mark,
)
from arena.games.ninjan.game import CARD_NAMES, cards_in, pile_cards, queue_seats
from arena.games.ninjan.layout import CHOSEN, CLAIMED, HAND, NUM_PILES, NUM_ROUNDS, NUM_SEATS, ROUND, SCORE, STAGE

SUITS = {
    "R": Glyph(fill="M3 17L6 8L13 3L20 7L22 15L17 21H7Z", cut_line="M9 8L12 13L18 14M12 13L9 17"),
    "P": Glyph(fill="M5 2H15L20 7V22H5Z", cut_line="M15 3V7H19M9 11.5H16M9 16H16"),
    "S": Glyph(
        line="M18.5 2L8.5 15.5M5.5 2L15.5 15.5"
        "M9 18.5a3 3 0 1 1 -6 0a3 3 0 1 1 6 0ZM21 18.5a3 3 0 1 1 -6 0a3 3 0 1 1 6 0Z"
    ),
}
COLOUR = {"R": "red", "P": "blue", "S": "amber"}

CHIP_WIDTH, CHIP_HEIGHT = 62, 30
CHIP_STEP_X, CHIP_STEP_Y = 66, 35
PILE_WIDTH, PILE_GAP, PILE_TOP = 240, 16, 58
TOP_WIDTH, TOP_HEIGHT = 58, 80
UNDER_COLUMNS = 2
SEAT_COLUMNS = 10  # claimed cards in a row
INNER_X = MARGIN + 14
LABEL_WIDTH = 66


def drawn_card(index: int, x: float, y: float, width: float = CHIP_WIDTH, height: float = CHIP_HEIGHT) -> str:
    """Draws a card by its index."""
    name = CARD_NAMES[index]
    return card(x, y, SUITS[name[0]], name.replace("-", "−"), width=width, height=height, colour=COLOUR[name[0]])


def chips(indices: Iterable[int], x: float, y: float, columns: int) -> list[str]:
    """Draws cards in rows, left to right and down."""
    return [
        drawn_card(index, x + place % columns * CHIP_STEP_X, y + place // columns * CHIP_STEP_Y)
        for place, index in enumerate(indices)
    ]


def num_rows(count: int, columns: int) -> int:
    """Returns how many rows some cards need."""
    return -(-count // columns)


def piles_height(state: Words) -> int:
    """Returns the height of the piles, which is that of the highest."""
    rows = max(num_rows(len(pile_cards(state, pile)) - 1, UNDER_COLUMNS) for pile in range(NUM_PILES))
    return max(38 + TOP_HEIGHT, 36 + rows * CHIP_STEP_Y) + 12


def drawn_pile(state: Words, pile: int, height: float) -> list[str]:
    """Draws a pile: the top card large, those under it from the top down, and the sum of all."""
    x = MARGIN + pile * (PILE_WIDTH + PILE_GAP)
    *under, top = pile_cards(state, pile)
    worth = sum(int(CARD_NAMES[index][1:]) for index in (*under, top))
    return [
        box(x, PILE_TOP, PILE_WIDTH, height),
        label(x + 14, PILE_TOP + 24, f"@{pile + 1}", size=17, bold=True),
        label(x + PILE_WIDTH - 14, PILE_TOP + 24, f"sum {worth:+d}".replace("-", "−"), anchor="end", colour="muted"),
        drawn_card(top, x + 14, PILE_TOP + 34, TOP_WIDTH, TOP_HEIGHT),
        *chips(reversed(under), x + 14 + TOP_WIDTH + 14, PILE_TOP + 34, UNDER_COLUMNS),
    ]


def nothing(x: float, y: float) -> list[str]:
    """Says that a row is empty."""
    return [label(x, y + 20, "none", colour="muted")]


def hidden_cards(state: Words, seat: int) -> int:
    """Returns how many cards a hand that is not shown holds."""
    has_chosen = state[STAGE] >= state[NUM_SEATS] or seat < state[STAGE]
    return NUM_ROUNDS - state[ROUND] - (1 if has_chosen else 0)


def hand(state: Words, seat: int, observer: int | None, y: float) -> list[str]:
    """Draws a hand, face down where the observer may not see it."""
    x = INNER_X + LABEL_WIDTH
    if observer in (None, seat):
        return chips(cards_in(state[HAND + seat]), x, y, NUM_ROUNDS) or nothing(x, y)
    backs = [
        card_back(x + place * CHIP_STEP_X, y, width=CHIP_WIDTH, height=CHIP_HEIGHT)
        for place in range(hidden_cards(state, seat))
    ]
    return backs or nothing(x, y)


def played(state: Words, seat: int, observer: int | None, y: float) -> list[str]:
    """Draws the card chosen this round and its place in the queue."""
    x = WIDTH - MARGIN - 14 - CHIP_WIDTH
    queue = queue_seats(state)
    chosen = state[CHOSEN + seat]
    is_secret = observer not in (None, seat) and not queue and seat < state[STAGE]
    if chosen < 0 and not is_secret:
        return []
    place = f"plays {queue.index(seat) + 1}." if seat in queue else "has played" if queue else "plays"
    face = drawn_card(chosen, x, y) if chosen >= 0 else card_back(x, y, width=CHIP_WIDTH, height=CHIP_HEIGHT)
    return [face, label(x - 10, y + 20, place, anchor="end", colour="muted")]


def seat_height(state: Words, seat: int) -> int:
    """Returns the height of a seat's panel."""
    return 44 + CHIP_STEP_Y + CHIP_STEP_Y * max(1, num_rows(state[CLAIMED + seat].bit_count(), SEAT_COLUMNS)) + 4


def drawn_seat(state: Words, seat: int, name: str, observer: int | None, y: float) -> list[str]:
    """Draws a seat: name, points, chosen card, hand, claimed cards."""
    is_to_act = state[0] == seat
    is_best = state[0] < 0 and state[SCORE + seat] == max(state[SCORE : SCORE + state[NUM_SEATS]])
    is_marked = is_to_act or is_best
    points = f"{state[SCORE + seat]} points".replace("-", "−") + (", first" if is_best else "")
    hand_y, claimed_y = y + 42, y + 42 + CHIP_STEP_Y
    claimed = list(cards_in(state[CLAIMED + seat]))
    return [
        box(
            *(MARGIN, y, WIDTH - 2 * MARGIN, seat_height(state, seat)),
            edge="accent" if is_marked else "edge",
            line=2.5 if is_marked else 1.5,
        ),
        *([turn_mark(INNER_X - 6, y + 22)] if is_to_act else []),
        label(INNER_X + 12, y + 28, shorten(name, 380, 17), size=17, bold=True),
        label(INNER_X + 400, y + 28, points, size=17, colour="accent" if is_best else "ink"),
        *played(state, seat, observer, y + 8),
        label(INNER_X, hand_y + 20, "hand", colour="muted"),
        *hand(state, seat, observer, hand_y),
        label(INNER_X, claimed_y + 20, "claimed", colour="muted"),
        *(chips(claimed, INNER_X + LABEL_WIDTH, claimed_y, SEAT_COLUMNS) or nothing(INNER_X + LABEL_WIDTH, claimed_y)),
    ]


def status_of(state: Words, called: Sequence[str]) -> str:
    """Says the round and what is being decided, or who has won."""
    scores = list(state[SCORE : SCORE + state[NUM_SEATS]])
    if state[0] < 0:
        best = [called[seat] for seat, score in enumerate(scores) if score == max(scores)]
        return f"{shorten(best[0], 400, 17)} wins" if len(best) == 1 else f"{len(best)} share the first place"
    stage = "takes a pile" if queue_seats(state) else "chooses a card"
    return f"round {state[ROUND] + 1} of {NUM_ROUNDS}: {shorten(called[state[0]], 300, 17)} {stage}"


def table(state: Words, names: Sequence[str], observer: int | None) -> str:
    """Draws the whole table."""
    called = [names[seat] if names else f"seat {seat}" for seat in range(state[NUM_SEATS])]
    status = status_of(state, called)
    height = piles_height(state)
    body = heading("Ninjan", status)
    for pile in range(NUM_PILES):
        body += drawn_pile(state, pile, height)
    y = PILE_TOP + height + 14
    for seat, name in enumerate(called):
        body += drawn_seat(state, seat, name, observer, y)
        y += seat_height(state, seat) + 12
    return document(f"Ninjan: {status}", y + 8, body)
