"""Finished segments of a shard's clips become its files in frames/ and summary/."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Any

import numpy as np
import pyarrow as pa

from libvmaf import Pooled, Result, Session

from ._job import Job, Shard
from ._manifest import Clip, Encode
from ._segment import SegmentTarget, ShardSegments, StoredSegment
from ._tables import TableWriter, with_facts

__all__ = ["Missing", "STATISTICS", "merge_shard"]

#: Frames of clips that are put together once; longer ones are put together a second time rather
#: than held.
_MOST_FRAMES_KEPT = 50_000

#: In which the mean of all frames lies with a probability of 95 %, if a sample was scored.
_INTERVAL = ("ci_p95_lo", "ci_p95_hi")

STATISTICS = tuple(field.name for field in dataclasses.fields(Pooled) if field.name not in ("scored", "missing"))


@dataclass(frozen=True, slots=True)
class Missing:
    """A clip of a shard, and a segment of it, that has no file, or none that can be used. None: how the clip is cut is not known either."""

    clip: int
    segment: int | None
    #: The clip cannot be scored in segments.
    is_whole: bool = False


@dataclass(frozen=True)
class _Merged:
    """An encode of a clip, whole again."""

    clip: Clip
    encode: Encode
    #: Empty if there is an error.
    result: Result
    frames: int
    error: str | None
    version: str
    device: str
    seconds: float


def merge_shard(job: Job, shard: Shard) -> tuple[Sequence[Missing], int]:
    """Write the shard's files and delete its segments. Returns the missing segments, and the number of summary rows with an error."""
    there = ShardSegments(SegmentTarget(job.store, job.digest, shard))
    clips = job.clips(shard)
    # The columns are known, and everything is there, before anything is written.
    columns: dict[str, None] = {}
    aggregates: dict[str, None] = {}
    asked: dict[str, None] = {}
    missing: list[Missing] = []
    kept: dict[str, Sequence[_Merged]] = {}
    kept_frames = 0
    for number, clip in enumerate(clips):
        try:
            encodes = _encodes(clip, _segments(there, clip))
        except _Lacking as lacking:
            missing += [dataclasses.replace(item, clip=number) for item in lacking.segments]
            continue
        kept_frames += sum(merged.frames for merged in encodes)
        if kept_frames < _MOST_FRAMES_KEPT:
            kept[clip.id] = encodes
        for merged in encodes:
            columns |= dict.fromkeys(merged.result.frames)
            asked |= dict.fromkeys(merged.result.asked)
            aggregates |= dict.fromkeys(merged.result.aggregate)
    if missing:
        return missing, 0
    has_ref_frames = job.options.reading.get("align") == "frames"
    facts: dict[str, Any] = {"job": job.digest, "part": f"{shard.prefix}-{shard.number:05d}"}
    schema = pa.schema(
        [
            ("id", pa.string()),
            ("encode", pa.string()),
            ("frame", pa.int64()),
            *([("ref_frame", pa.int64())] if has_ref_frames else []),
            *((name, pa.float64()) for name in columns),
        ]
    )
    summary = []
    with job.store.writing(shard.frames_name) as file:
        counted = _Counted(file)
        writer = TableWriter(counted, with_facts(schema, facts))  # type: ignore[arg-type]
        for clip in clips:
            for merged in kept.pop(clip.id, None) or _encodes(clip, _segments(there, clip)):
                summary.append(_summary(merged, asked | columns, aggregates))
                if len(merged.result):
                    writer.write(_frames(merged, schema))
        writer.close()
    facts |= {"frames_bytes": counted.size, "frames_sha256": counted.digest.hexdigest()}
    table = pa.Table.from_pylist(summary, schema=with_facts(_summary_schema(asked | columns, aggregates, bool(job.options.reading.get("sample"))), facts))
    with job.store.writing(shard.summary_name) as file:
        writer = TableWriter(file, table.schema)
        writer.write(table)
        writer.close()
    job.store.remove_folder(shard.segments_folder)
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


class _Lacking(Exception):
    """Segments of a clip that are not there, or of no use."""

    def __init__(self, *segments: Missing) -> None:
        self.segments = segments


def _segments(there: ShardSegments, clip: Clip) -> list[StoredSegment]:
    """In order. _Lacking: of clip 0."""
    first = there.get(clip, 0)
    if first is None:
        raise _Lacking(Missing(0, None))
    count = first.facts["of"]
    rest = {number: there.get(clip, number) for number in range(1, count)}
    missing = [Missing(0, number) for number, segment in rest.items() if segment is None]
    if missing:
        raise _Lacking(*missing)
    segments = [first, *(segment for segment in rest.values() if segment is not None)]
    if any("misfit" in segment.facts for segment in segments):
        raise _Lacking(Missing(0, 0, is_whole=True))
    # Segments of files that were changed between two runs need not fit.
    at = 0
    for segment in segments:
        if segment.facts["of"] != count or segment.facts["first"] != at:
            raise _all_lacking(count)
        at += segment.facts["count"] or 0
    return segments


def _all_lacking(count: int) -> _Lacking:
    return _Lacking(Missing(0, None), *(Missing(0, number) for number in range(1, count)))


def _encodes(clip: Clip, segments: Sequence[StoredSegment]) -> Sequence[_Merged]:
    return [_merged(clip, number, segments) for number in range(len(clip.encodes))]


def _merged(clip: Clip, number: int, segments: Sequence[StoredSegment]) -> _Merged:
    facts = [segment.facts["encodes"][number] for segment in segments]
    error = next((fact["error"] for fact in facts if fact.get("error")), None) or _gap(segments, facts)
    result = Result(np.empty(0, np.int64), {}, {}) if error else _put_together(number, segments, facts)
    return _Merged(
        clip=clip,
        encode=clip.encodes[number],
        result=result,
        frames=0 if error else sum(fact["frames"] for fact in facts),
        error=error,
        version=segments[0].facts["version"],
        device=", ".join(sorted({segment.facts["device"] for segment in segments} - {""})),
        seconds=sum(segment.facts["seconds"] for segment in segments),
    )


def _gap(segments: Sequence[StoredSegment], facts: Sequence[Mapping[str, Any]]) -> str | None:
    """Why segments do not fit together: only after a video's end a segment may be empty."""
    ended = False
    for segment, fact in zip(segments, facts):
        if ended and fact["frames"] > 0:
            return "its segments do not fit together: a segment has frames behind one that ended early"
        ended = ended or (segment.facts["count"] is not None and fact["frames"] < segment.facts["count"])
    return None


def _put_together(number: int, segments: Sequence[StoredSegment], facts: Sequence[Mapping[str, Any]]) -> Result:
    """Merge segments with the library. Raises _Lacking if it refuses a segment."""
    with Session(**facts[0]["scoring"], threads=0) as session:
        try:
            for segment in segments:
                if segment.saved[number]:
                    session.append_saved(segment.saved[number])
        except ValueError:
            raise _all_lacking(len(segments)) from None
        result = session.finish()
    if facts[0].get("pairs") is not None:
        result = result.with_frame_pairs(*facts[0]["pairs"])
    notes = list(dict.fromkeys(note for fact in facts for note in fact["notes"]))
    comparison = facts[0]["comparison"]
    if comparison is not None:
        comparison = comparison | {"warnings": notes}
    known: dict[str, Any] = {name: facts[0].get(name) for name in ("frame_rate", "details", "sample")}
    return dataclasses.replace(result, notes=tuple(notes), comparison=comparison, **known)


def _frames(merged: _Merged, schema: pa.Schema) -> pa.Table:
    rows = len(merged.result)
    columns = [
        pa.array([merged.clip.id]).take(pa.array(np.zeros(rows, np.int8))),
        pa.array([merged.encode.name]).take(pa.array(np.zeros(rows, np.int8))),
        pa.array(merged.result.index),
    ]
    if "ref_frame" in schema.names:
        ref_frame = merged.result.ref_frame
        columns.append(pa.array(merged.result.index if ref_frame is None else ref_frame))
    for name in schema.names[len(columns) :]:
        scores = merged.result.frames.get(name)
        columns.append(pa.nulls(rows, pa.float64()) if scores is None else pa.array(scores, from_pandas=True))
    return pa.table(columns, names=schema.names)


def _summary_schema(columns: Mapping[str, None], aggregates: Mapping[str, None], is_sample: bool) -> pa.Schema:
    statistics = STATISTICS + (_INTERVAL if is_sample else ())
    pooled = [(f"{name}__{statistic}", pa.float64()) for name in columns for statistic in statistics]
    return pa.schema(
        [
            ("id", pa.string()),
            ("encode", pa.string()),
            ("url", pa.string()),
            ("width", pa.int64()),
            ("height", pa.int64()),
            ("codec", pa.string()),
            ("frames", pa.int64()),
            *([("frames_of_clip", pa.int64())] if is_sample else []),
            ("frame_rate", pa.float64()),
            ("duration", pa.float64()),
            ("bitrate", pa.float64()),
            ("bytes", pa.int64()),
            *pooled,
            *((name, pa.float64()) for name in aggregates),
            ("tags", pa.string()),
            ("notes", pa.string()),
            ("comparison", pa.string()),
            ("details", pa.string()),
            ("offset", pa.int64()),
            ("dropped", pa.int64()),
            ("repeated", pa.int64()),
            ("version", pa.string()),
            ("device", pa.string()),
            ("seconds", pa.float64()),
            ("error", pa.string()),
        ]
    )


def _summary(merged: _Merged, columns: Mapping[str, None], aggregates: Mapping[str, None]) -> dict[str, Any]:
    tags = merged.clip.tags
    time = (merged.result.comparison or {}).get("time", {})
    details = _with_urls(merged)
    video = details["distorted"] if details else {}
    rate, size = merged.result.frame_rate, video.get("bytes")
    duration = merged.frames / rate if rate and merged.frames else None
    bitrate = 8 * size / duration if merged.encode.bitrate is None and size and duration else merged.encode.bitrate
    row: dict[str, Any] = {
        "id": merged.clip.id,
        "encode": merged.encode.name,
        "url": merged.encode.url,
        "width": video.get("width"),
        "height": video.get("height"),
        "codec": video.get("codec"),
        "frames": merged.frames,
        "frame_rate": rate,
        "duration": duration,
        "bitrate": bitrate,
        "bytes": size,
        "tags": tags if isinstance(tags, str) else _json(tags),
        "notes": "\n".join(merged.result.notes) or None,
        "comparison": _json(merged.result.comparison),
        "details": _json(details),
        "offset": time.get("offset"),
        "dropped": len(time["dropped"]) if time else None,
        "repeated": len(time["repeated"]) if time else None,
        "version": merged.version,
        "device": merged.device or None,
        "seconds": merged.seconds,
        "error": merged.error,
    }
    pooled = merged.result.pooled
    if (sample := merged.result.sample) is not None:
        row["frames_of_clip"] = sample["of"]
        for name, interval in sample["interval_95"].items():
            row |= zip([f"{name}__{bound}" for bound in _INTERVAL], interval)
    for name in columns:
        statistics: Pooled | None = pooled[name] if name in pooled else None
        for statistic in STATISTICS:
            value = getattr(statistics, statistic) if statistics else None
            row[f"{name}__{statistic}"] = value if value == value else None
    for name in aggregates:
        value = merged.result.aggregate.get(name)
        row[name] = value if value == value else None
    return row


def _with_urls(merged: _Merged) -> dict[str, Any] | None:
    """Details that name files as the manifest does: workers may have had copies."""
    details = merged.result.details
    if details is None:
        return None
    return {
        **details,
        "reference": details["reference"] | {"path": merged.clip.reference},
        "distorted": details["distorted"] | {"path": merged.encode.url},
    }


def _json(value: Any) -> str | None:
    return None if value is None else json.dumps(value, sort_keys=True, ensure_ascii=False)
