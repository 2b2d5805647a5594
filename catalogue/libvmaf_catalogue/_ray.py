"""Workers of a cluster of Ray. Scores go to the store, which every node must see under the same name. Only short answers are sent."""

from __future__ import annotations

import contextlib
import logging
import os
import time
from collections import deque
from collections.abc import Iterator
from typing import Any

import ray
from ray.exceptions import RayError, RayTaskError

from ._executors import Done, Needs
from ._segment import Place
from ._tasks import Answer, Task, perform
from ._worker import be_quiet

__all__ = ["RayCluster"]

#: How often Ray repeats a task whose worker or node died.
_RETRIES = 3
#: Tasks that are submitted ahead, so that no worker waits for the driver.
_LEAST_AHEAD = 2
_ONE_AHEAD_FOR = 4
_SECONDS_BETWEEN_LOOKS = 5


def _perform(task: Task, place: Place) -> Answer:
    be_quiet()
    return perform(task, place)


#: Niceness that Ray adds to its workers. The default of 15 makes them wait for all other work of
#: the machine, unlike the workers of a pool.
_NICENESS = "RAY_worker_niceness"


@contextlib.contextmanager
def _as_nice_as_the_driver() -> Iterator[None]:
    """Give workers of a cluster that is started here the driver's niceness, unless the user has set another."""
    if _NICENESS in os.environ:
        yield
        return
    os.environ[_NICENESS] = "0"
    try:
        yield
    finally:
        del os.environ[_NICENESS]


class RayCluster:
    """One task asks for a share of a GPU, or for the CPUs that its threads need."""

    def __init__(self, address: str, *, gpu_share: float = 0.25, threads: int = 0, with_gpus: bool = True, with_cpus: bool = True) -> None:
        if not ray.is_initialized():
            with _as_nice_as_the_driver():
                ray.init(address=None if address == "local" else address, logging_level=logging.ERROR, log_to_driver=False)
            self._is_ours = True
        else:
            self._is_ours = False
        remote = ray.remote(max_retries=_RETRIES, max_calls=0)(_perform)
        self._cpus = max(1, threads)
        self._gpu_share = gpu_share
        self._on_gpu = remote.options(num_gpus=gpu_share, num_cpus=0)
        self._on_cpu = remote.options(num_cpus=self._cpus)
        self._with_gpus, self._with_cpus = with_gpus, with_cpus
        self._threads = threads
        self._tasks: dict[Any, tuple[Task, Needs]] = {}
        #: Keys of tasks that have ended.
        self._ended: deque[Any] = deque()
        self._used = {Needs.GPU: 0, Needs.ANY: 0}
        self._next_look = 0.0
        self._look()

    def _look(self) -> None:
        """Update the number of workers, because nodes join and leave."""
        if time.monotonic() < self._next_look:
            return
        self._next_look = time.monotonic() + _SECONDS_BETWEEN_LOOKS
        cluster: Any = ray
        resources = cluster.cluster_resources()
        gpus = resources.get("GPU", 0) if self._with_gpus else 0
        self._gpu_places = int(gpus / self._gpu_share + 1e-6)
        # Each worker on a GPU also needs a CPU, for software decoding.
        cpus = resources.get("CPU", 0) - self._gpu_places if self._with_cpus else 0
        self._cpu_places = max(0, int(cpus / self._cpus))

    @property
    def has_gpus(self) -> bool:
        return self._gpu_places > 0

    @property
    def has_both_kinds(self) -> bool:
        return self._gpu_places > 0 and self._cpu_places > 0

    def _room(self, on: Needs) -> int:
        places = self._gpu_places if on is Needs.GPU else self._cpu_places
        return places + max(_LEAST_AHEAD, places // _ONE_AHEAD_FOR) - self._used[on] if places else 0

    def has_room(self, needs: Needs) -> bool:
        return self._room(Needs.GPU) >= 1 or (needs is Needs.ANY and self._room(Needs.ANY) >= 1)

    def submit(self, task: Task, needs: Needs, avoid: frozenset[int]) -> None:
        # Ray tells a task on a GPU which one is its own by CUDA_VISIBLE_DEVICES, so it is always
        # the first.
        kind = Needs.GPU if self._room(Needs.GPU) >= 1 else Needs.ANY
        if kind is Needs.GPU:
            reference = self._on_gpu.remote(task, Place(gpu=0))
        else:
            reference = self._on_cpu.remote(task, Place(threads=self._threads))
        self._tasks[reference] = task, kind
        self._used[kind] += 1

    def wait(self) -> Done:
        while not self._ended:
            self._wait_for_some()
            self._look()
        ended = self._ended.popleft()
        task, kind = self._tasks.pop(ended)
        self._used[kind] -= 1
        try:
            answer: Answer = ray.get(ended)
            return Done(task, answer)
        except RayTaskError as error:
            return Done(task, trouble=f"{type(error.cause).__name__}: {error.cause}")
        except RayError as error:  # Ray has tried it on other workers
            return Done(task, trouble=f"the worker died ({type(error).__name__}), {_RETRIES + 1} times", is_final=True)

    def _wait_for_some(self) -> None:
        """All that have ended by then: each call costs as much as there are tasks."""
        tasks = list(self._tasks)
        ready, _ = ray.wait(tasks, num_returns=1, timeout=_SECONDS_BETWEEN_LOOKS)
        if ready:
            ready, _ = ray.wait(tasks, num_returns=len(tasks), timeout=0)
        self._ended += ready

    def close(self) -> None:
        for reference in self._tasks:
            with contextlib.suppress(RayError):
                ray.cancel(reference, force=True)
        self._tasks.clear()
        self._ended.clear()
        if self._is_ours:
            ray.shutdown()
