"""The yardstick for Ray: the same batches on multiprocessing.Pool, with nothing that a cluster needs."""

import multiprocessing
from collections.abc import Iterator
from queue import Empty, SimpleQueue

from arena.errors import InfrastructureError
from arena.executors.base import BatchResult, BatchSizer, Finished, Task, WorkQueue, make_batch, play_batch

TARGET_S = 0.5  # as for Ray
IN_FLIGHT = 2
PATIENCE_S = 60


class PoolExecutor:
    """Processes of one Pool; batches are sized and kept in flight as for Ray."""

    name = "pool"

    def __init__(self, num_workers: int) -> None:
        self.num_workers = num_workers
        # Spawned: a fork of a process that runs threads, as Ray's and numba's do, may come up locked.
        self._pool = multiprocessing.get_context("spawn").Pool(num_workers)

    def run(self, queue: WorkQueue) -> Iterator[Finished]:
        """Yields batches as they finish.

        Raises:
            InfrastructureError: no batch came back for long; a Pool that has lost one waits for ever.
            Exception: whatever a batch failed of.
        """
        sizer = BatchSizer(TARGET_S)
        done: SimpleQueue[tuple[list[Task], BatchResult | BaseException]] = SimpleQueue()
        num_in_flight = 0
        while True:
            while num_in_flight < IN_FLIGHT * self.num_workers and (tasks := queue.take(sizer.size)):
                self._send(tasks, done)
                num_in_flight += 1
            if not num_in_flight:
                return
            try:
                tasks, result = done.get(timeout=PATIENCE_S)
            except Empty:
                raise InfrastructureError(f"the pool has finished no batch for {PATIENCE_S} s; is it alive?") from None
            num_in_flight -= 1
            if isinstance(result, BaseException):
                raise result
            sizer.note(len(tasks), result.seconds)
            yield Finished(tasks, result, "pool")

    def _send(self, tasks: list[Task], done: "SimpleQueue[tuple[list[Task], BatchResult | BaseException]]") -> None:
        def put(result: BatchResult | BaseException) -> None:
            done.put((tasks, result))

        self._pool.apply_async(play_batch, (make_batch(tasks),), callback=put, error_callback=put)

    def close(self) -> None:
        """Stops the processes."""
        self._pool.terminate()
        self._pool.join()
