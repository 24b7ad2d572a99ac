"""Changes what it can reach, when it is imported and when it plays; remembers what it can."""

import builtins
import os
import random
import sys

import arena
import arena.core.view
import arena.hosts.wire
from arena import Action, Bot, MatchInfo, View

if getattr(arena, "mark", None) or getattr(builtins, "mark", None):
    print("LEAK globals", file=sys.stderr)
arena.mark = builtins.mark = sys.modules["mark"] = random
arena.core.view.View.legal = property(lambda self: (0,))
arena.hosts.wire.MAX_LINE = 10**12
os.environ["MARK"] = "remember"
random.seed(1)  # noqa: TID251
sys.setrecursionlimit(10**8)


class Patches(Bot[View]):
    seats: list[int] = []  # noqa: RUF012

    def start(self, match: MatchInfo) -> None:
        if self.seats:
            print("LEAK class", self.seats, file=sys.stderr)
        self.seats.append(match.seat)

    def act(self, view: View) -> Action:
        return 10**30
