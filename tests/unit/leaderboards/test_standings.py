"""Boards: their format, and that order and names change nothing in them."""

import msgspec
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.errors import UnknownName
from leaderboards.board import Row
from leaderboards.ratings import get_model, model_names
from leaderboards.ratings.order_free import TrueSkill
from leaderboards.ratings.outcomes import OutcomeGroup, Outcomes, from_table
from leaderboards.results import FAULT_CLASSES, EntrantInfo, MatchRow, from_rows
from leaderboards.standings import encode, live_standings, standings
from leaderboards.statistics import head_to_head
from leaderboards.statistics.replicates import resampled_skills
from leaderboards.statistics.resampling import resample


def numbers(board, names=None):
    """Everything on a board but the names, by entrant."""
    found = {}
    for row in board.rows:
        label = names[row.entrant] if names else row.entrant
        found[label] = msgspec.structs.replace(row, entrant="", bot="", options={})
    return found, board.seats, board.matches, board.blocks, board.draw_probability


@pytest.mark.parametrize("model", ["trueskill", "trueskill-online"])
@pytest.mark.parametrize("twins", [False, True])
def test_shuffling_and_renaming_change_no_number(league, table_of, model, twins):
    """Both models: the online one has an order of play of its own."""
    played = league(11, 7, (2, 3), 120)
    if twins:
        # Two with equal results on different deals, and two that are alike in everything.
        played += [(("t1", "bot0"), (1, 2)), (("t2", "bot0"), (2, 1))]
        played += [(("t2", "bot0"), (1, 2)), (("t1", "bot0"), (2, 1))]
        played += [((f"u{i}", f"v{i}"), (1, 2)) for i in range(3)]
    table = table_of(played, deal_size=4)
    before = standings(table, model=model, num_replicates=40)
    rng = np.random.default_rng(0)
    for _ in range(3):
        labels = sorted({label for labels, _ in played for label in labels})
        new = dict(zip(labels, (f"x{k}" for k in rng.permutation(len(labels))), strict=True))
        old = {name: label for label, name in new.items()}
        rows = []
        for k in rng.permutation(len(played)):
            deal = f"d{k // 4:06d}"
            lineup = tuple(new[label] for label in played[k][0])
            rows.append(MatchRow(f"m{k:06d}", lineup, tuple(played[k][1]), deal=deal, block=deal))
        after = standings(from_rows("test", rows), model=model, num_replicates=40)
        assert numbers(after, old) == numbers(before)


def test_names_of_deals_change_nothing(league):
    played = league(2, 5, (2,), 80)

    def board(name):
        rows = [MatchRow(f"m{i}", tuple(a), tuple(r), deal=name(i // 4)) for i, (a, r) in enumerate(played)]
        return standings(from_rows("g", rows))

    assert board(lambda i: f"a{i}").rows == board(lambda i: f"z{-i}").rows


def test_the_json_is_that_of_the_format(league, table_of):
    table = table_of(league(1, 4, (2, 3), 60), deal_size=3)
    board = msgspec.json.decode(encode(standings(table, digest="abc")))
    assert list(board)[:8] == ["schema", "game", "players", "rating", "matches", "blocks", "digest", "rows"]
    assert board["schema"] == "arena/leaderboard/1" and board["players"] == [2, 3] and board["digest"] == "abc"
    assert board["matches"] == 60 and board["blocks"] == 20
    row = board["rows"][0]
    for key in ("rank", "rank_interval", "group", "bot", "version", "options", "entrant", "skill", "mu", "sigma",
                "matches", "score_share", "score_share_interval", "faults", "think_ms_mean"):  # fmt: skip
        assert key in row
    assert set(row["faults"]) == set(FAULT_CLASSES)
    assert row["skill"] == pytest.approx(row["mu"] - 3 * row["sigma"], abs=1e-7)
    assert [r["rank"] for r in board["rows"]] == [1, 2, 3, 4]


@given(st.integers(0, 10**6), st.integers(2, 8), st.integers(1, 60), st.floats(0, 20))
@settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_rank_range_reaches_across_a_rule_and_one_does_everywhere_else(league, table_of, seed, n, deals, spread):
    rows = standings(table_of(league(seed, n, (2,), 2 * deals, spread=spread), deal_size=2), num_replicates=40).rows
    assert rows[0].group == 1
    for i in range(1, len(rows)):
        reaches = max(row.rank_interval[1] for row in rows[:i]) >= min(row.rank_interval[0] for row in rows[i:])
        assert rows[i].group - rows[i - 1].group == (0 if reaches else 1)


def test_points_lie_inside_their_intervals(league, table_of):
    for seed in range(6):
        table = table_of(league(seed, 6, (2, 3, 4), 10 + seed, spread=20), deal_size=2)
        board = standings(table, num_replicates=60)
        for row in board.rows:
            low, high = row.score_share_interval
            assert 0 <= low <= row.score_share <= high <= 1
            assert 1 <= row.rank_interval[0] <= row.rank <= row.rank_interval[1] <= len(board.rows)
        assert [row.group for row in board.rows] == sorted(row.group for row in board.rows)


def test_score_share_is_that_of_the_format():
    table = from_rows("g", [MatchRow("m", ("a", "b", "c", "d"), (1, 2, 2, 4)), MatchRow("n", ("a", "b"), (2, 1))])
    share = {row.entrant: row.score_share for row in standings(table).rows}
    assert share == {"a": 0.5, "b": 0.75, "c": 0.5, "d": 0.0}


@pytest.mark.parametrize(("deals", "low"), [(1, 0.1), (10, 0.6), (300, 0.98)])
def test_all_won_and_all_lost_are_flagged_and_not_certain(table_of, deals, low):
    board = standings(table_of([(("a", "b"), (1, 2)), (("b", "a"), (2, 1))] * deals, deal_size=2))
    best, worst = board.rows
    assert (best.note, worst.note) == ("all won", "all lost")
    assert low < best.score_share_interval[0] < 1.0 == best.score_share_interval[1]
    assert worst.score_share_interval == pytest.approx((0.0, 1 - best.score_share_interval[0]), abs=1e-6)
    assert any("all won" in note for note in board.notes)
    assert (best.rank_interval == (1, 2)) == (deals == 1)


def test_faults_and_those_without_a_match_are_shown():
    rows = [
        MatchRow("m", ("a", "b"), (1, 2), faults=(None, "timeout"), think_ms=(1.0, float("nan"))),
        MatchRow("n", ("b", "a"), (2, 1), faults=("crash", None), think_ms=(2.0, 4.0)),
    ]
    board = standings(from_rows("g", rows, [EntrantInfo("c:x=1", "c", "v1", {"x": 1})]))
    by = {row.entrant: row for row in board.rows}
    assert {k: v for k, v in by["b"].faults.items() if v} == {"timeout": 1, "crash": 1}
    assert not any(by["a"].faults.values())
    assert (by["a"].think_ms_mean, by["b"].think_ms_mean, by["c:x=1"].think_ms_mean) == (2.5, 2.0, None)
    assert by["c:x=1"].note == "no matches" and by["c:x=1"].options == {"x": 1} and by["c:x=1"].version == "v1"


def test_groups_that_never_met_are_named(table_of):
    board = standings(table_of([(("a", "b"), (1, 2)), (("b", "a"), (1, 2)), (("c", "d", "e"), (1, 2, 3))] * 3))
    (note,) = [note for note in board.notes if "never met" in note]
    assert {frozenset(part.split(", ")) for part in note.split(": ")[1].split(" | ")} == {
        frozenset("ab"),
        frozenset("cde"),
    }


def test_equal_bots_share_a_rank_and_a_group(table_of):
    cycle = [(("a", "b"), (1, 2)), (("b", "c"), (1, 2)), (("c", "a"), (1, 2))]
    board = standings(table_of(cycle * 20, deal_size=3))
    assert [row.rank for row in board.rows] == [1, 1, 1] and {row.group for row in board.rows} == {1}


def test_clear_differences_make_groups(table_of):
    played = [(("a", "b"), (1, 2) if i % 10 else (2, 1)) for i in range(200)]
    board = standings(table_of(played))
    assert [row.group for row in board.rows] == [1, 2]
    assert [row.rank_interval for row in board.rows] == [(1, 1), (2, 2)]


def test_the_seat_table_sums_to_the_whole(league, table_of):
    board = standings(table_of(league(4, 6, (2, 3), 200), deal_size=2))
    for n in (2, 3):
        seats = [seat for seat in board.seats if seat.players == n]
        assert [seat.seat for seat in seats] == list(range(n))
        assert sum(seat.score_share for seat in seats) == pytest.approx(n / 2, abs=1e-5)
        assert sum(seat.win_share for seat in seats) == pytest.approx(1.0, abs=1e-5)


def test_the_seat_table_shows_an_advantage(table_of):
    board = standings(table_of([(("a", "b"), (1, 2)), (("b", "a"), (1, 2))] * 30))
    assert [seat.score_share for seat in board.seats] == [1.0, 0.0]


def test_intervals_cluster_by_deal(table_of):
    """Eight matches that only repeat their deal say no more than one of them."""
    rng = np.random.default_rng(5)
    won = rng.random(60) < 0.6
    alone = table_of([(("a", "b"), (1, 2) if w else (2, 1)) for w in won])
    repeated = table_of([(("a", "b"), (1, 2) if w else (2, 1)) for w in won for _ in range(8)], deal_size=8)
    widths = []
    for table in (alone, repeated):
        low, high = standings(table).rows[0].score_share_interval
        widths.append(high - low)
    assert widths[1] == pytest.approx(widths[0], rel=0.25)
    assert widths[0] == pytest.approx(2 * 1.96 * np.sqrt(0.24 / 60), rel=0.25)


def test_one_step_replicates_agree_with_whole_fits(league, table_of):
    table = table_of(league(6, 8, (2, 3), 600), deal_size=4)
    outcomes = from_table(table)
    fit = TrueSkill(draw_probability=0.1).fit_outcomes(outcomes)
    contents = fit.canonical.places[outcomes.of_match]
    resampling = resample(table.deals, contents, num_replicates=12)
    counts = resampling.totals(np.arange(table.num_matches), contents, None, len(fit.canonical.places))
    assert counts.sum(axis=1).tolist() == [600.0] * 12
    quick = resampled_skills(fit, counts)
    for r in range(12):
        groups, start = [], 0
        for group in fit.canonical.groups:
            stop = start + len(group.counts)
            kept = counts[r, start:stop] > 0
            groups.append(OutcomeGroup(group.players[kept], group.ties[kept], counts[r, start:stop][kept]))
            start = stop
        whole = TrueSkill(draw_probability=0.1).fit_outcomes(Outcomes(8, tuple(groups), outcomes.of_match)).ratings
        spread = quick.std(axis=0)
        np.testing.assert_array_less(np.abs(quick[r] - whole.skill), 0.35 * spread + 0.05)


def test_resampling_draws_deals_whole():
    deals = np.repeat(np.arange(50), 4)
    contents = np.arange(200) % 7
    drawn = resample(deals, contents, num_replicates=30)
    assert drawn.weights.sum(axis=1).tolist() == [50.0] * 30
    assert len({tuple(row) for row in drawn.weights.tolist()}) == 30
    assert all(len(set(drawn.bundle[deals == d])) == 1 for d in range(50))
    assert not np.array_equal(resample(deals, contents, seed=1, num_replicates=30).weights, drawn.weights)


def test_many_deals_are_bundled():
    deals = np.arange(5000)
    drawn = resample(deals, deals % 11)
    assert drawn.weights.shape == (200, 1024)
    assert np.bincount(drawn.bundle).max() == 5
    totals = drawn.totals(deals, deals % 11, None, 11)
    assert totals.sum(axis=1).mean() == pytest.approx(5000, rel=0.01)


def test_totals_in_parts_are_the_totals(monkeypatch):
    rng = np.random.default_rng(1)
    deals, columns, values = rng.integers(0, 90, 500), rng.integers(0, 40, 500), rng.integers(0, 9, 500)
    drawn = resample(deals, columns)
    matrix = np.zeros((drawn.weights.shape[1], 40))
    np.add.at(matrix, (drawn.bundle, columns), values)
    expected = drawn.weights @ matrix
    np.testing.assert_array_equal(drawn.totals(np.arange(500), columns, values, 40), expected)
    monkeypatch.setattr("leaderboards.statistics.resampling._CELLS", 200)
    np.testing.assert_array_equal(drawn.totals(np.arange(500), columns, values, 40), expected)


def test_the_cross_table_adds_up(league, table_of):
    table = table_of(league(9, 7, (2, 3, 4), 300), deal_size=3)
    cross = head_to_head(table)
    np.testing.assert_array_equal(cross.points + cross.points.T, cross.games)
    assert not cross.games.diagonal().any()
    played = (table.num_seats.astype(int) * (table.num_seats.astype(int) - 1)).sum()
    assert cross.games.sum() == played
    assert ((cross.low <= cross.share) & (cross.share <= cross.high)).all()
    a, b = (cross.labels.index(name) for name in ("bot1", "bot2"))
    won = 0.0
    for row in range(table.num_matches):
        seats = table.lineups[row].tolist()
        if a in seats and b in seats:
            won += 0.5 + 0.5 * np.sign(int(table.ranks[row, seats.index(b)]) - int(table.ranks[row, seats.index(a)]))
    assert cross.points[a, b] == won > 0


def test_a_live_board_agrees_with_the_whole_one(league, table_of):
    played = league(3, 5, (2, 3), 150)
    tallies = {}
    for labels, ranks in played:
        key = (tuple(labels), tuple(ranks))
        tallies[key] = tallies.get(key, 0) + 1
    live = live_standings(tallies)
    board = standings(table_of(played))
    assert [(r.rank, r.entrant, r.matches, r.score_share, r.skill) for r in live] == [
        (r.rank, r.entrant, r.matches, r.score_share, r.skill) for r in board.rows
    ]
    assert live_standings({}) == []


def test_boards_of_nothing():
    board = standings(from_rows("g", []))
    assert (board.rows, board.seats, board.players, board.blocks) == ([], [], [], 0)
    alone = standings(from_rows("g", [], [EntrantInfo("a", "a")]))
    assert [type(row) for row in alone.rows] == [Row] and alone.rows[0].rank_interval == (1, 1)


def test_models_are_found_by_name():
    assert model_names() == ("trueskill", "trueskill-online")
    assert [get_model(name).name for name in model_names()] == list(model_names())
    with pytest.raises(UnknownName, match=r"'truskill'; did you mean trueskill"):
        get_model("truskill")
    with pytest.raises(UnknownName, match="there are trueskill, trueskill-online"):
        get_model("zzz")
