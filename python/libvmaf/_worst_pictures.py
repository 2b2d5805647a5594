"""Pictures of the worst frames of two videos, made by the tool `vmaf` in this folder."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import anyio

from ._report import tool_path

__all__ = ["FrameLook", "worst_pictures"]

_FRAME = re.compile(r'<article><p class="where">.*?data-frame="(\d+)".*?<b>([^<]*)</b></p>(.*?)</article>', re.DOTALL)
_PICTURE = re.compile(r'<img alt="(\w+), frame \d+" src="data:image/png;base64,([^"]+)">')
_METRIC = re.compile(r"<h3>Pictures: the (\w+) of ([^<]*)</h3>")


@dataclass(frozen=True)
class FrameLook:
    """A frame, its score, and PNG files in base64, by the name of the picture: reference, distorted, whole, difference."""

    frame: int
    score: str
    pictures: dict[str, str] = field(default_factory=dict)


async def worst_pictures(arguments: Sequence[str]) -> tuple[str, list[FrameLook]]:
    """Run the tool with these arguments. Returns the score that orders the frames, and the frames. ValueError has the tool's message."""
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "page.html")
        command = [str(tool_path()), *arguments, "-q", "--progress", "none", "--html", str(page)]
        ran = await anyio.run_process(command, check=False)  # a call that is cancelled ends it
        if ran.returncode != 0 or not page.exists():
            raise ValueError(ran.stderr.decode(errors="replace").strip() or f"vmaf ended with {ran.returncode}")
        text = page.read_text(encoding="utf-8")
    order = _METRIC.search(text)
    looks = [FrameLook(int(frame), score, dict(_PICTURE.findall(rest))) for frame, score, rest in _FRAME.findall(text)]
    return (f"{order[1]} of {order[2]}" if order else ""), looks
