"""Every shipped bot plays legally on every game at every number of seats, and the same under the same version."""

import pytest

from arena.core.bot import MatchInfo
from arena.core.seeding import derive
from arena.core.spec import Limits
from arena.core.view import BotRandom
from arena.games import all_games
from arena.games.conformance import Subject
from arena.hosts.roster import list_bots, load_bot

SHIPPED = [listing.name for listing in list_bots() if listing.source == "shipped"]
PLAYED = [(game, seats) for game in all_games().values() for seats in game.seats]
# Bots that search think less here: what they play is held still, not how well.
FEWER = {"simulations": 60}
GOLDEN_PLIES = 12


def quick(kind):
    """Returns a bot's options, with few simulations where it has that option."""
    fields = {name: value for name, value in FEWER.items() if name in kind.Options.__struct_fields__}
    return kind.Options(**fields)


def play(name, game, num_seats, max_plies):
    """Plays a bot against itself and yields what each decision was and what it chose."""
    subject = Subject(game, num_seats, 2024)
    kind = load_bot(name)
    simulation, history = subject.deal(), []
    rngs = [BotRandom(derive("golden", name, game.name, num_seats, seat) >> 11) for seat in range(num_seats)]
    bots = [kind(quick(kind)) for _ in rngs]
    for seat, bot in enumerate(bots):
        bot.start(MatchInfo("0" * 32, game.name, num_seats, seat, rngs[seat].seed, Limits()))
    num_seen = [0] * num_seats
    while simulation.to_move is not None and len(history) < max_plies:
        seat, legal = simulation.to_move, simulation.legal
        action = legal[0]
        if len(legal) > 1:
            seen = game.seen(history, num_seats, seat)
            view = game.view_type(
                game, simulation.observed(seat), num_seats, seat, len(history), legal, seen[num_seen[seat] :],
                rngs[seat],
            )  # fmt: skip
            num_seen[seat] = len(seen)
            action = bots[seat].act(view)
            yield simulation, seat, action
        history.append((seat, action))
        simulation.play(action)


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize(("game", "num_seats"), PLAYED, ids=lambda value: getattr(value, "name", str(value)))
def test_plays_legally(game, num_seats, name):
    if load_bot(name).games and game.name not in load_bot(name).games:
        pytest.skip(f"{name} does not play {game.name}")
    num_decisions = 0
    for simulation, _, action in play(name, game, num_seats, 60):
        assert type(action) is int
        assert action in simulation.legal
        num_decisions += 1
    assert num_decisions > 0


@pytest.mark.parametrize("name", SHIPPED)
def test_golden_moves(name, golden):
    kind = load_bot(name)
    lines = [f"bot {name}", f"version {kind.version}"]
    for game in all_games().values():
        if not kind.games or game.name in kind.games:
            for num_seats in sorted({game.seats[0], game.seats[-1]}):
                moves = [game.action_name(action) for _, _, action in play(name, game, num_seats, GOLDEN_PLIES)]
                lines.append(f"{game.name} version {game.version}, {num_seats} seats: {' '.join(moves)}")
    text = "\n".join([*lines, ""])
    golden.check(f"moves/{name}.txt", text, lambda old: refusal(old, text))


def refusal(old, new):
    """Says why moves must not change: the bot and the games have the version that they had."""
    versions = [[line.split(":")[0] for line in text.splitlines()] for text in (old, new)]
    return "its moves changed under the same version; give the bot a new one" if versions[0] == versions[1] else None


@pytest.mark.parametrize("name", SHIPPED)
def test_one_action_needs_no_thought(name):
    """With one legal action even an unusable view is answered."""
    bot = load_bot(name)()
    bot.start(MatchInfo("0" * 32, "connect_four", 2, 0, 1, Limits()))

    class Forced:
        legal = (17,)
        rng = BotRandom(1).generator

    assert bot.act(Forced()) == 17
