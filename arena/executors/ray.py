"""Plays matches on Ray: an actor a core, two batches in flight each. The only importer of ray.

Ray's own retries are off: it would run a match again without a word. A lost worker voids its batches, which come
back as failures, and a new one takes its place.
"""

import contextlib
import logging
import os
import random
import socket
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from arena.errors import ArenaError, InfrastructureError, UsageError
from arena.executors.base import (
    Batch,
    BatchResult,
    BatchSizer,
    Finished,
    Task,
    WorkQueue,
    hosts_of,
    make_batch,
    play_batch,
)
from arena.executors.scratch import Scratch
from arena.hosts.bundle_host import NO_KIT, BundleHosts, Kit

TARGET_S = 0.5
CONNECT_S = 5.0  # until a cluster's machine must have answered
IN_FLIGHT = 2  # batches a worker: one being played, one waiting, so that no worker waits for this process
MAX_LOST_WORKERS = 20  # replacements in one run before the machine is taken to be unfit

# One thread a worker: the cores are shared out by matches. Ray's own services are told to be quiet and small; its
# authentication is for clusters that strangers can reach, and ours listens on loopback alone.
ENVIRONMENT = {
    "NUMBA_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "RAY_AUTH_MODE": "disabled",
    "RAY_DEDUP_LOGS": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_enable_metrics_collection": "0",
    "RAY_task_events_report_interval_ms": "0",
    "RAY_memory_monitor_refresh_ms": "0",
    "RAY_DISABLE_IMPORT_WARNING": "1",
}


class _Worker:
    """The actor: plays batches that come and go as bytes, so that what crosses is a plain value."""

    def __init__(self, sandbox: str, *bundles: bytes) -> None:
        self._kit = Kit(bundles, sandbox)
        self._hosts: BundleHosts | None = None

    def play(self, encoded: bytes) -> bytes:
        """Plays an encoded Batch and returns an encoded BatchResult."""
        batch = _decode_batch(encoded)
        # Not when the actor is made: what goes wrong here is the machine's failing, and must be said as such.
        try:
            self._hosts = self._hosts or hosts_of(self._kit)
        except ArenaError as error:
            return msgspec.msgpack.encode(BatchResult((str(error),) * len(batch.matches), 0.0))
        return msgspec.msgpack.encode(play_batch(batch, self._hosts))

    def pid(self) -> int:
        """Returns the worker's process id."""
        return os.getpid()


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Puts the global generator of chance back: Ray uses it when it starts and when it stops."""
    state = random.getstate()
    try:
        yield
    finally:
        random.setstate(state)


def _silence(ray: Any) -> None:
    """Keeps Ray from printing the cluster's messages in the midst of our output, which may be JSON.

    It prints them to standard output in colour, whatever `log_to_driver` says, and has no setting for that. They tell
    of lost workers, which we list ourselves.
    """
    ray._private.worker.print_to_stdstream = lambda *arguments, **options: None


def _check_address(address: str) -> None:
    """Raises InfrastructureError where nothing listens at `host:port`: Ray would ask there again for many minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not port.isdecimal():
        return  # `auto`, or what Ray says is none
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=CONNECT_S).close()
    except (OSError, OverflowError, UnicodeError) as error:
        raise InfrastructureError(
            f"--address {address}: no Ray cluster answers there ({error}); "
            "start one with `ray start --head`, name another, or leave it out for one of your own"
        ) from error


class _Sent(NamedTuple):
    """A batch on its way."""

    worker: str
    actor: Any
    tasks: list[Task]
    load: int
    """Of the IN_FLIGHT batches that a worker may have, how many this one stands for."""


def _encode_batch(batch: Batch) -> bytes:
    # A run's seed has 128 bits, more than a packed integer; it travels as text.
    conditions = batch.conditions
    small = msgspec.structs.replace(batch, conditions=msgspec.structs.replace(conditions, run_seed=0))
    return msgspec.msgpack.encode((str(conditions.run_seed), small))


def _decode_batch(encoded: bytes) -> Batch:
    seed, small = msgspec.msgpack.decode(encoded, type=tuple[str, Batch])
    conditions = msgspec.structs.replace(small.conditions, run_seed=int(seed))
    return msgspec.structs.replace(small, conditions=conditions)


class RayExecutor:
    """Workers of a Ray cluster: one of our own on this machine, or one that is named by its address."""

    name = "ray"

    def __init__(self, num_workers: int | None = None, address: str | None = None, kit: Kit = NO_KIT) -> None:
        """Starts or joins a cluster.

        Args:
            num_workers: how many; None for one a core.
            address: of a cluster to join; None for one of our own.
            kit: what each worker is given once, submitted bots by content.

        Raises:
            InfrastructureError: Ray is not there, or does not start.
        """
        os.environ.update(ENVIRONMENT)
        try:
            import ray
        except ImportError as error:
            raise InfrastructureError(
                f"Ray cannot be imported ({error}); install it, or use --executor inline"
            ) from error
        _silence(ray)
        self._ray = ray
        self.num_workers = num_workers or os.cpu_count() or 1
        self._scratch: Scratch | None = None
        self._connect(address)
        if address is not None:
            self.num_workers = self._cluster_workers(address, num_workers)
        self._actor = ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0)(_Worker)
        self._sandbox = kit.sandbox
        # In the cluster's own store, once for all workers and for those that take the place of lost ones.
        self._bundles = [ray.put(bundle) for bundle in kit.bundles]
        self._workers: dict[str, Any] = {}
        self._num_lost = 0

    def _connect(self, address: str | None) -> None:
        """Starts Ray, or joins it."""
        if address:
            _check_address(address)
        options: dict[str, Any] = {"address": address} if address else self._own_cluster()
        try:
            with _undisturbed():
                self._ray.init(log_to_driver=False, logging_level=logging.ERROR, configure_logging=True, **options)
        except Exception as error:
            self._let_go()
            place = f"at {address}" if address else "on this machine"
            raise InfrastructureError(
                f"Ray cannot be started {place}: {error}; --executor inline needs none"
            ) from error

    def _cluster_workers(self, address: str, wanted: int | None) -> int:
        """Returns how many workers to use of a cluster that others have started.

        Raises:
            UsageError: it has fewer cores, and the rest would be waited for without end.
        """
        cores = max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        if wanted is not None and wanted > cores:
            self._let_go()
            raise UsageError(
                f"--workers {wanted}: the cluster at {address} has {cores} cores; ask for no more than that"
            )
        return wanted or cores

    def _own_cluster(self) -> dict[str, Any]:
        """Returns the options of a small cluster of our own on this machine."""
        self._scratch = Scratch()
        return {
            # Without it Ray would join whatever $RAY_ADDRESS or its last session names.
            "address": "local",
            "num_cpus": self.num_workers,
            "include_dashboard": False,
            "object_store_memory": 80 * 1024 * 1024,
            "_temp_dir": str(self._scratch.path),
        }

    def _worker(self, name: str) -> Any:
        if name not in self._workers:
            self._workers[name] = self._actor.remote(self._sandbox, *self._bundles)
        return self._workers[name]

    def run(self, queue: WorkQueue) -> Iterator[Finished]:
        """Yields batches as they finish."""
        sizer = BatchSizer(TARGET_S)
        in_flight: dict[Any, _Sent] = {}
        load = {f"ray-{number}": 0 for number in range(self.num_workers)}
        while True:
            self._send(queue, sizer, in_flight, load)
            if not in_flight:
                return
            ready, _ = self._ray.wait(list(in_flight), num_returns=1)
            # Its worker's oldest batch is looked at first, whichever is announced first: of those that a lost worker
            # had, that is the one it was playing. A worker plays in order, so there is nothing to wait for.
            actor = in_flight[ready[0]].actor
            reference = next(each for each, sent in in_flight.items() if sent.actor is actor)
            sent = in_flight.pop(reference)
            load[sent.worker] -= sent.load
            result = self._receive(reference, sent)
            if result is None:
                for task in reversed(sent.tasks):
                    queue.put_back(task)
                continue
            if result.seconds > 0:
                sizer.note(len(sent.tasks), result.seconds)
            yield Finished(sent.tasks, result, sent.worker)

    def _send(self, queue: WorkQueue, sizer: BatchSizer, in_flight: dict[Any, _Sent], load: dict[str, int]) -> None:
        """Fills up the workers, the idlest first."""
        while True:
            name = min(load, key=lambda worker: load[worker])
            if load[name] >= IN_FLIGHT:
                return
            tasks = queue.take(sizer.size)
            if not tasks:
                return
            is_retry = tasks[0].attempt > 1
            if is_retry and load[name]:
                queue.put_back(tasks[0])
                return
            # What failed before has its worker to itself: then it is known whose failing the next one is. A worker
            # that is killed may take with it the answer to the batch before, and that would be blamed.
            sent = _Sent(name, self._worker(name), tasks, IN_FLIGHT if is_retry else 1)
            in_flight[sent.actor.play.remote(_encode_batch(make_batch(tasks)))] = sent
            load[name] += sent.load

    def _receive(self, reference: Any, sent: _Sent) -> BatchResult | None:
        """Returns what a worker sent, or failures for a whole batch when the worker was lost while it played that.

        None is for a batch that a lost worker had not begun: batches are played and looked at in the order in which
        they were sent, so that is any but its first to fail.

        Raises:
            InfrastructureError: so many workers were lost that going on is no use.
        """
        try:
            return msgspec.msgpack.decode(self._ray.get(reference), type=BatchResult)
        except self._ray.exceptions.RayError as error:
            if self._workers.get(sent.worker) is not sent.actor:
                return None
            del self._workers[sent.worker]
            self._num_lost += 1
            reason = f"worker {sent.worker} was lost ({type(error).__name__})"
            if self._num_lost > MAX_LOST_WORKERS:
                raise InfrastructureError(
                    f"{self._num_lost} workers were lost, the last: {reason}; what was played is stored. See whether "
                    "memory runs out, or which bot ends its process, then go on with `arena resume`"
                ) from error
            return BatchResult((reason,) * len(sent.tasks), 0.0)

    def close(self) -> None:
        """Stops our workers, and the cluster if it is our own."""
        self._workers.clear()
        self._bundles.clear()
        self._let_go()

    def _let_go(self) -> None:
        with _undisturbed():
            self._ray.shutdown()
        if self._scratch is not None:
            self._scratch.close()
