"""The kernels give the same states and luck compiled and as plain Python."""

import os
import subprocess
import sys

PLAY = """
import hashlib, random
from arena.games.pirates_vs_ninjas.game import GAME
from arena.kernels.jit import IS_JIT_DISABLED
from arena.kernels.simulation import Simulation

digest = hashlib.blake2b()
for seed in range(40):
    rng = random.Random(seed)
    simulation = Simulation.from_deal(GAME, [], 2, seed * 0x9E3779B97F4A7C15 % 2**64)
    while True:
        seen = (simulation.words(), simulation.luck_words(), simulation.legal, simulation.evaluate())
        digest.update(repr((seen, simulation.scores())).encode())
        if simulation.is_over:
            break
        simulation.play(rng.choice(simulation.legal))
    digest.update(repr(simulation.returns()).encode())
print(IS_JIT_DISABLED, digest.hexdigest())
"""


def play(jit):
    env = {**os.environ, "NUMBA_DISABLE_JIT": "0" if jit else "1", "ARENA_QUIET_COMPILE": "1"}
    run = subprocess.run([sys.executable, "-c", PLAY], capture_output=True, text=True, env=env, check=True)
    return run.stdout.split()


def test_compiled_and_plain_kernels_agree():
    compiled, plain = play(jit=True), play(jit=False)
    assert (compiled[0], plain[0]) == ("False", "True")
    assert compiled[1] == plain[1]
