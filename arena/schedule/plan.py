"""The plan of a tournament: lazy and pure, from entrants and a number of deals to blocks."""

from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from itertools import combinations, islice
from math import comb

import msgspec

from arena.core.seeding import deal_seed
from arena.core.spec import Block, Conditions, Entrant, MatchSpec
from arena.errors import UsageError
from arena.schedule import sets
from arena.schedule.seatings import seat, seatings
from arena.schedule.sets import EntrantSet


class Plan(msgspec.Struct, frozen=True, dict=True):
    """A round robin: every set of entrants on every deal in all seatings, rounds interleaved."""

    conditions: Conditions
    entrants: tuple[Entrant, ...]
    """In canonical order: by identity, so that the order in which they were given changes nothing."""
    deals: int
    """Deals for each set of entrants, or rounds of an incomplete design."""

    @cached_property
    def num_blocks(self) -> int:
        """Number of blocks."""
        if self.is_complete:
            return self.deals * comb(len(self.entrants), self.conditions.players)
        return sum(1 for _ in self.sets())

    @property
    def matches_per_block(self) -> int:
        """Number of seatings."""
        return len(seatings(self.conditions.players))

    @property
    def num_matches(self) -> int:
        """Number of matches."""
        return self.num_blocks * self.matches_per_block

    @property
    def is_complete(self) -> bool:
        """Whether all sets of entrants meet each round."""
        return sets.is_complete(len(self.entrants), self.conditions.players)

    def sets(self) -> Iterator[tuple[int, EntrantSet]]:
        """Yields the deal number and the entrant numbers of each block."""
        all_rounds = sets.rounds(len(self.entrants), self.conditions.players)
        for deal_number, members in enumerate(islice(all_rounds, self.deals)):
            for entrant_set in members:
                yield deal_number, entrant_set

    def blocks(self) -> Iterator[Block]:
        """Yields the blocks, round by round."""
        players, run_seed, game = self.conditions.players, self.conditions.run_seed, self.conditions.game.name
        for deal_number, members in self.sets():
            deal = deal_seed(run_seed, game, players, deal_number)
            lineups = seat([self.entrants[number] for number in members])
            yield Block(tuple(MatchSpec(self.conditions, deal, deal_number, lineup) for lineup in lineups))

    def pair_counts(self) -> Counter[tuple[int, int]]:
        """Counts the matches in which each pair of entrants meets."""
        counts: Counter[tuple[int, int]] = Counter()
        for members, times in self._repeated_sets():
            for pair in combinations(members, 2):
                counts[pair] += times * self.matches_per_block
        return counts

    def entrant_counts(self) -> Counter[int]:
        """Counts the matches that each entrant plays."""
        counts: Counter[int] = Counter()
        for members, times in self._repeated_sets():
            for number in members:
                counts[number] += times * self.matches_per_block
        return counts

    def _repeated_sets(self) -> Iterator[tuple[EntrantSet, int]]:
        """Yields sets of entrants with how often each plays; where all rounds are alike, one round stands for all."""
        if self.is_complete:
            for members in next(sets.rounds(len(self.entrants), self.conditions.players)):
                yield members, self.deals
        else:
            for _, members in self.sets():
                yield members, 1


def check_numbers(conditions: Conditions, num_entrants: int, deals: int) -> None:
    """Raises UsageError where there are too few entrants for a match, or no deals."""
    players = conditions.players
    if num_entrants < players:
        raise UsageError(
            f"{conditions.game.name} with {players} seats needs at least {players} entrants, and {num_entrants} "
            f"{'was' if num_entrants == 1 else 'were'} given; name more bots, or copies of one as in random#2"
        )
    if deals < 1:
        raise UsageError(f"--deals {deals}: at least one deal is needed")


def make_plan(conditions: Conditions, entrants: list[Entrant], deals: int) -> Plan:
    """Makes a plan, entrants in canonical order.

    Raises:
        UsageError: too few entrants, an entrant given twice, or no deals.
    """
    check_numbers(conditions, len(entrants), deals)
    unique = {entrant.key: entrant for entrant in entrants}
    if len(unique) < len(entrants):
        keys = [entrant.key for entrant in entrants]
        twice = next(entrant for entrant in entrants if keys.count(entrant.key) > 1)
        free = max(entrant.copy for entrant in entrants if entrant.bot == twice.bot) + 1
        raise UsageError(f"{twice.label!r} is given twice; another copy of the bot is written {twice.bot}#{free}")
    return Plan(conditions, tuple(unique[key] for key in sorted(unique)), deals)
