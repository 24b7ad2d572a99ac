"""Fails where its option says."""

import sys
from typing import Literal

import msgspec

from arena import Action, Bot, MatchInfo, Result, View


class RaisesOptions(msgspec.Struct, frozen=True):
    where: Literal["start", "act", "finish", "exit", "none", "text", "memory"] = "act"


class Raises(Bot[View]):
    Options = RaisesOptions

    def fail(self, where: str) -> None:
        if self.options.where == where:
            raise ValueError(f"failed\nin {where}")

    def start(self, match: MatchInfo) -> None:
        self.fail("start")

    def act(self, view: View) -> Action:
        self.fail("act")
        if self.options.where == "exit":
            sys.exit(7)
        if self.options.where == "memory":
            bytearray(1 << 60)
        return {"none": None, "text": "R8"}.get(self.options.where, view.legal[0])

    def finish(self, result: Result) -> None:
        self.fail("finish")
