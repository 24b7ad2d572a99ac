"""Ninjan as OpenSpiel sees it is our Ninjan, and its search sees no more than a seat may know."""

import random

import numpy as np
import pytest

from arena import load_game
from arena.core.seeding import derive
from arena.kernels.simulation import Simulation

pytest.importorskip("pyspiel", reason="the extra openspiel is not installed")

from arena.bench.openspiel_ninjan import (
    NinjanGame,
    NinjanState,
    Resampler,
    make_search,
    state_of,
)
from arena.bench.positions import view_of

NINJAN = load_game("ninjan")
SEATS = list(NINJAN.seats)


def state_at(simulation: Simulation) -> NinjanState:
    """Returns OpenSpiel's state of a complete position of ours."""
    return NinjanState(NinjanGame({"players": simulation.num_seats}), np.array(simulation.words(), np.int64))


def positions(num_seats: int, deal: int, every: int = 1) -> list[Simulation]:
    """Returns positions of a random match at which there is something to decide."""
    simulation, rng, found = Simulation.from_deal(NINJAN, [], num_seats, deal), random.Random(deal), []
    while not simulation.is_over:
        if len(simulation.legal) > 1:
            found.append(simulation.clone())
        simulation.play(rng.choice(simulation.legal))
    return found[::every]


@pytest.mark.parametrize("num_seats", SEATS)
@pytest.mark.parametrize("deal", range(5))
def test_plays_by_our_rules(num_seats: int, deal: int) -> None:
    ours, rng = Simulation.from_deal(NINJAN, [], num_seats, deal), random.Random(deal)
    theirs = NinjanGame({"players": num_seats, "deal": deal}).new_initial_state()
    while not ours.is_over:
        assert (theirs.is_terminal(), theirs.is_chance_node()) == (False, False)
        assert theirs.current_player() == ours.to_move
        assert theirs.legal_actions() == list(ours.legal)
        assert [theirs.legal_actions(seat) for seat in range(num_seats) if seat != ours.to_move] == [[]] * (
            num_seats - 1
        )
        assert theirs.returns() == [0.0] * num_seats
        for seat in range(num_seats):
            assert theirs.information_state_string(seat) == ours.observed(seat).hex()
        action, before = rng.choice(ours.legal), theirs.clone()
        assert theirs.action_to_string(action) == NINJAN.action_name(action)
        theirs.apply_action(action)
        assert before.words.tolist() == list(ours.words())  # a copy is a copy
        ours.play(action)
    assert theirs.is_terminal() and theirs.legal_actions() == []
    assert theirs.current_player() < 0
    assert theirs.returns() == [2 * utility - 1 for utility in ours.returns()]
    assert abs(sum(theirs.returns())) < 1e-9


@pytest.mark.parametrize("num_seats", SEATS)
def test_a_seat_is_told_the_same_whatever_is_hidden(num_seats: int) -> None:
    num_different = 0
    for number, ours in enumerate(positions(num_seats, 3)):
        seat = ours.to_move
        view = view_of(ours, number)
        other = view.simulate(random.Random(number))
        num_different += other.words() != ours.words()
        told = {each.information_state_string() for each in (state_at(ours), state_at(other), state_of(view))}
        assert told == {ours.observed(seat).hex()}
    assert num_different > 20


def test_worlds_agree_with_what_is_known_and_differ_in_the_rest() -> None:
    for ours in positions(3, 4, every=3)[:5]:
        seat, resampler = ours.to_move, Resampler(derive("worlds", ours.words()[2]))
        worlds = [resampler(state_at(ours), seat) for _ in range(20)]
        assert {world.information_state_string(seat) for world in worlds} == {ours.observed(seat).hex()}
        assert len({tuple(world.words.tolist()) for world in worlds}) > 10


@pytest.mark.parametrize("num_seats", [2, 3])
def test_the_move_is_the_same_whatever_is_hidden(num_seats: int) -> None:
    """The search is given the complete position and still must not look: in play it gets a masked one."""
    num_different = 0
    for number, ours in enumerate(positions(num_seats, 5, every=4)):
        view = view_of(ours, number)
        other = view.simulate(random.Random(number))
        num_different += other.words() != ours.words()
        policies = []
        for state in (state_at(ours), state_at(other), state_of(view)):
            search = make_search(state, 40, 1.0, seed=number)
            visits = search.get_policy(state)
            policies.append((visits, sum(child.visits for child in search._root_node.child_info.values())))
        assert policies[0] == policies[1] == policies[2]
        assert policies[0][1] == 39  # the first simulation only values the root
    assert num_different > 3
