"""Measures how good a distorted video looks compared with its reference: VMAF and the features that it is made of.

Messages of the library go to logging.getLogger("libvmaf").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _core
from ._core import DeviceError, Frame, available_cores
from ._core import features as _feature_rows
from ._core import models as _model_rows
from ._core import version
from ._result import Pooled, Result
from ._scores_file import read_scores
from ._session import Model, Session, read_shared

if TYPE_CHECKING:
    from ._files import SegmentsDoNotFit, SegmentStart
    from ._score import OpenVideos, RawVideo, SavedSegment, Scored, VideoError, score, score_encodes

__all__ = [
    "DeviceError",
    "Feature",
    "Frame",
    "Gpu",
    "Model",
    "ModelInfo",
    "OpenVideos",
    "Option",
    "Pooled",
    "RawVideo",
    "Result",
    "SavedSegment",
    "Scored",
    "Session",
    "SegmentStart",
    "SegmentsDoNotFit",
    "VideoError",
    "available_cores",
    "features",
    "gpus",
    "models",
    "read_scores",
    "read_shared",
    "score",
    "score_encodes",
    "version",
]


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a feature. `type` is "bool", "int", "real" or "text"; `default` and `range` are texts, "" if there is none."""

    name: str
    type: str
    default: str
    range: str
    help: str


@dataclass(frozen=True, slots=True)
class Feature:
    """A feature that sessions can compute, and the columns that it may write."""

    name: str
    help: str
    options: Mapping[str, Option]
    outputs: tuple[str, ...]
    #: Whether scores on a GPU differ from a CPU's in the last digits.
    differs_by_device: bool


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A built-in model, and the features that it is made of."""

    version: str
    features: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Gpu:
    """A CUDA device, under the number that Session(gpu=...) takes."""

    index: int
    name: str
    memory_bytes: int


def features() -> dict[str, Feature]:
    """What the library can compute, by name."""
    return {
        name: Feature(name, help, {row[0]: Option(*row) for row in options}, tuple(outputs), differs)
        for name, help, options, outputs, differs in _feature_rows()
    }


def models() -> dict[str, ModelInfo]:
    """Built-in models and collections, by version."""
    return {version: ModelInfo(version, tuple(features)) for version, features in _model_rows()}


def gpus() -> list[Gpu]:
    """The CUDA devices that the driver shows to this process, in the order in which `gpu` counts them. Empty: there is none."""
    return [Gpu(*facts) for facts in _core.gpus()]


def __getattr__(name: str) -> Any:
    """What reads files is loaded when it is first used: scores of arrays need none of ffmpeg's libraries."""
    if name in ("OpenVideos", "SegmentsDoNotFit", "RawVideo", "SavedSegment", "Scored", "VideoError", "score", "score_encodes"):
        from . import _score

        globals()[name] = getattr(_score, name)
        return globals()[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
