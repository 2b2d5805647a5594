"""The command `vmaf`: the tool that lies beside this file."""

from __future__ import annotations

import os
import sys
from pathlib import Path

__all__ = ["main"]


def main() -> None:
    tool = Path(__file__).with_name("vmaf")
    os.execv(tool, [str(tool), *sys.argv[1:]])
