"""The work on segments: videos in, durable files with their scores out. It knows nothing of who runs it."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

import libvmaf as vm
from libvmaf import OpenVideos, SegmentsDoNotFit, Result, Scored, VideoError
from ._aggregates import features_for_segments, has_clip_wide_values, sums_of_segment
from ._features import are_scored_whole
from ._inputs import local_name
from ._job import JobOptions, Part
from ._manifest import Clip, Encode
from ._plan import WHOLE, Stretch, cut, segment_count, segment_frames
from ._store import Store
from ._tables import DamagedTable, TableWriter, facts_of, read_table, with_facts

__all__ = [
    "PartSegments",
    "Place",
    "ScoredSegment",
    "SegmentScores",
    "SegmentTarget",
    "failed_segment",
    "plan_clip",
    "score_clip",
    "score_segment",
    "write_segments",
]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a worker scores: a CUDA device or the CPU, with so many threads of the library."""

    gpu: int | None = None
    threads: int = 0

    def __str__(self) -> str:
        return "cpu" if self.gpu is None else f"gpu {self.gpu}"


@dataclass(frozen=True)
class _EncodeScores:
    """Of the segment's own frames. Columns are empty if there is an error."""

    index: np.ndarray[Any, np.dtype[np.int64]]
    columns: Mapping[str, np.ndarray[Any, np.dtype[np.float64]]]
    facts: Mapping[str, Any]


#: Reasons that lie in the videos or in what was asked for, so that another try ends alike. Others are the worker's trouble.
_CLIPS_OWN = (VideoError, ValueError, TypeError, FileNotFoundError, PermissionError, IsADirectoryError, NotADirectoryError)


def _reason(error: BaseException) -> str:
    text = str(error) or type(error).__name__
    return " ".join(text.split())


@dataclass
class _Work:
    """A clip and how it is scored."""

    clip: Clip
    options: JobOptions
    place: Place

    def open(self, encodes: Sequence[Encode], stretch: Stretch = WHOLE) -> OpenVideos:
        network = bool(self.options.reading.get("allow_network"))
        scoring = self.options.scoring(self.clip)
        if stretch.of > 1:
            scoring["features"], _ = features_for_segments(scoring["features"])
        videos = OpenVideos(
            local_name(self.clip.reference, network),
            [local_name(encode.url, network) for encode in encodes],
            **scoring,
            **self._raw(encodes),
            **self.options.reading,
            skip=stretch.skip,
            count=stretch.read,
            gpu=self.place.gpu,
            threads=self.place.threads,
        )
        if stretch.seeks:
            numbers = [1 + self.clip.encodes.index(encode) for encode in encodes]
            videos.start_at([stretch.seeks[number] for number in (0, *numbers)])
        return videos

    def _raw(self, encodes: Sequence[Encode]) -> dict[str, Any]:
        ref, dis = self.clip.reference_raw, self.clip.encode_raw
        if ref is None and dis is None:
            return {}
        if ref is not None and dis is not None and ref != dis:
            raise VideoError("a raw reference and raw encodes of another format cannot be compared")
        one = ref or dis
        assert one is not None
        raw: dict[str, Any] = {"raw": (one.width, one.height, one.pix_fmt, one.bpc)}
        # What is not raw says what it is.
        if ref is None:
            raw["ref_format"] = _format_of(self.clip.reference)
        if dis is None:
            formats = {_format_of(encode.url) for encode in encodes}
            if len(formats) > 1:
                raise VideoError("encodes of several kinds with a raw reference are read one by one")
            raw["dist_format"] = formats.pop()
        return raw

    def score(self, stretch: Stretch, opened: OpenVideos | None = None) -> list[_EncodeScores]:
        """Of all encodes, together where that changes nothing."""
        encodes = self.clip.encodes
        if len(encodes) == 1:
            return [self._one(encodes[0], stretch, opened)]
        try:
            videos = opened or self.open(encodes, stretch)
            scored = videos.score()
            if not scored.unequal:  # else the shortest would end all
                return [self._own(videos, scored, stretch, number) for number in range(len(encodes))]
        except _CLIPS_OWN:
            pass
        return [self._one(encode, stretch, None) for encode in encodes]

    def _one(self, encode: Encode, stretch: Stretch, opened: OpenVideos | None) -> _EncodeScores:
        try:
            videos = opened or self.open([encode], stretch)
            return self._own(videos, videos.score(), stretch, 0)
        except _CLIPS_OWN as error:
            return _failed(_reason(error))

    def _own(self, videos: OpenVideos, scored: Scored, stretch: Stretch, number: int) -> _EncodeScores:
        if scored.frames == 0 and stretch.number == 0:
            return _failed("there is no frame pair to score")
        frames = max(0, scored.frames - stretch.before)
        if stretch.count is not None:
            frames = min(frames, stretch.count)
        result = scored.results[number] if scored.results else Result(np.empty(0, np.int64), {}, {})
        index = result.index + stretch.skip
        own = slice(*np.searchsorted(index, [stretch.first, stretch.first + frames]))
        features = self.options.scoring(self.clip)["features"]
        hidden = features_for_segments(features)[1] if stretch.of > 1 else ()
        facts: dict[str, Any] = {
            "frames": frames,
            "notes": list(result.notes),
            "frame_rate": videos.frame_rate,
            "columns": [name for name in result.frames if name not in hidden],
            "aggregate": dict(result.aggregate) if stretch.of == 1 else {},
            "sums": None,
        }
        if stretch.of > 1:
            sums_features, _ = features_for_segments(features)
            facts["sums"] = sums_of_segment(result, own, videos.size, videos.pix_fmt, videos.bpc, sums_features)
        return _EncodeScores(index[own], {name: result.frames[name][own] for name in facts["columns"]}, facts)


def _format_of(url: str) -> str:
    return "y4m" if url.lower().endswith(".y4m") else "media"


def _failed(reason: str) -> _EncodeScores:
    return _EncodeScores(np.empty(0, np.int64), {}, {"frames": 0, "error": reason})


def plan_clip(work_on: Clip, options: JobOptions) -> Sequence[Stretch]:
    """By what its files say of their lengths."""
    return _planned(_Work(work_on, options, Place()))[0]


def _planned(work: _Work) -> tuple[Sequence[Stretch], OpenVideos | None]:
    """And the videos, if they are one segment."""
    encodes = work.clip.encodes
    try:
        videos = work.open(encodes)
    except _CLIPS_OWN:
        return _planned_without_bad_ones(work), None
    scoring = work.options.scoring(work.clip)
    frames = segment_frames(work.options.segment_seconds, videos.frame_rate, scoring["subsample"])
    # Sums of frames that are not listed cannot be had, and of 16 bits they need not be exact.
    is_uncut = has_clip_wide_values(scoring["features"]) and (scoring["subsample"] > 1 or videos.bpc > 12)
    if is_uncut or are_scored_whole(scoring["features"]) or segment_count(videos.expected_frames, frames) == 1:
        return [WHOLE], videos
    try:
        indexed = videos.index_frames()
        known = [count for count in indexed if count is not None]
        expected = min([videos.expected_frames, *known]) if videos.expected_frames is not None else None
        stretches = cut(segment_count(expected, frames), frames, videos.segment_overlap)
        if len(stretches) == 1:
            return [WHOLE], None
        return [_with_seeks(stretch, videos, indexed, expected or 0) for stretch in stretches], None
    except _CLIPS_OWN:
        return [WHOLE], None


def _with_seeks(stretch: Stretch, videos: OpenVideos, indexed: Sequence[int | None], expected: int) -> Stretch:
    end = expected if stretch.read is None else min(expected, stretch.skip + stretch.read)
    seeks = [
        None if count is None else videos.segment_start(number, stretch.skip, end) for number, count in enumerate(indexed)
    ]
    return dataclasses.replace(stretch, seeks=tuple(seeks)) if any(seeks) else stretch


def _planned_without_bad_ones(work: _Work) -> Sequence[Stretch]:
    encodes = work.clip.encodes

    def opens(encode: Encode) -> bool:
        try:
            work.open([encode])
            return True
        except _CLIPS_OWN:
            return False

    good = [number for number, encode in enumerate(encodes) if opens(encode)] if len(encodes) > 1 else []
    if not good:
        return [WHOLE]
    # All are good where only their formats do not go together: the first one stands for them.
    alike = good if len(good) < len(encodes) else good[:1]
    clip = dataclasses.replace(work.clip, encodes=tuple(encodes[number] for number in alike))
    stretches, _ = _planned(_Work(clip, work.options, work.place))

    def spread(stretch: Stretch) -> Stretch:
        seeks = dict(zip(("reference", *alike), stretch.seeks))
        return dataclasses.replace(stretch, seeks=tuple(seeks.get(key) for key in ("reference", *range(len(encodes)))))

    return [spread(stretch) if stretch.seeks else stretch for stretch in stretches]


@dataclass(frozen=True)
class SegmentTarget:
    """Whose segment it is and where its file goes."""

    store: Store
    digest: str
    part: Part


@dataclass(frozen=True)
class ScoredSegment:
    """Scores that lie nowhere yet."""

    clip: Clip
    stretch: Stretch
    encodes: Sequence[_EncodeScores]
    facts: Mapping[str, Any]

    @property
    def frames(self) -> int:
        """Of all encodes."""
        return sum(encode.facts["frames"] for encode in self.encodes)

    @property
    def rows(self) -> int:
        return sum(len(encode.index) for encode in self.encodes)


def score_clip(clip: Clip, options: JobOptions, place: Place) -> tuple[Sequence[Stretch], ScoredSegment | None]:
    """Plans the clip, and scores it at once if it is one segment."""
    work = _Work(clip, options, place)
    stretches, opened = _planned(work)
    return stretches, _score(work, stretches[0], opened) if len(stretches) == 1 else None


def score_segment(clip: Clip, options: JobOptions, stretch: Stretch, place: Place) -> ScoredSegment:
    return _score(_Work(clip, options, place), stretch, None)


def _score(work: _Work, stretch: Stretch, opened: OpenVideos | None) -> ScoredSegment:
    began = time.monotonic()
    facts: dict[str, Any] = {}
    try:
        encodes = work.score(stretch, opened)
    except SegmentsDoNotFit as reason:
        # Only who scores the whole clip can tell which frame is which.
        facts["misfit"] = str(reason)
        encodes = [_failed(str(reason))] * len(work.clip.encodes)
    facts |= {"seconds": time.monotonic() - began, "device": str(work.place)}
    return ScoredSegment(work.clip, stretch, encodes, facts)


def failed_segment(clip: Clip, stretch: Stretch, reason: str) -> ScoredSegment:
    """In place of scores that no worker could bring."""
    return ScoredSegment(clip, stretch, [_failed(reason)] * len(clip.encodes), {"seconds": 0.0, "device": ""})


def write_segments(target: SegmentTarget, segments: Sequence[ScoredSegment]) -> None:
    """As one file: several are whole clips, which are durable together or not at all."""
    names = list(dict.fromkeys(name for segment in segments for encode in segment.encodes for name in encode.columns))
    schema = pa.schema([("frame", pa.int64()), *((f"s:{name}", pa.float64()) for name in names)])
    first = segments[0]
    name = target.part.segment_name(first.clip.id, first.stretch.number)
    if len(segments) > 1:
        name = target.part.batch_name(first.clip.id, len(segments))
    facts = {"job": target.digest, "version": vm.version(), "segments": [_facts_of(segment) for segment in segments]}
    with target.store.writing(name, may_be_forgotten=True) as file:
        writer = TableWriter(file, with_facts(schema, facts))
        rows = _rows(schema, [encode for segment in segments for encode in segment.encodes if len(encode.index)])
        if rows.num_rows:
            writer.write(rows)
        writer.close()


def _facts_of(segment: ScoredSegment) -> dict[str, Any]:
    stretch = segment.stretch
    return {
        **segment.facts,
        "clip": segment.clip.id,
        "segment": stretch.number,
        "of": stretch.of,
        "first": stretch.first,
        "count": stretch.count,
        "encodes": [{**encode.facts, "rows": len(encode.index)} for encode in segment.encodes],
    }


def _rows(schema: pa.Schema, encodes: Sequence[_EncodeScores]) -> pa.Table:
    if not encodes:
        return schema.empty_table()
    columns = [pa.array(np.concatenate([encode.index for encode in encodes]))]
    for name in schema.names[1:]:
        own = name.removeprefix("s:")
        scores = [encode.columns[own] if own in encode.columns else np.full(len(encode.index), np.nan) for encode in encodes]
        columns.append(pa.array(np.concatenate(scores), from_pandas=True))
    return pa.table(columns, schema=schema)


@dataclass(frozen=True)
class SegmentScores:
    """What a file has of a segment."""

    facts: Mapping[str, Any]
    rows: pa.Table

    def of_encode(self, number: int) -> pa.Table:
        """Columns frame and those of the scores."""
        counts = [encode["rows"] for encode in self.facts["encodes"]]
        rows = self.rows.slice(sum(counts[:number]), counts[number])
        return rows.rename_columns([name.removeprefix("s:") for name in rows.column_names])


class PartSegments:
    """Those of a part that there are when it is made."""

    def __init__(self, target: SegmentTarget) -> None:
        self._target = target
        self._names = set(target.store.list(target.part.segments_folder))
        self._in_batches: dict[str, SegmentScores] | None = None

    @property
    def names(self) -> AbstractSet[str]:
        """Of files."""
        return self._names

    def get(self, clip: Clip, number: int) -> SegmentScores | None:
        """None: it is not there, damaged, or not of this job."""
        name = self._target.part.segment_name(clip.id, number)
        if name in self._names:
            for found in _read_file(self._target, name):
                if found.facts["clip"] == clip.id and found.facts["segment"] == number:
                    return found
        return self._whole_clips().get(clip.id) if number == 0 else None

    def _whole_clips(self) -> Mapping[str, SegmentScores]:
        if self._in_batches is None:
            batches = sorted(filter(self._target.part.is_batch, self._names))
            self._in_batches = {found.facts["clip"]: found for name in batches for found in _read_file(self._target, name)}
        return self._in_batches


def _read_file(target: SegmentTarget, name: str) -> list[SegmentScores]:
    try:
        table = read_table(target.store.read(name))
        facts = facts_of(table.schema)
    except (FileNotFoundError, DamagedTable):
        return []
    if facts.get("job") != target.digest:
        return []
    found, at = [], 0
    for segment in facts["segments"]:
        rows = sum(encode["rows"] for encode in segment["encodes"])
        found.append(SegmentScores({**segment, "version": facts["version"]}, table.slice(at, rows)))
        at += rows
    return found
