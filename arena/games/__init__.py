"""The registry of games: ours by scanning this folder, others by the entry-point group `arena.games`.

Nothing is imported until it is asked for, and loading a game imports neither numpy nor numba.
"""

from functools import cache
from importlib import import_module
from pathlib import Path

from arena.core.game import Game
from arena.core.options import nearest
from arena.errors import ArenaError, UnknownName

ENTRY_POINTS = "arena.games"


def _own_names() -> list[str]:
    return sorted(path.parent.name for path in Path(__file__).parent.glob("*/game.py"))


@cache
def all_games() -> dict[str, Game]:
    """Returns every registered game by name, sorted.

    Raises:
        ArenaError: two installed games claim one name or alias (case does not count), or one cannot be loaded.
    """
    from importlib import metadata  # 10 ms that a bot's process, which is told its game, does without

    games: list[Game] = [import_module(f"{__name__}.{name}.game").GAME for name in _own_names()]
    for entry in metadata.entry_points(group=ENTRY_POINTS):
        try:
            games.append(entry.load())
        except Exception as error:
            raise ArenaError(f"the installed game {entry.name!r} ({entry.value}) cannot be loaded: {error}") from error
    taken: dict[str, str] = {}
    for game in games:
        for name in (game.name, *game.aliases):
            if taken.setdefault(name.casefold(), game.name) != game.name:
                raise ArenaError(f"two installed games are called {name!r}: {taken[name.casefold()]} and {game.name}")
    return {game.name: game for game in sorted(games, key=lambda game: game.name)}


def load_game(name: str) -> Game:
    """Returns a game by its name or short name, ignoring case.

    Raises:
        UnknownName: there is none; the message names the nearest.
    """
    wanted = name.casefold()
    games = all_games()
    for game in games.values():
        if wanted in (game.name.casefold(), *(alias.casefold() for alias in game.aliases)):
            return game
    known = [*games, *(alias for game in games.values() for alias in game.aliases)]
    raise UnknownName(f"there is no game {name!r}.{nearest(name, known)} Games: {', '.join(games)}")
