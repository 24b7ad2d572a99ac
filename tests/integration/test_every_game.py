"""A tournament of every registered game at every number of seats, and its board in every form (formats.md, 4)."""

import csv
import io

import pytest

from arena.core.record import FAULT_CLASSES
from arena.games import all_games

TABLES = [(name, seats) for name, game in all_games().items() for seats in game.seats]
ENTRANTS = ("random", "greedy", "random#2", "greedy#2", "random#3")
SEATINGS = {2: 2, 3: 6, 4: 4, 5: 10}
NUMBER = (int, float)
KEYS = {
    "schema": str, "game": str, "players": list, "rating": str, "matches": int, "blocks": int, "digest": str,
    "rows": list,
}  # fmt: skip
ROW_KEYS = {
    "rank": int, "rank_interval": list, "group": int, "bot": str, "version": str, "options": dict, "entrant": str,
    "skill": NUMBER, "mu": NUMBER, "sigma": NUMBER, "matches": int, "score_share": NUMBER,
    "score_share_interval": list, "faults": dict, "think_ms_mean": NUMBER,
}  # fmt: skip


def check_board(board, game, seats, deals, entrants):
    """Checks the types and what must hold between the numbers."""
    for key, kind in KEYS.items():
        assert isinstance(board[key], kind), key
    matches = deals * SEATINGS[seats]
    assert board["schema"] == "arena/leaderboard/1"
    assert (board["game"], board["players"]) == (game, [seats])
    assert (board["matches"], board["blocks"]) == (matches, deals)
    assert len(board["digest"]) == 32
    assert {row["entrant"] for row in board["rows"]} == set(entrants)
    for row in board["rows"]:
        for key, kind in ROW_KEYS.items():
            assert isinstance(row[key], kind) and not isinstance(row[key], bool), key
        low, high = row["rank_interval"]
        assert 1 <= low <= row["rank"] <= high <= seats
        assert row["skill"] == pytest.approx(row["mu"] - 3 * row["sigma"])
        assert row["matches"] == matches
        low, high = row["score_share_interval"]
        assert 0 <= low <= row["score_share"] <= high <= 1
        assert set(row["faults"]) == set(FAULT_CLASSES)
        assert not any(row["faults"].values())
    assert [row["rank"] for row in board["rows"]] == sorted(row["rank"] for row in board["rows"])
    shares = [row["score_share"] for row in board["rows"]]
    assert sum(shares) == pytest.approx(seats / 2, abs=1e-4)


@pytest.mark.parametrize(("game", "seats"), TABLES, ids=[f"{name}-{seats}" for name, seats in TABLES])
def test_tournament(arena, game, seats):
    entrants, deals = ENTRANTS[:seats], 3
    done = arena(
        *("run", game, *entrants, "--players", str(seats), "--deals", str(deals), "--seed", "9"),
        *("--executor", "inline", "--json"),
    )
    check_board(done.json, game, seats, deals, entrants)
    # Every match's record can be replayed by the rules.
    (match,) = arena.rows("SELECT lower(hex(id)) FROM matches ORDER BY id LIMIT 1")[0]
    assert arena("replay", match, "--json").json["game"] == game


def test_board_in_every_form(arena):
    arena("run", "ninjan", *ENTRANTS[:3], "--players", "3", "--deals", "3", "--seed", "9", "--executor", "inline")
    board = arena("leaderboard", "--json").json
    rows = list(csv.DictReader(io.StringIO(arena("leaderboard", "--csv").out)))
    assert [row["entrant"] for row in rows] == [row["entrant"] for row in board["rows"]]
    for row, expected in zip(rows, board["rows"], strict=True):
        assert float(row["skill"]) == expected["skill"]
        assert [int(row["rank_low"]), int(row["rank_high"])] == expected["rank_interval"]
        assert int(row["matches"]) == 18
    lines = arena("leaderboard", "--markdown").out.splitlines()
    table = [line for line in lines if line.startswith("|")]
    assert lines[0] == "### ninjan"
    assert table[1].replace("|", "").replace("-", "").replace(":", "").strip() == ""
    assert all(line.count("|") - line.count("\\|") == table[0].count("|") for line in table[:5])
    assert f"digest `{board['digest']}`" in lines
    text = arena("leaderboard").out
    assert f"digest {board['digest']}" in text
