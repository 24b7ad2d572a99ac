"""What is to be played: entrants, limits, matches and blocks, with their identities.

A match is a pure function of its spec, so its id is a hash of the spec's contents: game, version and options, deal,
entrants by seat, limits. Paths, positions in a list of entrants, workers and clocks have no part in it.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any

import msgspec

from arena.core.options import option_text

ID_BYTES = 16
VERSION_DIGITS = 8  # of a version that is a hash, where people read it


class Limits(msgspec.Struct, frozen=True):
    """What a bot may use; None is no limit."""

    start_s: float | None = None
    """Seconds from its start until it is ready."""
    move_s: float | None = None
    """Seconds a move may take before it drains the bank."""
    bank_s: float | None = None
    """Seconds beyond move_s for all moves of a match together."""
    memory_mb: int | None = None
    """Megabytes of resident memory."""


class GameRef(msgspec.Struct, frozen=True):
    """A game as it is played: name, version and options, contents in place of paths."""

    name: str
    version: str
    options: dict[str, Any]


class Entrant(msgspec.Struct, frozen=True, dict=True):
    """What is rated: a bot's name, version and options with defaults filled in."""

    bot: str
    version: str
    options: dict[str, Any] = {}
    """All options, by name."""
    shown: dict[str, Any] = {}
    """The options that differ from the defaults: what a label needs."""
    copy: int = 1
    """Several copies of one bot are entrants of their own: `random#2`."""

    @cached_property
    def label(self) -> str:
        """The entrant as it is typed: `mcts:simulations=500`, `random#2`."""
        return self._written(self.bot, self.shown)

    @property
    def label_with_version(self) -> str:
        """The label of one version, as it is typed: `rook@3f2a91c0#2`."""
        return self._written(self._versioned, self.shown)

    @property
    def label_with_defaults(self) -> str:
        """The label of one version with all its options: `rook@3f2a91c0:depth=3,width=9`."""
        return self._written(self._versioned, self.options)

    @property
    def _versioned(self) -> str:
        return f"{self.bot}@{short_version(self.version)}"

    def _written(self, name: str, options: dict[str, Any]) -> str:
        listed = ",".join(f"{key}={option_text(value)}" for key, value in sorted(options.items()))
        copy = f"#{self.copy}" if self.copy > 1 else ""
        return f"{name}{copy}:{listed}" if listed else f"{name}{copy}"

    @cached_property
    def key(self) -> bytes:
        """The identity, ID_BYTES long: equal for equal name, version, options and copy number."""
        return content_hash([self.bot, self.version, sorted(self.options.items()), self.copy])


def short_version(version: str) -> str:
    """Returns a version as people read it: of a hash, its beginning."""
    return version[:VERSION_DIGITS] if len(version) == 2 * ID_BYTES else version


def unique_labels(entrants: Iterable[Entrant]) -> dict[bytes, str]:
    """Returns a label for each entrant by its key, in their order; where there are two versions of one bot, each label
    of that bot says which.

    Two entrants of one version and label, as of a bot whose options were once stored without its defaults, are told
    apart by all their options; those that only a bot without fixed defaults can make, by their identity.
    """
    members = {entrant.key: entrant for entrant in entrants}
    versions = Counter(bot for bot, _ in {(entrant.bot, entrant.version) for entrant in members.values()})
    labels: dict[bytes, str] = {}
    for name in (lambda each: each.label if versions[each.bot] == 1 else each.label_with_version, *_LONGER_LABELS):
        left = {key: name(entrant) for key, entrant in members.items() if key not in labels}
        counts = Counter([*left.values(), *labels.values()])
        labels |= {key: text for key, text in left.items() if counts[text] == 1}
    return {key: labels[key] for key in members}


_LONGER_LABELS: tuple[Callable[[Entrant], str], ...] = (
    lambda entrant: entrant.label_with_version,
    lambda entrant: entrant.label_with_defaults,
    lambda entrant: f"{entrant.label_with_defaults} ({entrant.key.hex()})",
)


class Conditions(msgspec.Struct, frozen=True, dict=True):
    """What all matches of a series share, but for the luck: the game, its seats, the limits and the run's seed."""

    game: GameRef
    players: int
    limits: Limits
    run_seed: int

    @cached_property
    def key(self) -> bytes:
        """The identity of the conditions, ID_BYTES long."""
        return content_hash([self.game, self.players, self.limits, str(self.run_seed)])

    @cached_property
    def match_prefix(self) -> bytes:
        """What every match id under these conditions begins to hash: game and limits, not the run's seed."""
        return content_hash([self.game, self.limits])


class MatchSpec(msgspec.Struct, frozen=True, dict=True):
    """One match to play."""

    conditions: Conditions
    deal: int
    """64-bit seed of the deal: all the luck of the match."""
    deal_number: int
    """Which deal of its run it is."""
    lineup: tuple[Entrant, ...]
    """Entrants by seat."""

    @cached_property
    def id(self) -> str:
        """The hash of the spec, 32 hex digits."""
        lineup = b"".join([entrant.key for entrant in self.lineup])
        data = self.conditions.match_prefix + self.deal.to_bytes(8, "big") + lineup
        return hashlib.blake2b(data, digest_size=ID_BYTES).hexdigest()


class Block(msgspec.Struct, frozen=True):
    """One set of entrants on one deal, in all its seatings."""

    matches: tuple[MatchSpec, ...]


def content_hash(value: Any) -> bytes:
    """Returns the hash, ID_BYTES long, of a value's canonical JSON (keys sorted)."""
    return hashlib.blake2b(msgspec.json.encode(value, order="sorted"), digest_size=ID_BYTES).digest()
