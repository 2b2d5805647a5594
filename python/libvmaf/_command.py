"""The command `vmaf`: the tool in this folder."""

from __future__ import annotations

import os
import sys
from pathlib import Path

__all__ = ["main"]


def main() -> None:
    tool = Path(__file__).with_name("vmaf")
    os.execv(tool, [str(tool), *sys.argv[1:]])
