"""How a clip is cut in segments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from libvmaf import SegmentStart

__all__ = ["WHOLE", "Segment", "cut"]

_UNKNOWN_RATE = 25.0


@dataclass(frozen=True, slots=True)
class Segment:
    """A segment of a clip: `count` frames from `first` on; None: to the clip's end. `before` and `behind` are frames around it to read too."""

    number: int = 0
    of: int = 1
    first: int = 0
    count: int | None = None
    before: int = 0
    behind: int = 0
    #: Where each video's frames are found (OpenVideos.segment_start), the reference first. None: by
    #: skipping frames.
    seeks: tuple[SegmentStart | None, ...] = ()

    @property
    def skip(self) -> int:
        return self.first - self.before

    @property
    def read(self) -> int | None:
        return None if self.count is None else self.before + self.count + self.behind


WHOLE = Segment()


def segment_frames(seconds: float, frame_rate: float | None, subsample: int) -> int:
    """Frames of a segment: a multiple of `subsample`, so that each segment begins at a scored frame."""
    frames = max(1, round(seconds * (frame_rate or _UNKNOWN_RATE)))
    return -(-frames // subsample) * subsample


def segment_count(expected_frames: int | None, frames: int) -> int:
    """The last one has up to twice the frames of the others, and goes to the clip's end, wherever that is."""
    return 1 if expected_frames is None else max(1, expected_frames // frames)


def cut(count: int, frames: int, overlap: tuple[int, int]) -> Sequence[Segment]:
    """Cut a clip into `count` segments of `frames` frames. The last one goes to the end (spec device_pictures 6)."""
    segments = []
    for number in range(count):
        first = number * frames
        before = min(first, overlap[0])
        is_last = number == count - 1
        segments.append(Segment(number, count, first, None if is_last else frames, before, 0 if is_last else overlap[1]))
    return segments
