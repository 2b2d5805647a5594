"""Finished segments of a part's clips become its files in frames/ and summary/."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Any

import numpy as np
import pyarrow as pa

from libvmaf import Pooled, Result
from ._aggregates import ClipErrors
from ._job import Job, Part
from ._manifest import Clip, Encode
from ._segment import PartSegments, SegmentScores, SegmentTarget
from ._tables import TableWriter, with_facts

__all__ = ["Missing", "STATISTICS", "merge_part"]

#: Of short clips, so that they are read once; long ones are read again rather than held.
_MOST_ROWS_KEPT = 50_000

STATISTICS = ("mean", "harmonic_mean", "min", "p1", "p5", "median", "max", "stddev")


@dataclass(frozen=True, slots=True)
class Missing:
    """A clip of a part, and a segment of it, that has no file, or none that can be used. None: how the clip is cut is not known either."""

    clip: int
    segment: int | None
    #: The clip cannot be scored in segments.
    is_whole: bool = False


@dataclass
class _Merged:
    """An encode of a clip, whole again."""

    clip: Clip
    encode: Encode
    columns: dict[str, np.ndarray[Any, np.dtype[np.float64]]]
    index: np.ndarray[Any, np.dtype[np.int64]]
    aggregate: Mapping[str, float]
    frames: int
    frame_rate: float | None
    notes: Sequence[str]
    error: str | None
    version: str
    device: str
    seconds: float


def merge_part(job: Job, part: Part) -> tuple[Sequence[Missing], int]:
    """Writes the part's files and deletes its segments; or tells what is missing for that. And how many rows of the summary have an error."""
    there = PartSegments(SegmentTarget(job.store, job.digest, part))
    clips = job.clips(part)
    # The columns are known, and everything is there, before anything is written.
    columns: dict[str, None] = {}
    aggregates: dict[str, None] = {}
    missing: list[Missing] = []
    kept: dict[str, list[SegmentScores]] = {}
    kept_rows = 0
    for number, clip in enumerate(clips):
        segments = _segments(there, clip)
        if isinstance(segments, list):
            kept_rows += sum(segment.rows.num_rows for segment in segments)
            if kept_rows < _MOST_ROWS_KEPT:
                kept[clip.id] = segments
            for merged in _encodes(clip, segments):
                columns |= dict.fromkeys(merged.columns)
                aggregates |= dict.fromkeys(merged.aggregate)
        else:
            missing += [dataclasses.replace(item, clip=number) for item in segments]
    if missing:
        return missing, 0
    facts: dict[str, Any] = {"job": job.digest, "part": f"{part.prefix}-{part.number:05d}"}
    schema = pa.schema(
        [("id", pa.string()), ("encode", pa.string()), ("frame", pa.int64()), *((name, pa.float64()) for name in columns)]
    )
    summary = []
    with job.store.writing(part.frames_name) as file:
        counted = _Counted(file)
        writer = TableWriter(counted, with_facts(schema, facts))  # type: ignore[arg-type]
        for clip in clips:
            segments = kept.pop(clip.id, None) or _segments(there, clip)
            assert isinstance(segments, list)
            for merged in _encodes(clip, segments):
                summary.append(_summary(merged, columns, aggregates))
                if len(merged.index):
                    writer.write(_frames(merged, schema))
        writer.close()
    facts |= {"frames_bytes": counted.size, "frames_sha256": counted.digest.hexdigest()}
    table = pa.Table.from_pylist(summary, schema=with_facts(_summary_schema(columns, aggregates), facts))
    with job.store.writing(part.summary_name) as file:
        writer = TableWriter(file, table.schema)
        writer.write(table)
        writer.close()
    job.store.remove_folder(part.segments_folder)
    return [], sum(row["error"] is not None for row in summary)


class _Counted:
    """A file whose size and digest are known when it is written."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.size = 0
        self.digest = hashlib.sha256()
        self.closed = False

    def write(self, content: Any) -> int:
        self._file.write(content)
        self.digest.update(content)
        self.size += len(content)
        return len(content)

    def tell(self) -> int:
        return self.size

    def flush(self) -> None:
        self._file.flush()

    def close(self) -> None:
        """The file is the store's to close."""

    def readable(self) -> bool:
        return False

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return False


def _segments(there: PartSegments, clip: Clip) -> list[SegmentScores] | tuple[Missing, ...]:
    """In order; or which are missing, of clip 0."""
    first = there.get(clip, 0)
    if first is None:
        return (Missing(0, None),)
    count = first.facts["of"]
    rest = [there.get(clip, number) for number in range(1, count)]
    missing = tuple(Missing(0, number) for number, segment in enumerate(rest, 1) if segment is None)
    if missing:
        return missing
    segments = [first, *(segment for segment in rest if segment is not None)]
    if any("misfit" in segment.facts for segment in segments):
        return (Missing(0, 0, is_whole=True),)
    # Of files that were changed between two runs segments need not fit.
    at = 0
    for segment in segments:
        if segment.facts["of"] != count or segment.facts["first"] != at:
            return (Missing(0, None), *(Missing(0, number) for number in range(1, count)))
        at += segment.facts["count"] or 0
    return segments


def _encodes(clip: Clip, segments: list[SegmentScores]) -> Iterator[_Merged]:
    for number, encode in enumerate(clip.encodes):
        facts = [segment.facts["encodes"][number] for segment in segments]
        error = next((fact["error"] for fact in facts if fact.get("error")), None) or _gap(segments, facts)
        devices = sorted({segment.facts["device"] for segment in segments} - {""})
        merged = _Merged(
            clip=clip,
            encode=encode,
            columns={},
            index=np.empty(0, np.int64),
            aggregate={},
            frames=0,
            frame_rate=None,
            notes=(),
            error=error,
            version=segments[0].facts["version"],
            device=", ".join(devices),
            seconds=sum(segment.facts["seconds"] for segment in segments),
        )
        if error is None:
            _put_together(merged, number, segments, facts)
        yield merged


def _gap(segments: Sequence[SegmentScores], facts: Sequence[Mapping[str, Any]]) -> str | None:
    """Only behind a video's end there is nothing."""
    ended = False
    for segment, fact in zip(segments, facts):
        if ended and fact["frames"] > 0:
            return "its segments do not fit together: a segment has frames behind one that ended early"
        ended = ended or (segment.facts["count"] is not None and fact["frames"] < segment.facts["count"])
    return None


def _put_together(merged: _Merged, number: int, segments: Sequence[SegmentScores], facts: Sequence[Mapping[str, Any]]) -> None:
    names = list(dict.fromkeys(name for fact in facts for name in fact["columns"]))
    tables = [segment.of_encode(number) for segment in segments]
    merged.index = np.concatenate([table.column("frame").to_numpy() for table in tables])
    for name in names:
        merged.columns[name] = np.concatenate(
            [
                table.column(name).to_numpy() if name in table.column_names else np.full(table.num_rows, np.nan)
                for table in tables
            ]
        )
    merged.frames = sum(fact["frames"] for fact in facts)
    merged.frame_rate = facts[0]["frame_rate"]
    merged.notes = list(dict.fromkeys(note for fact in facts for note in fact["notes"]))
    merged.aggregate = facts[0]["aggregate"]
    sums = [fact["sums"] for fact in facts if fact["sums"] is not None]
    if sums:
        merged.aggregate = ClipErrors.of(sums).aggregate()


def _frames(merged: _Merged, schema: pa.Schema) -> pa.Table:
    rows = len(merged.index)
    columns = [
        pa.array([merged.clip.id]).take(pa.array(np.zeros(rows, np.int8))),
        pa.array([merged.encode.name]).take(pa.array(np.zeros(rows, np.int8))),
        pa.array(merged.index),
    ]
    for name in schema.names[3:]:
        scores = merged.columns.get(name)
        columns.append(pa.nulls(rows, pa.float64()) if scores is None else pa.array(scores, from_pandas=True))
    return pa.table(columns, names=schema.names)


def _summary_schema(columns: Mapping[str, None], aggregates: Mapping[str, None]) -> pa.Schema:
    pooled = [(f"{name}__{statistic}", pa.float64()) for name in columns for statistic in STATISTICS]
    return pa.schema(
        [
            ("id", pa.string()),
            ("encode", pa.string()),
            ("frames", pa.int64()),
            *pooled,
            *((name, pa.float64()) for name in aggregates),
            ("frame_rate", pa.float64()),
            ("bitrate", pa.float64()),
            ("tags", pa.string()),
            ("notes", pa.string()),
            ("version", pa.string()),
            ("device", pa.string()),
            ("seconds", pa.float64()),
            ("error", pa.string()),
        ]
    )


def _summary(merged: _Merged, columns: Mapping[str, None], aggregates: Mapping[str, None]) -> dict[str, Any]:
    tags = merged.clip.tags
    row: dict[str, Any] = {
        "id": merged.clip.id,
        "encode": merged.encode.name,
        "frames": merged.frames,
        "frame_rate": merged.frame_rate,
        "bitrate": merged.encode.bitrate,
        "tags": tags if tags is None or isinstance(tags, str) else json.dumps(tags, sort_keys=True, ensure_ascii=False),
        "notes": "\n".join(merged.notes) or None,
        "version": merged.version,
        "device": merged.device or None,
        "seconds": merged.seconds,
        "error": merged.error,
    }
    pooled = Result(merged.index, merged.columns, {}).pooled
    for name in columns:
        statistics: Pooled | None = pooled[name] if name in merged.columns else None
        for statistic in STATISTICS:
            value = getattr(statistics, statistic) if statistics else None
            row[f"{name}__{statistic}"] = value if value == value else None
    for name in aggregates:
        value = merged.aggregate.get(name)
        row[name] = value if value == value else None
    return row
