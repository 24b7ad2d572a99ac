"""Which sets of entrants play in a round: all of them, or a balanced part where all are too many.

Entrants are numbers here, 0..n-1 in canonical order; k is the number of seats.
"""

from collections.abc import Iterator
from itertools import combinations
from math import comb, gcd

from arena.core.seeding import derive

MAX_SETS = 5_000  # sets a round up to which all are played: 100 entrants at 2 seats, 20 at 4

EntrantSet = tuple[int, ...]


def is_complete(num_entrants: int, players: int) -> bool:
    """Says whether a round plays all sets of entrants."""
    return comb(num_entrants, players) <= MAX_SETS


def sets_per_round(num_entrants: int, players: int) -> int:
    """Returns the number of sets in a round."""
    if is_complete(num_entrants, players):
        return comb(num_entrants, players)
    return num_entrants // gcd(num_entrants, players)


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


class _Balance:
    """How often each entrant has played, and each pair together, in an incomplete design so far."""

    def __init__(self, num_entrants: int) -> None:
        self.games = [0] * num_entrants
        self.pairs = [[0] * num_entrants for _ in range(num_entrants)]

    def next_set(self, players: int, number: int) -> EntrantSet:
        """Returns the next set: those who have played least, and of these who have met least."""
        tie = [derive("set", number, entrant) for entrant in range(len(self.games))]
        members: list[int] = []
        for _ in range(players):
            free = (entrant for entrant in range(len(self.games)) if entrant not in members)
            met = {e: sum(self.pairs[e][m] for m in members) for e in range(len(self.games))}
            members.append(min(free, key=lambda e: (self.games[e], met[e], tie[e])))
        for member in members:
            self.games[member] += 1
            for other in members:
                self.pairs[member][other] += member != other
        return tuple(sorted(members))


def rounds(num_entrants: int, players: int) -> Iterator[list[EntrantSet]]:
    """Yields the sets of round 0, 1, 2 and so on, without end.

    Complete: all sets each round. Otherwise a balanced incomplete design: in each round everyone plays equally
    often, and pairs meet as evenly as can be over the rounds.
    """
    if is_complete(num_entrants, players):
        sets = _rotations(num_entrants, players)
        while True:
            yield sets
    balance = _Balance(num_entrants)
    number = 0
    while True:
        sets = []
        for _ in range(sets_per_round(num_entrants, players)):
            sets.append(balance.next_set(players, number))
            number += 1
        yield sets
