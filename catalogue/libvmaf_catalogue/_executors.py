"""Executors run tasks in processes or on clusters. No other module knows these."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from ._segment import Place
from ._tasks import Answer, Task, perform

__all__ = ["Done", "Executor", "Inline", "Needs", "Stopped"]


class Stopped(Exception):
    """The job cannot go on. Finished work is kept, and the job can be resumed."""


class Needs(Enum):
    """The kind of worker that a task needs."""

    ANY = "any"
    GPU = "gpu"


@dataclass(frozen=True, slots=True)
class Done:
    """A task has ended, with an answer or with trouble of its worker."""

    task: Task
    answer: Answer | None = None
    trouble: str = ""
    #: The worker, not to be asked again. None: the executor sees to that.
    worker: int | None = None
    #: It has been tried often enough.
    is_final: bool = False


class Executor(Protocol):
    """Tasks are handed in as long as there is room, and one is waited for."""

    @property
    def has_gpus(self) -> bool: ...
    @property
    def has_both_kinds(self) -> bool:
        """Workers on GPUs and on CPUs."""
        ...

    def has_room(self, needs: Needs) -> bool: ...
    def submit(self, task: Task, needs: Needs, avoid: frozenset[int]) -> None:
        """Start a task. `avoid`: workers that had trouble with it. If there are no others, they get it again."""
        ...

    def wait(self) -> Done:
        """Wait until a submitted task ends."""
        ...

    def close(self) -> None:
        """Abandon tasks that are still running."""
        ...


class Inline:
    """This process, one task after the other."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._tasks: deque[Task] = deque()

    @property
    def has_gpus(self) -> bool:
        return self._place.gpu is not None

    has_both_kinds = False

    def has_room(self, needs: Needs) -> bool:
        return not self._tasks

    def submit(self, task: Task, needs: Needs, avoid: frozenset[int]) -> None:
        self._tasks.append(task)

    def wait(self) -> Done:
        task = self._tasks.popleft()
        try:
            return Done(task, perform(task, self._place))
        except Exception as error:
            return Done(task, trouble=f"{type(error).__name__}: {error}")

    def close(self) -> None:
        self._tasks.clear()
