"""Keywords of score() and score_encodes(), with their defaults."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, NamedTuple, TypedDict, TypeVar, get_args, get_origin, get_type_hints

from ._session import Features, Gpu, Models, did_you_mean, gpu_number, whole_number

__all__ = ["Options", "Path", "RawVideo", "ReadingOptions", "ScoreOptions", "SegmentStart", "shows_options"]

Function = TypeVar("Function", bound=Callable[..., object])
#: Where to find the frames of a segment in a file, from OpenVideos.segment_start().
SegmentStart = tuple[int | None, int, int, int, int]
Path = str | os.PathLike[str]
ContainerFormat = Literal["auto", "raw", "y4m", "media"]
SampleRange = Literal["auto", "limited", "full"]
Scaler = Literal["swscale", "integer"]
Decoder = Literal["auto", "cuda", "software"]
Align = Literal["off", "check", "offset", "frames"]
FilmGrain = Literal["keep", "remove"]
Display = Literal["none", "1080p", "phone", "4k", "4k_tv"]

#: Called with the number of frames read so far and of all frames. None: not known.
Progress = Callable[[int, int | None], object]


class RawVideo(NamedTuple):
    """Format of a raw planar file, which has no header."""

    width: int
    height: int
    pix_fmt: str = "420"
    bpc: int = 8


class ReadingOptions(TypedDict, total=False):
    """How files are read and converted to match, for all pairs. Catalogues have these options too."""

    align: Align
    offset: int | str
    sample: str | None
    ref_format: ContainerFormat
    dist_format: ContainerFormat
    range_ref: SampleRange
    range_dist: SampleRange
    matrix_ref: str
    matrix_dist: str
    scale: str
    display: Display
    scaler: Scaler
    decoder: Decoder
    film_grain: FilmGrain
    deinterlace: bool
    filter_ref: str | None
    filter_dist: str | None
    crop: str
    crop_ref: str | None
    crop_dist: str | None
    pix_fmt: str
    fps: str | float | Fraction | None
    autorotate: bool
    background: str | None
    allow_fps_mismatch: bool
    allow_network: bool
    strict: bool


class ScoreOptions(ReadingOptions, total=False):
    """All keywords."""

    models: Models
    features: Features
    gpu: Gpu
    threads: int | None
    subsample: int
    skip: int | tuple[int, int]
    count: int | None
    raw: RawVideo | tuple[int, int, str, int] | None
    progress: Progress | bool


@dataclass(frozen=True)
class Options:
    """All keywords with their defaults."""

    models: Models = "auto"
    features: Features = ()
    gpu: Gpu = "auto"
    threads: int | None = None
    subsample: int = 1
    skip: int | tuple[int, int] = 0
    count: int | None = None
    align: Align = "check"
    offset: int | str = 0
    sample: str | None = None
    raw: RawVideo | tuple[int, int, str, int] | None = None
    ref_format: ContainerFormat = "auto"
    dist_format: ContainerFormat = "auto"
    range_ref: SampleRange = "auto"
    range_dist: SampleRange = "auto"
    matrix_ref: str = "auto"
    matrix_dist: str = "auto"
    scale: str = "auto"
    display: Display = "none"
    scaler: Scaler = "swscale"
    decoder: Decoder = "auto"
    film_grain: FilmGrain = "keep"
    deinterlace: bool = False
    filter_ref: str | None = None
    filter_dist: str | None = None
    crop: str = "none"
    crop_ref: str | None = None
    crop_dist: str | None = None
    pix_fmt: str = "auto"
    fps: str | float | Fraction | None = None
    autorotate: bool = True
    background: str | None = None
    allow_fps_mismatch: bool = False
    allow_network: bool = False
    strict: bool = False
    progress: Progress | bool = False

    @staticmethod
    def of(given: Mapping[str, Any]) -> Options:
        """TypeError for an unknown keyword, ValueError for a value that it does not allow."""
        for name in given:
            if name not in Options.__dataclass_fields__:
                raise TypeError(f"there is no keyword {name!r}{did_you_mean(name, Options.__dataclass_fields__)}")
        for name, kind in _words_of_options().items():
            if given.get(name, kind[0]) not in kind:
                raise ValueError(f"{name} is {given[name]!r}: one of {', '.join(map(repr, kind))} is needed")
        options = Options(**given)
        if options.sample is not None and options.subsample != 1:
            raise ValueError("sample and subsample both choose frames: give one of them")
        return options

    def reading(self) -> dict[str, Any]:
        """Arguments for Clips."""
        skips = [whole_number("skip", skip, 0) for skip in (self.skip if isinstance(self.skip, tuple) else 2 * (self.skip,))]
        return {name: getattr(self, name) for name in ReadingOptions.__annotations__} | {
            "skip_ref": skips[0],
            "skip_dist": skips[1],
            "count": 0 if self.count is None else whole_number("count", self.count, 0),
            "offset": "" if self.offset == 0 else str(self.offset),
            "raw": None if self.raw is None else tuple(RawVideo(*self.raw)),
            "fps": self.sequence_rate(),
            "gpu": self.decoding_gpu(),
        }

    def sequence_rate(self) -> str:
        """The rate as text. Empty: unknown. Rates of NTSC are fractions of 1001."""
        if self.fps is None or isinstance(self.fps, str):
            return self.fps or ""
        return str(Fraction(self.fps).limit_denominator(1001))

    def decoding_gpu(self) -> int | None:
        """The GPU that may decode: the one that scores."""
        number = gpu_number(self.gpu)
        if self.decoder == "cuda" and number is None:
            raise ValueError("decoder is 'cuda' and gpu says that there is none")
        return None if self.decoder == "software" else number

    def scoring_gpu(self) -> Gpu:
        return True if self.decoder == "cuda" and self.gpu == "auto" else self.gpu

    def path(self, path: Path) -> str:
        """The usual OSError for a missing file. The readers check URLs and numbered images."""
        text = os.fspath(path)
        if text != "-" and "://" not in text and "%" not in text:
            os.stat(text)
        return text

    def reporter(self, expected: int | None) -> Callable[[int], object] | None:
        if self.progress is False:
            return None
        report = _print_progress if self.progress is True else self.progress
        return lambda frames: report(frames, expected)


@functools.cache
def _words_of_options() -> Mapping[str, Sequence[str]]:
    return {name: get_args(hint) for name, hint in get_type_hints(Options).items() if get_origin(hint) is Literal}


def shows_options(function: Function) -> Function:
    """Make help() and editors show each keyword with its default instead of **options."""
    signature = inspect.signature(function)
    hints = get_type_hints(Options)
    own = [parameter for parameter in signature.parameters.values() if parameter.kind is not inspect.Parameter.VAR_KEYWORD]
    keywords = [
        inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=field.default,
            annotation=hints[field.name] if get_origin(hints[field.name]) is Literal else field.type,
        )
        for field in dataclasses.fields(Options)
    ]
    setattr(function, "__signature__", signature.replace(parameters=[*own, *keywords]))
    return function


def _print_progress(frames: int, expected: int | None) -> None:
    if sys.stderr.isatty():
        of_all = f" of {expected}" if expected else ""
        print(f"\r{frames}{of_all} frames", end="\n" if frames == expected else "", file=sys.stderr, flush=True)
