"""Coin Race: facts, notation, record and picture."""

from html import escape

from arena.core.game import Game
from coin_race.layout import NUM_SEATS, PLACE, STATE_WORDS, TOSS

NAMES = ("walk", "toss")


class CoinRace(Game):
    """First to the goal wins."""

    name = "coin_race"
    title = "Coin Race"
    version = "1"
    seats = range(2, 4)
    state_words = STATE_WORDS
    num_actions = 2
    max_legal = 2
    max_plies = 200
    has_evaluate = False
    view_class = "CoinRaceView"

    def action_name(self, action):
        return NAMES[action]

    def parse_action(self, text):
        if text not in NAMES:
            raise self.unknown_action(text)
        return NAMES.index(text)

    def setup(self, state):
        return {"places": list(state[PLACE : PLACE + state[NUM_SEATS]])}

    def chance(self, before, luck, action, after):
        if action != TOSS:
            return None
        seat = before[0]
        return {"heads": after[PLACE + seat] > before[PLACE + seat]}

    def render(self, words, *, names=(), observer=None):
        return " ".join(f"{seat}:{words[PLACE + seat]}" for seat in range(words[NUM_SEATS]))

    def svg(self, words, *, names=(), observer=None):
        frame = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 60" width="800" height="60">'
        text = " ".join([self.render(words), *map(escape, names)])
        return f'{frame}<title>Coin Race</title><text x="20" y="40">{text}</text></svg>'


GAME = CoinRace()
