"""Notation, the typed view and the record's words."""

import msgspec
import pytest

from arena.core.view import BotRandom
from arena.errors import IllegalAction
from arena.games.pirates_vs_ninjas.game import ATTACK_NAMES, FACES, GAME
from arena.games.pirates_vs_ninjas.layout import FIRST_PICK, NUM_ACTIONS


def test_every_id_has_one_name_and_back():
    names = [GAME.action_name(action) for action in range(NUM_ACTIONS)]
    assert len(set(names)) == NUM_ACTIONS
    assert [GAME.parse_action(name) for name in names] == list(range(NUM_ACTIONS))
    assert len(names) - FIRST_PICK == 3289


def test_names_are_those_of_the_rules_page():
    strikes = {f"a{rank}x{target}" for rank in range(1, 5) for target in range(1, rank + 1)}
    volleys = {"v1x2", "v2x3", "v3x4", "v4x5"}
    assert set(ATTACK_NAMES) == strikes | volleys | {"captain", "master", "rogers", "shrine"}
    assert GAME.action_name(GAME.parse_action("r200010")) == "r200010"


@pytest.mark.parametrize(
    "text", ["a4x5", "a1x2", "v1x1", "v5x6", "r000020", "r900001", "r00000", "R100000", "r٣00000", "rally ", "Rally"]
)
def test_what_is_no_action_is_refused(text):
    with pytest.raises(IllegalAction):
        GAME.parse_action(text)


def test_rules_page_names_all_faces():
    text = GAME.rules_text()
    assert all(face in text for faces in FACES for face in faces)


def test_view_shows_everything_that_is_public(battle):
    position = battle(pirates=[1, 1, 5], ninjas=[2, 6], cups=(1, 3), idle=2, credits=(3, 4), owes_rally=True)
    simulation = position.simulation
    view = GAME.view_type(GAME, simulation.observed(0), 2, 0, 0, simulation.legal, [], BotRandom(1))
    fields = msgspec.to_builtins(view.fields())
    assert fields == {
        "stage": "what",
        "zones": [[2, 0, 0, 0, 1, 0], [0, 1, 0, 0, 0, 1]],
        "cups": [1, 3],
        "destroyed": [[0] * 6, [0] * 6],
        "credits": [3, 4],
        "idle_turns": 2,
        "owes_rally": True,
        "rolled": [[0] * 9, [0] * 9],
    }


def test_setup_is_that_of_the_record_format(dealt):
    setup = GAME.setup(dealt(7).words)
    assert sorted(setup) == ["first", "rolled"]
    assert [len(faces) for faces in setup["rolled"]] == [9, 9]
    assert all(1 <= face <= 6 for faces in setup["rolled"] for face in faces)
    assert setup["first"] in (0, 1)


def test_chance_is_that_of_the_record_format(battle):
    position = battle(pirates=[5], ninjas=[1, 2], cups=(0, 1))
    before, luck = position.words, position.simulation.luck_words()
    position.play("captain")
    chance = GAME.chance(before, luck, GAME.parse_action("captain"), position.words)
    assert list(chance) == ["rolled"]
    [[seat, faces]] = chance["rolled"]
    assert seat == 1
    assert len(faces) == 3
    msgspec.json.encode(chance)
