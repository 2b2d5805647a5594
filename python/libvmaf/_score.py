"""Scores of video files."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar, Unpack

import numpy as np

from . import _core
from ._files import Clips, SegmentsDoNotFit, VideoError
from ._options import Options, Path, RawVideo, ReadingOptions, ScoreOptions, SegmentStart, shows_options
from ._result import Result
from ._session import Features, Gpu, Model, Models, Session, feature_options, load_models, model_request, model_sources, with_chosen
from ._words import in_keywords

__all__ = [
    "OpenVideos",
    "RawVideo",
    "ReadingOptions",
    "SavedSegment",
    "SegmentStart",
    "SegmentsDoNotFit",
    "VideoError",
    "score",
    "score_encodes",
]

T = TypeVar("T")
#: Frames, which video ended first, the library's error, why a video was not read to its end.
_End = tuple[int, str | None, int, str | None]
_log = logging.getLogger("libvmaf")


@shows_options
def score(reference: Path, distorted: Path, **options: Unpack[ScoreOptions]) -> Result:
    """Score a video file against its reference: any file that ffmpeg's libraries read, Y4M, or raw planar YUV.

    models    as for Session. "auto" is the built-in model for the height of the videos. If you name features, the model is still
              scored; models=[] leaves it out. "v1" and "v0" are the models for the display and the frame rate; "v1" scores SDR at
              10 bits.
    features, gpu, threads, subsample
              as for Session.
    skip      number of frames to leave out at the start: of both videos, or (reference, distorted).
    count     largest number of frames to score.
    align     how frames are paired: "off", by number; "check", by number, with a warning if others
              fit better; "offset", by one lag that is found; "frames", each distorted frame with
              the reference frame that it shows (Result.ref_frame).
    offset    how late the distorted videos are, in frames, or in seconds as in "0.5s"; negative: early.
    sample    "10%": score this share of the frames, a fair choice that is always the same; "auto:0.5": score frames until the mean of
              the first score is known within 0.5. Result.sample has the intervals.
    raw       format of raw files: (width, height, "420", bits), or a RawVideo.
    progress  True: a line on a terminal; or a function (frames, expected or None). An exception from it ends the scoring.
    display   "1080p", "phone", "4k" or "4k_tv": scale both videos to just fit it.
    decoder   of media files: "auto": the scoring GPU if it supports the format; "cuda": the GPU, or an error; "software": the CPU.
    film_grain
              that decoders add: "keep" or "remove".
    deinterlace
              make progressive frames from interlaced videos.
    filter_ref, filter_dist
              graphs of ffmpeg's filters for the frames of each side.
    crop, crop_ref, crop_dist
              crop both sides, or one: "W:H:X:Y", "L,R,T,B", "auto" for black bars, or "none".
    strict    turn warnings into errors.
    fps       frames per second of numbered images ("frame_%04d.png"): a number, a Fraction, or text such as "24000/1001".
    autorotate
              rotate pictures as their files say; False: score them as stored.
    scale     how to match different sizes: "auto", "none", "ref" or "WIDTHxHEIGHT"; `scaler` chooses the scaler.
    pix_fmt   format in which both videos are compared: "auto", "none", or a format such as "420", "444p10" and "mono16".
    matrix_ref, matrix_dist
              YUV matrix of files without a tag or with a wrong one: "auto", "bt601", "bt709", "bt2020nc" or another name of ffmpeg.
    background
              colour "RRGGBB" over which transparent pictures are composed.
    ref_format, dist_format, range_ref, range_dist, allow_fps_mismatch, allow_network
              the same as the options of the tool `vmaf`.

    Raises VideoError if a video cannot be read or compared. If any error occurs in the middle of the videos, the exception has the
    scores so far as `result`.
    """
    return score_encodes(reference, [distorted], **options)[0]


@shows_options
def score_encodes(reference: Path, distorted: Sequence[Path], **options: Unpack[ScoreOptions]) -> list[Result]:
    """score() of several encodes of one reference, which is read, decoded and uploaded once.

    Each encode keeps its own depth, chroma format and length, and gets the same scores as from score(). If one fails, the exception
    has the scores of all as `results`.
    """
    return OpenVideos(reference, distorted, **options).score() if distorted else []


class SavedSegment(NamedTuple):
    """A segment of an encode that was read, and its scores for Session.append_saved()."""

    #: Frames of the segment itself.
    frames: int
    #: Empty if the video or its reference ends before the segment.
    saved: bytes
    #: As in Result.
    notes: tuple[str, ...]
    #: As in Result.
    comparison: dict[str, Any] | None
    #: As in Result.
    details: dict[str, Any]
    #: Arguments for Result.with_frame_pairs(). None: the call is not needed.
    pairs: tuple[Sequence[int], Sequence[int] | None] | None
    #: As in Result.
    sample: Mapping[str, Any] | None


class _Read(NamedTuple):
    """An encode that was compared up to its end or up to an error."""

    encode: int
    session: Session
    frames: int
    notes: tuple[str, ...]
    comparison: dict[str, Any] | None
    details: dict[str, Any]
    failure: Exception | None
    pairs: tuple[Sequence[int], Sequence[int] | None] | None


class OpenVideos:
    """A reference and its encodes, open and converted to match, for the options of score()."""

    @shows_options
    def __init__(self, reference: Path, distorted: Sequence[Path], **options: Unpack[ScoreOptions]) -> None:
        self._chosen = Options.of(options)
        self._encodes = len(distorted)
        self._has_segments = False
        features = feature_options(self._chosen.features)
        models = self._chosen.models
        sources: Models = models if isinstance(models, Mapping) else model_sources(models)
        if not sources and not features:
            raise ValueError("there is nothing to score: give models or features")
        self._opening = (
            self._chosen.path(reference),
            [self._chosen.path(path) for path in distorted],
            [model_request(source) for source in model_sources(sources)],
            [(name, list(options.items())) for name, options in features],
            self._chosen.reading(),
        )
        self._clips = Clips.open(*self._opening)
        self._sources = [with_chosen(sources, self._clips.models(encode)) for encode in range(self._encodes)]
        self._models: list[list[Model]] = []
        for encode, chosen in enumerate(self._sources):
            is_known = encode > 0 and chosen == self._sources[encode - 1]
            self._models.append(self._models[-1] if is_known else load_models(chosen))

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the luma that is scored."""
        return self._clips.size

    @property
    def pix_fmt(self) -> str:
        return self._clips.pix_fmt

    @property
    def bpc(self) -> int:
        return self._clips.bpc

    @property
    def frame_rate(self) -> float | None:
        return self._clips.frame_rate

    @property
    def expected_frames(self) -> int | None:
        """Number of frames that files and containers promise. It may be wrong."""
        return self._clips.expected_frames

    def index_frames(self) -> list[int | None]:
        """How many frames the packets of each video promise, the reference first. None: unknown, or no index is needed to skip frames."""
        return self._clips.index_frames()

    def segment_start(self, video: int, first: int, end: int) -> SegmentStart:
        """Where to find the frames first..end-1 of a video with such an index, for start_at()."""
        return self._clips.segment_start(video, first, end)

    def start_at(self, segments: Sequence[SegmentStart | None]) -> None:
        """Start each video at a segment instead of skipping `skip` frames. score() raises SegmentsDoNotFit if segment_start() was wrong."""
        self._clips.start_at(segments)
        self._has_segments = any(segment is not None for segment in segments)

    @property
    def segment_overlap(self) -> tuple[int, int]:
        """Session.segment_overlap for the models and features of the videos."""
        with self._session(0, gpu=None, threads=0, sharing=1) as session:
            return session.segment_overlap

    @property
    def scoring(self) -> dict[str, Any]:
        """Keywords of Session that score the first encode. Plain values stay plain values."""
        return self.scoring_of(0)

    def scoring_of(self, encode: int) -> dict[str, Any]:
        """scoring for another encode."""
        return {"models": self._sources[encode], "features": self._features(encode), "subsample": self._chosen.subsample}

    def score(self) -> list[Result]:
        """Score the videos; call it once. Returns a result for each encode."""

        def scored(reads: list[_Read]) -> list[Result]:
            for number, read in enumerate(reads):
                if read.frames == 0 and read.failure is None:
                    reads[number] = read._replace(failure=VideoError("there is no frame pair to score"))
            failure = next((read.failure for read in reads if read.failure), None)
            if failure is None:
                return [self._result(read) for read in reads]
            if any(read.frames > 0 for read in reads):
                _add_scores(failure, lambda: [self._result(read) for read in reads])
            raise failure

        return self._read(scored)

    def save_segment(self, before: int, count: int | None) -> list[SavedSegment]:
        """Score a segment for merging. The first `before` frames come before it. It has at most `count` frames; None: all the others."""

        def saved(read: _Read) -> SavedSegment:
            if read.failure is not None:
                raise read.failure
            frames = max(0, read.frames - before)
            frames = frames if count is None else min(frames, count)
            saved = read.session.save_segment(before, frames) if frames > 0 else b""
            sample = None if self._chosen.sample is None else self._result(read).sample
            return SavedSegment(frames, saved, read.notes, read.comparison, read.details, read.pairs, sample)

        return self._read(lambda reads: [saved(read) for read in reads])

    def _read(self, take: Callable[[list[_Read]], T]) -> T:
        """Read in segments if possible. `take` is called while the sessions are open."""
        if self._has_segments:
            return self._read_once(take, in_segments=False)
        try:
            return self._read_once(take, in_segments=True)
        except SegmentsDoNotFit as reason:
            _log.info("a video cannot be decoded in segments (%s): videos are decoded as a whole", reason)
        self._clips = Clips.open(*self._opening)
        return self._read_once(take, in_segments=False)

    def _read_once(self, take: Callable[[list[_Read]], T], *, in_segments: bool) -> T:
        with contextlib.ExitStack() as stack:
            sessions: list[Session] = []
            for encode in range(self._encodes):
                # All sessions use the device of the first one. On a CPU they share its cores.
                on_cpu = bool(sessions) and sessions[0].gpu is None
                session = self._session(
                    encode,
                    gpu=sessions[0].gpu if sessions else self._chosen.scoring_gpu(),
                    threads=self._chosen.threads,
                    sharing=self._encodes if not sessions or on_cpu else 1,
                )
                sessions.append(stack.enter_context(session))
            ends = self._clips.read(
                [session.handle for session in sessions],
                isinstance(sessions[0].gpu, int),
                in_segments,
                self._chosen.reporter(self._clips.expected_frames),
            )
            gpu = sessions[0].gpu
            if self._chosen.sample is not None:
                sessions, ends = self._merged_samples(gpu, stack)
            return take([self._read_of(number, session, gpu, *end) for number, (session, end) in enumerate(zip(sessions, ends))])

    def _merged_samples(self, gpu: int | str | None, stack: contextlib.ExitStack) -> tuple[list[Session], list[_End]]:
        """Sessions with only the sampled frames. The sessions that read also have the frames around them."""

        def merged(encode: int) -> tuple[Session, _End]:
            session = stack.enter_context(self._session(encode, gpu=None, threads=0, sharing=1))
            return session, self._clips.append_sample(encode, session.handle)

        while (half_width := self._too_wide(*merged(0))) is not None:
            more = stack.enter_context(self._session(0, gpu=gpu, threads=self._chosen.threads, sharing=1))
            self._clips.read_more(more.handle, isinstance(more.gpu, int), half_width, self._chosen.reporter(None))
        pairs = [merged(encode) for encode in range(self._encodes)]
        return [session for session, _ in pairs], [end for _, end in pairs]

    def _too_wide(self, session: Session, end: _End) -> float | None:
        """Half the width of the first score's interval. None: nothing more is to be read."""
        frames, _, error, stopped = end
        sample = self._clips.sample(0)
        assert sample is not None
        per_stratum, most = sample[3:5]
        if self._clips.sample_error == 0 or per_stratum == most or error or stopped is not None or frames == 0:
            return None
        result = session._finish_read(frames)
        name = next(iter(result.asked or result.frames))
        interval = self._clips.sample_interval(0, name, result.frames[name].tolist())
        if interval is None:
            raise VideoError(f"sample='auto:...': {name} is infinite in some frames, which leaves no interval: give a share of the frames")
        half_width = (interval[1] - interval[0]) / 2
        return half_width if half_width > self._clips.sample_error else None

    def _sample_of(self, encode: int, result: Result, is_whole: bool) -> dict[str, Any] | None:
        """An incomplete sample has no intervals, because it says nothing about the missing frames."""
        sample = self._clips.sample(encode)
        if sample is None:
            return None
        frames, of, strata, _, _, seed, read = sample
        columns = result.frames.items() if is_whole else ()
        intervals = {name: self._clips.sample_interval(encode, name, scores.tolist()) for name, scores in columns}
        known = {name: list(interval) for name, interval in intervals.items() if interval is not None}
        return {"frames": frames, "of": of, "strata": strata, "seed": seed, "read": read, "interval_95": known}

    def _read_of(self, encode: int, session: Session, gpu: int | str | None, frames: int, ended_first: str | None, error: int, stopped: str | None) -> _Read:
        failure: Exception | None = None if stopped is None else VideoError(in_keywords(stopped))
        try:
            _core.check(error, f"frame {frames}")
        except Exception as refused:
            failure = refused
        notes = [in_keywords(text) for text in self._clips.warnings(encode) + ([ended_first] if ended_first else [])]
        if failure is not None and frames > 0:
            notes.append(f"incomplete: stopped after {frames} frames")
        comparison = None
        if (record := self._clips.comparison(encode)) is not None:
            comparison = json.loads(record) | {"warnings": notes}
            comparison["conversions"] = [in_keywords(text) for text in comparison["conversions"]]
        return _Read(encode, session, frames, tuple(notes), comparison, self._details(encode, gpu), failure, self._clips.pairs(encode))

    def _details(self, encode: int, gpu: int | str | None) -> dict[str, Any]:
        models = [{"name": model.name, "label": model.label} for model in self._models[encode]]
        device = "CPU" if gpu is None else f"GPU {gpu}"
        details: dict[str, Any] = json.loads(self._clips.details(encode))
        return details | {"models": models, "device": device}

    def _result(self, read: _Read) -> Result:
        """The result has no columns if no frame was read."""
        scored = read.session._finish_read(read.frames) if read.frames > 0 else Result(np.empty(0, np.int64), {}, {})
        if read.pairs is not None:
            scored = scored.with_frame_pairs(*read.pairs)
        sample = self._sample_of(read.encode, scored, read.failure is None)
        return dataclasses.replace(scored, notes=read.notes, frame_rate=self._clips.frame_rate, comparison=read.comparison, details=read.details, sample=sample)

    def _session(self, encode: int, *, gpu: Gpu, threads: int | None, sharing: int) -> Session:
        return Session(
            models=self._models[encode],
            features=self._features(encode),
            gpu=gpu,
            threads=threads,
            subsample=self._chosen.subsample,
            sharing=sharing,
        )

    def _features(self, encode: int) -> Features:
        """Features with the options that describe the videos, as in the tool (spec comparison 3). The caller's own options have priority."""
        return {name: dict(options) for name, options in self._clips.features(encode)}


def _add_scores(failure: Exception, results: Callable[[], list[Result]]) -> None:
    """Add the scores so far to the exception, unless they cannot be had."""
    with contextlib.suppress(ValueError, OSError, MemoryError):
        scored = results()
        setattr(failure, "result", scored[0])
        setattr(failure, "results", tuple(scored))
