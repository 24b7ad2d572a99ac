"""What a bot saw when it failed, from the match's record alone: its plies are played again up to there."""

from collections.abc import Sequence

import msgspec

from arena.core.bot import MatchInfo, Result
from arena.core.game import Action
from arena.core.record import Fault, Outcome
from arena.core.spec import Entrant, Limits, MatchSpec
from arena.core.view import View
from arena.hosts.base import BotFault
from arena.match.referee import Referee


class _Over(Exception):
    """Nothing more of the match was played."""


class _Recorded:
    """The host of a seat whose answers are known: those of the record, and the fault that ended them."""

    def __init__(self, actions: Sequence[Action], fault: Fault | None) -> None:
        self.actions = actions
        self.fault = fault
        self.last: View | None = None

    def start(self, match: MatchInfo) -> None:
        """Fails where the bot did not get ready."""
        if self.fault is not None and self.fault.kind == "no_start":
            raise BotFault(self.fault.kind, self.fault.detail)

    def act(self, view: View) -> Action:
        """Answers as it is recorded."""
        if self.fault is not None and view.ply >= self.fault.ply:
            self.last = view if view.ply == self.fault.ply else None
            raise BotFault(self.fault.kind, self.fault.detail)
        if view.ply >= len(self.actions):
            raise _Over
        return self.actions[view.ply]

    def finish(self, result: Result) -> None:
        """Has nobody to tell."""


def view_at_fault(spec: MatchSpec, outcome: Outcome, seat: int) -> View | None:
    """Returns the view that a seat was asked with when it failed; None where it failed before it was asked.

    Raises:
        ArenaError: the game here is of another version.
    """
    actions = outcome.action_list
    hosts = [_Recorded(actions, fault) for fault in outcome.faults]
    left = iter(hosts)

    def make(entrant: Entrant) -> _Recorded:
        return next(left)

    # Nobody thinks here, so nobody needs a clock.
    untimed = msgspec.structs.replace(spec, conditions=msgspec.structs.replace(spec.conditions, limits=Limits()))
    try:
        Referee(untimed, make).play()
    except _Over:
        return None
    return hosts[seat].last
