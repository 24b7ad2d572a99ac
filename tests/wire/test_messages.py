"""What a bot may write, and what is made of everything else."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena import load_game
from arena.hosts import wire
from arena.hosts.base import BotFault, Unusable

GAME = load_game("ninjan")


def read(data, is_child=False):
    return wire.read_message(data, is_child)


def test_reply():
    message = read(b'{"type":"act","ply":17,"action":"@3","note":{"value":0.61},"colour":"red"}')
    assert message == wire.Reply(17, "@3", {"value": 0.61})
    assert wire.action_of(message, GAME) == GAME.parse_action("@3")
    assert read(b' {"type" : "ready"}\r') == wire.Ready()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"null",
        b"[]",
        b"hello",
        b'{"type":"act"}',
        b'{"type":"act","ply":1}',
        b'{"type":"act","ply":1,"action":3}',
        b'{"type":"act","ply":"1","action":"@3"}',
        b'{"type":"act","ply":1.5,"action":"@3"}',
        b'{"type":"act","ply":1e400,"action":"@3"}',
        b'{"type":"act","ply":99999999999999999999,"action":"@3"}',
        b'{"type":"act","ply":1,"action":"@3","note":{"a":NaN}}',
        b'{"type":"act","ply":1,"action":"@3","note":{"a":"b"}}',
        b'{"type":"act","ply":1,"action":"@3","note":{"a":1e999}}',
        b'{"type":"act","ply":1,"action":"@3","note":{"a":1.7e308}}',
        b'{"type":"act","ply":1,"action":"\xff"}',
        b'{"type":"act","ply":1,"action":"\\ud800"}',
        b'{"type":"act","ply":1,"action":"@3"}{"type":"ready"}',
        b'{"type":"act","x":' + b"[" * 100_000,
        b'{"type":"quit"}',
        b'{"type":"fault","kind":"crash","detail":""}',
    ],
)
def test_anything_else_is_a_protocol_fault(data):
    with pytest.raises(BotFault) as caught:
        read(data)
    assert caught.value.kind == "protocol"
    assert caught.value.detail.isprintable()
    assert len(caught.value.detail) < 800


@pytest.mark.parametrize("action", ["@4", "", "R8 ", "\x1b[31m", "\u202e", "x" * 60_000])
def test_unknown_notation_is_illegal(action):
    with pytest.raises(BotFault) as caught:
        wire.action_of(wire.Reply(0, action), GAME)
    assert caught.value.kind == "illegal"
    assert caught.value.detail.isprintable()
    assert len(caught.value.detail) < 1000


def test_what_is_quoted_of_an_illegal_action_is_escaped_once():
    with pytest.raises(BotFault) as caught:
        wire.action_of(wire.Reply(1, "\x1b[31m\u4e2d", {}), GAME)
    assert caught.value.detail.startswith(r"'\x1b[31m\u4e2d' is no action of ninjan")


def test_child_speaks_in_ids_and_tells_faults():
    assert read(b'{"type":"act","ply":1,"action":7}', is_child=True) == wire.ChildReply(1, 7)
    note = read(b'{"type":"act","ply":1,"action":7,"note":{"value":0.5}}', is_child=True).note
    assert note == {"value": 0.5}
    assert wire.line(wire.ChildReply(1, 7)) == b'{"type":"act","ply":1,"action":7}\n', "no note costs nothing"
    for kind, charged in (("crash", "crash"), ("no_start", "no_start"), ("illegal", "illegal"), ("memory", "protocol")):
        with pytest.raises(BotFault) as caught:
            read(b'{"type":"fault","kind":"%b","detail":"why"}' % kind.encode(), is_child=True)
        assert caught.value.kind == charged
    for kind in (b"crash", b"unusable"):  # whoever has the line to the engine may be the bot itself
        with pytest.raises(BotFault) as caught:
            read(b'{"type":"fault","kind":"%b","detail":"%b"}' % (kind, b"x" * 60_000), is_child=True)
        assert len(caught.value.detail) == wire.MAX_DETAIL
    with pytest.raises(Unusable, match="why") as caught:
        read(b'{"type":"fault","kind":"unusable","detail":"why"}', is_child=True)
    assert caught.value.kind == "no_start"


@pytest.mark.parametrize("is_child", [False, True])
def test_notes_have_bounds(is_child):
    def note(numbers):
        action = 7 if is_child else "@3"
        return read(msgspec.json.encode({"type": "act", "ply": 1, "action": action, "note": numbers}), is_child).note

    largest = {f"{number:064}": 1.0 for number in range(32)}
    assert note(largest) == largest
    for wrong in ({**largest, "more": 1.0}, {"n" * 65: 1.0}, {"a": None}, {"a": "1"}, [1.0]):
        with pytest.raises(BotFault, match="is no message") as caught:
            note(wrong)
        assert caught.value.kind == "protocol"


@given(st.binary(max_size=200), st.booleans())
def test_no_bytes_raise_anything_else(data, is_child):
    try:
        read(data, is_child)
    except BotFault as fault:
        assert fault.kind == "protocol"


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)
    )
)
def test_no_json_raises_anything_else(value):
    import json

    data = json.dumps({"type": "act", "ply": value, "action": value, "note": value}).encode()
    with pytest.raises(BotFault):
        read(data)


def test_shown_text_is_short_and_plain():
    assert wire.shown(b"\x1b[31m\xff" * 1000).isprintable()
    assert len(wire.shown(b"\xff" * 10_000)) < 1000
