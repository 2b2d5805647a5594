"""What workers are given, and what they answer. Both are small and can be pickled; scores go to the store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ._job import Job, JobOptions, Part
from ._manifest import Clip
from ._merge import Missing, merge_part
from ._plan import Stretch
from ._segment import Place, SegmentTarget, plan_clip, score_clip, score_segment, write_failure
from ._store import StoreError, open_store

__all__ = ["Answer", "ClipTask", "MergeTask", "PlanTask", "SegmentTask", "Task", "perform", "record_failure"]


@dataclass(frozen=True, slots=True)
class _OfClip:
    url: str
    digest: str
    options: JobOptions
    part: Part
    row: int
    clip: Clip

    @property
    def target(self) -> SegmentTarget:
        return SegmentTarget(open_store(self.url), self.digest, self.part)


@dataclass(frozen=True, slots=True)
class PlanTask(_OfClip):
    """Find out how a clip is to be cut."""


@dataclass(frozen=True, slots=True)
class ClipTask(_OfClip):
    """The same, and score it if it is one segment."""


@dataclass(frozen=True, slots=True)
class SegmentTask(_OfClip):
    """Score a segment."""

    stretch: Stretch


@dataclass(frozen=True, slots=True)
class MergeTask:
    """Put a part together."""

    url: str
    digest: str
    part: Part


Task = PlanTask | ClipTask | SegmentTask | MergeTask


@dataclass(frozen=True, slots=True)
class Answer:
    #: Of a clip: how it is cut. One segment of a ClipTask is scored.
    stretches: Sequence[Stretch] = ()
    #: That were scored, of all encodes.
    frames: int = 0
    #: Of a part.
    missing: Sequence[Missing] = ()
    failed_rows: int = 0
    #: The output cannot be written: the job stops.
    stop: str | None = None


#: Jobs of which a worker has merged parts.
_jobs: dict[str, Job] = {}


def perform(task: Task, place: Place) -> Answer:
    """What it raises is a worker's trouble: the task may be given to another one."""
    try:
        if isinstance(task, MergeTask):
            job = _jobs.get(task.digest)
            if job is None or job.store.url != open_store(task.url).url:
                job = _jobs[task.digest] = Job.open(open_store(task.url))
            missing, failed_rows = merge_part(job, task.part)
            return Answer(missing=missing, failed_rows=failed_rows)
        if isinstance(task, PlanTask):
            return Answer(stretches=plan_clip(task.clip, task.options))
        if isinstance(task, SegmentTask):
            frames = score_segment(task.clip, task.options, task.stretch, place, task.target)
            return Answer(stretches=[task.stretch], frames=frames)
        stretches, frames = score_clip(task.clip, task.options, place, task.target)
        return Answer(stretches=stretches, frames=frames)
    except StoreError as error:
        return Answer(stop=str(error))


def record_failure(task: ClipTask | SegmentTask, reason: str) -> None:
    """In place of a task that no worker could do."""
    stretch = task.stretch if isinstance(task, SegmentTask) else Stretch()
    write_failure(task.clip, stretch, task.target, reason)
