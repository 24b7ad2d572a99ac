"""What a seat cannot see changes nothing for it: not a byte of what it is sent, and no move of a seeded bot.

The hidden part is permuted by determinizing the position; conformance holds that this changes hidden things only.
"""

import random

import msgspec
import pytest

from arena.core.bot import MatchInfo
from arena.core.spec import Limits
from arena.games.conformance import Subject
from arena.hosts.roster import list_bots, load_bot

EVERY = 5  # plies between the positions that are tried
ENOUGH = 4  # positions a match: a searching bot thinks for a tenth of a second in each
BOTS = [listing.name for listing in list_bots() if listing.source == "shipped"]


def move_of(name, subject, simulation, history, seat, legal):
    """Returns what a fresh, seeded bot does with a seat's view of a position."""
    kind = load_bot(name)
    bot = kind(kind.Options())
    bot.start(MatchInfo("0" * 32, subject.game.name, subject.num_seats, seat, subject.seed, Limits()))
    return bot.act(subject.view(simulation, seat, legal, history))


@pytest.mark.parametrize("name", BOTS)
def test_move_of_a_seeded_bot(game, num_seats, name):
    if not game.has_hidden_state:
        pytest.skip(f"{game.name} hides nothing")
    if load_bot(name).games and game.name not in load_bot(name).games:
        pytest.skip(f"{name} does not play {game.name}")
    subject = Subject(game, num_seats, 77)
    num_compared = 0
    for simulation, history in subject.positions():
        seat, legal = simulation.to_move, simulation.legal
        if len(legal) < 2 or len(history) % EVERY:
            continue
        view = subject.view(simulation, seat, legal, history)
        other = view.simulate(random.Random(len(history)))
        num_compared += other.words() != simulation.words()
        assert msgspec.json.encode(subject.view(other, seat, legal, history).message()) == msgspec.json.encode(
            view.message()
        )
        move = move_of(name, subject, simulation, history, seat, legal)
        assert move in legal
        assert move_of(name, subject, other, history, seat, legal) == move
        if num_compared == ENOUGH:
            break
    assert num_compared > 0
