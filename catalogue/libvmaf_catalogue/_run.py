"""The driver: hands out what is still to be done until every shard has its files."""

from __future__ import annotations

import dataclasses
import itertools
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from ._executors import Done, Executor, Needs, Stopped
from ._features import differ_by_device
from ._job import Job, Shard, clip_key
from ._lock import driving
from ._manifest import Clip
from ._plan import WHOLE, Segment
from ._segment import ShardSegments, SegmentTarget
from ._tables import DamagedTable, facts_of, read_table
from ._tasks import Answer, ClipsTask, MergeTask, PlanTask, SegmentTask, Task, record_failure

__all__ = ["Outcome", "Tally", "drive", "finished_shard", "run"]

#: After the first time, on other workers.
_RETRIES = 3
#: Tasks that wait for a worker of their kind while others have nothing to do.
_MOST_READY = 4096
_CHECKED_AT_ONCE = 16
#: Most short clips of a task. A job of few clips has one in each task, so all workers have work.
_MOST_CLIPS_OF_A_TASK = 32
_LEAST_TASKS = 64
#: How often a shard with damaged segments is merged again.
_MERGES = 4


@dataclass
class Tally:
    """How far a job is."""

    clips: int = 0
    #: A segment counts as a share of its clip.
    done: float = 0.0
    #: Clips that an earlier run had finished.
    found: int = 0
    frames: int = 0
    failed_rows: int = 0
    retried: int = 0


@dataclass(frozen=True)
class Outcome:
    """Result of a finished job."""

    clips: int
    failed_rows: int
    retried: int


@dataclass
class _Entry:
    task: Task
    needs: Needs
    tries: int = 0
    avoid: frozenset[int] = frozenset()


@dataclass
class _ShardState:
    shard: Shard
    clips: list[Clip]
    #: Files in the shard's segments folder.
    existing: set[str]
    open_tasks: int = 0
    merges: int = 0

    def is_begun(self, clip: Clip) -> bool:
        """Segments of it have files of their own."""
        return any(f"/{clip_key(clip.id)}-" in name for name in self.existing)


def finished_shard(job: Job, shard: Shard) -> int | None:
    """Number of rows with an error. None: its files are missing, incomplete or another job's. Of frames only the footer is read."""
    try:
        summary = read_table(job.store.read(shard.summary_name))
        facts = facts_of(summary.schema)
        if facts.get("job") != job.digest or job.store.size(shard.frames_name) != facts.get("frames_bytes"):
            return None
        import pyarrow.parquet as pq

        with job.store.open(shard.frames_name) as file:
            schema = pq.read_schema(file)
        if facts_of(schema).get("job") != job.digest:
            return None
    except (FileNotFoundError, DamagedTable, OSError, ValueError):
        return None
    return int(summary.num_rows - summary.column("error").null_count)


@dataclass
class _Driver:
    job: Job
    executor: Executor
    tally: Tally
    retry_failed: bool
    report: Callable[[Tally], object]
    ready: deque[_Entry] = field(default_factory=deque)
    in_hand: dict[int, _Entry] = field(default_factory=dict)
    shards: dict[Shard, _ShardState] = field(default_factory=dict)

    def run(self) -> None:
        more = self._unfinished_shards()
        while True:
            self._fill(more)
            if not self.in_hand:
                if self.ready:  # no worker can ever take it
                    raise Stopped("no worker has what a clip needs: a GPU")
                return
            self._finish(self.executor.wait())
            self.report(self.tally)

    def _fill(self, more: Iterator[_ShardState]) -> None:
        """Submit tasks while there is room, and make only as many tasks of the next shards."""
        while True:
            for entry in list(self.ready):
                if not self.executor.has_room(Needs.ANY):
                    return
                if self.executor.has_room(entry.needs):
                    self.ready.remove(entry)
                    self.in_hand[id(entry.task)] = entry
                    self.executor.submit(entry.task, entry.needs, entry.avoid)
            if not self.executor.has_room(Needs.ANY) or len(self.ready) > _MOST_READY:
                return
            state = next(more, None)
            if state is None:
                return
            self._begin(state)

    def _unfinished_shards(self) -> Iterator[_ShardState]:
        summaries = set(self.job.store.list("summary"))
        segments: dict[str, set[str]] = {}
        for name in self.job.store.list("_segments"):
            segments.setdefault(name.rpartition("/")[0], set()).add(name)

        def failed_rows(shard: Shard) -> int | None:
            return finished_shard(self.job, shard) if shard.summary_name in summaries else None

        with ThreadPoolExecutor(_CHECKED_AT_ONCE) as threads:  # a store may be far away
            checked = list(zip(self.job.shards, threads.map(failed_rows, self.job.shards)))
        for shard, failed in checked:
            existing = segments.get(shard.segments_folder, set())
            if failed is not None and not (failed and self.retry_failed):
                self.tally.done += shard.count
                self.tally.found += shard.count
                self.tally.failed_rows += failed
                if existing:  # a kill between the last two steps of a merge leaves them
                    self.job.store.remove_folder(shard.segments_folder)
                continue
            if failed:
                self.job.store.remove(shard.summary_name)
                self.job.store.remove_folder(shard.segments_folder)
                existing = set()
            yield _ShardState(shard, self.job.clips(shard), existing)

    def _begin(self, state: _ShardState) -> None:
        self.shards[state.shard] = state
        there = ShardSegments(SegmentTarget(self.job.store, self.job.digest, state.shard)) if state.existing else None
        fresh: list[int] = []
        for row, clip in enumerate(state.clips):
            first = there.get(clip, 0) if there is not None else None
            if first is not None and first.facts["of"] == 1:
                self.tally.done += 1
            elif first is not None:
                self._add(state, self._plan(state, row))
            elif state.is_begun(clip):
                self._add(state, self._clips(state, [row]))
            else:
                fresh.append(row)
        self._add_clips(state, fresh)
        self._merge_if_complete(state)

    def _plan(self, state: _ShardState, row: int) -> PlanTask:
        return PlanTask(**self._of_shard(state), row=row, clip=state.clips[row])

    def _segment(self, state: _ShardState, row: int, segment: Segment) -> SegmentTask:
        return SegmentTask(**self._of_shard(state), row=row, clip=state.clips[row], segment=segment)

    def _clips(self, state: _ShardState, rows: Sequence[int]) -> ClipsTask:
        return ClipsTask(**self._of_shard(state), rows=tuple(rows), clips=tuple(state.clips[row] for row in rows))

    def _of_shard(self, state: _ShardState) -> dict[str, Any]:
        return {"url": self.job.store.url, "digest": self.job.digest, "shard": state.shard, "options": self.job.options}

    def _add_clips(self, state: _ShardState, rows: Sequence[int], soon: bool = False) -> None:
        """Group clips into tasks, but keep enough tasks for all workers."""
        most = max(1, min(_MOST_CLIPS_OF_A_TASK, self.job.clip_count // _LEAST_TASKS))
        for _, alike in itertools.groupby(rows, lambda row: self._needs(state.clips[row])):
            group = list(alike)
            for start in range(0, len(group), most):
                self._add(state, self._clips(state, group[start : start + most]), soon)

    def _needs(self, clip: Clip) -> Needs:
        if self.executor.has_both_kinds and differ_by_device(self.job.options.scoring(clip)["features"]):
            return Needs.GPU
        return Needs.ANY

    def _add(self, state: _ShardState, task: Task, soon: bool = False) -> None:
        state.open_tasks += 1
        entry = _Entry(task, self._needs(task.clip) if isinstance(task, (ClipsTask, SegmentTask)) else Needs.ANY)
        self.ready.appendleft(entry) if soon else self.ready.append(entry)

    def _merge_if_complete(self, state: _ShardState) -> None:
        if state.open_tasks == 0:
            state.merges += 1
            if state.merges > _MERGES:
                raise Stopped(f"{state.shard.segments_folder}: its segments are damaged again and again")
            self._add(state, MergeTask(self.job.store.url, self.job.digest, state.shard), soon=True)

    def _finish(self, done: Done) -> None:
        entry = self.in_hand.pop(id(done.task))
        state = self.shards[done.task.shard]
        if done.answer is None:
            self._try_again(entry, state, done)
            return
        if done.answer.stop is not None:
            raise Stopped(done.answer.stop)
        state.open_tasks -= 1
        self._take(entry, done.answer, state, done)

    def _take(self, entry: _Entry, answer: Answer, state: _ShardState, done: Done) -> None:
        task = entry.task
        self.tally.frames += answer.frames
        if isinstance(task, MergeTask):
            if not answer.missing:
                self.tally.failed_rows += answer.failed_rows
                del self.shards[state.shard]
                return
            self._redo(answer, state)
            return
        if isinstance(task, ClipsTask):
            self._take_clips(entry, task, answer, state, done)
        elif isinstance(task, SegmentTask):
            self.tally.done += 1 / task.segment.of
        elif len(answer.segments) == 1:  # it was longer when it was begun
            self._add(state, self._clips(state, [task.row]), soon=True)
        else:
            self._cut(task.row, answer.segments, state)
        self._merge_if_complete(state)

    def _take_clips(self, entry: _Entry, task: ClipsTask, answer: Answer, state: _ShardState, done: Done) -> None:
        for row, segments in zip(task.rows, answer.clips):
            if len(segments) == 1:
                self.tally.done += 1
            else:
                self._cut(row, segments, state)
        left = task.rows[len(answer.clips) :]
        self._add_clips(state, left[1:] if answer.trouble else left, soon=True)
        if answer.trouble:
            state.open_tasks += 1
            one = dataclasses.replace(entry, task=self._clips(state, left[:1]))
            self._try_again(one, state, dataclasses.replace(done, trouble=answer.trouble))

    def _cut(self, row: int, segments: Sequence[Segment], state: _ShardState) -> None:
        for segment in reversed(segments):
            if state.shard.segment_name(state.clips[row].id, segment.number) in state.existing:
                self.tally.done += 1 / segment.of
            else:
                self._add(state, self._segment(state, row, segment), soon=True)

    def _redo(self, answer: Answer, state: _ShardState) -> None:
        """Segments that were found and are of no use."""
        for missing in answer.missing:
            clip = state.clips[missing.clip]
            state.existing.discard(state.shard.segment_name(clip.id, missing.segment or 0))
        for row in dict.fromkeys(missing.clip for missing in answer.missing):
            self.tally.done -= 1
            if any(missing.is_whole for missing in answer.missing if missing.clip == row):
                self._add(state, self._segment(state, row, WHOLE))
            elif state.is_begun(state.clips[row]):
                self._add(state, self._plan(state, row))
            else:
                self._add(state, self._clips(state, [row]))
        # Segments that are still good count again when the plan says which.

    def _try_again(self, entry: _Entry, state: _ShardState, done: Done) -> None:
        task = entry.task
        if isinstance(task, ClipsTask) and len(task.rows) > 1:  # which of them it was is not known
            self.tally.retried += 1
            state.open_tasks -= 1
            for row in task.rows:
                self._add(state, self._clips(state, [row]))
            return
        entry.tries += 1
        self.tally.retried += 1
        if entry.tries <= _RETRIES and not done.is_final:
            if done.worker is not None:
                entry.avoid |= {done.worker}
            self.ready.append(entry)
            return
        if isinstance(task, MergeTask):
            raise Stopped(f"{task.shard.frames_name}: {done.trouble}")
        state.open_tasks -= 1
        if isinstance(task, PlanTask):
            task = self._clips(state, [task.row])
        tries = "" if done.is_final else f", {entry.tries} times"
        record_failure(task, f"{done.trouble}{tries}")
        self.tally.done += 1 / task.segment.of if isinstance(task, SegmentTask) else 1
        self._merge_if_complete(state)


Report = Callable[[Tally], object]


def run(job: Job, executor: Executor, *, retry_failed: bool = False, report: Report = lambda tally: None) -> Outcome:
    """Run the job until every clip has its rows. Stopped: it cannot go on now. JobError: another driver works on it. After any
    exception finished work is kept."""
    with driving(job.store):
        job.check_is_there()
        return drive(job, executor, retry_failed=retry_failed, report=report)


def drive(job: Job, executor: Executor, *, retry_failed: bool, report: Report) -> Outcome:
    """run() for who is driving()."""
    tally = Tally(clips=job.clip_count)
    report(tally)
    _Driver(job, executor, tally, retry_failed, report).run()
    job.store.remove_folder("_segments")
    job.store.remove_unfinished()
    return Outcome(tally.clips, tally.failed_rows, tally.retried)
