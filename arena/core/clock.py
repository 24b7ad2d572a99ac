"""Time, as an object that is passed in: nothing in the arena that decides anything reads a global clock."""

import time
from typing import Protocol


class Stopwatch(Protocol):
    """Tells the time in nanoseconds from an arbitrary start."""

    def __call__(self) -> int:
        """Returns nanoseconds, never running backwards."""


monotonic: Stopwatch = time.perf_counter_ns
