"""Every check of the conformance list, for every registered game at every number of seats, and for broken games."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.game import Game
from arena.errors import CheckFailed
from arena.games import conformance
from arena.games.conformance import CHECKS, Subject
from arena.games.ninjan.game import ACTION_IDS, Ninjan
from arena.games.ninjan.layout import PILE_ACTION
from arena.games.ninjan.view import NinjanView

SEEDS = st.integers(0, 2**64 - 1)
# Few of the dear ones; all others take a few milliseconds a match.
EXAMPLES = {"check_masking": 2, "check_pictures": 1, "check_svg": 1}


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_game_holds(game: Game, num_seats: int, check) -> None:
    @settings(max_examples=EXAMPLES.get(check.__name__, 12), database=None)
    @given(SEEDS)
    def holds(seed: int) -> None:
        check(Subject(game, num_seats, seed))

    holds()


class Broken(Ninjan):
    """Ninjan's kernels under facts that are not true of them."""

    package = "arena.games.ninjan"


class NamelessPiles(Broken):
    def action_name(self, action):
        return "@1" if action >= PILE_ACTION else super().action_name(action)


class TakesAnything(Broken):
    def parse_action(self, text):
        return ACTION_IDS.get(text, 0)


class ShowsSecrets(Broken):
    def seen(self, history, num_seats, seat):
        return history


class ForgetsWhatWasSeen(Broken):
    def seen(self, history, num_seats, seat):
        return super().seen(history, num_seats, seat)[-3:]


class TooFewLegal(Broken):
    max_legal = 8


class TooShort(Broken):
    max_plies = 17


class HidesNothing(Broken):
    has_hidden_state = False


class DrawsNothing(Broken):
    def render(self, words, *, names=(), observer=None):
        return ""


class SharedChoice(NinjanView):
    """A view whose message tells how often it was built: something that no masked vector holds."""

    count = itertools.count()

    def message(self):
        return {**super().message(), "count": next(self.count)}


class Leaks(Broken):
    view_type = SharedChoice


@pytest.mark.parametrize(
    ("kind", "check"),
    [
        (NamelessPiles, conformance.check_notation),
        (TakesAnything, conformance.check_notation),
        (ShowsSecrets, conformance.check_seen),
        (ForgetsWhatWasSeen, conformance.check_seen),
        (TooFewLegal, conformance.check_play),
        (TooShort, conformance.check_play),
        (HidesNothing, conformance.check_masking),
        (Leaks, conformance.check_masking),
        (DrawsNothing, conformance.check_pictures),
    ],
)
def test_broken_game_is_found_out(kind, check):
    with pytest.raises(CheckFailed):
        check(Subject(kind(), 3, 1))
