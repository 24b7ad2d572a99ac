"""Random matches in compiled code, and the dearest call of the dearest rules."""

from functools import partial

import numpy as np
import numpy.typing as npt

from arena.bench import peers
from arena.bench.model import Benchmark, Effort, Goal, Measurement
from arena.bench.positions import SEED, Playouts, random_match
from arena.bench.timing import Load, compare, microseconds_each, seconds_of
from arena.games import load_game
from arena.games.pirates_ninjas_robots_zombies.layout import NUM_PLACED
from arena.kernels.simulation import Simulation, kernels_of

GOOFSPIEL = "turn_based_simultaneous_game(game=goofspiel(players=2,num_cards=13,points_order=random))"
COUNTED_ROLLOUTS = 500  # rollouts of the peer that are played from Python to learn how long they are
PIECES_IN_PLAY = 40
POSITIONS = 200
QUICK_POSITIONS = 20
TRIALS, TRIAL_CALLS = 5, 50  # to find the slowest position


def random_playouts(name: str, effort: Effort, peer: str | None = None, **options: str) -> Measurement:
    """Measures whole random matches of two seats, beside an OpenSpiel game's rollouts."""
    ours = Playouts(name, 2, **options)
    load = peers.rollouts(peer) if peer else None
    measured = compare(effort, ours, load)
    details = {"plies each": ours.mean_plies}
    if peer and load:
        details["peer's plies each"] = peers.mean_plies(peer, COUNTED_ROLLOUTS)
    return Measurement(measured.ours, measured.peer, details)


def crowded_positions(number: int) -> list[Simulation]:
    """Returns positions of random pnrz matches at the moment when so many pieces lie on the table, all their stages."""
    game, found = load_game("pnrz"), list[Simulation]()
    deal = SEED
    while len(found) < number:
        found += [
            simulation.clone()
            for simulation in random_match(game, 2, deal)
            if simulation.words()[NUM_PLACED] == PIECES_IN_PLAY
        ]
        deal += 1
    return found[:number]


def calls_of_legal(state: npt.NDArray[np.int64]) -> Load:
    """Returns a load of kernel calls, made from Python, that list the legal actions of one pnrz position."""
    game = load_game("pnrz")
    legal = kernels_of(game).legal
    out = np.empty(game.max_legal, np.int64)

    def load(number: int) -> float:
        for _ in range(number):
            legal(state, out)
        return number

    return load


def dearest_legal(effort: Effort) -> Measurement:
    """Measures a call of `legal` at the slowest of many crowded positions of pnrz."""
    positions = crowded_positions(QUICK_POSITIONS if effort.is_quick else POSITIONS)
    loads = [calls_of_legal(np.array(position.words(), np.int64)) for position in positions]
    seconds = [min(seconds_of(load, TRIAL_CALLS) for _ in range(TRIALS)) for load in loads]
    place = seconds.index(max(seconds))
    details = {
        "actions there": len(positions[place].legal),
        "actions at most": max(len(position.legal) for position in positions),
        "µs on average": sum(seconds) / len(seconds) / TRIAL_CALLS * 1e6,
    }
    return Measurement(microseconds_each(effort, loads[place]), details=details)


BENCHMARKS = (
    Benchmark(
        "playouts-ninjan",
        "Ninjan, 2 seats: random matches",
        "/s",
        partial(random_playouts, "ninjan", peer=GOOFSPIEL),
        Goal(at_least=10, of_ratio=True),
        "OpenSpiel goofspiel, 13 cards, C++ rollouts",
        peers.EXTRA,
    ),
    Benchmark(
        "playouts-connect_four",
        "Connect Four from the empty board: random matches",
        "/s",
        partial(random_playouts, "connect_four", peer="connect_four", opening="0"),
        Goal(at_least=25, of_ratio=True),
        "OpenSpiel connect_four, C++ rollouts",
        peers.EXTRA,
    ),
    Benchmark(
        "playouts-pvn",
        "Pirates vs. Ninjas: random matches",
        "/s",
        partial(random_playouts, "pvn"),
        Goal(at_least=80_000),
    ),
    Benchmark(
        "playouts-pnrz",
        "Pirates, Ninjas, Robots, & Zombies, 2 seats: random matches",
        "/s",
        partial(random_playouts, "pnrz"),
        Goal(at_least=8_000),
    ),
    Benchmark("legal-pnrz", "pnrz: a call of `legal` with 40 pieces in play", "µs", dearest_legal, Goal(at_most=15)),
)
