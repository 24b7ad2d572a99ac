"""A share that is the same on every deal is not certain."""

import itertools

from leaderboards.results import MatchRow, from_rows
from leaderboards.standings import standings


def board(num_deals: int):
    """strong always beats middle, and middle always beats weak."""
    order = ["strong", "middle", "weak"]
    rows = [
        MatchRow(f"{deal}-{first}-{second}", (first, second), ranks, deal=str(deal), block=f"{deal}-{first}-{second}")
        for deal in range(num_deals)
        for first, second in itertools.permutations(order, 2)
        for ranks in [(1, 2) if order.index(first) < order.index(second) else (2, 1)]
    ]
    return {row.entrant: row for row in standings(from_rows("game", rows)).rows}


def test_all_won_against_one_and_lost_against_another_has_an_interval():
    row = board(5)["middle"]
    low, high = row.score_share_interval
    assert row.score_share == 0.5
    assert low < 0.25
    assert high > 0.75


def test_more_deals_narrow_it():
    few, many = (board(deals)["middle"].score_share_interval for deals in (5, 100))
    assert few[0] < many[0] < 0.5 < many[1] < few[1]


def test_all_won_and_all_lost_keep_theirs():
    rows = board(5)
    assert rows["strong"].score_share_interval[1] == 1.0 > rows["strong"].score_share_interval[0]
    assert rows["weak"].score_share_interval[0] == 0.0 < rows["weak"].score_share_interval[1]
