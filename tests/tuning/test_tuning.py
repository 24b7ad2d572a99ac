"""The tuner finds what is better, says so only beyond doubt, and repeats."""

import random

import msgspec
import pytest

from arena.core.spec import Conditions, GameRef, Limits
from arena.errors import UsageError
from arena.executors.inline import InlineExecutor
from arena.games import load_game
from arena.hosts.roster import parse_entrant
from arena.tuning import MAX_CANDIDATES, Span, Tuned, Tuner, candidates, parse_span, share_interval


def race(base: str, tried: list[str], deals: int = 40, seed: int = 3) -> tuple[Tuned, list[str]]:
    game = load_game("connect_four")
    reference = GameRef(game.name, game.version, msgspec.to_builtins(game.parse_options({})))
    conditions = Conditions(reference, 2, Limits(), seed)
    said: list[str] = []
    tuner = Tuner(conditions, parse_entrant(base), InlineExecutor())
    return tuner.race([parse_entrant(text) for text in tried], deals, said.append), said


def test_a_better_option_is_found_and_proved():
    result, said = race("flat:simulations=1", [f"flat:simulations={n}" for n in (1, 2, 5, 20, 100)])
    assert result.recommended == "flat:simulations=100"
    assert result.is_better
    assert result.judged.deals == 40
    assert result.judged.interval[0] > 0.5
    assert result.race[0].entrant == "flat:simulations=100"
    assert len(said) >= 2


def test_a_worse_option_is_not_recommended():
    result, _ = race("flat:simulations=100", ["flat:simulations=1"])
    assert result.recommended == "flat:simulations=100"
    assert not result.is_better
    assert result.judged.interval[1] < 0.5


def test_a_race_repeats():
    assert race("flat:simulations=2", ["flat:simulations=5"]) == race("flat:simulations=2", ["flat:simulations=5"])


def test_the_judging_deals_are_not_those_of_the_race():
    result, _ = race("flat:simulations=2", ["flat:simulations=3"], deals=10)
    assert result.judged.deals == 10
    assert result.race[0].deals == 10
    assert result.judged.score_share != result.race[0].score_share


def test_only_the_bot_itself_is_no_race():
    with pytest.raises(UsageError, match="other values"):
        race("flat:simulations=2", ["flat:simulations=2"])


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("exploration=0.5..2.0", ("0.5", "0.7071", "1", "1.414", "2")),
        ("simulations=10..1000", ("10", "32", "100", "316", "1000")),
        ("depth=0..4", ("0", "1", "2", "3", "4")),
        ("playout=random|greedy", ("random", "greedy")),
        ("worlds=1..2", ("1", "2")),
    ],
)
def test_spans(text, values):
    assert parse_span(text) == Span(text.partition("=")[0], values)


@pytest.mark.parametrize("text", ["exploration", "=1..2", "x=", "x=2..1", "x=a..b", "x=1..1", "x=1,2", "x=1,5..2,5"])
def test_bad_spans_are_refused(text):
    with pytest.raises(UsageError, match="--option"):
        parse_span(text)


def test_many_combinations_are_sampled_and_the_sample_repeats():
    spans = [Span("a", tuple("12345")), Span("b", tuple("12345"))]
    found = candidates(spans, 1)
    assert len(found) == MAX_CANDIDATES == len({tuple(each.items()) for each in found})
    assert found == candidates(spans, 1) != candidates(spans, 2)
    assert len(candidates(spans[:1], 1)) == 5


def test_an_option_is_given_once():
    with pytest.raises(UsageError, match=r"--option a is given twice; give it once, as in a=1\|2\|3"):
        candidates([Span("a", ("1", "2")), Span("b", ("1",)), Span("a", ("2", "3"))], 1)


def test_few_deals_leave_doubt():
    """Two deals won outright prove nothing; a thousand do, and of many deals the interval is the usual one."""
    assert share_interval([1.0, 1.0])[0] < 0.5
    assert share_interval([]) == (0.0, 1.0)
    assert share_interval([1.0] * 1000)[0] > 0.99
    shares = [0.0, 0.5, 1.0, 1.0] * 100
    low, high = share_interval(shares)
    assert low < 0.625 < high
    assert high - low == pytest.approx(2 * 1.96 * (0.171875 / 400) ** 0.5, rel=0.02)


def test_interval_holds_its_mean_and_covers_the_truth():
    """Of 2,000 samples of 12 deals the interval misses the truth in about one of twenty."""
    rng = random.Random(1)
    missed = 0
    for _ in range(2000):
        shares = [rng.choice((0.0, 0.5, 0.5, 1.0, 1.0)) for _ in range(12)]
        low, high = share_interval(shares)
        assert low <= sum(shares) / 12 <= high
        missed += not low <= 0.6 <= high
    assert missed < 120
