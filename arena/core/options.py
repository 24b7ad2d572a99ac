"""Options of games and bots: typed fields of a frozen struct, given as `name:option=value,option=value`."""

import difflib
import math
import re
import types
import typing
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import msgspec

from arena.errors import BadOption, UsageError

S = TypeVar("S", bound=msgspec.Struct)

LONGEST_SHOWN = 60  # characters of a bad value that its error repeats
MAX_OPTIONS, MAX_NAME, MAX_TEXT = 64, 64, 1_000  # of a bot; letters of an option's name, and of a text that it is
_NAME = re.compile(r"[\w.-]+")


class NoOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of what has none."""


class FilledIn(msgspec.Struct, frozen=True):
    """A bot's options with defaults filled in: the part of its identity that is not its name and version.

    Raises:
        ValueError: a value is no single one that JSON carries the same everywhere, or there is too much of anything.
    """

    values: dict[str, Any]
    """All of them, by name: numbers, texts, true, false or none."""
    changed: tuple[str, ...] = ()
    """Names of those that differ from their defaults."""

    def __post_init__(self) -> None:
        if len(self.values) > MAX_OPTIONS:
            raise ValueError(f"{len(self.values)} options are too many; a bot has at most {MAX_OPTIONS}")
        for name, value in self.values.items():
            if not _NAME.fullmatch(name) or len(name) > MAX_NAME:
                raise ValueError(f"{_short(ascii(name))} is no option's name; give letters, up to {MAX_NAME}")
            if (reason := _not_plain(value) or _unfit(value)) is not None:
                raise ValueError(f"option {name} cannot be {_short(ascii(value))}: {reason}")
        if len(self.changed) > len(self.values) or not self.values.keys() >= set(self.changed):
            raise ValueError("options are changed that there are not")

    @property
    def shown(self) -> dict[str, Any]:
        """The options that differ from their defaults: what a label needs."""
        return {name: self.values[name] for name in self.changed}


def fill_in(options: msgspec.Struct, owner: str) -> FilledIn:
    """Returns a bot's options as a part of its identity.

    Raises:
        BadOption: they cannot be that, or would not be the same when they are made of these values again.
    """
    kind = type(options)
    try:
        values, defaults = _values(options), _values(kind())
        same = _values(msgspec.convert(values, kind))  # a default of 1 where numbers are meant is 1.0 from now on
        filled = FilledIn(same, tuple(name for name, value in same.items() if value != defaults[name]))
    except msgspec.ValidationError as error:
        reason = _plain(str(error))
        raise BadOption(f"{owner}: a default of its options is not of its type: {reason}; give another") from error
    except (TypeError, ValueError) as error:
        raise BadOption(f"{owner}: {error}") from error
    if same != values:
        raise BadOption(f"{owner}: its options, given as they are, come to others; make them stay the same")
    return filled


def _values(options: msgspec.Struct) -> dict[str, Any]:
    """Returns the values of all fields, those that a class leaves out of its JSON included."""
    fields = msgspec.structs.fields(options)
    return {field.encode_name: msgspec.to_builtins(getattr(options, field.name)) for field in fields}


def split_reference(text: str) -> tuple[str, dict[str, str]]:
    """Splits `name:option=value,option=value` into the name and its options as texts.

    Raises:
        UsageError: a part that is not `option=value`, an option given twice, or a text that nothing could store.
    """
    name, colon, rest = text.partition(":")
    # A lone surrogate is how Python reads a byte that is no UTF-8; options are stored and shown as text.
    if any("\ud800" <= character <= "\udfff" for character in rest):
        raise UsageError(f"{text!r}: the options are no valid UTF-8; write them so")
    given: dict[str, str] = {}
    if colon and not rest.strip():
        raise UsageError(f"{text!r}: nothing follows the colon; write name:option=value or leave it out")
    for part in rest.split(",") if rest else ():
        key, equals, value = part.partition("=")
        key = key.strip()
        if not equals or not key:
            raise UsageError(f"{text!r}: {part!r} is no option; write name:option=value,option=value")
        if key in given:
            raise UsageError(f"{text!r}: option {key!r} is given twice; give it once")
        given[key] = value.strip()
    return name.strip(), given


def parse_options(kind: type[S], given: Mapping[str, str], owner: str) -> S:
    """Converts texts to a typed options struct, with defaults for what was not given.

    A class variable `exclusive` of the struct lists sets of options of which one alone may be given.

    Raises:
        BadOption: an unknown option, a value out of its type or range, options that exclude each other, an option
            without a default, or a class that holds none.
    """
    if not (isinstance(kind, type) and issubclass(kind, msgspec.Struct)):
        raise BadOption(f"{owner}: Options is no subclass of msgspec.Struct; make it one, with a default for each")
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    if bare := [key for key, field in fields.items() if field.required]:
        raise BadOption(f"{owner}: option {bare[0]!r} has no default; give each option one, as in `{bare[0]}: int = 1`")
    values: dict[str, Any] = {}
    for key, text in given.items():
        if key not in fields:
            known = ", ".join(fields) or "none"
            raise BadOption(f"{owner} has no option {key!r}{_nearest_hint(key, fields)}; its options: {known}")
        values[key] = _convert(text, fields[key], owner)
    for alternatives in getattr(kind, "exclusive", ()):
        both = [name for name in alternatives if values.get(name) is not None]
        if len(both) > 1:
            raise BadOption(f"{owner}: options {' and '.join(both)} exclude each other; give one of them")
    try:
        return kind(**{fields[key].name: value for key, value in values.items()})
    except ValueError as error:  # what its __post_init__ has against them together
        raise BadOption(f"{owner}: {error}") from error


def _convert(text: str, field: msgspec.structs.FieldInfo, owner: str) -> Any:
    """Converts one text to an option's type."""
    kind, key = field.type, field.encode_name
    is_optional = _is_union(kind) and type(None) in typing.get_args(kind)
    if is_optional and text.lower() in ("none", "null"):
        return None
    try:
        value = msgspec.convert(text, kind, strict=False)
    except msgspec.ValidationError:
        problem = ""  # what is expected says it better than msgspec does, in the words of its types
    else:
        reason = _unfit(value)
        if reason is None:
            return value
        problem = f": {reason}"
    example = f", as in {key}={option_text(field.default)}" if field.default not in (None, "") else ""
    raise BadOption(f"{owner}: option {key}={_short(text)!r} cannot be used{problem}; give {describe(kind)}{example}")


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "..."


def _unfit(value: Any) -> str | None:
    """Says why a value of the right type cannot be part of an identity: JSON must carry it, everywhere the same."""
    if isinstance(value, float) and not math.isfinite(value):
        return "the number is not finite"
    if isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
        return "the number is too large"
    if isinstance(value, str) and not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            return "the text is not valid Unicode"
    return None


def _not_plain(value: Any) -> str | None:
    """Says why a value cannot be written as one option is."""
    if value is not None and not isinstance(value, bool | int | float | str):
        return "it is no number, text, true, false or none"
    if isinstance(value, str) and len(value) > MAX_TEXT:
        return f"the text has {len(value):,} letters, and {MAX_TEXT:,} fit"
    return None


def _plain(reason: str) -> str:
    return reason[:1].lower() + reason[1:].replace("`", "")


def _is_union(kind: Any) -> bool:
    return isinstance(kind, types.UnionType) or typing.get_origin(kind) is typing.Union


def describe(kind: Any) -> str:
    """Returns an option's type in words, with its bounds."""
    if typing.get_origin(kind) is typing.Annotated:
        base, *metas = typing.get_args(kind)
        words = [meta.description for meta in metas if isinstance(meta, msgspec.Meta) and meta.description]
        bounds = [words for meta in metas if isinstance(meta, msgspec.Meta) for words in _bounds(meta)]
        return " ".join([*(words or [describe(base)]), *bounds])
    if typing.get_origin(kind) is typing.Literal:
        return "one of " + ", ".join(map(str, typing.get_args(kind)))
    if _is_union(kind):
        return " or ".join(describe(part) for part in typing.get_args(kind))
    names = {int: "a whole number", float: "a number", bool: "true or false", str: "a text", type(None): "none"}
    return names.get(kind, str(kind))


def _bounds(meta: msgspec.Meta) -> Iterable[str]:
    for words, bound in (
        ("from {}", meta.ge),
        ("above {}", meta.gt),
        ("up to {}", meta.le),
        ("below {}", meta.lt),
        ("that is a multiple of {}", meta.multiple_of),
        ("no shorter than {}", meta.min_length),
        ("no longer than {}", meta.max_length),
        ("that matches {}", meta.pattern),
    ):
        if bound is not None:
            yield words.format(bound)


def _nearest_hint(word: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(word, list(known), n=1, cutoff=0.5)
    return f" (did you mean {near[0]!r}?)" if near else ""


def nearest(word: str, known: Iterable[str]) -> str:
    """Returns ` Did you mean 'x' or 'y'?`, or nothing when no known name is close."""
    folded = {name.casefold(): name for name in known}
    near = [folded[key] for key in difflib.get_close_matches(word.casefold(), list(folded), n=3, cutoff=0.5)]
    return f" Did you mean {' or '.join(map(repr, near))}?" if near else ""


def changed_options(options: msgspec.Struct) -> dict[str, Any]:
    """Returns the fields that differ from their defaults, by name."""
    defaults = type(options)()
    return {name: value for name, value in msgspec.structs.asdict(options).items() if value != getattr(defaults, name)}


def option_text(value: Any) -> str:
    """Returns an option's value as it is typed on the command line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "none" if value is None else str(value)
