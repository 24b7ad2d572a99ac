"""What the line protocol sends of a view, for every registered game: golden, typed, and the same as the properties."""

import json
import random

import msgspec
import pytest

from arena.core.view import BotRandom, View
from arena.games.conformance import Subject
from arena.kernels.simulation import Simulation

SHOWN_PLIES = (0, 1, 5, 14)


def views_of(game, num_seats, seed, plies):
    """Yields the views of all seats at some plies of a random match, as (ply, seat, view)."""
    subject = Subject(game, num_seats, seed)
    for simulation, history in subject.positions():
        if len(history) in plies or simulation.is_over:
            for seat in range(num_seats):
                legal = simulation.legal if seat == simulation.to_move else ()
                yield len(history), seat, subject.view(simulation, seat, legal, list(history))


def test_messages_are_golden(game, golden):
    """The last seat's, at the fewest seats: readable, to be checked by eye against the rules page."""
    num_seats = game.seats[0]
    blocks = [f"{game.name} version {game.version}"]
    for ply, seat, view in views_of(game, num_seats, 1, SHOWN_PLIES):
        if seat == num_seats - 1:
            blocks.append(f"ply {ply}, seat {seat}")
            blocks += [f"  {key}: {json.dumps(value, ensure_ascii=False)}" for key, value in view.message().items()]
    golden.check(f"messages/{game.name}.txt", "\n".join([*blocks, ""]))


def test_message_is_typed_json(game, num_seats):
    """It comes back from JSON as the named fields, and its `state` as the view."""
    for _, seat, view in views_of(game, num_seats, 2, range(0, 200, 3)):
        message = msgspec.json.decode(msgspec.json.encode(view.message()))
        fields = msgspec.convert({name: message[name] for name in view.Fields.__struct_fields__}, view.Fields)
        assert fields == view.fields()
        state = msgspec.convert(message["state"], bytes)
        assert state == view.state
        again = game.view_type(game, state, num_seats, seat, view.ply, view.legal, view.moves, BotRandom(1))
        assert again.message() == view.message()
        moves = [(move["seat"], game.parse_action(move["action"])) for move in message["moves"]]
        assert moves == list(view.moves)


def test_fields_are_documented_properties(game):
    kind = game.view_type
    assert issubclass(kind, View)
    for name in kind.Fields.__struct_fields__:
        described = getattr(kind, name)
        assert isinstance(described, property), f"{kind.__name__}.{name}"
        assert described.fget.__doc__, f"{kind.__name__}.{name}"


def test_schema_describes_every_field(game):
    """What `arena games schema` prints is valid for the messages; its types are those of the fields."""
    schema = msgspec.json.schema(game.view_type.Fields)
    (body,) = [part for part in schema["$defs"].values() if part["title"] == game.view_type.Fields.__name__]
    assert set(body["properties"]) == set(game.view_type.Fields.__struct_fields__)


def test_no_seed_is_in_a_view(game, num_seats):
    """Neither the deal's seed nor a stream of luck stands in the vector, as a word or as bytes at any place."""
    deal = 0xC0FFEE_0123_4567_89
    position = Simulation.from_deal(game, game.encode_options(game.parse_options({})), num_seats, deal)
    rng = random.Random(5)
    while True:
        secrets = [word.to_bytes(8, order) for word in (deal, *position.luck_words()) for order in ("little", "big")]
        for seat in range(num_seats):
            assert not any(secret in position.observed(seat) for secret in secrets)
        if position.is_over:
            break
        position.play(rng.choice(position.legal))


@pytest.mark.parametrize("attribute", ["state", "words"])
def test_vector_cannot_be_written(game, attribute):
    _, _, view = next(views_of(game, game.seats[0], 3, (0,)))
    with pytest.raises(TypeError):
        getattr(view, attribute)[0] = 1
