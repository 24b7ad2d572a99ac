"""One tree of exceptions, each with the exit code that the command line ends with.

Every message is one line that says what was given, what was expected and what to do next.
This module imports nothing: everything else may import it.
"""


class ArenaError(Exception):
    """Is raised for everything that the arena can explain in one line; a bare one is a bug of ours."""

    exit_code = 70


class CheckFailed(ArenaError):
    """A check or a comparison was made, and failed."""

    exit_code = 1


class UsageError(ArenaError):
    """The input cannot be used: a wrong name, option, number, file or combination of them."""

    exit_code = 2


class UnknownName(UsageError):
    """A game, bot, run or match of that name is not there."""


class BadOption(UsageError):
    """An option does not exist, or its value is not of its type or range."""


class IllegalAction(UsageError):
    """A text or number is no action of the game, or not a legal one now."""


class BadRecord(UsageError):
    """A game record or results file is damaged, or contradicts the rules."""


class MissingExtra(ArenaError):
    """An optional dependency is not installed; the message names the extra that brings it."""

    exit_code = 3


class StoreError(ArenaError):
    """The database cannot be opened, read or written."""

    exit_code = 4


class Interrupted(ArenaError):
    """Somebody pressed Ctrl-C; the message says what was stopped and what is kept."""

    exit_code = 130


class InfrastructureError(ArenaError):
    """Matches could not be played through our own or a machine's failing; no bot is charged."""

    exit_code = 5
