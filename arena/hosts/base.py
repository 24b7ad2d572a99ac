"""What the referee asks of whatever runs a bot."""

from typing import Protocol

from arena.core.bot import MatchInfo, Result
from arena.core.game import Action
from arena.core.view import View
from arena.errors import InfrastructureError


class BotFault(Exception):
    """A bot failed; the referee scores it against its seat."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind
        """One of record.FAULT_CLASSES."""
        self.detail = detail
        """One line for its author."""


class Unusable(BotFault):
    """No bot can be made of a file with its options, however often it is tried: whoever looks can know before."""

    def __init__(self, detail: str) -> None:
        super().__init__("no_start", detail)


class ProgramMissing(InfrastructureError):
    """A command's program is not on this machine's path: in a run nobody's fault, in a check what is wrong."""


class Host(Protocol):
    """One bot in one seat of one match. Each method raises BotFault where the bot fails."""

    def start(self, match: MatchInfo) -> None:
        """Makes the bot ready."""

    def act(self, view: View) -> Action:
        """Returns the bot's action, not yet known to be legal."""

    def finish(self, result: Result) -> None:
        """Tells the bot the result."""


class NeverReady:
    """In place of a bot that could not even be made: the fault is told when it should start."""

    def __init__(self, fault: BotFault) -> None:
        self.fault = fault

    def start(self, match: MatchInfo) -> None:
        raise self.fault

    def act(self, view: View) -> Action:
        raise self.fault

    def finish(self, result: Result) -> None:
        """Has nobody to tell."""
