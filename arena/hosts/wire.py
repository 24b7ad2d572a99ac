"""The messages of the line protocol (formats.md 2): one JSON object a line, in both directions.

Between the engine and its own child program, views travel in a short form: the masked vector and ids, without the
named fields and notations, which the child makes for itself. Programs in other languages never see it.
"""

from collections.abc import Callable, Sequence
from typing import Annotated, Any

import msgspec

from arena.core.bot import Result
from arena.core.game import Action, Game
from arena.core.notes import LARGEST, MAX_NOTE_NAME, MAX_NOTES
from arena.core.options import FilledIn
from arena.core.spec import Limits
from arena.core.view import View
from arena.errors import IllegalAction
from arena.hosts.base import BotFault, Unusable

PROTOCOL = 1
MAX_LINE = 64 * 1024
"""Bytes of one message from a bot."""
MAX_MOVE_OUTPUT = 1024 * 1024
"""Bytes on standard output for one answer, what is dropped included."""
MAX_OUTPUT = 16 * 1024 * 1024
"""Bytes on standard output in one match."""

Number = Annotated[int, msgspec.Meta(ge=-(2**31), lt=2**31)]  # of a ply or an action; longer ones are no numbers here
NoteName = Annotated[str, msgspec.Meta(max_length=MAX_NOTE_NAME)]
NoteNumber = Annotated[float, msgspec.Meta(ge=-LARGEST, le=LARGEST)]
Note = Annotated[dict[NoteName, NoteNumber], msgspec.Meta(max_length=MAX_NOTES)]


class Hello(msgspec.Struct, frozen=True, tag_field="type", tag="hello"):
    """The first message to a bot."""

    protocol: int
    game: str
    limits: Limits


class ChildHello(msgspec.Struct, frozen=True, tag_field="type", tag="hello"):
    """The first message to our own child program."""

    protocol: int
    game: str
    limits: Limits
    bot: str
    """The bot's name, for what is said about its options."""
    options: dict[str, Any]
    """The bot's options: all of them, with defaults filled in, or as they were written where it never said."""


class ChildTrial(msgspec.Struct, frozen=True, tag_field="type", tag="trial"):
    """In place of hello, to our own child program: the bot is to be made once, for no match."""

    bot: str
    """The bot's name, for what is said about its options."""
    options: dict[str, str]
    """The bot's options as they were written."""


class Start(msgspec.Struct, frozen=True, tag_field="type", tag="start"):
    """A match begins; no answer."""

    match: str
    players: int
    seat: int
    seed: int


class Act(msgspec.Struct, frozen=True, tag_field="type", tag="act"):
    """A request for an action."""

    match: str
    ply: int
    view: dict[str, Any]
    legal: list[str]
    bank_s: float | None


class ShortView(msgspec.Struct, frozen=True):
    """What our own child program rebuilds a view from."""

    state: bytes
    """The masked vector; base64 on the line."""
    moves: Sequence[tuple[int, Action]]
    """Seat and action id of each."""


class ChildAct(msgspec.Struct, frozen=True, tag_field="type", tag="act"):
    """A request for an action to our own child program."""

    match: str
    ply: int
    view: ShortView
    legal: tuple[Action, ...]
    bank_s: float | None


class End(msgspec.Struct, frozen=True, tag_field="type", tag="end"):
    """The match is over; no answer."""

    match: str
    result: Result


class Quit(msgspec.Struct, frozen=True, tag_field="type", tag="quit"):
    """The program is to exit."""


class Ready(msgspec.Struct, frozen=True, tag_field="type", tag="ready"):
    """A bot is ready. Our own child program says so after the bot's `start` has returned."""


class Reply(msgspec.Struct, frozen=True, tag_field="type", tag="act"):
    """A bot's action."""

    ply: Number
    action: str
    note: Note = {}
    """Numbers that the bot wants to see averaged."""


class ChildReply(msgspec.Struct, frozen=True, tag_field="type", tag="act", omit_defaults=True):
    """The action of a Python bot, from our own child program."""

    ply: Number
    action: Number
    note: Note = {}


class ChildFault(msgspec.Struct, frozen=True, tag_field="type", tag="fault"):
    """What a Python bot did wrong, from our own child program, which exits then."""

    kind: str
    """One of CHILD_FAULTS, or UNUSABLE."""
    detail: str


class ChildOptions(FilledIn, frozen=True, tag_field="type", tag="options"):
    """The options of a Python bot that was tried out, from our own child program."""


ToChild = ChildHello | ChildTrial | Start | ChildAct | End | Quit
encode = msgspec.json.Encoder().encode
decode_to_child = msgspec.json.Decoder(ToChild).decode
_decode_from_program = msgspec.json.Decoder(Ready | Reply).decode
_decode_from_child = msgspec.json.Decoder(Ready | ChildReply | ChildFault).decode
_decode_from_trial = msgspec.json.Decoder(ChildOptions | ChildFault).decode
CHILD_FAULTS = ("no_start", "crash", "illegal")
UNUSABLE = "unusable"
MAX_DETAIL = 500


def line(message: msgspec.Struct) -> bytes:
    """Returns a message as it is sent."""
    return encode(message) + b"\n"


def act_line(match: str, view: View, is_short: bool) -> bytes:
    """Returns the request for an action.

    Args:
        match: the match's id.
        view: what the bot may know.
        is_short: whether it goes to our own child program.
    """
    bank_s = view.clock.bank_s
    if is_short:
        return encode(ChildAct(match, view.ply, ShortView(view.state, view.moves), view.legal, bank_s)) + b"\n"
    names = [view.name(action) for action in view.legal]
    return encode(Act(match, view.ply, view.message(), names, bank_s)) + b"\n"


def shown(data: bytes) -> str:
    """Returns the beginning of what a bot wrote, safe to print."""
    text = data[:120].decode("utf-8", "replace")
    return ascii(text) if len(data) <= 120 else f"{text!a}..."


def read_message(data: bytes, is_child: bool) -> Ready | Reply | ChildReply:
    """Decodes one line from a bot.

    Raises:
        BotFault: it is no message of the protocol; or our own child program says what its bot did wrong.
    """
    message: Ready | Reply | ChildReply = _read(_decode_from_child if is_child else _decode_from_program, data)
    return message


def read_options(data: bytes) -> FilledIn:
    """Decodes what our own child program says of the options of a bot that was tried out.

    Raises:
        BotFault: it says no such thing, and so the bot spoke in its place; or what its bot did wrong.
    """
    found: ChildOptions = _read(_decode_from_trial, data)
    return FilledIn(found.values, found.changed)


def _read(decode: Callable[[bytes], Any], data: bytes) -> Any:
    """Decodes a line, and raises what a ChildFault says."""
    try:
        message = decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError) as error:
        raise BotFault("protocol", f"{shown(data)} is no message: {str(error)[:200] or type(error).__name__}") from None
    if isinstance(message, ChildFault):
        detail = message.detail[:MAX_DETAIL]
        if message.kind == UNUSABLE:
            raise Unusable(detail)
        raise BotFault(message.kind if message.kind in CHILD_FAULTS else "protocol", detail)
    return message


def action_of(message: Reply | ChildReply, game: Game) -> Action:
    """Returns the action id of a reply, not yet known to be legal.

    Raises:
        BotFault: it is no action of the game.
    """
    if isinstance(message, ChildReply):
        return message.action
    try:
        return game.parse_action(message.action)
    except IllegalAction as error:
        # What it quotes of the bot's has no control characters left; other letters are written as escapes.
        raise BotFault("illegal", str(error).encode("ascii", "backslashreplace").decode()) from None


def schema(view_type: type[View]) -> dict[str, Any]:
    """Returns one JSON Schema of all messages of the protocol, for one game's views.

    `$defs/to_bot` and `$defs/from_bot` are the two directions; the view is one of the definitions, too.

    Args:
        view_type: the game's typed view.
    """
    view, about = view_type.message_type(), {"__doc__": Act.__doc__}
    act = msgspec.defstruct("Act", [("view", view)], bases=(Act,), namespace=about, tag="act", kw_only=True)
    (to_bot, from_bot), defs = msgspec.json.schema_components(
        [Hello | Start | act | End | Quit, Ready | Reply], ref_template="#/$defs/{name}"
    )
    either = [{"$ref": "#/$defs/to_bot"}, {"$ref": "#/$defs/from_bot"}]
    return {"anyOf": either, "$defs": {"to_bot": to_bot, "from_bot": from_bot, **defs}}
