"""The kernels give the same states compiled and as plain Python, where every index is checked."""

PLAY = """
import hashlib, random
from arena.games.pirates_ninjas_robots_zombies.game import GAME, PnrzOptions
from arena.games.pirates_ninjas_robots_zombies.tiles import PICTURES
from arena.kernels.jit import IS_JIT_DISABLED
from arena.kernels.simulation import Simulation, kernels_of

import numpy as np


def wild(rng):
    rows = []
    for number in range(1, 55):
        icon = rng.choice(("", "rotate", "swap", "replace"))
        rows.append(",".join([str(number), *(rng.choice(PICTURES) for _ in range(4)), icon]))
    return PnrzOptions(tiles=tuple(rows))


def at_random(rng, legal):
    return rng.choice(legal)


def follow(num_seats, seed, choose, options):
    rng = random.Random(seed)
    simulation = Simulation.from_deal(GAME, GAME.encode_options(options), num_seats, seed * 0x9E3779B97F4A7C15 % 2**64)
    while True:
        seen = (simulation.words(), simulation.luck_words(), simulation.legal, simulation.evaluate())
        digest.update(repr((seen, simulation.scores())).encode())
        if simulation.is_over:
            break
        state = np.frombuffer(simulation.observed(0), np.int64).copy()
        kernels_of(GAME).determinize(state, 0, np.array(simulation.luck_words(), np.uint64))
        digest.update(state.tobytes())
        simulation.play(choose(rng, simulation.legal))
    digest.update(repr(simulation.returns()).encode())


digest = hashlib.blake2b()
for num_seats in (2, 3, 4):
    follow(num_seats, num_seats, at_random, PnrzOptions())
    follow(num_seats, num_seats, at_random, wild(random.Random(num_seats)))
# One long line upward, bases along.
follow(2, 5, lambda rng, legal: legal[-1], PnrzOptions())
print(IS_JIT_DISABLED, digest.hexdigest())
"""


def test_compiled_and_plain_kernels_agree(run_python):
    compiled, plain = (run_python("-c", PLAY, env={"NUMBA_DISABLE_JIT": flag}).stdout.split() for flag in "01")
    assert (compiled[0], plain[0]) == ("False", "True")
    assert compiled[1] == plain[1]
