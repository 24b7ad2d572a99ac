"""docs/strength.md says what its boards say, and its leagues are still what the bots of today play."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from arena.games import load_game
from arena.hosts.roster import list_bots, load_bot, parse_entrant
from arena.schedule.seatings import seatings

DOCS = Path(__file__).resolve().parents[2] / "docs"
LEAGUES = sorted((DOCS / "strength").glob("*.toml"))
ROW = re.compile(r"^\| \[(\S+)\]\(strength/\1\.toml\) \|.*\| (\S+) \((\S+)-(\S+)\) \|$", re.MULTILINE)
PAGE = {name: figures for name, *figures in ROW.findall((DOCS / "strength.md").read_text(encoding="utf-8"))}
SHIPPED = {listing.name for listing in list_bots() if listing.source == "shipped"}
REPEATED = "greedy-c4"  # the league that takes a few seconds


def board_of(league: Path) -> dict[str, Any]:
    board: dict[str, Any] = json.loads(league.with_suffix(".json").read_text(encoding="utf-8"))
    return board


def test_every_league_is_on_the_page() -> None:
    assert {league.stem for league in LEAGUES} == set(PAGE)


@pytest.mark.parametrize("league", LEAGUES, ids=lambda path: path.stem)
def test_board_is_that_of_the_league(league: Path) -> None:
    asked, board = tomllib.loads(league.read_text(encoding="utf-8")), board_of(league)
    assert asked["name"] == league.stem
    assert board["game"] == load_game(asked["game"]).name
    assert board["blocks"] == asked["deals"]
    assert board["matches"] == asked["deals"] * len(seatings(asked["players"]))
    first, *others = board["rows"]
    assert [PAGE[league.stem][0], *PAGE[league.stem][1:]] == [
        f"{figure:.3f}" for figure in (first["score_share"], *first["score_share_interval"])
    ]
    assert len(others) == len(asked["bots"]) - 1
    assert not any(sum(row["faults"].values()) for row in board["rows"])


@pytest.mark.parametrize("league", LEAGUES, ids=lambda path: path.stem)
def test_bots_of_today_are_those_that_played(league: Path) -> None:
    """A new version of a bot asks for its leagues to be played again."""
    asked, board = tomllib.loads(league.read_text(encoding="utf-8")), board_of(league)
    rows = {row["entrant"]: row for row in board["rows"]}
    for bot in asked["bots"]:
        if not bot.startswith("docs/"):
            row = rows.pop(parse_entrant(bot).label)
            assert row["version"] == load_bot(row["bot"]).version
    assert not {row["bot"] for row in rows.values()} & SHIPPED


def test_a_league_played_again_has_the_same_digest(arena: Any, tmp_path: Path) -> None:
    league = DOCS / "strength" / f"{REPEATED}.toml"
    arena("run", league, "--executor", "inline")
    assert arena("digest", REPEATED).out.split()[0] == board_of(league)["digest"]
