"""Bots inside this process: only for those that ship with the arena or were installed as its plug-ins.

They are trusted: nothing stops one that never returns. What they raise or answer is still their own fault, and is
scored.
"""

import operator
import os
from collections.abc import Callable
from pathlib import Path
from traceback import walk_tb
from typing import Any

from arena.core.bot import Bot, MatchInfo, Result
from arena.core.game import Action
from arena.core.notes import Totals, add_note
from arena.core.view import View
from arena.hosts.base import BotFault

# Ctrl-C is the user's, and this process's memory is the machine's affair: neither is known to be the bot's doing.
NOT_OF_THE_BOT = (KeyboardInterrupt, MemoryError)
PACKAGE = Path(__file__).resolve().parent.parent
SHIPPED_BOTS = PACKAGE / "shipped_bots"
"""In an installed wheel, the bots that come with the arena; in a checkout they lie beside the package."""
LONGEST_SHOWN = 300  # characters of what a bot says that are stored


def one_line(make_text: Callable[[], str]) -> str:
    """Returns the first line of a text of a bot's making, fit to be stored; the making may fail, too."""
    try:
        lines = make_text().splitlines()
    except Exception as error:
        return f"<its text cannot be made: {type(error).__name__}>"
    # A lone surrogate, as undecodable file names have, cannot be stored.
    return (lines or [""])[0][:LONGEST_SHOWN].encode("utf-8", "backslashreplace").decode()


def describe_error(error: BaseException) -> str:
    """Returns an exception as one line: its type, its first line, where in the bot's own files it came from."""
    place, home = "", None
    for frame, number in walk_tb(error.__traceback__):
        file = frame.f_code.co_filename
        if home is None and _is_of_a_bot(file):
            home = Path(file).parent
        if home is not None and Path(file).parent == home:
            place = f" (line {number} of {frame.f_code.co_name})"
    return f"{type(error).__name__}: {one_line(lambda: str(error))}{place}"


def _is_of_a_bot(file: str) -> bool:
    """Says whether code is a bot's, for all that is known: neither the arena's nor what Python loads modules with."""
    is_ours = file.startswith(f"{PACKAGE}{os.sep}") and not file.startswith(f"{SHIPPED_BOTS}{os.sep}")
    return not is_ours and not file.startswith("<frozen ")


def plain_action(answer: Any) -> Action:
    """Returns an answer that stands for an integer, numpy's or a bool, as a plain int.

    Raises:
        BotFault: it stands for none.
    """
    try:
        # A subclass of int may compare as it likes, and so pass for legal: only its number is taken.
        return int.__int__(operator.index(answer))
    except NOT_OF_THE_BOT:
        raise
    except BaseException as error:
        raise BotFault("illegal", f"act returned no action but {one_line(lambda: repr(answer))}") from error


class InProcessHost:
    """One bot object, made for one seat of one match."""

    __slots__ = ("_act", "_bot", "_pass_note", "notes")

    def __init__(self, bot: Bot[Any], pass_note: Callable[[dict[str, float]], None] | None = None) -> None:
        """Takes charge of a bot.

        Args:
            bot: a new object.
            pass_note: is given the note of each answer that has one; else they are summed up in `notes`.
        """
        self._bot = bot
        self._act = bot.act
        self.notes: Totals = {}
        self._pass_note = pass_note

    def start(self, match: MatchInfo) -> None:
        """Tells the bot that a match begins; what it raises means that it did not get ready."""
        try:
            self._bot.start(match)
        except NOT_OF_THE_BOT:
            raise
        except BaseException as error:
            raise BotFault("no_start", describe_error(error)) from error

    def act(self, view: View) -> Action:
        """Asks for an action; it is an integer, and not yet known to be legal."""
        try:
            answer = self._act(view)
        except NOT_OF_THE_BOT:
            raise
        except BaseException as error:
            raise BotFault("crash", describe_error(error)) from error
        action = answer if type(answer) is int else plain_action(answer)
        if self._bot._arena_note is not None:
            self._take_note(self._bot._arena_note)
        return action

    def _take_note(self, note: dict[str, float]) -> None:
        self._bot._arena_note = None
        if self._pass_note is None:
            add_note(self.notes, note)
        else:
            self._pass_note(note)

    def finish(self, result: Result) -> None:
        """Tells the bot the result; what it does now changes nothing."""
        try:
            self._bot.finish(result)
        except KeyboardInterrupt:
            raise
        except BaseException:
            # The match is over and its result stands; a bot that fails here has harmed nobody.
            return
