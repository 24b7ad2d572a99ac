"""Plays the first legal action, and logs what it is told."""

import sys

from arena import Action, Bot, MatchInfo, Result, View


class Fair(Bot[View]):
    def start(self, match: MatchInfo) -> None:
        print("seat", match.seat, "of", match.players)

    def act(self, view: View) -> Action:
        assert view.seat >= 0
        assert "numba" not in sys.modules
        assert "numpy" not in sys.modules
        return view.legal[0]

    def finish(self, result: Result) -> None:
        print("END", result.faults)
