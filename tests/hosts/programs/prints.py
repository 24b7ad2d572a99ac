"""Writes on standard output in every way that there is, in the midst of its moves; all of it is its log."""

import ctypes
import os
import sys

from arena import Action, Bot, MatchInfo, View

print("at import")


class Prints(Bot[View]):
    def start(self, match: MatchInfo) -> None:
        self.seat = match.seat

    def act(self, view: View) -> Action:
        print(f'{{"type":"act","ply":{view.ply},"action":-1}}')
        print("no line's end", end="", flush=True)
        sys.__stdout__.write("behind print\n")
        sys.__stdout__.flush()
        os.write(1, b"from below\n")
        os.system("echo from a child")
        ctypes.CDLL(None).puts(b"from C")
        assert sys.stdin.read() == ""
        return view.legal[0]
