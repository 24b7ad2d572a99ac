"""Pirates vs. Ninjas as terminal text: dice as glyph and rank, cups, destroyed dice, idle turns."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from arena.core.game import Words
from arena.games.pirates_vs_ninjas.game import FACES, SIDES, dice_left, outcome, rank_counts
from arena.games.pirates_vs_ninjas.layout import (
    CREDIT,
    CUP,
    DESTROYED,
    IDLE,
    IDLE_TURNS,
    NUM_SIDES,
    PICK,
    SHRINE_DEBT,
    STAGE,
    ZONE,
)

# One column wide each; the rank beside it says the same to whoever's font lacks the glyph.
GLYPHS = (("☺", "◉", "⛴", "♆", "♛", "☠"), ("☻", "✶", "☯", "§", "♚", "⛩"))
STYLES = ("bold red", "bold cyan")


def die(side: int, rank: int) -> Text:
    """Draws a die: the glyph of its face and its rank."""
    return Text(f"[{GLYPHS[side][rank - 1]}{rank}]", STYLES[side])


def row(side: int, counts: Sequence[int]) -> Text:
    """Draws dice in a row, by rank."""
    drawn = [die(side, rank) for rank, count in enumerate(counts, 1) for _ in range(count)]
    return Text(" ").join(drawn) or Text("none", "dim")


def side_lines(words: Words, side: int, names: Sequence[str]) -> Text:
    """Draws one side: who plays it, its Combat Zone, its Rally Cup, what it has lost."""
    is_to_act = words[0] == side
    name = names[side] if names else f"seat {side}"
    text = Text.assemble(
        ("▶ " if is_to_act else "  ", ""),
        (f"{SIDES[side]}, {name}", "bold" if is_to_act else ""),
        (f"  {dice_left(words, side)} dice, {words[CREDIT + side]} rank destroyed\n", "dim"),
    )
    text.append("  Combat Zone  ", "dim")
    text.append(row(side, rank_counts(words[ZONE + side])))
    text.append("\n  Rally Cup    ", "dim")
    text.append(" ".join("[ ]" for _ in range(words[CUP + side])) + f" {words[CUP + side]}".rjust(2))
    text.append("\n  destroyed    ", "dim")
    text.append(row(side, rank_counts(words[DESTROYED + side])))
    return text


def heading(words: Words) -> Text:
    """Says what is being decided and how many idle turns there were."""
    if words[0] < 0:
        winner = outcome(words)
        result = "a draw" if winner is None else f"the {SIDES[winner]} win"
        return Text(f"Pirates vs. Ninjas, the end: {result}", "bold")
    stage = "rally, which dice?" if words[STAGE] == PICK else "to move"
    owes = ", the Ninjas rally next" if words[SHRINE_DEBT] else ""
    idle = f", {words[IDLE]} of {IDLE_TURNS} idle turns"
    return Text(f"Pirates vs. Ninjas: {SIDES[words[0]]} {stage}{owes}{idle}", "bold")


def legend() -> Text:
    """Names the faces."""
    lines = [
        Text("  ") + Text(", ").join(Text(f"{glyph}{rank} {face}") for rank, (glyph, face) in enumerate(pairs, 1))
        for pairs in (zip(GLYPHS[side], FACES[side], strict=True) for side in range(NUM_SIDES))
    ]
    return Text("\n").join(lines)


def battle(words: Words, names: Sequence[str]) -> RenderableType:
    """Draws the whole battle, the Ninjas above the Pirates."""
    sides = [side_lines(words, side, names) for side in reversed(range(NUM_SIDES))]
    faces = legend()
    faces.stylize("dim")
    return Group(heading(words), *sides, faces)
