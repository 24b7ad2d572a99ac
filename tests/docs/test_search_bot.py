"""The bot of the tutorial on search is what the page says of it: short, legal in every game, and no fool."""

import re
from pathlib import Path
from typing import Any

import pytest

from arena import load_game
from arena.core.bot import Bot
from arena.core.game import Action
from arena.core.seeding import derive
from arena.core.view import BotRandom
from arena.games import all_games
from arena.hosts.roster import load_bot, load_file
from arena.kernels.simulation import Simulation

PAGE = Path(__file__).resolve().parents[2] / "docs" / "tutorials" / "search-bot.md"
(SOURCE,) = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
EVERY_TABLE = [(name, num_seats) for name, game in all_games().items() for num_seats in game.seats]


@pytest.fixture(scope="module")
def seeker(tmp_path_factory: pytest.TempPathFactory) -> type[Bot[Any]]:
    path = tmp_path_factory.mktemp("tutorial") / "seeker.py"
    path.write_text(SOURCE, encoding="utf-8")
    return load_file(path)


def answer(bot: Bot[Any], position: Simulation, ply: int, seed: int) -> Action:
    """Returns what a bot does at a position, after its view alone."""
    game, seat = position.game, position.to_move
    assert seat is not None
    rng = BotRandom(derive("tutorial", seed, ply))
    view = game.view_type(game, position.observed(seat), position.num_seats, seat, ply, position.legal, (), rng)
    return bot.act(view)


def play(bots: list[Bot[Any]], name: str, deal: int) -> Simulation:
    """Plays a match; a bot is asked at every ply, and an illegal answer raises."""
    game = load_game(name)
    match = Simulation.from_deal(game, game.encode_options(game.Options()), len(bots), deal)
    ply = 0
    while (seat := match.to_move) is not None:
        match.play(answer(bots[seat], match, ply, deal))
        ply += 1
    return match


def test_it_has_sixty_lines_at_most() -> None:
    assert len(SOURCE.splitlines()) <= 60


@pytest.mark.parametrize(("name", "num_seats"), EVERY_TABLE)
def test_it_plays_every_game_legally(seeker: type[Bot[Any]], name: str, num_seats: int) -> None:
    bots = [seeker(seeker.Options(simulations=3)) for _ in range(num_seats)]
    assert play(bots, name, deal=1).is_over


@pytest.mark.parametrize(("name", "least"), [("connect_four", 20), ("ninjan", 18)])
def test_it_beats_random(seeker: type[Bot[Any]], name: str, least: float) -> None:
    """Of 24 matches, each seat twelve times; who is as good as random gets 18 one time in ninety."""
    points = 0.0
    for deal in range(12):
        for seat in (0, 1):
            bots: list[Bot[Any]] = [load_bot("random")(), load_bot("random")()]
            bots[seat] = seeker(seeker.Options(simulations=60))
            points += play(bots, name, deal).returns()[seat]
    assert points >= least
