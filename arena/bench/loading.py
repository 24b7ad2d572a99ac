"""A program, `python -m arena.bench.loading GAME...`: loads what games need, compiling what the cache has not.

A process of its own measures what a user waits for: Python itself, the imports, and the kernels.
"""

import sys

from arena.games import load_game
from arena.kernels.simulation import Simulation


def load_searches() -> None:
    """Loads the drivers and the searches, which serve all games."""
    from arena.kernels import drivers
    from arena.search import flat, lookahead, searcher

    assert drivers and flat and lookahead and searcher


def main(names: list[str]) -> None:
    """Loads each game and plays one ply of it; with more than one, the searches, too."""
    for name in names:
        game = load_game(name)
        simulation = Simulation.from_deal(game, game.encode_options(game.Options()), game.seats.start, 0)
        simulation.play(simulation.legal[0])
    if len(names) > 1:
        load_searches()


if __name__ == "__main__":
    main(sys.argv[1:])
