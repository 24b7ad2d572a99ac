"""How samples are taken: calibrated to a length, ours and the peer's by turns.

A load does about `count` units of work and returns how many it did; the first call warms it up and is not counted.
"""

import subprocess
import sys
import time
from collections.abc import Callable, Mapping

from arena.bench.model import Effort, Measurement
from arena.errors import InfrastructureError

Load = Callable[[int], float]

GROWTH = 4  # from one trial of a calibration to the next
ENOUGH = 4  # a trial that lasts this part of a sample tells its length well enough


def seconds_of(work: Callable[..., object], *arguments: object) -> float:
    """Returns how long a piece of work takes."""
    begun = time.perf_counter()
    work(*arguments)
    return time.perf_counter() - begun


def calibrated(load: Load, sample_s: float) -> int:
    """Returns the number of units that last about `sample_s`; warms the load up on the way."""
    count = 1
    load(count)
    while True:
        seconds = seconds_of(load, count)
        if seconds * ENOUGH >= sample_s:
            return max(1, round(count * sample_s / seconds))
        count *= GROWTH


def rate(load: Load, count: int) -> float:
    """Returns units a second of one sample."""
    begun = time.perf_counter()
    done = load(count)
    return done / (time.perf_counter() - begun)


def rates(effort: Effort, ours: Load, peer: Load | None = None) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Returns samples in units a second of ours and of the peer, taken by turns; none of a peer that is not there."""
    own_count = calibrated(ours, effort.sample_s)
    peer_count = calibrated(peer, effort.sample_s) if peer else 0
    own, others = [], []
    for _ in range(effort.repeats):
        own.append(rate(ours, own_count))
        if peer:
            others.append(rate(peer, peer_count))
    return tuple(own), tuple(others)


def compare(
    effort: Effort, ours: Load, peer: Load | None = None, details: Mapping[str, float] | None = None
) -> Measurement:
    """Measures ours beside the peer, in units a second."""
    own, others = rates(effort, ours, peer)
    return Measurement(own, others, details or {})


def microseconds_each(effort: Effort, load: Load) -> tuple[float, ...]:
    """Returns samples in microseconds a unit."""
    own, _ = rates(effort, load)
    return tuple(1e6 / each for each in own)


def python_seconds(*arguments: str, env: Mapping[str, str] | None = None) -> float:
    """Returns how long a Python process lives, from before it is started until after it has ended.

    Raises:
        InfrastructureError: it ends with an error.
    """
    begun = time.perf_counter()
    done = subprocess.run([sys.executable, *arguments], env=env, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - begun
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise InfrastructureError(f"`python {' '.join(arguments)}` ended with {done.returncode}: {last}")
    return seconds
