"""What search thinks of a position: visits, value and interval of each action, and the line that it expects."""

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import msgspec

from arena.core.game import Action, Game, Ply
from arena.core.seeding import derive
from arena.core.view import BotRandom, View
from arena.search.pointers import find_advice
from arena.search.searcher import Searcher, SearchReport, SearchSettings

if TYPE_CHECKING:
    from arena.kernels.simulation import Simulation

LINE_PLIES = 6  # length of the expected line at most
LINE_SHARE = 4  # a ply of the line is searched with this part of the simulations
NUM_WORLDS = 500  # that the line is tried in: few of them allow its first plies, and those judge the later ones


class ActionReport(msgspec.Struct, frozen=True):
    """One action of the position."""

    action: str
    """In notation."""
    visits: int
    """Simulations that went through it."""
    value: float | None
    """Their mean utility to the seat to act, in [0, 1]; None without a visit, and of a proof what is proven."""
    interval: tuple[float, float]
    """95 % bounds of the value: the noise of simulations, not what cannot be seen."""
    proven: Literal["win", "loss"] | None
    """What is certain whatever anybody does; a search stops as soon as that settles what to play."""


class Analysis(msgspec.Struct, frozen=True):
    """What was found: the actions in the order in which the search prefers them."""

    seat: int
    settings: SearchSettings
    """What was searched with."""
    tuned: list[str]
    """Those of the settings that are the game's own, as tuning found them."""
    simulations: int
    """How many were made: fewer than asked for where it was proven what to play."""
    actions: list[ActionReport]
    line: list[str]
    """The plies that are expected: each seat's choice by search from what it could see, in one world that agrees
    with the view."""
    guessed: list[bool]
    """Of each ply of the line: whether other worlds that agree with the view, and with the plies before it, forbid it.
    It then rests on what that one world guessed: hidden cards, draws, dice."""


def analyse(view: View, settings: SearchSettings, seed: int) -> Analysis:
    """Searches from a view; nothing that its seat cannot see has a part in it."""
    report = Searcher(view.game, settings).search(view, derive(seed, "analyse"))
    order = sorted(
        range(len(report.actions)),
        key=lambda place: (-report.proofs[place], -report.visits[place], -report.values[place], place),
    )
    found = [_action_report(view, report, place) for place in order]
    line = _line(view, report.best, settings, seed)
    names = [view.name(action) for _, action in line]
    tuned, made = _tuned(view.game, settings), sum(report.visits)
    return Analysis(view.seat, settings, tuned, made, found, names, _guessed(view, line, seed))


def _tuned(game: Game, settings: SearchSettings) -> list[str]:
    """Returns the names of the settings that are as the game's own advice has them."""
    advice: dict[str, object] = find_advice(game, "TUNED") or {}
    return [name for name, value in advice.items() if getattr(settings, name) == value]


def _action_report(view: View, report: SearchReport, place: int) -> ActionReport:
    name, visits, proof = view.name(report.actions[place]), report.visits[place], report.proofs[place]
    if proof:
        value = 1.0 if proof > 0 else 0.0
        return ActionReport(name, visits, value, (value, value), "win" if proof > 0 else "loss")
    return ActionReport(name, visits, report.values[place] if visits else None, report.interval(place), None)


def _line(view: View, best: Action, settings: SearchSettings, seed: int) -> list[Ply]:
    """Plays on from a sampled world by search, every seat from its own view."""
    smaller = SearchSettings(**{**vars(settings), "simulations": max(1, settings.simulations // LINE_SHARE)})
    world = view.simulate(random.Random(derive(seed, "line")))
    line: list[Ply] = [(view.seat, best)]
    world.play(best)
    while (seat := world.to_move) is not None and len(line) < LINE_PLIES:
        action = world.legal[0]
        if len(world.legal) > 1:
            ahead = view_of(world, seat, view.ply + len(line))
            action = Searcher(view.game, smaller).search(ahead, derive(seed, "line", len(line))).best
        line.append((seat, action))
        world.play(action)
    return line


def _guessed(view: View, line: Sequence[Ply], seed: int) -> list[bool]:
    """Says of each ply of a line whether some other world forbids it, though it allows the plies before."""
    rng = random.Random(derive(seed, "guessed"))
    found = {_num_allowed(view.simulate(rng), line) for _ in range(NUM_WORLDS)}
    return [number in found for number in range(len(line))]


def _num_allowed(world: "Simulation", line: Sequence[Ply]) -> int:
    """Plays a line as far as a world allows it, and returns how many plies that were."""
    for number, (seat, action) in enumerate(line):
        if world.to_move != seat or action not in world.legal:
            return number
        world.play(action)
    return len(line)


def view_of(position: "Simulation", seat: int, ply: int) -> View:
    """Returns the view of a seat that is to act in a complete position, without the moves that led there."""
    return position.game.view_type(
        position.game, position.observed(seat), position.num_seats, seat, ply, position.legal, (), BotRandom(0)
    )
