"""Bot Arena: plays game-playing bots against each other and says, with honest error bars, who is better.

The names below are what bot authors use. They are loaded when they are first asked for, so that importing `arena`
costs nothing and a bot that never simulates never pays for numba.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena.core.bot import Bot, MatchInfo, Result
    from arena.core.game import Action, Game, Move
    from arena.core.view import Clock, View
    from arena.games import load_game
    from arena.kernels.simulation import Simulation
    from arena.search.flat import playout_values
    from arena.search.lookahead import lookahead
    from arena.search.searcher import Searcher, SearchReport, SearchSettings

__version__ = "0.1.0"

_HOMES = {
    "Action": "arena.core.game",
    "Bot": "arena.core.bot",
    "Clock": "arena.core.view",
    "Game": "arena.core.game",
    "MatchInfo": "arena.core.bot",
    "Move": "arena.core.game",
    "Result": "arena.core.bot",
    "SearchReport": "arena.search.searcher",
    "SearchSettings": "arena.search.searcher",
    "Searcher": "arena.search.searcher",
    "Simulation": "arena.kernels.simulation",
    "View": "arena.core.view",
    "load_game": "arena.games",
    "lookahead": "arena.search.lookahead",
    "playout_values": "arena.search.flat",
}

__all__ = [
    "Action",
    "Bot",
    "Clock",
    "Game",
    "MatchInfo",
    "Move",
    "Result",
    "SearchReport",
    "SearchSettings",
    "Searcher",
    "Simulation",
    "View",
    "load_game",
    "lookahead",
    "playout_values",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'arena' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
