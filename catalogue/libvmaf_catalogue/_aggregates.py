"""Values of a whole clip, from those of its segments (spec psnr 3)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from libvmaf import _core
from libvmaf import Result

__all__ = ["ClipErrors", "features_for_segments", "has_clip_wide_values", "sums_of_segment"]

_PLANES = ("y", "cb", "cr")


def _is_true(options: Mapping[str, Any], name: str) -> bool:
    return options.get(name) in (True, "true")


def _psnr_options(features: Any) -> Mapping[str, Any]:
    return (features.get("psnr") or {}) if isinstance(features, Mapping) else {}


def has_clip_wide_values(features: Any) -> bool:
    return _is_true(_psnr_options(features), "enable_apsnr")


def features_for_segments(features: Any) -> tuple[Any, tuple[str, ...]]:
    """With what tells the exact sums behind values of the whole clip, and the columns that are to be left out for it."""
    if not has_clip_wide_values(features) or _is_true(_psnr_options(features), "enable_mse"):
        return features, ()
    more = {**_psnr_options(features), "enable_mse": True}
    return {**features, "psnr": more}, tuple(f"mse_{plane}" for plane in _PLANES)


def sums_of_segment(result: Result, own: slice, size: tuple[int, int], pix_fmt: str, bpc: int, features: Any) -> dict[str, Any] | None:
    """Of the frames in `own`; None where no value of the whole clip is asked for."""
    if not has_clip_wide_values(features):
        return None
    sse, pixels = [0, 0, 0], [0, 0, 0]
    for number, plane in enumerate(_PLANES):
        if f"mse_{plane}" not in result.frames:
            continue
        area = _plane_pixels(size, pix_fmt, number)
        mse = result.frames[f"mse_{plane}"][own]
        # The squared error is whole and below 2^53 (up to 12 bits), the quotient the nearest number: the product rounds to it.
        sse[number] = sum(int(value) for value in np.rint(mse * area))
        pixels[number] = area * len(mse)
    reduced = _is_true(_psnr_options(features), "reduced_hbd_peak")
    peak = 255 << (bpc - 8) if reduced else (1 << bpc) - 1
    return {"sse": sse, "pixels": pixels, "peak": peak}


def _plane_pixels(size: tuple[int, int], pix_fmt: str, plane: int) -> int:
    width, height = size
    if plane > 0 and pix_fmt != "444":
        width //= 2
    if plane > 0 and pix_fmt == "420":
        height //= 2
    return width * height


@dataclass(frozen=True)
class ClipErrors:
    """The sums of a clip's segments."""

    sse: Sequence[int]
    pixels: Sequence[int]
    peak: int

    @staticmethod
    def of(segments: Sequence[Mapping[str, Any]]) -> ClipErrors:
        sse = [sum(segment["sse"][plane] for segment in segments) for plane in range(3)]
        pixels = [sum(segment["pixels"][plane] for segment in segments) for plane in range(3)]
        return ClipErrors(sse, pixels, segments[0]["peak"])

    def aggregate(self) -> dict[str, float]:
        """The library's own arithmetic; NaN where that is not finite, as in a Result."""
        values = {}
        for plane, sse, pixels in zip(_PLANES, self.sse, self.pixels):
            value = _core.clip_psnr(sse, pixels, self.peak * self.peak)
            values[f"apsnr_{plane}"] = value if math.isfinite(value) else math.nan
        return values
