"""What bot authors pay: the calls of a view and of a simulation, made from Python as a bot makes them.

A call changes what it is made on, or leaves its answer there, so each is made on an object of its own. The objects
are made before the clock starts; the loop around the calls, some 0.1 µs, is counted.
"""

import random
import time
from collections.abc import Callable, Sequence
from functools import cache, partial

from arena.bench.model import Benchmark, Effort, Measurement, spread
from arena.bench.positions import SEED, random_match, view_of
from arena.core.seeding import derive
from arena.core.view import View
from arena.games import all_games, load_game
from arena.kernels.simulation import Simulation

GAME = "ninjan"
MATCHES = 5
CALLS, QUICK_CALLS = 2_000, 100


class Decision:
    """A decision of a random match: the view of the seat to act, and the simulation, not yet asked for anything."""

    __slots__ = ("view", "world")

    def __init__(self, simulation: Simulation, ply: int) -> None:
        self.world = simulation.clone()
        self.view: View = view_of(simulation, ply)


class Prepared:
    """What any of the calls needs, at hand, for one use."""

    __slots__ = ("action", "rng", "seat", "view", "world")

    def __init__(self, decision: Decision, rng: random.Random, is_legal_known: bool) -> None:
        self.view = decision.view
        self.seat = decision.view.seat
        self.action = rng.choice(decision.view.legal)
        self.rng = rng
        self.world = decision.world.clone()
        if is_legal_known:
            _ = self.world.legal


def play_out(prepared: Prepared) -> None:
    """Plays a match to its end at random."""
    world, choice = prepared.world, prepared.rng.choice
    while not world.is_over:
        world.play(choice(world.legal))


Call = Callable[[Prepared], object]
CALLS_BY_NAME: dict[str, tuple[str, Call]] = {
    "simulate": ("view.simulate()", lambda ready: ready.view.simulate(ready.rng)),
    "legal": ("simulation.legal", lambda ready: ready.world.legal),
    "play": ("simulation.play(action), legal asked for before", lambda ready: ready.world.play(ready.action)),
    "clone": ("simulation.clone()", lambda ready: ready.world.clone()),
    "to_move": ("simulation.to_move", lambda ready: ready.world.to_move),
    "observed": ("simulation.observed(seat)", lambda ready: ready.world.observed(ready.seat)),
    "scores": ("simulation.scores()", lambda ready: ready.world.scores()),
    "returns": ("simulation.returns()", lambda ready: ready.world.returns()),
    "evaluate": ("simulation.evaluate()", lambda ready: ready.world.evaluate()),
    "playout": ("a random match from its first decision, legal and play by turns", play_out),
}
DEAR = {"playout": 20}
"""Calls that take so many times as long as the others, and are made so many times less often."""


@cache
def decisions(name: str) -> tuple[Decision, ...]:
    """Returns all plies of some random matches of a game, fewest seats."""
    game = load_game(name)
    return tuple(
        Decision(simulation, ply)
        for deal in range(MATCHES)
        for ply, simulation in enumerate(random_match(game, game.seats.start, deal))
    )


def seconds_of_calls(call: Call, ready: Sequence[Prepared]) -> float:
    """Returns how long calls take, one on each object."""
    begun = time.perf_counter()
    for each in ready:
        call(each)
    return time.perf_counter() - begun


def microseconds(name: str, call_name: str, effort: Effort) -> tuple[float, ...]:
    """Returns samples of what a call costs in a game, at positions drawn from random matches."""
    _, call = CALLS_BY_NAME[call_name]
    number = (QUICK_CALLS if effort.is_quick else CALLS) // DEAR.get(call_name, 1)
    rng, samples = random.Random(derive(SEED, name, call_name)), list[float]()
    places = [each for each in decisions(name) if each.view.ply == 0 or call_name != "playout"]
    for _ in range(effort.repeats + 1):
        chosen = rng.choices(places, k=number)
        ready = [Prepared(each, rng, is_legal_known=call_name == "play") for each in chosen]
        samples.append(seconds_of_calls(call, ready) / number * 1e6)
    return tuple(samples[1:])  # the first call of all loads what it needs


def cost(call_name: str, effort: Effort) -> Measurement:
    """Measures a call in one game, and in the others beside it."""
    others = (name for name in all_games() if name != GAME)
    details = {f"{name}, µs": spread(microseconds(name, call_name, effort)).median for name in others}
    return Measurement(microseconds(GAME, call_name, effort), details=details)


BENCHMARKS = tuple(
    Benchmark(f"author-{name}", f"Ninjan, 2 seats, from Python: {what}", "µs", partial(cost, name))
    for name, (what, _) in CALLS_BY_NAME.items()
)
