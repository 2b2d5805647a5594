"""The command vmaf-catalogue, as far as it does without pyarrow."""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> int:
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        print("vmaf-catalogue needs pyarrow: pip install 'libvmaf[catalogue]'", file=sys.stderr)
        return 1
    from .catalogue._command import main as run

    return run()
