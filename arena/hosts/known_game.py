"""The one game that a keeper and its bots need, without a look at all the others."""

from functools import cache
from importlib import import_module

from arena.core.game import Game
from arena.games import load_game


@cache
def known_game(name: str) -> Game:
    """Returns a game by its full name, for who was told that it is there: the engine has looked at all of them."""
    try:
        game: Game = import_module(f"arena.games.{name}.game").GAME
    except ModuleNotFoundError:
        return load_game(name)  # an installed one
    return game if game.name == name else load_game(name)
