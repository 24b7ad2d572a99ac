"""What games tell a search: an order of actions, and the settings that tuning found."""

import random

import numpy as np
import pytest

from arena.core.bot import MatchInfo
from arena.core.seeding import derive
from arena.core.spec import Limits
from arena.games import all_games, load_game
from arena.hosts.roster import load_bot
from arena.search.pointers import find_advice
from arena.search.searcher import Searcher, SearchSettings

ORDERING = [name for name in all_games() if find_advice(load_game(name), "order")]


def scores_of(simulation):
    """Returns the score of each legal action, or nothing where the game has no opinion."""
    state, actions = np.array(simulation.words(), np.int64), np.array(simulation.legal, np.int64)
    before, out = state.copy(), np.full(len(actions), np.nan)
    has_opinion = find_advice(simulation.game, "order")(state, actions, len(actions), out)
    assert (state == before).all()
    return dict(zip(simulation.legal, out.tolist(), strict=True)) if has_opinion else {}


def ordered_positions(name, position, number):
    """Yields positions of random matches where the game has an opinion."""
    rng = random.Random(derive("order", name))
    for deal in range(number):
        simulation, _ = position(name, 2, 8, deal=deal)
        while not simulation.is_over:
            if len(simulation.legal) > 1 and scores_of(simulation):
                yield simulation.clone()
            simulation.play(rng.choice(simulation.legal))


@pytest.mark.parametrize("name", ORDERING)
def test_every_legal_action_has_a_finite_score(position, name):
    found = [scores_of(simulation) for simulation in ordered_positions(name, position, 3)]
    assert len(found) > 20
    assert all(np.isfinite(list(scores.values())).all() for scores in found)
    assert any(len(set(scores.values())) > 1 for scores in found)


@pytest.mark.parametrize("name", ORDERING)
def test_a_search_tries_the_actions_in_their_order(position, view_of, name):
    for number, simulation in enumerate(ordered_positions(name, position, 1)):
        if number % 10 == 0:
            searcher = Searcher(simulation.game, SearchSettings(60, widening=0.5, candidates=2, playout_depth=0))
            report = searcher.search(view_of(simulation), number)
            tried = [action for action, visits in zip(report.actions, report.visits, strict=True) if visits]
            scores = scores_of(simulation)
            best = sorted(simulation.legal, key=lambda action: (-scores[action], action))
            assert sorted(best[: len(tried)]) == tried
            assert len(tried) <= 1 + 0.5 * 60**0.5 + 1


def test_pnrz_scores_are_what_its_heuristic_expects_of_a_place(position):
    """The heuristic counts a chosen piece as if it lay where it helps most: the best score is that gain."""
    game = load_game("pnrz")
    agreements = {True: 0, False: 0}
    for simulation in ordered_positions(game.name, position, 2):
        scores = scores_of(simulation)
        seat, (low, *_, high) = simulation.to_move, sorted(scores, key=scores.get)
        if scores[low] == scores[high]:
            continue
        values = {}
        for action in (low, high):
            after = simulation.clone()
            after.play(action)
            values[action] = after.evaluate()[seat]
        agreements[values[high] >= values[low]] += 1
    assert agreements[True] > 20 * agreements[False]


@pytest.mark.parametrize("name", list(all_games()))
def test_mcts_plays_by_the_tuned_settings(position, view_of, name):
    """What the bot plays without options is what the search prefers under TUNED of the game's search.py."""
    game, kind = load_game(name), load_bot("mcts")
    tuned = SearchSettings(**{"simulations": 150, **(find_advice(game, "TUNED") or {})})
    assert SearchSettings.tuned_for(game, simulations=150) == tuned
    differs = False
    for deal in range(12):
        simulation, history = position(name, 2, 4, deal=deal)
        view = view_of(simulation, history)
        bot = kind(kind.Options(simulations=150, seed=5))
        bot.start(MatchInfo("0" * 32, name, 2, view.seat, 1, Limits()))
        assert bot.act(view) == Searcher(game, tuned).search(view, 5 + view.ply).best
        untuned = SearchSettings(150, exploration=30.0)
        differs = differs or Searcher(game, untuned).search(view, 5 + view.ply).best != bot.act(view)
    assert differs  # that it is the settings which decide can be seen


def test_settings_that_are_none_are_not_given():
    assert SearchSettings.tuned_for(load_game("ninjan"), widening=None) == SearchSettings.tuned_for(load_game("ninjan"))
