"""The work on segments: videos in, durable files with their scores out. It knows nothing of who runs it."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

import libvmaf as vm
from libvmaf import OpenVideos, SavedSegment, SegmentsDoNotFit, VideoError

from ._inputs import local_name
from ._job import JobOptions, Shard
from ._manifest import Clip, Encode
from ._plan import WHOLE, Segment, cut, segment_count, segment_frames
from ._store import Store
from ._tables import DamagedTable, TableWriter, facts_of, read_table, with_facts

__all__ = [
    "Place",
    "ScoredSegment",
    "SegmentTarget",
    "ShardSegments",
    "StoredSegment",
    "failed_segment",
    "plan_clip",
    "score_clip",
    "score_segment",
    "write_segments",
]


@dataclass(frozen=True, slots=True)
class Place:
    """The device of a worker: a CUDA device or the CPU, and the number of threads of the library."""

    gpu: int | None = None
    threads: int = 0

    def __str__(self) -> str:
        return "cpu" if self.gpu is None else f"gpu {self.gpu}"


@dataclass(frozen=True)
class _EncodeScores:
    """Scores of one encode from OpenVideos.save_segment(). Empty: the videos end before the segment, or there is an error."""

    saved: bytes
    facts: Mapping[str, Any]


#: Reasons that lie in the videos or in what was asked for, so that another try ends alike. Others
#: are the worker's trouble.
_CLIPS_OWN = (VideoError, ValueError, FileNotFoundError, PermissionError, IsADirectoryError, NotADirectoryError)


def _reason(error: BaseException) -> str:
    text = str(error) or type(error).__name__
    return " ".join(text.split())


@dataclass
class _Work:
    """A clip and how it is scored."""

    clip: Clip
    options: JobOptions
    place: Place

    def open(self, encodes: Sequence[Encode], segment: Segment = WHOLE) -> OpenVideos:
        network = bool(self.options.reading.get("allow_network"))
        videos = OpenVideos(
            local_name(self.clip.reference, network),
            [local_name(encode.url, network) for encode in encodes],
            **self.options.scoring(self.clip),
            **(self._reading(segment) | self._raw(encodes)),
            skip=segment.skip,
            count=segment.read,
            gpu=self.place.gpu,
            threads=self.place.threads,
        )
        if segment.seeks:
            numbers = [1 + self.clip.encodes.index(encode) for encode in encodes]
            videos.start_at([segment.seeks[number] for number in (0, *numbers)])
        return videos

    def _reading(self, segment: Segment) -> dict[str, Any]:
        """Frames of the first segment say whether videos are in step."""
        return dict(self.options.reading) | ({} if segment.number == 0 else {"align": "off"})

    def _raw(self, encodes: Sequence[Encode]) -> dict[str, Any]:
        ref, dis = self.clip.reference_raw, self.clip.encode_raw
        if ref is None and dis is None:
            return {}
        if ref is not None and dis is not None and ref != dis:
            raise VideoError("a raw reference and raw encodes of another format cannot be compared")
        one = ref or dis
        assert one is not None
        raw: dict[str, Any] = {"raw": (one.width, one.height, one.pix_fmt, one.bpc)}
        # Files that are not raw are recognised by their names.
        if ref is None:
            raw["ref_format"] = _format_of(self.clip.reference)
        if dis is None:
            formats = {_format_of(encode.url) for encode in encodes}
            if len(formats) > 1:
                raise VideoError("encodes of several kinds with a raw reference are read one by one")
            raw["dist_format"] = formats.pop()
        return raw

    def score(self, segment: Segment, opened: OpenVideos | None = None) -> list[_EncodeScores]:
        """Score all encodes, together if that changes no score."""
        encodes = self.clip.encodes
        if len(encodes) == 1:
            return [self._one(encodes[0], segment, opened)]
        try:
            videos = opened or self.open(encodes, segment)
            saved = videos.save_segment(segment.before, segment.count)
            return [self._own(videos, one, segment, number) for number, one in enumerate(saved)]
        except _CLIPS_OWN:
            pass
        return [self._one(encode, segment, None) for encode in encodes]

    def _one(self, encode: Encode, segment: Segment, opened: OpenVideos | None) -> _EncodeScores:
        try:
            videos = opened or self.open([encode], segment)
            return self._own(videos, videos.save_segment(segment.before, segment.count)[0], segment, 0)
        except _CLIPS_OWN as error:
            return _failed(_reason(error))

    def _own(self, videos: OpenVideos, saved: SavedSegment, segment: Segment, number: int) -> _EncodeScores:
        if saved.frames == 0 and segment.number == 0:
            return _failed("there is no frame pair to score")
        facts: dict[str, Any] = {
            "frames": saved.frames,
            "notes": list(saved.notes),
            "comparison": saved.comparison,
            "details": _without_chance(saved.details),
            "pairs": saved.pairs,
            "sample": saved.sample,
            "frame_rate": videos.frame_rate,
            "scoring": videos.scoring_of(number),
        }
        return _EncodeScores(saved.saved, facts)


def _without_chance(details: Mapping[str, Any]) -> dict[str, Any]:
    """Details without those that depend on the worker, such as the bitrate of the packets that a decoder has read."""
    videos = {side: {key: value for key, value in details[side].items() if key != "bitrate"} for side in ("reference", "distorted")}
    return {key: value for key, value in details.items() if key != "device"} | videos


def _format_of(url: str) -> str:
    return "y4m" if url.lower().endswith(".y4m") else "media"


def _failed(reason: str) -> _EncodeScores:
    return _EncodeScores(b"", {"frames": 0, "error": reason})


def plan_clip(work_on: Clip, options: JobOptions) -> Sequence[Segment]:
    """Segments of a clip, by the lengths in its files."""
    return _planned(_Work(work_on, options, Place()))[0]


def _planned(work: _Work) -> tuple[Sequence[Segment], OpenVideos | None]:
    """And the videos, if they are one segment."""
    encodes = work.clip.encodes
    try:
        videos = work.open(encodes)
    except _CLIPS_OWN:
        return _planned_without_bad_ones(work), None
    subsample = work.options.scoring(work.clip)["subsample"]
    frames = segment_frames(work.options.segment_seconds, videos.frame_rate, subsample)
    if _is_indivisible(work.options) or segment_count(videos.expected_frames, frames) == 1:
        return [WHOLE], videos
    try:
        indexed = videos.index_frames()
        known = [count for count in indexed if count is not None]
        expected = min([videos.expected_frames, *known]) if videos.expected_frames is not None else None
        segments = cut(segment_count(expected, frames), frames, videos.segment_overlap)
        if len(segments) == 1:
            return [WHOLE], None
        return [_with_seeks(segment, videos, indexed, expected or 0) for segment in segments], None
    except _CLIPS_OWN:
        return [WHOLE], None


def _with_seeks(segment: Segment, videos: OpenVideos, indexed: Sequence[int | None], expected: int) -> Segment:
    end = expected if segment.read is None else min(expected, segment.skip + segment.read)
    seeks = [
        None if count is None else videos.segment_start(number, segment.skip, end) for number, count in enumerate(indexed)
    ]
    return dataclasses.replace(segment, seeks=tuple(seeks)) if any(seeks) else segment


def _is_indivisible(options: JobOptions) -> bool:
    """Whether frames of one number are found at different places of the two files, or are a sample of all, which segments do not know of."""
    reading = options.reading
    return bool(reading.get("offset") or reading.get("sample")) or reading.get("align") in ("offset", "frames")


def _planned_without_bad_ones(work: _Work) -> Sequence[Segment]:
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
    segments, _ = _planned(_Work(clip, work.options, work.place))

    def spread(segment: Segment) -> Segment:
        seeks = dict(zip(("reference", *alike), segment.seeks))
        return dataclasses.replace(segment, seeks=tuple(seeks.get(key) for key in ("reference", *range(len(encodes)))))

    return [spread(segment) if segment.seeks else segment for segment in segments]


@dataclass(frozen=True)
class SegmentTarget:
    """The job and shard of a segment, and the place of its file."""

    store: Store
    digest: str
    shard: Shard


@dataclass(frozen=True)
class ScoredSegment:
    """Scores that lie nowhere yet."""

    clip: Clip
    segment: Segment
    encodes: Sequence[_EncodeScores]
    facts: Mapping[str, Any]

    @property
    def frames(self) -> int:
        """Frames of all encodes."""
        return sum(encode.facts["frames"] for encode in self.encodes)


def score_clip(clip: Clip, options: JobOptions, place: Place) -> tuple[Sequence[Segment], ScoredSegment | None]:
    """Plans the clip, and scores it at once if it is one segment."""
    work = _Work(clip, options, place)
    segments, opened = _planned(work)
    return segments, _score(work, segments[0], opened) if len(segments) == 1 else None


def score_segment(clip: Clip, options: JobOptions, segment: Segment, place: Place) -> ScoredSegment:
    return _score(_Work(clip, options, place), segment, None)


def _score(work: _Work, segment: Segment, opened: OpenVideos | None) -> ScoredSegment:
    began = time.monotonic()
    facts: dict[str, Any] = {}
    try:
        encodes = work.score(segment, opened)
    except SegmentsDoNotFit as reason:
        # Only who scores the whole clip can tell which frame is which.
        facts["misfit"] = str(reason)
        encodes = [_failed(str(reason))] * len(work.clip.encodes)
    facts |= {"seconds": time.monotonic() - began, "device": str(work.place)}
    return ScoredSegment(work.clip, segment, encodes, facts)


def failed_segment(clip: Clip, segment: Segment, reason: str) -> ScoredSegment:
    """Error rows for a segment that no worker could score."""
    return ScoredSegment(clip, segment, [_failed(reason)] * len(clip.encodes), {"seconds": 0.0, "device": ""})


_SCHEMA = pa.schema([("saved", pa.binary())])


def write_segments(target: SegmentTarget, segments: Sequence[ScoredSegment]) -> None:
    """As one file: several are whole clips, which are durable together or not at all. A row an encode."""
    first = segments[0]
    name = target.shard.segment_name(first.clip.id, first.segment.number)
    if len(segments) > 1:
        name = target.shard.batch_name(first.clip.id, len(segments))
    facts = {"job": target.digest, "version": vm.version(), "segments": [_facts_of(scored) for scored in segments]}
    with target.store.writing(name, may_be_forgotten=True) as file:
        writer = TableWriter(file, with_facts(_SCHEMA, facts))
        writer.write(pa.table([[encode.saved for scored in segments for encode in scored.encodes]], schema=_SCHEMA))
        writer.close()


def _facts_of(scored: ScoredSegment) -> dict[str, Any]:
    segment = scored.segment
    return {
        **scored.facts,
        "clip": scored.clip.id,
        "segment": segment.number,
        "of": segment.of,
        "first": segment.first,
        "count": segment.count,
        "encodes": [encode.facts for encode in scored.encodes],
    }


@dataclass(frozen=True)
class StoredSegment:
    """A segment in a file: facts about it, and the saved scores of each encode."""

    facts: Mapping[str, Any]
    saved: Sequence[bytes]


class ShardSegments:
    """The stored segments of a shard, at the time of the call."""

    def __init__(self, target: SegmentTarget) -> None:
        self._target = target
        self._names = set(target.store.list(target.shard.segments_folder))
        self._in_batches: dict[str, StoredSegment] | None = None

    @property
    def names(self) -> AbstractSet[str]:
        """Number of files."""
        return self._names

    def get(self, clip: Clip, number: int) -> StoredSegment | None:
        """None: it is not there, damaged, or not of this job."""
        name = self._target.shard.segment_name(clip.id, number)
        if name in self._names:
            for found in _read_file(self._target, name):
                if found.facts["clip"] == clip.id and found.facts["segment"] == number:
                    return found
        return self._whole_clips().get(clip.id) if number == 0 else None

    def _whole_clips(self) -> Mapping[str, StoredSegment]:
        if self._in_batches is None:
            batches = sorted(filter(self._target.shard.is_batch, self._names))
            self._in_batches = {found.facts["clip"]: found for name in batches for found in _read_file(self._target, name)}
        return self._in_batches


def _read_file(target: SegmentTarget, name: str) -> list[StoredSegment]:
    try:
        table = read_table(target.store.read(name))
        facts = facts_of(table.schema)
    except (FileNotFoundError, DamagedTable):
        return []
    if facts.get("job") != target.digest:
        return []
    saved = iter(table.column("saved").to_pylist())
    return [
        StoredSegment({**segment, "version": facts["version"]}, [next(saved) for _ in segment["encodes"]])
        for segment in facts["segments"]
    ]
