"""Pirates vs. Ninjas: facts, notation, record and picture."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from arena.core.game import Action, Game, Words
from arena.core.luck import Luck
from arena.games.pirates_vs_ninjas.layout import (
    CAPTAIN,
    CREDIT,
    CUP,
    DICE,
    FACE_BITS,
    FIRST_PICK,
    MAX_LEGAL,
    MAX_PLIES,
    NUM_ACTIONS,
    NUM_RANKS,
    NUM_SIDES,
    PICKS,
    RALLY,
    RANK_BITS,
    RANK_MASK,
    ROLLED,
    STATE_WORDS,
    STRIKERS,
    STRIKES,
    ZONE,
    dice,
)

if TYPE_CHECKING:
    from rich.console import RenderableType

SIDES = ("Pirates", "Ninjas")
FACES = (
    ("Pirate", "Cannon", "Ship", "Sea Monster", "Pirate Captain", "Jolly Roger"),
    ("Ninja", "Shuriken", "Kuji Magic", "Dragon", "Ninja Master", "Kuji Shrine"),
)
ATTACK_NAMES = (
    *(f"a{rank}x{target}" for rank, target in STRIKES),
    *(f"v{rank}x{rank + 1}" for rank in range(1, STRIKERS + 1)),
    *("captain", "master", "rogers", "shrine"),
)
WHAT_NAMES = (*ATTACK_NAMES, "rally")
WHAT_IDS = {name: action for action, name in enumerate(WHAT_NAMES)}
PICK_IDS = {pick: FIRST_PICK + number for number, pick in enumerate(PICKS)}


def rank_counts(packed: int) -> list[int]:
    """Returns how many dice of ranks 1..6 a packed count holds."""
    return [(packed >> (RANK_BITS * index)) & RANK_MASK for index in range(NUM_RANKS)]


def rolled_faces(word: int) -> list[int]:
    """Returns the nine faces of a set-up, 1..6, in the order rolled."""
    return [(word >> (FACE_BITS * place)) & ((1 << FACE_BITS) - 1) for place in range(DICE)]


def dice_left(words: Words, side: int) -> int:
    """Returns the dice of a side in its Combat Zone and its Rally Cup."""
    return sum(rank_counts(words[ZONE + side])) + words[CUP + side]


def outcome(words: Words) -> int | None:
    """Returns the side that is ahead by the rule of the end, the winner of a finished match; None for a draw."""
    pirates, ninjas = ((dice_left(words, side), words[CREDIT + side]) for side in range(NUM_SIDES))
    return None if pirates == ninjas else int(ninjas > pirates)


class PiratesVsNinjas(Game):
    """Dice game for two: strike, volley, rally."""

    name = "pirates_vs_ninjas"
    title = "Pirates vs. Ninjas"
    aliases = ("pvn",)
    version = "1"
    seats = range(2, 3)
    state_words = STATE_WORDS
    num_actions = NUM_ACTIONS
    max_legal = MAX_LEGAL
    max_plies = MAX_PLIES
    view_class = "PiratesVsNinjasView"

    def action_name(self, action: Action) -> str:
        if action < FIRST_PICK:
            return WHAT_NAMES[action]
        return "r" + "".join(map(str, rank_counts(PICKS[action - FIRST_PICK])))

    def parse_action(self, text: str) -> Action:
        action = WHAT_IDS.get(text)
        if action is None and re.fullmatch("r[0-9]{6}", text):
            action = PICK_IDS.get(sum(dice(rank, int(digit)) for rank, digit in enumerate(text[1:], 1)))
        if action is None:
            raise self.unknown_action(text)
        return action

    def setup(self, state: Words) -> dict[str, Any]:
        return {"rolled": [rolled_faces(state[ROLLED + side]) for side in range(NUM_SIDES)], "first": state[0]}

    def chance(self, before: Words, luck: Sequence[int], action: Action, after: Words) -> Any:
        """Rolls again: the enemy's dice after a Captain, the cup and the picked dice in a rally."""
        side = before[0]
        if action == CAPTAIN:
            side = 1 - side
            num_dice = dice_left(before, side)
        elif action > RALLY:
            num_dice = before[CUP + side] + sum(rank_counts(PICKS[action - FIRST_PICK]))
        else:
            return None
        stream = Luck(luck)
        return {"rolled": [[side, [stream.below(side, NUM_RANKS) + 1 for _ in range(num_dice)]]]}

    def render(self, words: Words, *, names: Sequence[str] = (), observer: int | None = None) -> "RenderableType":
        from arena.games.pirates_vs_ninjas.render import battle

        return battle(words, names)

    def svg(self, words: Words, *, names: Sequence[str] = (), observer: int | None = None) -> str:
        from arena.games.pirates_vs_ninjas.svg import battle

        return battle(words, names)


GAME = PiratesVsNinjas()
