"""Tasks for workers, and their answers. Both are small and can be pickled; scores go to the store."""

from __future__ import annotations

import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass

from ._job import Job, JobOptions, Shard
from ._manifest import Clip
from ._merge import Missing, merge_shard
from ._plan import Segment
from ._segment import Place, ScoredSegment, SegmentTarget, failed_segment, plan_clip, score_clip, score_segment, write_segments
from ._store import StoreError, open_store

__all__ = ["Answer", "ClipsTask", "MergeTask", "PlanTask", "SegmentTask", "Task", "perform", "record_failure"]


@dataclass(frozen=True, slots=True)
class _OfShard:
    url: str
    digest: str
    shard: Shard

    @property
    def target(self) -> SegmentTarget:
        return SegmentTarget(open_store(self.url), self.digest, self.shard)


@dataclass(frozen=True, slots=True)
class _OfClip(_OfShard):
    options: JobOptions
    row: int
    clip: Clip


@dataclass(frozen=True, slots=True)
class PlanTask(_OfClip):
    """Plan the segments of a clip."""


@dataclass(frozen=True, slots=True)
class ClipsTask(_OfShard):
    """Plan several clips, and score those of one segment. The worker stops after a short time and may leave the last clips."""

    options: JobOptions
    rows: tuple[int, ...]
    clips: tuple[Clip, ...]

    @property
    def clip(self) -> Clip:
        return self.clips[0]


@dataclass(frozen=True, slots=True)
class SegmentTask(_OfClip):
    """Score a segment."""

    segment: Segment


@dataclass(frozen=True, slots=True)
class MergeTask(_OfShard):
    """Put a shard together."""


Task = PlanTask | ClipsTask | SegmentTask | MergeTask


@dataclass(frozen=True, slots=True)
class Answer:
    #: Segments of a clip.
    segments: Sequence[Segment] = ()
    #: Segments of each of the first clips of a ClipsTask. Clips of one segment are scored.
    clips: Sequence[Sequence[Segment]] = ()
    #: Trouble of the worker with the next clip.
    trouble: str = ""
    #: Scored frames of all encodes.
    frames: int = 0
    #: Missing segments of a shard.
    missing: Sequence[Missing] = ()
    failed_rows: int = 0
    #: The output cannot be written: the job stops.
    stop: str | None = None


#: A worker begins no further clip of a task after this time. If it dies, it loses about this much
#: work, besides the current clip.
_SECONDS_OF_CLIPS = 0.5
_MOST_FRAMES = 10_000

#: Jobs of which a worker has merged shards.
_jobs: dict[str, Job] = {}

#: Exceptions that mean a defect of this program.
_DEFECTS = (TypeError, AttributeError, NameError, LookupError, AssertionError)


def perform(task: Task, place: Place) -> Answer:
    """Run a task. An exception means trouble of the worker: another one may get the task."""
    try:
        if isinstance(task, MergeTask):
            job = _jobs.get(task.digest)
            if job is None or job.store.url != open_store(task.url).url:
                job = _jobs[task.digest] = Job.open(open_store(task.url))
            missing, failed_rows = merge_shard(job, task.shard)
            return Answer(missing=missing, failed_rows=failed_rows)
        if isinstance(task, PlanTask):
            return Answer(segments=plan_clip(task.clip, task.options))
        if isinstance(task, SegmentTask):
            scored = score_segment(task.clip, task.options, task.segment, place)
            write_segments(task.target, [scored])
            return Answer(segments=[task.segment], frames=scored.frames)
        return _score_clips(task, place)
    except StoreError as error:
        return Answer(stop=str(error))
    except _DEFECTS:
        return Answer(stop=f"this is a defect of vmaf-catalogue:\n{traceback.format_exc()}")


def _score_clips(task: ClipsTask, place: Place) -> Answer:
    """Score clips. Files are expensive, so short clips share one. A long clip gets its own at once."""
    until = time.monotonic() + _SECONDS_OF_CLIPS
    cuts: list[Sequence[Segment]] = []
    scored: list[ScoredSegment] = []
    trouble = ""
    for clip in task.clips:
        try:
            segments, segment = score_clip(clip, task.options, place)
        except _DEFECTS:
            raise
        except Exception as error:
            trouble = f"{type(error).__name__}: {error}"
            break
        cuts.append(segments)
        if segment is not None:
            scored.append(segment)
        if time.monotonic() >= until or sum(segment.frames for segment in scored) >= _MOST_FRAMES:
            break
    if scored:
        write_segments(task.target, scored)
    return Answer(clips=cuts, frames=sum(segment.frames for segment in scored), trouble=trouble)


def record_failure(task: ClipsTask | SegmentTask, reason: str) -> None:
    """In place of a task that no worker could do."""
    segment = task.segment if isinstance(task, SegmentTask) else Segment()
    write_segments(task.target, [failed_segment(task.clip, segment, reason)])
