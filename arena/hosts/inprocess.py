"""Bots inside this process: only for those that ship with the arena or were installed as its plug-ins.

They are trusted: nothing stops one that never returns. What they raise or answer is still their own fault, and is
scored.
"""

import operator
from typing import Any

from arena.core.bot import Bot, MatchInfo, Result
from arena.core.game import Action
from arena.core.view import View
from arena.hosts.base import BotFault


def describe_error(error: BaseException) -> str:
    """Returns an exception as one line: its type, its first line, where it was raised."""
    place = ""
    traceback = error.__traceback__
    while traceback is not None:
        place = f" (line {traceback.tb_lineno} of {traceback.tb_frame.f_code.co_name})"
        traceback = traceback.tb_next
    first_line = (str(error).splitlines() or [""])[0][:300]
    return f"{type(error).__name__}: {first_line}{place}"


class InProcessHost:
    """One bot object, made for one seat of one match."""

    __slots__ = ("_act", "_bot")

    def __init__(self, bot: Bot[Any]) -> None:
        self._bot = bot
        self._act = bot.act

    def start(self, match: MatchInfo) -> None:
        """Tells the bot that a match begins; what it raises means that it did not get ready."""
        try:
            self._bot.start(match)
        except (Exception, SystemExit) as error:
            raise BotFault("no_start", describe_error(error)) from error

    def act(self, view: View) -> Action:
        """Asks for an action; it is an integer, and not yet known to be legal."""
        try:
            answer = self._act(view)
            return answer if type(answer) is int else operator.index(answer)
        except MemoryError:
            raise  # this process's memory is the machine's affair, not known to be the bot's: a failure
        except TypeError as error:
            if error.__traceback__ is not None and error.__traceback__.tb_next is None:
                raise BotFault("illegal", f"act returned no action but {answer!r:.100}") from error
            raise BotFault("crash", describe_error(error)) from error
        except (Exception, SystemExit) as error:
            raise BotFault("crash", describe_error(error)) from error

    def finish(self, result: Result) -> None:
        """Tells the bot the result; what it does now changes nothing."""
        try:
            self._bot.finish(result)
        except (Exception, SystemExit):
            # The match is over and its result stands; a bot that fails here has harmed nobody.
            return
