"""How far a job is, on standard error."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping
from typing import TextIO

from ._run import Tally

__all__ = ["ProgressLine"]


def clock(seconds: float) -> str:
    whole = round(seconds)
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"


class ProgressLine:
    """A bar on a terminal, redrawn at most ten times a second; else a line every half minute, or an object of JSON every second."""

    _WIDTH = 20
    _SECONDS = {"bar": 0.1, "plain": 30.0, "json": 1.0}

    def __init__(self, kind: str = "auto", stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._kind = kind if kind != "auto" else "bar" if self._stream.isatty() else "plain"
        self._began = time.monotonic()
        self._drawn: float | None = None
        self._is_open = False

    @property
    def is_json(self) -> bool:
        return self._kind == "json"

    @property
    def seconds(self) -> float:
        """Since it was made."""
        return time.monotonic() - self._began

    def __call__(self, tally: Tally) -> None:
        now = time.monotonic()
        if self._kind == "none" or (self._drawn is not None and now - self._drawn < self._SECONDS[self._kind]):
            return
        self._drawn = now
        self._draw(tally, now - self._began)

    def _draw(self, tally: Tally, seconds: float) -> None:
        done = tally.done - tally.found
        left = seconds / done * (tally.clips - tally.done) if done > 0 else None
        fps = tally.frames / seconds if seconds > 0 else 0.0
        if self.is_json:
            self.tell(
                {
                    "clips": tally.clips,
                    "done": round(tally.done, 6),
                    "frames": tally.frames,
                    "fps": round(fps, 1),
                    "failed": tally.failed_rows,
                    "retried": tally.retried,
                    "seconds": round(seconds, 1),
                    "eta": None if left is None else round(left, 1),
                }
            )
            return
        share = min(1.0, tally.done / tally.clips) if tally.clips else 1.0
        eta = "-" if left is None else clock(left)
        failed = f"  {tally.failed_rows} failed" if tally.failed_rows else ""
        text = f"{tally.done + 1e-6:.0f}/{tally.clips} clips {share:4.0%}"
        if self._kind == "bar":
            full = round(share * self._WIDTH)
            bar = f"[{'=' * full}{' ' * (self._WIDTH - full)}]"
            print(f"\r  {text} {bar}  {fps:.1f} fps{failed}  ETA {eta}\x1b[K", end="", file=self._stream, flush=True)
            self._is_open = True
        else:
            print(f"progress {text}  {fps:.1f} fps{failed}  ETA {eta}", file=self._stream, flush=True)

    def tell(self, facts: Mapping[str, object]) -> None:
        """A line of JSON."""
        print(json.dumps(facts, ensure_ascii=False), file=self._stream, flush=True)

    def finish(self, tally: Tally | None = None) -> None:
        """Draw the last state and end the bar's line."""
        if tally is not None and self._kind in ("bar", "json"):
            self._draw(tally, self.seconds)
        if self._is_open:
            print(file=self._stream, flush=True)
            self._is_open = False
