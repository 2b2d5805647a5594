"""A job's segments under numbers, for whoever runs them without this program's driver: array jobs of a cluster."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from ._executors import Executor, Needs
from ._job import Job, JobError, Shard
from ._merge import Missing, merge_shard
from ._plan import Segment
from ._run import finished_shard
from ._segment import ShardSegments, Place, SegmentTarget, score_segment, write_segments
from ._tables import DamagedTable, TableWriter, facts_of, read_table, with_facts
from ._tasks import PlanTask

__all__ = ["Element", "MergeReport", "merge_all", "missing_elements", "plan_job", "planned_elements", "score_element"]

_PLAN = "plan.parquet"


@dataclass(frozen=True, slots=True)
class Element:
    """A segment of a job: the clip is a row of manifest.parquet."""

    row: int
    segment: Segment


def plan_job(job: Job, executor: Executor, report: Callable[[int], object] = lambda planned: None) -> Sequence[Element]:
    """Looks into every clip and writes plan.parquet: element K of the job is its row K."""
    rows = [(shard, shard.first + place, clip) for shard in job.shards for place, clip in enumerate(job.clips(shard))]
    found: dict[int, Sequence[Segment]] = {}
    waiting = iter(rows)
    in_hand = 0
    next_row = next(waiting, None)
    while next_row is not None or in_hand:
        while next_row is not None and executor.has_room(Needs.ANY):
            shard, row, clip = next_row
            executor.submit(PlanTask(job.store.url, job.digest, shard, job.options, row, clip), Needs.ANY, frozenset())
            in_hand += 1
            next_row = next(waiting, None)
        done = executor.wait()
        in_hand -= 1
        assert isinstance(done.task, PlanTask)
        # One that cannot be looked into is left to its element, which will say why.
        found[done.task.row] = done.answer.segments if done.answer is not None else [Segment()]
        report(len(found))
    elements = [Element(row, segment) for _, row, _ in rows for segment in found[row]]
    _write(job, elements)
    return elements


_FIELDS = ("number", "of", "first", "count", "before", "behind")


def _write(job: Job, elements: Sequence[Element]) -> None:
    columns: dict[str, list[Any]] = {"row": [element.row for element in elements]}
    columns |= {name: [getattr(element.segment, name) for element in elements] for name in _FIELDS}
    columns["seeks"] = [json.dumps(element.segment.seeks) for element in elements]
    types = [(name, pa.string() if name == "seeks" else pa.int64()) for name in columns]
    schema = with_facts(pa.schema(types), {"job": job.digest})
    with job.store.writing(_PLAN) as file:
        writer = TableWriter(file, schema)
        writer.write(pa.table(columns, schema=schema))
        writer.close()


def planned_elements(job: Job) -> Sequence[Element]:
    try:
        table = read_table(job.store.read(_PLAN))
        if facts_of(table.schema).get("job") != job.digest:
            raise DamagedTable("it is another job's")
    except FileNotFoundError:
        raise JobError(f"{job.store.url}: the job was not planned: vmaf-catalogue plan") from None
    except DamagedTable as error:
        raise JobError(f"{job.store.url}: {_PLAN}: {error}: vmaf-catalogue plan writes it anew") from None
    return [
        Element(row["row"], Segment(**{name: row[name] for name in _FIELDS}, seeks=_seeks_of(row["seeks"])))
        for row in table.to_pylist()
    ]


def _seeks_of(text: str) -> tuple[Any, ...]:
    return tuple(None if seek is None else tuple(seek) for seek in json.loads(text))


def missing_elements(job: Job, elements: Sequence[Element]) -> list[int]:
    """Numbers of those that have no scores."""
    there = {shard: _segments_of(job, shard) for shard in job.shards if finished_shard(job, shard) is None}

    def is_missing(element: Element) -> bool:
        segments = there.get(job.shard_of(element.row))
        return segments is not None and not _is_there(job, element, segments)

    return [number for number, element in enumerate(elements) if is_missing(element)]


def _segments_of(job: Job, shard: Shard) -> ShardSegments:
    return ShardSegments(SegmentTarget(job.store, job.digest, shard))


def _is_there(job: Job, element: Element, segments: ShardSegments) -> bool:
    known = segments.get(job.clip(element.row), element.segment.number)
    return known is not None and (known.facts["of"], known.facts["first"]) == (element.segment.of, element.segment.first)


def score_element(job: Job, element: Element, place: Place) -> bool:
    """@return whether there was something to do: a segment that is there is left as it is."""
    shard, clip = job.shard_of(element.row), job.clip(element.row)
    if finished_shard(job, shard) is not None or _is_there(job, element, _segments_of(job, shard)):
        return False
    write_segments(SegmentTarget(job.store, job.digest, shard), [score_segment(clip, job.options, element.segment, place)])
    return True


@dataclass(frozen=True)
class MergeReport:
    failed_rows: int
    #: Which have no scores yet, by their shard.
    missing: Sequence[tuple[Shard, Missing]]


def merge_all(job: Job) -> MergeReport:
    """Puts together every shard whose segments are all there."""
    failed_rows = 0
    missing: list[tuple[Shard, Missing]] = []
    for shard in job.shards:
        failed = finished_shard(job, shard)
        if failed is None:
            lacking, failed = merge_shard(job, shard)
            missing += [(shard, item) for item in lacking]
        failed_rows += failed
    if not missing:
        job.store.remove_folder("_segments")
        job.store.remove_unfinished()
    return MergeReport(failed_rows, missing)
