"""Options as typed: every kind of value, and every kind of error in one clear line."""

import enum
from typing import Annotated, ClassVar, Literal

import msgspec
import pytest

from arena.core.options import (
    FilledIn,
    NoOptions,
    changed_options,
    describe,
    fill_in,
    nearest,
    option_text,
    parse_options,
    split_reference,
)
from arena.errors import BadOption, UsageError


class Style(enum.Enum):
    CALM = "calm"
    WILD = "wild"


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    simulations: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 10
    exploration: Annotated[float, msgspec.Meta(gt=0, lt=5)] = 1.4
    speed: float = 1.0
    is_brave: bool = False
    style: Literal["calm", "wild"] = "calm"
    depth: int | None = None
    width: Annotated[int, msgspec.Meta(ge=1)] | None = 3
    label: str = ""
    offset: int = 0


def parse(**given):
    return parse_options(Options, given, owner="bot test")


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("simulations", "1", 1),
        ("simulations", "1000", 1000),
        ("exploration", "0.3", 0.3),
        ("exploration", "1e-3", 0.001),
        ("exploration", "2", 2.0),
        ("is_brave", "true", True),
        ("is_brave", "False", False),
        ("style", "wild", "wild"),
        ("depth", "7", 7),
        ("depth", "none", None),
        ("depth", "NULL", None),
        ("width", "none", None),
        ("width", "2", 2),
        ("label", "", ""),
        ("label", "none", "none"),
        ("label", "Ŵyrm ♠ עברית", "Ŵyrm ♠ עברית"),
        ("offset", "-3", -3),
        ("offset", "9223372036854775807", 2**63 - 1),
    ],
)
def test_value_is_typed(name, text, value):
    found = getattr(parse(**{name: text}), name)
    assert found == value
    assert type(found) is type(value)


def test_defaults_where_nothing_is_given():
    assert parse() == Options()


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        (
            "simulations",
            "0",
            "simulations='0' cannot be used; give a whole number from 1 up to 1000, as in simulations=10",
        ),
        ("simulations", "1001", "give a whole number from 1 up to 1000"),
        ("simulations", "many", "give a whole number from 1 up to 1000"),
        ("simulations", "1.5", "give a whole number"),
        ("simulations", "", "give a whole number"),
        ("simulations", "１", "give a whole number"),
        ("simulations", "0x10", "give a whole number"),
        ("exploration", "0", "give a number above 0 below 5"),
        ("exploration", "nan", "give a number above 0"),
        ("speed", "nan", "the number is not finite; give a number"),
        ("speed", "-inf", "the number is not finite; give a number"),
        ("speed", "1e999", "give a number"),
        ("is_brave", "perhaps", "give true or false, as in is_brave=false"),
        ("style", "shy", "style='shy' cannot be used; give one of calm, wild, as in style=calm"),
        ("depth", "deep", "give a whole number or none"),
        ("width", "0", "give a whole number from 1 or none"),
        ("offset", "9223372036854775808", "the number is too large"),
        ("offset", "-9223372036854775809", "the number is too large"),
        ("offset", "9" * 5000, "'" + "9" * 60 + "...' cannot be used"),
        ("label", "\udc80", "the text is not valid Unicode; give a text"),
    ],
)
def test_bad_value_is_told_with_what_was_expected(name, text, words):
    with pytest.raises(BadOption) as caught:
        parse(**{name: text})
    message = str(caught.value)
    assert message.startswith(f"bot test: option {name}=")
    assert words in message
    for word in (" int", " str", "float", "bool", "null", "enum", "`"):
        assert word not in message, "a word of the library that checks, not of people"
    assert "\n" not in message
    assert len(message) < 250
    assert caught.value.exit_code == 2


def test_unknown_option_names_the_nearest_and_all():
    with pytest.raises(BadOption) as caught:
        parse(simulation="5")
    expected = "bot test has no option 'simulation' (did you mean 'simulations'?); its options: simulations, "
    assert str(caught.value).startswith(expected)


def test_option_of_what_has_none():
    with pytest.raises(BadOption, match="game go has no option 'size'; its options: none"):
        parse_options(NoOptions, {"size": "9"}, owner="game go")


@pytest.mark.parametrize(
    ("text", "name", "options"),
    [
        ("mcts", "mcts", {}),
        ("mcts:simulations=500", "mcts", {"simulations": "500"}),
        ("mcts:a=1,b=2", "mcts", {"a": "1", "b": "2"}),
        (" mcts : a = 1 , b = x y ", "mcts", {"a": "1", "b": "x y"}),
        ("mcts:a=", "mcts", {"a": ""}),
        ("mcts:a=b=c", "mcts", {"a": "b=c"}),
        ("mcts:file=C:/x.csv", "mcts", {"file": "C:/x.csv"}),
        ("", "", {}),
    ],
)
def test_reference_is_split(text, name, options):
    assert split_reference(text) == (name, options)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("mcts:", "nothing follows the colon"),
        ("mcts:  ", "nothing follows the colon"),
        ("mcts:fast", "'fast' is no option; write name:option=value"),
        ("mcts:a=1,", "'' is no option"),
        ("mcts:=1", "'=1' is no option"),
        ("mcts:a=1,a=2", "option 'a' is given twice"),
    ],
)
def test_reference_that_cannot_be_split(text, words):
    with pytest.raises(UsageError) as caught:
        split_reference(text)
    assert words in str(caught.value)
    assert repr(text) in str(caught.value)


def test_changed_options_are_those_that_differ():
    assert changed_options(Options()) == {}
    assert changed_options(Options(simulations=11, depth=None, style="calm")) == {"simulations": 11}


def test_options_are_filled_in_as_plain_values():
    class LeavesOut(msgspec.Struct, frozen=True, omit_defaults=True, rename="kebab"):
        depth: int | None = None
        is_brave: bool = False
        style: Style = Style.CALM
        speed: float = 1

    plain = fill_in(LeavesOut(), "bot")
    assert plain == FilledIn({"depth": None, "is-brave": False, "style": "calm", "speed": 1.0})
    assert repr(plain.values["speed"]) == "1.0", "a number is one, however its default is written"
    filled = fill_in(parse_options(LeavesOut, {"is-brave": "TRUE", "style": "wild", "speed": "1.0"}, "bot"), "bot")
    assert filled == FilledIn({"depth": None, "is-brave": True, "style": "wild", "speed": 1.0}, ("is-brave", "style"))
    assert filled.shown == {"is-brave": True, "style": "wild"}


@pytest.mark.parametrize(
    ("kind", "default", "words"),
    [
        (tuple, (1, 2), "option here cannot be (1, 2): it is no number, text, true, false or none"),
        (float, float("nan"), "option here cannot be nan: the number is not finite"),
        (int, 2**63, "option here cannot be 9223372036854775808: the number is too large"),
        (str, "x" * 1001, "'" + "x" * 59 + "...: the text has 1,001 letters, and 1,000 fit"),
        (str, "\udc80", "option here cannot be '\\udc80': the text is not valid Unicode"),
        (
            int,
            "nowhere",
            "a default of its options is not of its type: expected int, got str - at $.here; give another",
        ),
        (object, len, "Encoding objects of type builtin_function_or_method is unsupported"),
    ],
)
def test_default_that_cannot_be_part_of_an_identity(kind, default, words):
    with pytest.raises(BadOption) as caught:
        fill_in(msgspec.defstruct("Unfit", [("here", kind, default)])(), "bot test")
    assert str(caught.value).startswith("bot test: ") and words in str(caught.value)


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ([f"o{number}" for number in range(65)], "65 options are too many; a bot has at most 64"),
        (["x" * 65], "is no option's name; give letters, up to 64"),
    ],
)
def test_options_beyond_all_measure(names, words):
    with pytest.raises(BadOption) as caught:
        fill_in(msgspec.defstruct("Large", [(name, int, 0) for name in names])(), "bot test")
    assert words in str(caught.value)


class Growing(msgspec.Struct):
    size: int = 0

    def __post_init__(self) -> None:
        self.size += 1


def test_options_that_come_to_others_each_time_are_no_identity():
    with pytest.raises(BadOption, match="given as they are, come to others"):
        fill_in(Growing(), "bot")


def test_options_of_another_kind_of_class():
    with pytest.raises(BadOption, match=r"bot: Options is no subclass of msgspec\.Struct"):
        parse_options(dict, {}, "bot")


@pytest.mark.parametrize("value", [True, False, None, 0, -7, 1.5, 1e-9, "text"])
def test_option_text_leads_back(value):
    name = {bool: "is_brave", type(None): "depth", int: "offset", float: "speed", str: "label"}[type(value)]
    assert getattr(parse(**{name: option_text(value)}), name) == value


def test_describe():
    described = {field.name: describe(field.type) for field in msgspec.structs.fields(Options)}
    assert described["simulations"] == "a whole number from 1 up to 1000"
    assert described["exploration"] == "a number above 0 below 5"
    assert described["style"] == "one of calm, wild"
    assert described["depth"] == "a whole number or none"
    assert described["label"] == "a text"


def test_every_bound_is_described():
    assert describe(Annotated[int, msgspec.Meta(multiple_of=5)]) == "a whole number that is a multiple of 5"
    bounded = Annotated[str, msgspec.Meta(min_length=1, max_length=3, pattern="^[a-z]+$")]
    assert describe(bounded) == "a text no shorter than 1 no longer than 3 that matches ^[a-z]+$"


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("greddy", " Did you mean 'Greedy'?"),
        ("GREEDY", " Did you mean 'Greedy'?"),
        ("zzz", ""),
        ("", ""),
    ],
)
def test_nearest(word, hint):
    assert nearest(word, ["Greedy", "random"]) == hint


class Alternatives(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    exclusive: ClassVar[tuple[tuple[str, ...], ...]] = (("simulations", "time_s"),)

    simulations: int = 1000
    time_s: float | None = None


def test_options_that_exclude_each_other_are_refused():
    with pytest.raises(BadOption, match="mcts: options simulations and time_s exclude each other; give one of them"):
        parse_options(Alternatives, {"simulations": "1000", "time_s": "0.1"}, "mcts")
    assert parse_options(Alternatives, {"time_s": "0.1"}, "mcts").time_s == 0.1
    assert parse_options(Alternatives, {"simulations": "5", "time_s": "none"}, "mcts").simulations == 5


class Together(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    low: int = 0
    high: int = 9

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError("low must not be above high")


def test_what_an_options_class_has_against_its_values_is_said():
    with pytest.raises(BadOption, match=r"^bot: low must not be above high$"):
        parse_options(Together, {"low": "5", "high": "4"}, "bot")
