"""Notes what it sees at each answer, and once before the first."""

from typing import Any

import msgspec

from arena import Action, Bot, MatchInfo, View

BAD: dict[str, dict[str, Any]] = {
    "infinite": {"value": float("inf")},
    "text": {"value": "high"},
    "huge": {"value": 10**400},
    "long": {"n" * 65: 1},
    "many": {str(number): 1 for number in range(33)},
    "undecodable": {"\ud800": 1},
}


class NotesOptions(msgspec.Struct, frozen=True):
    bad: str = ""


class Notes(Bot[View]):
    Options = NotesOptions

    def start(self, match: MatchInfo) -> None:
        self.note(seat=match.seat)

    def act(self, view: View) -> Action:
        self.note(value=-1)
        self.note(value=len(view.legal) / 7, self=view.ply)
        if view.ply % 3 == 0:
            self.note(**{f"ply {view.ply}": True})
        self.note(**BAD.get(self.options.bad, {}))
        return view.rng.choice(view.legal)
