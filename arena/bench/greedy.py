"""The bot `greedy`: what a decision costs, game by game."""

from functools import partial
from itertools import cycle, islice

import msgspec

from arena.bench.model import Benchmark, Effort, Measurement
from arena.bench.positions import decisions
from arena.bench.timing import microseconds_each
from arena.games import all_games
from arena.hosts.roster import make_bot, parse_entrant

MATCHES, QUICK_MATCHES = 10, 2


def decide(name: str, effort: Effort) -> Measurement:
    """Measures `act` over the views of random matches at which there is a choice, fewest seats."""
    views = decisions(name, all_games()[name].seats.start, QUICK_MATCHES if effort.is_quick else MATCHES)
    bot = make_bot(parse_entrant("greedy"))
    ahead = cycle(views)

    def load(number: int) -> float:
        for view in islice(ahead, number):
            bot.act(view)
        return number

    fewer = msgspec.structs.replace(effort, repeats=effort.few)
    details = {"legal actions on average": sum(len(view.legal) for view in views) / len(views)}
    return Measurement(microseconds_each(fewer, load), details=details)


BENCHMARKS = tuple(
    Benchmark(f"greedy-{name}", f"{game.title}: a decision of `greedy`", "µs", partial(decide, name))
    for name, game in all_games().items()
)
