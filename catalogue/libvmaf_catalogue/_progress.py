"""How far a job is, on standard error."""

from __future__ import annotations

import sys
import time
from typing import TextIO

from ._run import Tally

__all__ = ["ProgressLine"]


def clock(seconds: float) -> str:
    whole = round(seconds)
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"


class ProgressLine:
    """A bar on a terminal, redrawn at most ten times a second; else a line every half minute."""

    _WIDTH = 20

    def __init__(self, kind: str = "auto", stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._is_bar = kind == "bar" or (kind == "auto" and self._stream.isatty())
        self._is_off = kind == "none"
        self._began = time.monotonic()
        self._drawn: float | None = None
        self._is_open = False

    def __call__(self, tally: Tally) -> None:
        now = time.monotonic()
        if self._is_off or (self._drawn is not None and now - self._drawn < (0.1 if self._is_bar else 30)):
            return
        self._drawn = now
        self._draw(tally, now)

    def _draw(self, tally: Tally, now: float) -> None:
        share = min(1.0, tally.done / tally.clips) if tally.clips else 1.0
        seconds = now - self._began
        done = tally.done - tally.found
        eta = clock(seconds / done * (tally.clips - tally.done)) if done > 0 else "-"
        fps = tally.frames / seconds if seconds > 0 else 0.0
        failed = f"  {tally.failed_rows} failed" if tally.failed_rows else ""
        text = f"{tally.done + 1e-6:.0f}/{tally.clips} clips {share:4.0%}"
        if self._is_bar:
            full = round(share * self._WIDTH)
            bar = f"[{'=' * full}{' ' * (self._WIDTH - full)}]"
            print(f"\r  {text} {bar}  {fps:.1f} fps{failed}  ETA {eta}\x1b[K", end="", file=self._stream, flush=True)
            self._is_open = True
        else:
            print(f"progress {text}  {fps:.1f} fps{failed}  ETA {eta}", file=self._stream, flush=True)

    def finish(self, tally: Tally | None = None) -> None:
        """Of the last state, and ends the bar's line."""
        if tally is not None and self._is_bar and not self._is_off:
            self._draw(tally, time.monotonic())
        if self._is_open:
            print(file=self._stream, flush=True)
            self._is_open = False
