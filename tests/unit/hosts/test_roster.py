"""Bots by name: found, loaded from their place, told apart ignoring case and Unicode form, with typed options."""

import json
import random
import textwrap

import pytest

from arena.core.bot import Bot
from arena.errors import BadOption, UnknownName, UsageError
from arena.hosts import roster
from arena.hosts.base import BotFault
from arena.hosts.roster import fold, list_bots, load_bot, load_file, make_bot, parse_entrant

GOOD = """
from arena import Bot
class Mine(Bot):
    def act(self, view):
        return view.legal[0]
"""


def test_shipped_bots_are_listed_and_load():
    names = [listing.name for listing in list_bots()]
    assert names == sorted(names)
    assert {"random", "greedy"} <= set(names)
    for name in names:
        assert issubclass(load_bot(name), Bot)


@pytest.mark.parametrize("text", ["random", "RANDOM", "Random", "ｒandom"])
def test_names_are_one_ignoring_case_and_form(text):
    entrant = parse_entrant(text)
    assert (entrant.bot, entrant.key) == ("random", parse_entrant("random").key)


@pytest.mark.parametrize(
    ("text", "label", "copy"),
    [
        ("greedy", "greedy", 1),
        ("greedy#2", "greedy#2", 2),
        ("greedy#1", "greedy", 1),
        ("greedy@1", "greedy", 1),
        ("greedy:determinizations=4", "greedy:determinizations=4", 1),
        ("greedy@1#3:determinizations=4", "greedy#3:determinizations=4", 3),
    ],
)
def test_entrant_as_typed(text, label, copy):
    version = load_bot("greedy").version
    entrant = parse_entrant(text.replace("@1", f"@{version}"))
    assert (entrant.label, entrant.copy, entrant.version) == (label, copy, version)
    assert parse_entrant(entrant.label).key == entrant.key


def test_default_given_in_words_is_the_default():
    """An identity has all options filled in; a label shows those that differ."""
    default = parse_entrant("greedy").options["determinizations"]
    given = parse_entrant(f"greedy:determinizations={default}")
    assert given.key == parse_entrant("greedy").key
    assert given.label == "greedy"


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("greddy", UnknownName, "there is no bot 'greddy'. Did you mean 'greedy'? Bots: "),
        ("qqqq", UnknownName, "there is no bot 'qqqq'. Bots: "),
        ("greedy@99", UnknownName, "the bot here is version"),
        ("greedy@", UnknownName, "the bot here is version"),
        ("greedy#0", UsageError, "a copy is a number from 1, as in greedy#2"),
        ("greedy#two", UsageError, "a copy is a number from 1"),
        ("greedy#", UsageError, "a copy is a number from 1"),
        ("greedy#²", UsageError, "a copy is a number from 1"),
        ("", UsageError, "'' names no bot"),
        (":a=1", UsageError, "names no bot"),
        ("#2", UsageError, "names no bot"),
        ("greedy:", UsageError, "nothing follows the colon"),
        ("greedy:fast", UsageError, "'fast' is no option"),
        ("greedy:depth=2", BadOption, "bot greedy has no option 'depth'"),
        ("greedy:determinizations=none", BadOption, "give a whole number from 1"),
        ("greedy:determinizations=1,determinizations=2", UsageError, "given twice"),
        ("random:determinizations=1", BadOption, "its options: none"),
    ],
)
def test_what_names_no_bot(text, error, words):
    with pytest.raises(error) as caught:
        parse_entrant(text)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 2


def test_new_object_for_every_match():
    """design.md, rule 7: nothing is remembered."""
    entrant = parse_entrant("greedy:determinizations=3")
    first, second = make_bot(entrant), make_bot(entrant)
    assert first is not second
    assert type(first) is type(second)
    assert first.options.determinizations == 3


class TestFile:
    @pytest.fixture
    def write(self, tmp_path):
        def make(text, name="mine.py"):
            path = tmp_path / name
            path.write_text(textwrap.dedent(text), encoding="utf-8")
            return path

        return make

    def test_one_bot_is_found_beside_what_is_no_bot(self, write):
        text = GOOD + "class _Base(Bot): pass\nclass Helper: pass\nfrom arena import View\ndef act(view): return 0\n"
        assert load_file(write(text)).__name__ == "Mine"

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("x = 1\n", "must define exactly one public subclass of arena.Bot, and has none; write one"),
            ("from arena import Bot\n", "and has none"),
            (GOOD + "class Other(Mine): pass\n", "and has Mine, Other; begin the names of the others with an under"),
            ("import nothing_of_that_name\n", "cannot be loaded: ModuleNotFoundError: No module named"),
            ("def broken(:\n", "cannot be loaded: SyntaxError"),
            ("1 / 0\n", "cannot be loaded: ZeroDivisionError"),
            ("import sys; sys.exit('no torch')\n", "cannot be loaded: SystemExit: no torch"),
        ],
    )
    def test_ambiguous_or_broken_file_is_told_of(self, write, text, words):
        """Which bot is meant is never guessed (cases.md A6)."""
        with pytest.raises(UsageError) as caught:
            load_file(write(text))
        assert words in str(caught.value)

    def test_constructor_that_fails_is_the_bot_s_fault(self, write, monkeypatch):
        kind = load_file(write(GOOD + "    def __init__(self, options=None):\n        raise OSError('no weights')\n"))
        monkeypatch.setattr(roster, "load_bot", lambda name: kind)
        with pytest.raises(BotFault, match="OSError: no weights") as caught:
            make_bot(parse_entrant("mine"))
        assert caught.value.kind == "no_start"

    @pytest.mark.parametrize("name", ["忍者.py", "with space.py", "random.py", "json.py"])
    def test_any_file_name_and_none_of_them_hides_a_module(self, write, name):
        """A bot called random.py is loaded, and `import random` is still the library's."""
        assert load_file(write(GOOD, name)).__name__ == "Mine"
        assert json.dumps([1]) == "[1]"
        assert random.Random(1).random() == random.Random(1).random()


@pytest.mark.parametrize("name", ["Ä", "ﬁ", "ẞ", "İ", "Σς", "忍者", "ａＢ"])
def test_folding_twice_is_folding_once(name):
    assert fold(fold(name)) == fold(name) == fold(name.casefold())
