"""Ninjan as terminal text: suits in colour and in letters, piles with all their cards, claimed cards, the queue."""

from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from arena.core.game import Words
from arena.games.ninjan.game import CARD_NAMES, cards_in, pile_cards, queue_seats
from arena.games.ninjan.layout import CHOSEN, CLAIMED, HAND, NUM_PILES, NUM_ROUNDS, ROUND, SCORE

SUIT_STYLE = {"R": "bold red", "P": "bold cyan", "S": "bold yellow"}


def card(index: int) -> Text:
    """Draws a card: its name in the colour of its suit, underlined if it is worth less than nothing."""
    name = CARD_NAMES[index]
    return Text(name, SUIT_STYLE[name[0]] + (" underline" if "-" in name else ""))


def cards(indices: Iterable[int], empty: str = "-") -> Text:
    """Draws cards in a row."""
    return Text(" ").join(map(card, indices)) or Text(empty, "dim")


def piles_table(words: Words) -> Table:
    """Draws the piles, the top card first and in brackets, with what each is worth."""
    table = Table(title=None, box=None, padding=(0, 1), show_header=False)
    for pile in range(NUM_PILES):
        *under, top = pile_cards(words, pile)
        worth = sum(int(CARD_NAMES[index][1:]) for index in (*under, top))
        stack = Text.assemble("[", card(top), "] ") + cards(reversed(under), "")
        table.add_row(Text(f"@{pile + 1}", "bold"), Text(f"{worth:+d}", "dim"), stack)
    return table


def seats_table(words: Words, names: Sequence[str], observer: int | None) -> Table:
    """Draws a line a seat: points, chosen card, hand where it is known, claimed cards."""
    table = Table(box=None, padding=(0, 1), header_style="dim")
    for heading in ("", "seat", "points", "plays", "hand", "claimed"):
        table.add_column(heading, justify="right" if heading == "points" else "left")
    queue = queue_seats(words)
    for seat in range(words[1]):
        name = names[seat] if names else f"seat {seat}"
        chosen = words[CHOSEN + seat]
        is_hidden = observer is not None and observer != seat
        plays = card(chosen) if chosen >= 0 else Text("")
        if seat in queue:
            plays = plays + Text(f" {queue.index(seat) + 1}.", "dim")
        hand = Text("hidden", "dim") if is_hidden else cards(cards_in(words[HAND + seat]))
        table.add_row(
            Text("▶" if words[0] == seat else ""),
            Text(name, "bold" if words[0] == seat else ""),
            Text(str(words[SCORE + seat])),
            plays,
            hand,
            cards(cards_in(words[CLAIMED + seat])),
        )
    return table


def heading(words: Words) -> Text:
    """Says the round and what is being decided."""
    if words[0] < 0:
        return Text("Ninjan, the end", "bold")
    stage = "resolve" if queue_seats(words) else "choose"
    return Text(f"Ninjan, round {words[ROUND] + 1} of {NUM_ROUNDS}: {stage}", "bold")


def table(words: Words, names: Sequence[str], observer: int | None) -> RenderableType:
    """Draws the whole table."""
    return Group(heading(words), piles_table(words), seats_table(words, names, observer))
