"""Identities: equal contents, equal ids; any other content, another id; positions and paths have no part in them."""

from itertools import combinations

import msgspec
import pytest

from arena.core.spec import Conditions, Entrant, GameRef, Limits, MatchSpec, content_hash, unique_labels

GAME = GameRef("ninjan", "1", {"opening": 2})
CONDITIONS = Conditions(GAME, 2, Limits(), 77)
ENTRANTS = (Entrant("greedy", "1", {"determinizations": 8}), Entrant("random", "1"))
SPEC = MatchSpec(CONDITIONS, 12345, 0, ENTRANTS)


def replace(value, **changes):
    return msgspec.structs.replace(value, **changes)


def with_game(**changes):
    return replace(SPEC, conditions=replace(CONDITIONS, game=replace(GAME, **changes)))


def with_limits(**changes):
    return replace(SPEC, conditions=replace(CONDITIONS, limits=Limits(**changes)))


def with_first(**changes):
    return replace(SPEC, lineup=(replace(ENTRANTS[0], **changes), ENTRANTS[1]))


CHANGED = {
    "nothing": SPEC,
    "game": with_game(name="connect_four"),
    "game version": with_game(version="2"),
    "game option": with_game(options={"opening": 3}),
    "game option's type": with_game(options={"opening": "2"}),
    "game option's name": with_game(options={"openings": 2}),
    "no game option": with_game(options={}),
    "start_s": with_limits(start_s=1.0),
    "move_s": with_limits(move_s=1.0),
    "bank_s": with_limits(bank_s=1.0),
    "memory_mb": with_limits(memory_mb=1),
    "deal": replace(SPEC, deal=12346),
    "deal of 64 bits": replace(SPEC, deal=12345 + 2**63),
    "seats": replace(SPEC, lineup=ENTRANTS[::-1]),
    "third seat": replace(SPEC, lineup=(*ENTRANTS, replace(ENTRANTS[1], copy=2))),
    "bot": with_first(bot="mcts"),
    "bot's case": with_first(bot="Greedy"),
    "bot version": with_first(version="2"),
    "bot option": with_first(options={"determinizations": 9}),
    "bot option's type": with_first(options={"determinizations": 8.0}),
    "copy": with_first(copy=2),
}


def test_every_content_has_a_part_in_the_id():
    ids = {name: spec.id for name, spec in CHANGED.items()}
    for first, second in combinations(ids, 2):
        assert ids[first] != ids[second], (first, second)
    assert all(len(text) == 32 and set(text) <= set("0123456789abcdef") for text in ids.values())


@pytest.mark.parametrize(
    "spec",
    [
        replace(SPEC, deal_number=9),
        replace(SPEC, conditions=replace(CONDITIONS, run_seed=78)),
        with_first(shown={"determinizations": 8}),
        replace(SPEC, lineup=tuple(replace(entrant) for entrant in ENTRANTS)),
        msgspec.json.decode(msgspec.json.encode(SPEC), type=MatchSpec),
    ],
    ids=["deal number", "run seed", "what a label shows", "other objects", "through JSON"],
)
def test_nothing_else_has(spec):
    """The deal says all of the luck, so neither its number nor the run that it came from does."""
    assert spec.id == SPEC.id


def test_order_of_options_has_none():
    options = {"a": 1, "b": 2.5, "c": None}
    turned = dict(reversed(options.items()))
    assert Entrant("x", "1", options).key == Entrant("x", "1", turned).key
    assert with_game(options=options).id == with_game(options=turned).id


def test_id_of_a_stored_match_stays_for_ever():
    """Written down once: a later version that reads old databases must give this id."""
    assert SPEC.id == "e65d95e50cbc48baa18fb341c37921a7"
    assert ENTRANTS[0].key.hex() == "c8e2551c67bd2d8eab563527609baa88"


def test_conditions_of_two_runs_differ_by_their_seed():
    assert replace(CONDITIONS, run_seed=2**127).key != CONDITIONS.key
    assert replace(CONDITIONS, players=3).key != CONDITIONS.key
    assert replace(CONDITIONS, run_seed=77).key == CONDITIONS.key


@pytest.mark.parametrize(
    ("entrant", "label"),
    [
        (Entrant("random", "1"), "random"),
        (Entrant("random", "1", copy=2), "random#2"),
        (Entrant("mcts", "3", {"s": 5, "t": 1}, {"s": 5}), "mcts:s=5"),
        (Entrant("mcts", "3", {}, {"t": None, "s": True, "e": 0.5}, 3), "mcts#3:e=0.5,s=true,t=none"),
        (Entrant("忍者", "1"), "忍者"),
    ],
)
def test_label_is_what_is_typed(entrant, label):
    assert entrant.label == label


def test_labels_tell_all_entrants_apart():
    """Where there are two versions, all say which: `rook:a=3` alone would be read as the newest.

    A hostile bot may say that nothing differs from its defaults, or write one option so that it reads as two.
    """
    version, other = "3f2a91c0" * 4, "0" * 32
    one, two = Entrant("bishop", version, {"a": 1, "b": 2}), Entrant("bishop", version, {"a": "1,b=2"})
    expected = [
        (Entrant("random", "1"), "random"),
        (Entrant("rook", other, copy=2), "rook@00000000#2"),
        (Entrant("rook", other), "rook@00000000"),
        (Entrant("rook", version), "rook@3f2a91c0"),
        (Entrant("rook", version, {"a": 1, "b": 2}), "rook@3f2a91c0:a=1,b=2"),
        (Entrant("rook", version, {"a": 3, "b": 2}, {"a": 3}), "rook@3f2a91c0:a=3"),
        (Entrant("pawn", version, {"a": 3, "b": 2}, {"a": 3}), "pawn:a=3"),
        (one, f"bishop@3f2a91c0:a=1,b=2 ({one.key.hex()})"),
        (two, f"bishop@3f2a91c0:a=1,b=2 ({two.key.hex()})"),
    ]
    assert unique_labels(entrant for entrant, _ in expected) == {entrant.key: label for entrant, label in expected}


def test_values_are_frozen():
    for value, name in ((SPEC, "deal"), (CONDITIONS, "players"), (ENTRANTS[0], "bot"), (Limits(), "move_s")):
        with pytest.raises(AttributeError):
            setattr(value, name, 1)


@pytest.mark.parametrize(
    ("first", "second"), [([1, 2], [12]), (["a", "b"], ["ab"]), ([1], ["1"]), ([None], ["null"]), ({"a": 1}, ["a", 1])]
)
def test_contents_are_not_confusable(first, second):
    assert content_hash(first) != content_hash(second)
