"""The tree search: what its tree holds, what it finds, what it may depend on."""

import random
import signal

import numpy as np
import pytest

from arena.core.seeding import derive
from arena.games import all_games, load_game
from arena.search import tree
from arena.search.searcher import Searcher, SearchSettings

HIDDEN = [game.name for game in all_games().values() if game.has_hidden_state]
OPEN = [game.name for game in all_games().values() if not game.has_hidden_state]


def search(view, seed=1, **settings):
    return Searcher(view.game, SearchSettings(**settings)).search(view, seed)


def node_visits(searcher):
    """Returns the visits of all nodes, and for each the sum of its edges' visits."""
    grown = searcher.tree
    places = range(0, grown.counters[tree.NEXT_NODE], tree.NODE_WORDS)
    return [(grown.nodes[place + tree.USE] & tree.LOW, grown.edges_of(place)) for place in places]


@pytest.mark.parametrize("name", list(all_games()))
class TestTree:
    def test_every_simulation_is_counted_once_at_the_root(self, position, view_of, name):
        simulation, history = position(name, 2, 6)
        report = search(view_of(simulation, history), simulations=300, playout_depth=4)
        assert sum(report.visits) == 300 or any(report.proofs)
        assert report.actions == simulation.legal
        assert all(0 <= value <= 1 for value in report.values)

    def test_edges_share_out_the_visits_of_their_node(self, position, view_of, name):
        simulation, history = position(name, 2, 6)
        searcher = Searcher(simulation.game, SearchSettings(simulations=400, playout_depth=4))
        searcher.search(view_of(simulation, history), 1)
        for visits, edges in node_visits(searcher):
            assert sum(count for count, _, _ in edges.values()) == visits
            assert all(0 <= total <= count * tree.VALUE_UNIT for count, total, _ in edges.values())
            assert list(edges) == sorted(edges)

    def test_same_seed_same_search(self, position, view_of, name):
        simulation, history = position(name, 2, 5)
        first, again, other = (
            search(view_of(simulation, history), seed, simulations=200, playout_depth=6) for seed in (7, 7, 8)
        )
        assert first == again
        assert first != other

    @pytest.mark.parametrize(
        "settings",
        [
            {"playout": "greedy", "playout_depth": 2},
            {"playout": "mixed", "playout_depth": 3},
            {"determinizations": "pimc", "worlds": 3, "playout_depth": 3},
            {"nodes": "sequence", "playout_depth": 3},
            {"widening": 0.5, "candidates": 4, "playout_depth": 0},
            {"tree_reuse": True, "playout_depth": 3},
        ],
        ids=lambda settings: next(iter(settings)),
    )
    def test_settings(self, position, view_of, name, settings):
        simulation, history = position(name, 2, 4)
        report = search(view_of(simulation, history), simulations=60, **settings)
        assert report.best in simulation.legal
        assert sum(report.visits) in (60, 3 * -(-60 // 3)) or any(report.proofs)


@pytest.mark.parametrize("name", HIDDEN)
def test_what_is_hidden_changes_nothing(position, view_of, name):
    """Every count and value of the search, not its choice alone, is the same whatever the others hold."""
    simulation, history = position(name, 3, 7)
    view = view_of(simulation, history)
    other = view.simulate(random.Random(5))
    assert other.words() != simulation.words()
    assert search(view, simulations=500, playout_depth=4) == search(
        view_of(other, history), simulations=500, playout_depth=4
    )


def test_secret_choice_does_not_branch_the_others_nodes(position, view_of):
    """Seat 0 of Ninjan searches its choice: seat 1 replies to all of them from one node, the second to be made."""
    simulation, history = position("ninjan", 2, 0)
    searcher = Searcher(simulation.game, SearchSettings(simulations=2000))
    searcher.search(view_of(simulation, history), 1)
    (root_visits, root), (reply_visits, reply), *_ = node_visits(searcher)
    assert root_visits == 2000
    # Simulations that try a card for the first time end before the reply; all others come by that one node.
    assert reply_visits == 2000 - len(root)
    assert len(reply) > 9  # cards of many hands, matched by availability


def test_choices_already_made_in_secret_are_searched(position, view_of):
    """Seat 1 of Ninjan looks for seat 0's best choice, too, instead of taking it for a random one."""
    simulation, history = position("ninjan", 2, 1)
    searcher = Searcher(simulation.game, SearchSettings(simulations=2000))
    report = searcher.search(view_of(simulation, history), 1)
    (root_visits, _), (first_visits, first), *_ = node_visits(searcher)
    assert root_visits == first_visits == sum(report.visits) == 2000
    counts = sorted(count for count, _, _ in first.values())
    assert counts[-1] > 4 * counts[0]  # chance alone would treat the 35 cards alike


@pytest.mark.parametrize("num_seats", [3, 4, 5])
def test_each_seat_maximises_its_own_utility(position, view_of, num_seats):
    """In the last round but one resolutions are certain: with every seat out for itself nobody gives points away."""
    simulation, history = position("ninjan", num_seats, 2 * num_seats * 8 + num_seats)
    report = search(view_of(simulation, history), simulations=2000, exploration=0.5)
    values = {}
    for action in simulation.legal:
        after = simulation.clone()
        after.play(action)
        values[action] = exhaustive(after)[simulation.to_move]
    assert values[report.best] == max(values.values())


def exhaustive(simulation):
    """Returns the seats' utilities when each maximises its own, by trying everything."""
    if simulation.is_over:
        return simulation.returns()
    seat, best = simulation.to_move, None
    for action in simulation.legal:
        after = simulation.clone()
        after.play(action)
        values = exhaustive(after)
        best = values if best is None or values[seat] > best[seat] else best
    return best


def test_tree_is_kept_for_the_next_move(position, view_of):
    simulation, history = position("connect_four", 2, 4, deal=3)
    kept = Searcher(simulation.game, SearchSettings(simulations=3000, tree_reuse=True))
    first = kept.search(view_of(simulation, history), 1)
    simulation.play(first.best)
    simulation.play(simulation.legal[0])
    second = kept.search(view_of(simulation, history), 2)
    assert sum(second.visits) > 3000


def test_a_long_search_can_be_interrupted(position, view_of):
    """Compiled code sees no signal: a search is made in chunks, and Ctrl-C falls between two of them."""
    simulation, history = position("ninjan", 2, 4)
    searcher = Searcher(simulation.game, SearchSettings(simulations=2_000_000))
    Searcher(simulation.game, SearchSettings(10)).search(view_of(simulation, history), 1)  # loads what is compiled
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(KeyboardInterrupt):
            searcher.search(view_of(simulation, history), 1)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert max(visits for visits, _ in node_visits(searcher)) < 1_000_000


def test_memory_is_at_most_64_bytes_a_simulation():
    searcher = Searcher(load_game("ninjan"), SearchSettings(simulations=10_000))
    grown = searcher.tree
    arrays = (grown.nodes, grown.edges, grown.slots)
    assert sum(array.nbytes for array in arrays) <= 64 * grown.capacity + 32


def test_full_tree_goes_on_without_new_nodes(position, view_of):
    simulation, history = position("connect_four", 2, 2)
    searcher = Searcher(simulation.game, SearchSettings(simulations=1000))
    searcher.tree = type(searcher.tree)(50)
    report = searcher.search(view_of(simulation, history), 1)
    assert sum(report.visits) == 1000
    assert searcher.tree.counters[tree.NEXT_EDGE] <= len(searcher.tree.edges)


class TestTimeLimit:
    def test_stops_when_the_time_is_up(self, position, view_of):
        """By a stopwatch that advances by 100 us each time it is looked at."""
        simulation, history = position("connect_four", 2, 3)
        now = [0]

        def stopwatch():
            now[0] += 100_000
            return now[0]

        settings = SearchSettings(time_s=0.01)
        report = Searcher(simulation.game, settings, stopwatch).search(view_of(simulation, history), 1)
        assert 0.01e9 <= now[0] <= 0.0105e9
        assert sum(report.visits) > 100

    def test_worlds_share_the_time(self, position, view_of):
        simulation, history = position("ninjan", 2, 3)
        now = [0]

        def stopwatch():
            now[0] += 100_000
            return now[0]

        settings = SearchSettings(time_s=0.01, determinizations="pimc", worlds=4)
        Searcher(simulation.game, settings, stopwatch).search(view_of(simulation, history), 1)
        assert 0.01e9 <= now[0] <= 0.012e9


class TestReport:
    def test_interval_holds_the_value_and_narrows(self, position, view_of):
        simulation, history = position("connect_four", 2, 4)
        report = search(view_of(simulation, history), simulations=2000)
        most = max(range(len(report.visits)), key=report.visits.__getitem__)
        least = min(range(len(report.visits)), key=report.visits.__getitem__)
        for place in (most, least):
            low, high = report.interval(place)
            assert 0 <= low <= report.values[place] <= high <= 1
        widths = [high - low for low, high in map(report.interval, (most, least))]
        assert widths[0] < widths[1]


def test_keys_of_different_vectors_differ():
    """A hundred thousand vectors that differ in one or two bits: not one pair of equal keys."""
    rng = np.random.default_rng(derive("keys") % 2**32)
    base = rng.integers(-(2**62), 2**62, 35)
    keys = set()
    for number in range(100_000):
        words = base.copy()
        first, second = divmod(number, 35 * 64)
        words[second // 64] ^= np.int64(1) << np.int64(second % 64)
        words[first % 35] ^= np.int64(1) << np.int64(63 - first // 35)
        keys.add((int(tree.hash_words(words, 0)), words.tobytes()))
    assert len({key for key, _ in keys}) == len({words for _, words in keys})
