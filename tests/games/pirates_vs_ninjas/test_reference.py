"""Random matches beside a second, plain implementation, and what no sequence of plies may break."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.view import BotRandom
from arena.games.pirates_vs_ninjas.game import GAME
from arena.games.pirates_vs_ninjas.layout import IDLE_TURNS
from arena.kernels.simulation import Simulation


def view_of(simulation):
    state = simulation.observed(0)
    return GAME.view_type(GAME, state, 2, 0, 0, (), [], BotRandom(1))


def assert_same(position, model):
    assert set(position.legal) == model.legal()
    assert position.simulation.is_over == model.is_over
    assert position.zones == [sorted(side.zone) for side in model.sides]
    assert position.cups == [side.cup for side in model.sides]
    assert position.destroyed == [sorted(side.lost) for side in model.sides]
    assert position.credits == [side.credit for side in model.sides]
    assert position.idle == model.idle
    assert position.owes_rally == model.must_rally
    assert list(position.simulation.luck_words()) == model.luck.words
    if not model.is_over:
        assert position.simulation.to_move == model.seat


def test_random_matches_agree_with_the_reference(dealt, reference):
    names = set()
    for seed in range(300):
        rng = random.Random(seed)
        position, model = dealt(seed), reference(seed)
        assert_same(position, model)
        while not model.is_over:
            name = rng.choice(sorted(model.legal()))
            # Rare attacks are taken whenever they are there, else random play would hardly meet them.
            name = next((rare for rare in ("rogers", "shrine", "master") if rare in model.legal()), name)
            names.add(name)
            position.play(name)
            model.play(name)
            assert_same(position, model)
        assert position.simulation.returns() == model.returns()
    assert {"rogers", "shrine", "master", "captain", "v1x2", "v4x5"} <= names


@settings(deadline=None, max_examples=150)
@given(st.integers(0, 2**64 - 1), st.lists(st.integers(0, 10_000), max_size=80))
def test_nine_dice_a_side_and_always_a_way_to_go_on(seed, choices):
    simulation = Simulation.from_deal(GAME, [], 2, seed)
    num_lost = [0, 0]
    for choice in choices:
        if simulation.is_over:
            break
        legal = simulation.legal
        assert legal
        simulation.play(legal[choice % len(legal)])
        view = view_of(simulation)
        for side in (0, 1):
            assert sum(view.zones[side]) + view.cups[side] + sum(view.destroyed[side]) == 9
            assert view.zones[side][4] <= 1
        lost_before, num_lost = num_lost, [sum(counts) for counts in view.destroyed]
        assert all(now >= before for now, before in zip(num_lost, lost_before, strict=True))
        assert num_lost == lost_before or view.idle_turns == 0
        assert simulation.is_over == (view.idle_turns == IDLE_TURNS or 0 in simulation.scores())
        assert bool(simulation.legal) != simulation.is_over
        # Enemy ranks destroyed are the dice lost, but for Jolly Rogers that the Rogers themselves destroyed.
        lost = [sum(rank * count for rank, count in enumerate(counts, 1)) for counts in view.destroyed]
        assert view.credits[0] == lost[1]
        assert (lost[0] - view.credits[1]) % 6 == 0
        assert lost[0] >= view.credits[1]
