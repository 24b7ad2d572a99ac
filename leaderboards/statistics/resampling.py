"""Resampling of deals: what else might have happened, had the luck been dealt from the same deck again.

Matches of one deal share their luck, whoever plays them, so deals are drawn whole, with replacement (the cluster
bootstrap; Davison and Hinkley, Bootstrap Methods and their Application, 1997, section 3.8). The draws come from a hash
of the data: the same results give the same intervals, in any order and under any names. For that the deals are put in
an order of their contents. From some number on deals are bundled, deal i into bundle i modulo that number, which
changes nothing but the work.

Shapes: M matches, G bundles of deals, R replicates.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from leaderboards.ratings.canonical import Colours, mix, outcome_hashes
from leaderboards.ratings.outcomes import Outcomes
from leaderboards.results import ResultsTable

NUM_REPLICATES = 200
# Enough that the width of an interval is good to some percent.
_MOST_BUNDLES = 1024
# Cells of a matrix [bundles, columns] that are in memory at a time.
_CELLS = 1 << 22


@dataclass(frozen=True, eq=False)
class Resampling:
    """How often each bundle of deals occurs in each replicate.

    Attributes:
        bundle: int64 [M] the bundle of each match.
        weights: float64 [R, G] whole numbers; every replicate has G draws.
    """

    bundle: NDArray[np.int64]
    weights: NDArray[np.float64]

    @property
    def can_tell(self) -> bool:
        """Whether there is more than one bundle, without which resampling says nothing."""
        return bool(self.weights.shape[1] > 1)

    def totals(
        self, rows: NDArray[np.int64], columns: NDArray[np.int64], values: NDArray[np.int64] | None, num_columns: int
    ) -> NDArray[np.float64]:
        """Sums values in each replicate.

        Args:
            rows: int64 [X] matches that the values belong to.
            columns: int64 [X] where each value is added.
            values: int64 [X]; ones where None.
            num_columns: C.

        Returns:
            float64 [R, C] whole numbers, exact in any order of the matches.
        """
        bundles = self.bundle[rows]
        num_bundles = self.weights.shape[1]
        total = np.zeros((len(self.weights), num_columns))
        step = max(1, _CELLS // max(num_columns, 1))
        order = np.argsort(bundles, kind="stable") if step < num_bundles else slice(None)
        bundles, columns = bundles[order], columns[order]
        weights = None if values is None else values[order].astype(np.float64)
        for start in range(0, num_bundles, step):
            stop = min(start + step, num_bundles)
            part = slice(None) if step >= num_bundles else slice(*np.searchsorted(bundles, (start, stop)))
            cells = (bundles[part] - start) * num_columns + columns[part]
            size = (stop - start) * num_columns
            matrix = np.bincount(cells, None if weights is None else weights[part], size)
            total += self.weights[:, start:stop] @ matrix.reshape(stop - start, num_columns).astype(np.float64)
        return total


def resample(
    deals: NDArray[np.int64], contents: NDArray[np.int64], *, seed: int = 0, num_replicates: int = NUM_REPLICATES
) -> Resampling:
    """Draws the replicates.

    Args:
        deals: int64 [M] the deal of each match.
        contents: int64 [M] the outcome of each match, numbered by structure.
        seed: another seed gives other draws from the same data.
        num_replicates: R.
    """
    places, keys = _deal_keys(deals, mix(contents.astype(np.uint64)))
    order = np.argsort(keys, kind="stable")
    num_bundles = min(len(keys), _MOST_BUNDLES)
    number = np.empty_like(order)
    number[order] = np.arange(len(order)) % max(num_bundles, 1)
    with np.errstate(over="ignore"):
        start = mix(np.array([seed & (1 << 64) - 1], np.uint64)) + np.sum(mix(keys), dtype=np.uint64)
        places_of_draws: Colours = np.arange(num_replicates * num_bundles, dtype=np.uint64)
        draws = mix(mix(start) + places_of_draws)
    # The upper half of a word times G, its upper half: uniform to one part in millions.
    drawn = ((draws >> np.uint64(32)) * np.uint64(num_bundles) >> np.uint64(32)).astype(np.int64)
    rows = np.repeat(np.arange(num_replicates), num_bundles) * num_bundles
    weights = np.bincount(rows + drawn, minlength=num_replicates * num_bundles)
    return Resampling(number[places], weights.reshape(num_replicates, num_bundles).astype(np.float64))


def deal_colours(table: ResultsTable, outcomes: Outcomes, colours: Colours) -> Colours:
    """Returns uint64 [N] colours that tell entrants with equal results apart by the deals that they had them on."""
    hashes = outcome_hashes(outcomes.groups, colours)[outcomes.of_match]
    places, keys = _deal_keys(table.deals, mix(hashes))
    seats = table.lineups >= 0
    levels = mix(table.ranks.astype(np.uint64) + (hashes + mix(keys)[places])[:, None])
    result = np.zeros(table.num_entrants, np.uint64)
    np.add.at(result, table.lineups[seats], mix(levels[seats]))
    return mix(result)


def _deal_keys(deals: NDArray[np.int64], hashes: Colours) -> tuple[NDArray[np.int64], Colours]:
    """Returns the place of the deal of each match, [M], and a hash of the contents of each deal."""
    _, places = np.unique(deals, return_inverse=True)
    places = places.reshape(-1).astype(np.int64)
    order = np.argsort(places, kind="stable")
    starts = np.searchsorted(places[order], np.arange(places.max() + 1 if len(places) else 0))
    if not len(starts):
        return places, np.zeros(0, np.uint64)
    return places, mix(np.add.reduceat(hashes[order], starts))
