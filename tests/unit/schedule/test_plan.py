"""The plan of a tournament: what is played is what the entrants and the number of deals say, and nothing else."""

import random
from collections import Counter
from itertools import islice, permutations

import pytest

from arena.core.seeding import deal_seed
from arena.core.spec import Conditions, Entrant, GameRef, Limits
from arena.errors import UsageError
from arena.schedule.plan import make_plan
from arena.schedule.seatings import seatings


def entrants(count):
    return [Entrant(f"bot{number}", "1") for number in range(count)]


def plan_of(count, players, deals, seed=7, bots=None):
    conditions = Conditions(GameRef("ninjan", "1", {}), players, Limits(), seed)
    return make_plan(conditions, bots or entrants(count), deals)


def ids(plan):
    return [match.id for block in plan.blocks() for match in block.matches]


SHAPES = pytest.mark.parametrize(
    ("count", "players", "deals"),
    [(2, 2, 5), (5, 2, 4), (3, 3, 3), (5, 3, 2), (4, 4, 3), (6, 4, 2), (5, 5, 2), (7, 5, 1)],
)


@SHAPES
def test_counts_are_what_is_yielded(count, players, deals):
    plan = plan_of(count, players, deals)
    blocks = list(plan.blocks())
    assert len(blocks) == plan.num_blocks
    assert {len(block.matches) for block in blocks} == {plan.matches_per_block}
    assert len(ids(plan)) == len(set(ids(plan))) == plan.num_matches


@SHAPES
def test_every_ordered_line_up_is_played_equally_often(count, players, deals):
    """Two and three seats: each ordering of each set once a deal; no line-up is left out or played twice (E13)."""
    plan = plan_of(count, players, deals)
    counts = Counter(tuple(e.bot for e in match.lineup) for block in plan.blocks() for match in block.matches)
    assert set(counts.values()) == {deals}
    if players <= 3:
        assert set(counts) == set(permutations([e.bot for e in entrants(count)], players))
    else:
        sets = Counter(frozenset(lineup) for lineup in counts)
        assert set(sets.values()) == {len(seatings(players))}


@SHAPES
def test_seats_and_pairs_are_shared_evenly(count, players, deals):
    plan = plan_of(count, players, deals)
    seats = Counter(
        (e.bot, seat) for block in plan.blocks() for match in block.matches for seat, e in enumerate(match.lineup)
    )
    assert len(seats) == count * players
    assert len(set(seats.values())) == 1
    pairs = plan.pair_counts()
    assert len(set(pairs.values())) == 1
    assert sum(pairs.values()) == plan.num_matches * players * (players - 1) // 2
    assert plan.entrant_counts() == dict.fromkeys(range(count), plan.num_matches * players // count)


@SHAPES
def test_block_is_one_set_on_one_deal_in_all_seatings(count, players, deals):
    for block in plan_of(count, players, deals).blocks():
        assert len({match.deal for match in block.matches}) == 1
        assert len({match.deal_number for match in block.matches}) == 1
        lineups = {tuple(e.bot for e in match.lineup) for match in block.matches}
        assert len(lineups) == len(block.matches)
        assert len(set(map(frozenset, lineups))) == 1


def test_all_sets_share_the_deals_of_a_round():
    plan = plan_of(5, 2, 3)
    deals = {(match.deal_number, match.deal) for block in plan.blocks() for match in block.matches}
    assert deals == {(number, deal_seed(7, "ninjan", 2, number)) for number in range(3)}


def test_rounds_are_interleaved():
    """All sets play deal 0 before any plays deal 1 (D7)."""
    numbers = [block.matches[0].deal_number for block in plan_of(5, 3, 4).blocks()]
    assert numbers == sorted(numbers)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_more_deals_leave_earlier_matches_as_they_were(players):
    """Match i is the same whether ten deals are asked for or a hundred (C11)."""
    few, many = ids(plan_of(6, players, 2)), ids(plan_of(6, players, 5))
    assert many[: len(few)] == few


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_another_bot_leaves_earlier_matches_as_they_were(players):
    """All earlier ids are in the larger plan, each once (C12)."""
    small = ids(plan_of(5, players, 3))
    for name in ("aaa", "bot2b", "zzz", "忍者"):
        large = ids(plan_of(0, players, 3, bots=[*entrants(5), Entrant(name, "1")]))
        assert set(small) < set(large)
        assert len(large) == len(set(large))


@pytest.mark.parametrize("players", [2, 3])
def test_order_in_which_bots_are_given_changes_nothing(players):
    bots = entrants(6)
    expected = ids(plan_of(0, players, 2, bots=bots))
    for seed in range(5):
        random.Random(seed).shuffle(bots)
        assert ids(plan_of(0, players, 2, bots=bots)) == expected


def test_other_run_seed_or_players_other_deals():
    def deals(*shape, **more):
        return {match.deal for block in plan_of(*shape, **more).blocks() for match in block.matches}

    assert deals(5, 2, 3).isdisjoint(deals(5, 2, 3, seed=8))
    assert deals(5, 2, 3).isdisjoint(deals(5, 3, 3))


def test_plan_is_lazy():
    """The first blocks of a plan of a trillion matches come at once."""
    plan = plan_of(60, 2, 10**9)
    assert plan.num_matches == 60 * 59 * 10**9
    assert len(list(islice(plan.blocks(), 3))) == 3


def test_incomplete_plan_says_so_and_is_even():
    plan = plan_of(120, 2, 6)
    assert not plan.is_complete
    games = Counter(e.bot for block in plan.blocks() for match in block.matches for e in match.lineup)
    assert set(games.values()) == {6 * 2 * 2}  # twice a round, in two seatings
    assert len(games) == 120
    assert sum(plan.pair_counts().values()) == plan.num_matches
    assert plan.entrant_counts() == dict.fromkeys(range(120), 6 * 2 * 2)


def test_copies_are_entrants_of_their_own():
    plan = plan_of(0, 2, 2, bots=[Entrant("random", "1"), Entrant("random", "1", copy=2)])
    assert plan.num_matches == 4


@pytest.mark.parametrize(
    ("bots", "players", "deals", "words"),
    [
        (entrants(1), 2, 1, "needs at least 2 entrants, and 1 was given; name more bots, or copies"),
        (entrants(3), 4, 1, "needs at least 4 entrants, and 3 were given"),
        (entrants(2), 2, 0, "--deals 0: at least one deal is needed"),
        ([*entrants(2), entrants(1)[0]], 2, 1, "'bot0' is given twice; another copy of the bot is written bot0#2"),
    ],
)
def test_impossible_plans_are_refused(bots, players, deals, words):
    with pytest.raises(UsageError) as caught:
        plan_of(0, players, deals, bots=bots)
    assert words in str(caught.value)
