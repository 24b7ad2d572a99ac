"""How a run's first movers fared: python docs/examples/first_mover.py DATABASE RUN

Prints, for each seat, the share of points of that seat when it moved first and when it did not, with 95 % intervals
clustered by deal. Who moves first in Pirates vs. Ninjas is settled by the dice of the deal.
"""

import sys
from collections import defaultdict
from pathlib import Path

import msgspec

from arena import load_game
from arena.core.seeding import deal_seed
from arena.kernels.simulation import Simulation
from arena.store.store import Store
from leaderboards.from_store import of_run


def interval(by_deal: dict[int, list[float]]) -> tuple[float, float]:
    """Returns the mean and the half width of its 95 % interval: deals, not matches, are independent."""
    means = [sum(points) / len(points) for points in by_deal.values()]
    mean = sum(means) / len(means)
    spread = sum((value - mean) ** 2 for value in means) / max(len(means) - 1, 1)
    return mean, 1.96 * (spread / len(means)) ** 0.5


def main(database: str, run_name: str) -> None:
    with Store(Path(database)) as store:
        run = store.get_run(run_name)
        columns = of_run(store, run)
    conditions = run.conditions
    game = load_game(conditions.game.name)
    options = game.encode_options(msgspec.convert(conditions.game.options, game.Options))
    first_of: dict[int, int] = {}
    points: dict[tuple[int, bool], dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for deal_number, ranks in zip(columns.deals.tolist(), columns.ranks.tolist(), strict=True):
        if deal_number not in first_of:
            deal = deal_seed(conditions.run_seed, game.name, conditions.players, deal_number)
            first_of[deal_number] = Simulation.from_deal(game, options, conditions.players, deal).to_move or 0
        for seat, rank in enumerate(ranks):
            others = [other for number, other in enumerate(ranks) if number != seat]
            share = sum((other > rank) + 0.5 * (other == rank) for other in others) / len(others)
            points[seat, first_of[deal_number] == seat][deal_number].append(share)
            points[-1, first_of[deal_number] == seat][deal_number].append(share)
    for (seat, is_first), by_deal in sorted(points.items()):
        mean, half = interval(by_deal)
        who = "any seat" if seat < 0 else f"seat {seat}"
        when = "moving first" if is_first else "not moving first"
        print(f"{who} {when}: {mean:.4f} +- {half:.4f} over {len(by_deal)} deals")


if __name__ == "__main__":
    main(*sys.argv[1:])
