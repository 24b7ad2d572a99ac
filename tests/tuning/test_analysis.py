"""An analysis finds the win that is there, from the view alone, and the command shows it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from arena.games import load_game
from arena.kernels.simulation import Simulation
from arena.search.analysis import LINE_PLIES, analyse, view_of
from arena.search.pointers import find_advice
from arena.search.searcher import SearchSettings


def connect_four(moves: str) -> Simulation:
    position = Simulation.from_deal(load_game("connect_four"), [0], 2, 0)
    for move in moves:
        position.play(int(move) - 1)
    return position


def test_the_drop_that_saves_the_match_is_preferred():
    """Seat 1 must take column 4: seat 0 has 1, 2 and 3 at the bottom."""
    position = connect_four("11223")
    found = analyse(view_of(position, 1, 5), SearchSettings(simulations=2000), 1)
    assert found.actions[0].action == "4"
    assert found.line[0] == "4"
    assert found.simulations == sum(row.visits for row in found.actions)


def test_visits_are_in_order_and_bounds_hold_the_value():
    found = analyse(view_of(connect_four("44"), 0, 2), SearchSettings(simulations=500), 1)
    visits = [row.visits for row in found.actions]
    assert visits == sorted(visits, reverse=True)
    assert all(row.interval[0] <= row.value <= row.interval[1] for row in found.actions if row.visits)
    assert 1 < len(found.line) <= LINE_PLIES


def test_what_is_proven_is_said():
    """Seat 0 wins in column 4; where it cannot be held, every reply is a proven loss."""
    won = analyse(view_of(connect_four("112233"), 0, 6), SearchSettings(simulations=2000), 1)
    assert (won.actions[0].action, won.actions[0].proven, won.actions[0].value) == ("4", "win", 1.0)
    assert won.simulations < 2000
    lost = analyse(view_of(connect_four("44553"), 1, 5), SearchSettings(simulations=20_000), 1)
    assert {row.proven for row in lost.actions} == {"loss"}


def test_an_action_that_was_never_tried_has_no_value():
    found = analyse(view_of(connect_four("44"), 0, 2), SearchSettings(simulations=1), 1)
    assert [row.value is None for row in found.actions] == [row.visits == 0 for row in found.actions]
    assert sum(row.visits for row in found.actions) == 1


def test_what_is_hidden_has_no_part_in_it():
    position = Simulation.from_deal(load_game("ninjan"), [], 3, 5)
    view = view_of(position, 0, 0)
    other = view_of(view.simulate(), 0, 0)
    settings = SearchSettings(simulations=300)
    assert analyse(view, settings, 4) == analyse(other, settings, 4)


def first_view(name: str, deal: int):
    return view_of(Simulation.from_deal(load_game(name), [], 2, deal), 0, 0)


@pytest.mark.parametrize("deal", [1, 2, 3])
def test_cards_of_others_in_a_line_are_guessed_and_own_ones_are_not(deal):
    view = first_view("ninjan", deal)
    found = analyse(view, SearchSettings(simulations=200), 1)
    own = {view.name(action) for action in view.legal}
    cards = {name: is_guessed for name, is_guessed in zip(found.line, found.guessed, strict=True) if name[0] != "@"}
    assert len(cards) >= 3, "both cards of a round, and one of the next"
    assert cards == {name: name not in own for name in cards}


@pytest.mark.parametrize("deal", [1, 2, 3])
def test_tiles_that_are_drawn_in_a_line_are_guessed_and_those_in_hand_are_not(deal):
    game = load_game("pnrz")
    tiles = game.encode_options(game.parse_options({}))
    view = view_of(Simulation.from_deal(game, tiles, 2, deal), 0, 0)
    found = analyse(view, SearchSettings.tuned_for(game, simulations=200), 1)
    own = {view.name(action) for action in view.legal}
    played = {name: is_guessed for name, is_guessed in zip(found.line, found.guessed, strict=True) if name[0] == "t"}
    assert played == {name: name not in own for name in played}


def test_dice_in_a_line_are_guessed_once_they_are_to_be_rolled():
    rolled = first_view("pvn", 1).simulate()
    while "rally" not in map(rolled.game.action_name, rolled.legal):
        rolled.play(rolled.legal[0])
    rolled.play(rolled.game.parse_action("rally"))
    found = analyse(view_of(rolled, rolled.to_move, 9), SearchSettings(simulations=500), 1)
    assert found.line[0][0] == "r" and not found.guessed[0]
    assert any(found.guessed[1:])


def test_nothing_is_guessed_where_nothing_is_hidden():
    assert not any(analyse(view_of(connect_four("44"), 0, 2), SearchSettings(simulations=500), 1).guessed)


def test_what_was_searched_with_is_part_of_it():
    settings = SearchSettings.tuned_for(load_game("ninjan"), simulations=50, exploration=9.0)
    found = analyse(first_view("ninjan", 1), settings, 1)
    assert found.settings == settings
    assert "widening" in found.tuned and "exploration" not in found.tuned


@pytest.fixture
def arena(tmp_path: Path):
    def call(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "arena", *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)

    return call


def test_the_command_reads_a_record(arena):
    assert arena("match", "ninjan", "greedy", "random", "--seed", "3", "--record", "m.jsonl").returncode == 0
    found = json.loads(arena("analyse", "m.jsonl", "--ply", "0", "--simulations", "200", "--json").stdout)
    assert found["schema"] == "arena/analysis/1"
    assert found["simulations"] == 200
    assert len(found["actions"]) == 9
    shown = arena("analyse", "m.jsonl", "--ply", "0", "--simulations", "200").stdout
    assert "expected line" in shown and "visits" in shown
    assert found["settings"]["determinizations"] == "ismcts" and found["settings"]["simulations"] == 200
    advice = {name: found["settings"][name] for name in found["tuned"]}
    assert advice == find_advice(load_game("ninjan"), "TUNED")
    assert f"settings: simulations=200, exploration={advice['exploration']}, " in shown
    assert "determinizations=ismcts" in shown and "; tuned for ninjan: exploration, " in shown
    marked = [name + "?" * is_guessed for name, is_guessed in zip(found["line"], found["guessed"], strict=True)]
    assert any(found["guessed"]) and f"expected line: {' '.join(marked)}\n? behind a ply: " in shown
    refused = arena("analyse", "m.jsonl", "--ply", "900")
    assert refused.returncode == 2
    assert refused.stderr == "arena: --ply 900: the match has plies 0 to 35\n"


def test_the_mark_of_what_is_guessed_is_explained_where_it_is_seen(arena):
    assert arena("match", "c4", "greedy", "random", "--seed", "3", "--record", "m.jsonl").returncode == 0
    assert "?" not in arena("analyse", "m.jsonl", "--ply", "0", "--simulations", "200").stdout
    assert "? behind" in arena("analyse", "--help").stdout


def test_the_tuner_as_a_command(arena):
    found = arena(
        "tune", "connect_four", "flat:simulations=1", "--option", "simulations=1|60|60", "--deals", "20", "--seed", "1",
        "--executor", "inline", "--json",
    )  # fmt: skip
    assert found.returncode == 0, found.stderr
    result = json.loads(found.stdout)
    assert result["schema"] == "arena/tuning/1"
    assert result["recommended"] == "flat:simulations=60"
    assert found.stderr.splitlines()[0] == "arena: 1 candidate against flat:simulations=1 as it is, seed 1"


def test_a_record_that_is_wrong_anywhere_is_refused(arena, tmp_path):
    assert arena("match", "ninjan", "greedy", "random", "--seed", "3", "--record", "m.jsonl").returncode == 0
    lines = (tmp_path / "m.jsonl").read_text().splitlines()
    lines[-2] = lines[-2].replace('"action":"', '"action":"Z')
    (tmp_path / "bad.jsonl").write_text("\n".join(lines) + "\n")
    refused = arena("analyse", "bad.jsonl", "--ply", "0")
    assert refused.returncode == 2
    assert f"line {len(lines) - 1}" in refused.stderr
