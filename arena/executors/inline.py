"""Plays matches in this process, one after the other."""

from collections.abc import Iterator

from arena.executors.base import BatchSizer, Finished, WorkQueue, hosts_of, make_batch, play_batch
from arena.hosts.bundle_host import NO_KIT, Kit

TARGET_S = 0.2  # a batch is stored when it ends: what a kill may cost, and how often progress shows


class InlineExecutor:
    """One worker: this process."""

    name = "inline"
    num_workers = 1

    def __init__(self, kit: Kit = NO_KIT) -> None:
        self._hosts = hosts_of(kit)

    def run(self, queue: WorkQueue) -> Iterator[Finished]:
        """Yields batches as they finish."""
        sizer = BatchSizer(TARGET_S)
        while tasks := queue.take(sizer.size):
            result = play_batch(make_batch(tasks), self._hosts)
            sizer.note(len(tasks), result.seconds)
            yield Finished(tasks, result, "inline")

    def close(self) -> None:
        """Has nothing to let go of."""
