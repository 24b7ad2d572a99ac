"""Every benchmark runs and gives figures; nothing here asserts how fast anything is."""

import random
from math import isfinite

import msgspec
import pytest

from arena.bench import author, peers, registry
from arena.bench.model import QUICK, Benchmark, Figures
from arena.bench.playouts import GOOFSPIEL, crowded_positions
from arena.bench.positions import Playouts, first_view
from arena.bench.ratings import BOTS, made_up_results
from arena.bench.searches import search_load
from arena.games.pirates_ninjas_robots_zombies.layout import NUM_PLACED, STAGE

SHORT = msgspec.structs.replace(QUICK, sample_s=0.01, repeats=2, load_s=1.0)
HAS_OPENSPIEL = peers.openspiel() is not None
needs_openspiel = pytest.mark.skipif(not HAS_OPENSPIEL, reason="the extra openspiel is not installed")


@pytest.mark.parametrize("benchmark_", registry.ALL, ids=lambda each: each.name)
def test_gives_finite_positive_figures(benchmark_: Benchmark) -> None:
    measured = benchmark_.measure(SHORT)
    figures = Figures(benchmark_, measured)
    assert measured.ours
    assert all(isfinite(each) and each > 0 for each in (*measured.ours, *measured.peer, *measured.details.values()))
    has_peer = benchmark_.peer is not None and (benchmark_.extra is None or HAS_OPENSPIEL)
    assert len(measured.peer) == (len(measured.ours) if has_peer else 0)
    assert (figures.ratio is not None) == has_peer


def test_names_are_unique_and_groups_are_not_names() -> None:
    names = [each.name for each in registry.ALL]
    assert len(set(names)) == len(names)
    assert not {name.partition("-")[0] for name in names if "-" in name} & set(names)


def test_every_bound_of_a_goal_with_a_peer_is_of_the_ratio_or_of_ours() -> None:
    for each in registry.ALL:
        if each.goal is not None:
            assert (each.goal.at_least is None) != (each.goal.at_most is None), each.name
            assert not each.goal.of_ratio or each.peer is not None, each.name


@needs_openspiel
def test_connect_four_playouts_are_the_peers_task() -> None:
    ours = Playouts("connect_four", 2, opening="0")
    ours(4000)
    # A random match has 21.3 plies with a deviation of 7.5: the mean of 1,000 is within 1 by more than four sigma.
    assert abs(ours.mean_plies - peers.mean_plies("connect_four", 1000)) < 1.0


@needs_openspiel
def test_goofspiel_rollouts_play_every_card_but_the_forced_ones() -> None:
    assert peers.mean_plies(GOOFSPIEL, 10) == 24  # two seats, 13 cards, the last of which is no choice


@needs_openspiel
@pytest.mark.parametrize("number", [1, 100, 101])
def test_loads_of_the_peer_say_what_they_did(number: int) -> None:
    rollouts, searches = peers.rollouts("connect_four"), peers.mcts("connect_four", 50)
    assert rollouts is not None and searches is not None
    assert number <= rollouts(number) <= number + 1
    assert searches(number) == -(-number // 50) * 50


@needs_openspiel
def test_both_searches_of_ninjan_count_whole_searches() -> None:
    peer = peers.python_ismcts(first_view("ninjan", 2), 20)
    assert peer is not None
    assert [peer(1), peer(20), peer(21)] == [20, 20, 40]


def test_a_search_load_counts_whole_searches() -> None:
    load = search_load(first_view("ninjan", 3), 200)
    assert [load(1), load(200), load(201)] == [200, 200, 400]


def test_crowded_positions_have_forty_pieces_in_play() -> None:
    positions = crowded_positions(60)
    assert {position.words()[NUM_PLACED] for position in positions} == {40}
    assert len({position.words()[STAGE] for position in positions}) > 1


def test_made_up_results_are_a_log_of_unequal_bots() -> None:
    table = made_up_results(20_000)
    assert table.num_entrants == BOTS
    assert (table.lineups[:, 0] != table.lineups[:, 1]).all()
    assert 0.02 < (table.ranks[:, 0] == table.ranks[:, 1]).mean() < 0.2
    assert set(table.ranks.max(axis=1).tolist()) == {1, 2}
    assert set(table.ranks.min(axis=1).tolist()) == {1}


@pytest.mark.parametrize("call_name", ["play", "playout", "legal"])
def test_calls_of_authors_are_made_on_objects_of_their_own(call_name: str) -> None:
    before = [decision.world.words() for decision in author.decisions("ninjan")]
    author.microseconds("ninjan", call_name, SHORT)
    assert [decision.world.words() for decision in author.decisions("ninjan")] == before


def test_a_playout_of_authors_ends_its_match() -> None:
    ready = author.Prepared(author.decisions("pnrz")[0], random.Random(1), is_legal_known=False)
    author.play_out(ready)
    assert ready.world.is_over
