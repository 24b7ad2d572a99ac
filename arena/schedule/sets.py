"""Which sets of entrants play in a round: all of them, or a balanced part where all are too many.

Entrants are numbers here, 0..n-1 in canonical order; k is the number of seats.
"""

from collections.abc import Iterator
from itertools import combinations
from math import comb

MAX_SETS = 5_000  # sets a round up to which all are played: 100 entrants at 2 seats, 20 at 4

EntrantSet = tuple[int, ...]


def is_complete(num_entrants: int, players: int) -> bool:
    """Says whether a round plays all sets of entrants."""
    return comb(num_entrants, players) <= MAX_SETS


def _rotations(num_entrants: int, players: int) -> list[EntrantSet]:
    """Returns all sets, in an order whose every prefix is balanced.

    Sets that are rotations of one another stand together: in each such group everyone plays equally often. So after
    any number of blocks no entrant is more than one group's share ahead.
    """
    groups: dict[EntrantSet, list[EntrantSet]] = {}
    for members in combinations(range(num_entrants), players):
        gaps = [(members[(i + 1) % players] - members[i]) % num_entrants for i in range(players)]
        canonical = min(tuple(gaps[i:] + gaps[:i]) for i in range(players))
        groups.setdefault(canonical, []).append(members)
    return [members for group in groups.values() for members in _spread(group, num_entrants)]


def _spread(group: list[EntrantSet], num_entrants: int) -> list[EntrantSet]:
    """Orders one group of rotations so that whoever has played least comes next."""
    played = [0] * num_entrants
    rest = sorted(group)
    ordered = []
    while rest:
        best = min(
            rest, key=lambda members: (max(played[m] for m in members), sum(played[m] for m in members), members)
        )
        rest.remove(best)
        ordered.append(best)
        for member in best:
            played[member] += 1
    return ordered


def _difference(a: int, b: int, num_entrants: int) -> int:
    """Returns how far two entrants stand apart on the circle of all."""
    return min((a - b) % num_entrants, (b - a) % num_entrants)


def _base_set(num_entrants: int, players: int, met: list[int]) -> EntrantSet:
    """Returns a set whose differences have met least so far.

    Args:
        met: for each difference how often each pair that stands so far apart has met, in parts of 1 / num_entrants.
    """
    members = [0]
    for _ in range(players - 1):
        free = (entrant for entrant in range(1, num_entrants) if entrant not in members)

        def burden(entrant: int) -> tuple[int, int, int]:
            counts = [met[_difference(entrant, member, num_entrants)] for member in members]
            # A difference within one set twice over would let its pairs meet twice.
            fresh = len({_difference(entrant, member, num_entrants) for member in members})
            return sum(counts), -fresh, entrant

        members.append(min(free, key=burden))
    return tuple(members)


def _turn(base: EntrantSet, num_entrants: int, met: list[int]) -> list[EntrantSet]:
    """Returns all rotations of a set, each once, and counts who meets in them."""
    turned = (tuple(sorted((m + shift) % num_entrants for m in base)) for shift in range(num_entrants))
    sets = list(dict.fromkeys(turned))
    for pair in combinations(base, 2):
        apart = _difference(*pair, num_entrants)
        # Two that stand opposite each other are each other's opposite: a full turn lets them meet twice.
        met[apart] += len(sets) * (2 if 2 * apart == num_entrants else 1)
    return _spread(sets, num_entrants)


def rounds(num_entrants: int, players: int) -> Iterator[list[EntrantSet]]:
    """Yields the sets of round 0, 1, 2 and so on, without end.

    Complete: all sets each round. Otherwise a cyclic design: a round is all rotations of one set, so that everyone
    plays equally often in it, and which set is chosen so that pairs meet as evenly as can be over the rounds.
    """
    if is_complete(num_entrants, players):
        sets = _rotations(num_entrants, players)
        while True:
            yield sets
    met = [0] * (num_entrants // 2 + 1)
    while True:
        yield _turn(_base_set(num_entrants, players, met), num_entrants, met)
