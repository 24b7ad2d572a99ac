"""Whole random matches as readable text; run as a program it prints those of every game, with digests of the states.

Every ply is there with its notation, the number of legal actions, and what chance did in it.
"""

import hashlib
import json
import random

from arena.core.game import Game
from arena.core.seeding import derive, format_seed
from arena.games import all_games
from arena.kernels.jit import IS_JIT_DISABLED
from arena.kernels.simulation import Simulation
from arena.match.records import describe_ply

NUM_DEALS = 2


def version_line(game: Game) -> str:
    """Returns the first line of a game's golden playthroughs."""
    return f"{game.name} version {game.version}"


def deal_of(game: Game, num_seats: int, number: int) -> int:
    """Returns the seed of a playthrough."""
    return derive("playthrough", game.name, num_seats, number)


def playthrough(game: Game, num_seats: int, number: int, digest=None) -> str:
    """Returns one random match as text.

    Args:
        game: what is played, with its default options.
        num_seats: the number of seats.
        number: which of the playthroughs.
        digest: is fed with everything that the kernels say of each position.
    """
    seed = deal_of(game, num_seats, number)
    rng = random.Random(seed)
    position = Simulation.from_deal(game, game.encode_options(game.parse_options({})), num_seats, seed)
    lines = ["", f"deal {format_seed(seed)}, {num_seats} seats"]
    lines += [f"{key}: {json.dumps(value)}" for key, value in game.setup(position.words()).items()]
    ply = 0
    while not position.is_over:
        feed(digest, position)
        num_legal = len(position.legal)
        line = describe_ply(position, ply, rng.choice(position.legal), with_legal=False)
        chance = "" if line.chance is None else f"  {json.dumps(line.chance)}"
        lines.append(f"{ply:4} seat {line.seat} {line.action:8} of {num_legal}{chance}")
        ply += 1
    feed(digest, position)
    scores = " ".join(map(str, position.scores()))
    return "\n".join([*lines, f"scores {scores}", f"returns {' '.join(map(repr, position.returns()))}", ""])


def feed(digest, position: Simulation) -> None:
    if digest is not None:
        seen = (position.words(), position.luck_words(), position.legal, position.scores(), position.evaluate())
        digest.update(repr(seen).encode())
        for seat in range(position.num_seats):
            digest.update(position.observed(seat))


def playthroughs(game: Game, num_seats: int, digest=None) -> str:
    """Returns the golden text of a game at a number of seats."""
    return version_line(game) + "\n" + "".join(playthrough(game, num_seats, i, digest) for i in range(NUM_DEALS))


def with_digest(game: Game, num_seats: int) -> tuple[str, str]:
    """Returns the golden text of a game at a number of seats, and the digest of the states on the way."""
    digest = hashlib.blake2b(digest_size=16)
    return playthroughs(game, num_seats, digest), digest.hexdigest()


if __name__ == "__main__":
    everything = {f"{g.name}-{num}": with_digest(g, num) for g in all_games().values() for num in g.seats}
    print(json.dumps({"is_jit_disabled": IS_JIT_DISABLED, "games": everything}))
