"""What `arena bots new` writes: a bot that works, its bot.toml and its test, each step with a comment."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

from arena.errors import UsageError
from arena.hosts.bundle import MANIFEST

if TYPE_CHECKING:
    from arena.core.game import Game

BOT_FILE, TEST_FILE = "bot.py", "test_bot.py"

_TOML = """\
# What the arena must know of the bot.
name = {name}        # how it is called on boards and in commands
games = ["{game}"]   # what it plays
python = "{file}"    # the file with its class
# version = "1.0"    # for people, as you like; the version that counts is the hash of this folder's files
# author = "..."
"""

_BOT = '''\
"""{title}: a bot for {game_title}."""

from arena import Action, Bot, MatchInfo, Result
from {module} import {view}


class {kind}(Bot[{view}]):
    """Plays a legal action at random. Make it better in `act`."""

    def start(self, match: MatchInfo) -> None:
        # Step 1, once a match, before the clock of moves runs: load what you need, and note where you sit.
        # A new process is started for every match, so nothing can be remembered from one to the next.
        self.seat = match.seat

    def act(self, view: {view}) -> Action:
        # Step 2, at each of your decisions: look at what you may know.
        #   {fields}
        # are the fields of this game, view.moves is what was done since you last answered, view.clock the time left.
        # `view.name(action)` is an action in words, `view.parse(text)` the way back.
        legal = view.legal

        # Step 3: choose one of them. Take chance from view.rng alone, then the same seed plays the same match.
        # `view.simulate()` gives a complete position that agrees with what you see, to play forward.
        return legal[int(view.rng.random() * len(legal))]

    def finish(self, result: Result) -> None:
        # Step 4, after the match. What you print, here or anywhere, goes to the bot's log: `arena bots log` shows it.
        print(f"seat {{self.seat}} came in at rank {{result.ranks[self.seat]}}")
'''

_TEST = '''\
"""Asks the bot at every decision of random matches: run it with `python -m pytest`, or as it is."""

from pathlib import Path

from arena import MatchInfo, load_game
from arena.core.spec import Limits
from arena.games.conformance import Subject
from arena.hosts.roster import load_file


def test_every_answer_is_legal() -> None:
    # The class is found as the arena finds it: the one public Bot in the file.
    kind = load_file(Path(__file__).with_name("{file}"))
    game = load_game("{game}")
    for num_seats in game.seats:
        match = Subject(game, num_seats, seed=1)
        bots = [kind() for _ in range(num_seats)]
        for seat, bot in enumerate(bots):
            bot.start(MatchInfo("test", game.name, num_seats, seat, 1, Limits()))
        for position, history in match.positions():
            seat = position.to_move
            if seat is not None:
                view = match.view(position, seat, position.legal, history)
                assert bots[seat].act(view) in view.legal


if __name__ == "__main__":
    test_every_answer_is_legal()
'''


def class_name(name: str) -> str:
    """Returns a Python class name made of a bot's name."""
    words = re.findall(r"[^\W_]+", name)
    made = "".join(word[:1].upper() + word[1:] for word in words)
    return made if made.isidentifier() else "MyBot"


def write_skeleton(name: str, game: "Game", folder: Path) -> list[Path]:
    """Writes a new bot into a folder that must not be there yet, and returns its files.

    Raises:
        UsageError: the folder is there, or cannot be made.
    """
    fields = [field.lstrip("_") for field in game.view_type.Fields.__struct_fields__]
    shown = "\n        #   ".join(
        ", ".join(f"view.{field}" for field in fields[start : start + 5]) for start in range(0, len(fields), 5)
    )
    texts = {
        MANIFEST: _TOML.format(name=_toml_text(name), game=game.name, file=BOT_FILE),
        BOT_FILE: _BOT.format(
            title=name.replace("\\", "\\\\").replace('"', "'"),
            game_title=game.title,
            module=f"{game.package}.view",
            view=game.view_class,
            kind=class_name(name),
            fields=shown,
        ),
        TEST_FILE: _TEST.format(game=game.name, file=BOT_FILE),
    }
    try:
        folder.mkdir(parents=True)
        for file, text in texts.items():
            (folder / file).write_text(text, encoding="utf-8")
    except FileExistsError as error:
        raise UsageError(f"{folder}: there is something of that name; give another name, or remove it") from error
    except OSError as error:
        raise UsageError(f"{folder}: the folder cannot be written ({error.strerror})") from error
    return [folder / file for file in texts]


def _toml_text(text: str) -> str:
    """Returns a text as a TOML string; names hold no control characters."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
