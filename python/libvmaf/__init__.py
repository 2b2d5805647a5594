"""Measures how good a distorted video looks compared with its reference: VMAF and the features that it is made of.

Messages of the library go to logging.getLogger("libvmaf").
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _core
from ._core import DeviceError, Frame, available_cores, version
from ._frames import score_frames
from ._lists import Feature, ModelInfo, Option, Output, better, features, models
from ._map import map
from ._report import html_report
from ._result import Pooled, Result
from ._scores_file import read_scores
from ._session import Model, Session, read_shared

if TYPE_CHECKING:
    from ._score import OpenVideos, RawVideo, ReadingOptions, SavedSegment, SegmentsDoNotFit, SegmentStart, VideoError, score, score_encodes

__version__ = version()

__all__ = [
    "DeviceError",
    "Feature",
    "Frame",
    "Gpu",
    "Model",
    "ModelInfo",
    "OpenVideos",
    "Option",
    "Output",
    "Pooled",
    "RawVideo",
    "ReadingOptions",
    "Result",
    "SavedSegment",
    "Session",
    "SegmentStart",
    "SegmentsDoNotFit",
    "VideoError",
    "VulkanDevice",
    "available_cores",
    "better",
    "features",
    "gpus",
    "html_report",
    "map",
    "models",
    "read_scores",
    "read_shared",
    "score",
    "score_encodes",
    "score_frames",
    "version",
    "vulkan_devices",
]


@dataclass(frozen=True, slots=True)
class Gpu:
    """A CUDA device. `index` is its number for Session(gpu=...)."""

    index: int
    name: str
    memory_bytes: int


def gpus() -> list[Gpu]:
    """The CUDA devices that the driver shows to this process, in the order of their numbers. Empty: there is none."""
    return [Gpu(*facts) for facts in _core.gpus()]


@dataclass(frozen=True, slots=True)
class VulkanDevice:
    """A Vulkan device. Session(gpu="vk0") uses the one with index 0."""

    index: int
    name: str
    #: "integrated", "discrete", "virtual", "software" or "other".
    type: str
    driver: str
    memory_bytes: int


def vulkan_devices() -> list[VulkanDevice]:
    """The Vulkan devices of the machine, in the order of their numbers. Empty: there is none."""
    return [VulkanDevice(*facts) for facts in _core.vulkan_devices()]


def __getattr__(name: str) -> Any:
    """Load the module that reads files at its first use: to score arrays, ffmpeg's libraries are not needed."""
    if name in __all__:
        from . import _score

        globals()[name] = getattr(_score, name)
        return globals()[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
