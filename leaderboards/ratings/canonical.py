"""A numbering of the entrants that depends on what happened and never on what they are called.

Floating-point sums depend on the order of their terms, so a fit that ran in the order of names could change its last
bits when a bot is renamed. Entrants are therefore numbered by colour refinement (Weisfeiler and Leman, 1968): each
starts with a colour of its prior; again and again everyone's colour is mixed with those of whom it met, and how; when
that tells no more of them apart, one of a class of equals is marked and the mixing goes on. Colours are 64-bit hashes
and every sum of them wraps around, which is exact in any order.

Entrants that the mixing alone cannot tell apart have equal results in the strictest sense: every message of the fit
is equal too. Its values are averaged over these classes, so that equals are equal to the last bit.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from leaderboards.ratings.outcomes import OutcomeGroup, Outcomes

Colours = NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Canonical:
    """Outcomes with the entrants numbered by structure.

    Attributes:
        groups: outcomes in the new numbers, sorted by them.
        entrants: int64 [N] the old number of each new one.
        classes: int64 [N], by new number: entrants of one class have equal results.
        twins: int64 [N], by new number: entrants of one class are equal in what broke the ties, too.
        places: int64 [D] for each outcome, counted through all groups, its place after the sorting.
    """

    groups: tuple[OutcomeGroup, ...]
    entrants: NDArray[np.int64]
    classes: NDArray[np.int64]
    twins: NDArray[np.int64]
    places: NDArray[np.int64]


def mix(x: Colours) -> Colours:
    """Returns a 64-bit hash of each word: the finaliser of splitmix64 (Steele, Lea, Flood, 2014)."""
    with np.errstate(over="ignore"):
        x = x + np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return x ^ (x >> np.uint64(31))


def canonicalise(outcomes: Outcomes, start: Colours, tiebreak: Callable[[Colours], Colours] | None = None) -> Canonical:
    """Numbers the entrants by structure.

    Args:
        outcomes: what happened.
        start: uint64 [N] colours that are known beforehand, those of the priors.
        tiebreak: makes colours that tell more from those that results alone give; called where these leave equals.
    """
    classes = colours = _refine(outcomes.groups, mix(start))
    if tiebreak is not None and _first_of_equals(colours) is not None:
        colours = _refine(outcomes.groups, mix(colours) + tiebreak(colours))
    twins = colours
    for marked in range(outcomes.num_entrants):
        twin = _first_of_equals(colours)
        if twin is None:
            break
        colours = colours.copy()
        colours[twin] = mix(colours[twin : twin + 1] + np.uint64(marked + 1))[0]
        colours = _refine(outcomes.groups, colours)
    entrants = np.lexsort((colours, twins, classes)).astype(np.int64)
    numbers = np.empty_like(entrants)
    numbers[entrants] = np.arange(len(entrants))
    groups: list[OutcomeGroup] = []
    places: list[NDArray[np.int64]] = []
    begin = 0
    for group in outcomes.groups:
        renumbered, rows = _renumber(group, numbers)
        place = np.empty_like(rows)
        place[rows] = np.arange(begin, begin + len(rows))
        begin += len(rows)
        groups.append(renumbered)
        places.append(place)
    joined = np.concatenate(places) if places else np.zeros(0, np.int64)
    return Canonical(tuple(groups), entrants, _labels(classes[entrants]), _labels(twins[entrants]), joined)


def _labels(colours: Colours) -> NDArray[np.int64]:
    """Numbers the classes of colours."""
    return np.unique(colours, return_inverse=True)[1].reshape(-1).astype(np.int64)


def outcome_hashes(groups: tuple[OutcomeGroup, ...], colours: Colours) -> Colours:
    """Returns uint64 [D]: a hash of each outcome that depends on who, by colour, took which place."""
    parts = [_sums(group, colours)[0] for group in groups]
    return np.concatenate(parts) if parts else np.zeros(0, np.uint64)


def _refine(groups: tuple[OutcomeGroup, ...], colours: Colours) -> Colours:
    """Mixes colours with those met until that tells no more entrants apart."""
    num_classes = len(np.unique(colours))
    while True:
        mixed = mix(colours)
        for group in groups:
            total, level = _sums(group, colours)
            weight = mix(group.counts.view(np.uint64))
            # At least 2 ** 32 values are possible a term, and a false equality costs nothing but a rounding.
            terms = mix(mix(total)[:, None] + mix(level + colours[group.players])) * (weight | np.uint64(1))[:, None]
            np.add.at(mixed, group.players, terms)
        mixed = mix(mixed)
        count = len(np.unique(mixed))
        if count <= num_classes:
            return mixed
        num_classes, colours = count, mixed


def _sums(group: OutcomeGroup, colours: Colours) -> tuple[Colours, Colours]:
    """Returns hashes of the outcomes, [D], and of the place of each of their players, [D, n], ties counted equal."""
    first = np.zeros((len(group.counts), 1), np.int64)
    level = np.concatenate([first, np.cumsum(~group.ties, axis=1)], axis=1).astype(np.uint64)
    level = mix(level + np.uint64(1000 * group.num_seats))
    total = mix(level + colours[group.players]).sum(axis=1, dtype=np.uint64)
    return total, level


def _first_of_equals(colours: Colours) -> int | None:
    """Returns an entrant of the class with the least colour of those with several, None if there is none."""
    _, first, counts = np.unique(colours, return_index=True, return_counts=True)
    several = np.flatnonzero(counts > 1)
    return int(first[several[0]]) if len(several) else None


def _renumber(group: OutcomeGroup, numbers: NDArray[np.int64]) -> tuple[OutcomeGroup, NDArray[np.int64]]:
    """Puts one group into new numbers, tied players by them and outcomes by players and ties; says which went where."""
    first = np.zeros((len(group.counts), 1), np.int64)
    level = np.concatenate([first, np.cumsum(~group.ties, axis=1)], axis=1)
    keys = np.sort(level * len(numbers) + numbers[group.players], axis=1)
    players = keys % max(len(numbers), 1)
    columns = [group.ties[:, k] for k in range(group.num_seats - 1)] + [players[:, k] for k in range(group.num_seats)]
    rows = np.lexsort(columns[::-1]).astype(np.int64)
    return OutcomeGroup(players[rows].astype(np.int32), group.ties[rows], group.counts[rows]), rows
