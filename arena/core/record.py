"""What came of a match: the outcome that is stored, from which everything else is derived by replay."""

import hashlib
from array import array
from collections.abc import Sequence

import msgspec

from arena.core.game import Action
from arena.core.notes import Totals

FAULT_CLASSES = ("no_start", "crash", "timeout", "illegal", "protocol", "memory", "output")


class Fault(msgspec.Struct, frozen=True):
    """A bot's failure, which is scored."""

    kind: str
    """One of FAULT_CLASSES."""
    ply: int
    """The ply it was asked for."""
    detail: str
    """One line for its author."""


IN_PROCESS = "in-process"
"""Stands for the level of the sandbox where there is none."""


class Account(msgspec.Struct, frozen=True):
    """What a bot did and used in one match: no part of the result, nor of its digest.

    A bot inside the arena's process has one only if it gave notes, which are all that it holds then.
    """

    level: str
    """The level of the sandbox that it was fenced in by, or IN_PROCESS."""
    start_ms: float
    """Milliseconds from its start until it was ready, or until that failed."""
    wall_us: bytes
    """Microseconds that each of its answers took, uint32 little-endian."""
    cpu_us: bytes
    """Microseconds of processor time that its process used for each of them."""
    cpu_ms: float
    """Processor time of all its processes from start to end."""
    peak_mb: float
    """The most memory that it was seen to use."""
    notes: Totals
    """For each number in the notes of its answers, the sum and how often it was given."""
    log: bytes
    """The end of what it wrote to its log."""


class Outcome(msgspec.Struct, frozen=True):
    """A finished match."""

    match: str
    """The match's id."""
    scores: tuple[int, ...]
    """Points at the end, by seat."""
    ranks: tuple[int, ...]
    """Places by seat, 1 best; faulted seats below all who played on."""
    faults: tuple[Fault | None, ...]
    """By seat."""
    actions: bytes
    """Action ids in order, int32 little-endian."""
    think_us: bytes
    """Microseconds that each ply's answer took, uint32 little-endian; 0 where no bot was asked."""
    think_ms: tuple[float, ...]
    """Mean milliseconds an answer took, by seat; nan for a seat that was never asked."""
    accounts: tuple[Account | None, ...] = ()
    """By seat, None for bots inside the arena's process that gave no notes; empty where all are."""

    @property
    def action_list(self) -> list[Action]:
        """The action ids in order."""
        return unpack_actions(self.actions)


def pack_actions(actions: Sequence[Action]) -> bytes:
    """Packs action ids as int32 words."""
    return array("i", actions).tobytes()


def unpack_actions(data: bytes) -> list[Action]:
    """Unpacks what pack_actions made."""
    return list(memoryview(data).cast("i"))


def actions_digest(actions: bytes) -> bytes:
    """Returns the hash of a match's packed actions that goes into a run's digest."""
    return hashlib.blake2b(actions, digest_size=16).digest()


def rank_scores(keys: Sequence[float | tuple[float, ...]]) -> tuple[int, ...]:
    """Returns competition ranks of keys, highest first: equal keys share a rank (1, 1, 3)."""
    return tuple(1 + sum(other > key for other in keys) for key in keys)  # type: ignore[operator]
