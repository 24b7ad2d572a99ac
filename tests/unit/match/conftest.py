"""Matches between bots made for a test: an entrant's name says which of `bots` sits there."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
import pytest

from arena.core.bot import Bot
from arena.core.spec import Conditions, Entrant, GameRef, Limits, MatchSpec
from arena.games import load_game
from arena.hosts.base import BotFault, Host, NeverReady
from arena.hosts.inprocess import InProcessHost, describe_error
from arena.match.referee import Referee


class First(Bot):
    """Plays the first legal action."""

    def act(self, view):
        return view.legal[0]


class Uniform(Bot):
    """Plays at random."""

    def act(self, view):
        return view.rng.choice(view.legal)


@dataclass
class Played:
    """A match that was played: its outcome, and the bots that sat there."""

    spec: MatchSpec
    outcome: Any
    referee: Referee
    bots: list[Bot] = field(default_factory=list)

    @property
    def kinds(self) -> list[str | None]:
        """Fault classes by seat."""
        return [fault.kind if fault else None for fault in self.outcome.faults]


NO_LIMITS = Limits()


def spec_of(game: str, kinds: Sequence[type[Bot]], deal: int = 1, limits: Limits = NO_LIMITS, run_seed: int = 5):
    rules = load_game(game)
    reference = GameRef(rules.name, rules.version, msgspec.to_builtins(rules.parse_options({})))
    lineup = tuple(Entrant(kind.__name__, "1", copy=seat + 1) for seat, kind in enumerate(kinds))
    return MatchSpec(Conditions(reference, len(kinds), limits, run_seed), deal, 0, lineup)


def prepare(game: str, kinds: Sequence[type[Bot]], stopwatch=None, **more) -> Played:
    """Makes a referee with a new bot of each kind in its seat."""
    spec = spec_of(game, kinds, **more)
    bots = []

    def make_host(entrant: Entrant) -> Host:
        try:
            bots.append(kinds[entrant.copy - 1]())
        except Exception as error:
            return NeverReady(BotFault("no_start", describe_error(error)))
        return InProcessHost(bots[-1])

    referee = Referee(spec, make_host, *([stopwatch] if stopwatch else []))
    return Played(spec, None, referee, bots)


def play_bots(game: str, kinds: Sequence[type[Bot]], watch=None, **more) -> Played:
    """Plays a match between new bots of these classes, by seat."""
    played = prepare(game, kinds, **more)
    played.outcome = played.referee.play(watch)
    return played


@pytest.fixture(scope="session")
def play() -> Callable[..., Played]:
    return play_bots


@pytest.fixture(scope="session")
def ready() -> Callable[..., Played]:
    return prepare


@pytest.fixture(scope="session")
def first() -> type[Bot]:
    return First


@pytest.fixture(scope="session")
def uniform() -> type[Bot]:
    return Uniform
