"""The command `vmaf-mcp`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from ._allowed_paths import AllowedPaths

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="vmaf-mcp",
        description="Measures video quality for clients of the Model Context Protocol, on standard input and output.",
        epilog="Reads files in the allowed folders and below, nothing elsewhere, whatever links and .. say; writes none.",
    )
    parser.add_argument("roots", nargs="*", default=["."], metavar="FOLDER", help="an allowed folder (default: the current one)")
    parser.add_argument("--threads", type=int, metavar="N", help="threads of the CPU (default: one for each core)")
    chosen = parser.parse_args(arguments)
    if chosen.threads is not None and chosen.threads < 0:
        parser.error("--threads: a number from 0 is needed")
    try:
        files = AllowedPaths(chosen.roots)
    except OSError as error:
        parser.error(str(error))
    try:
        from ._mcp_server import make_server
    except ModuleNotFoundError as missing:
        print(f"vmaf-mcp: {missing.name} is missing: pip install 'libvmaf[mcp]'", file=sys.stderr)
        return 1
    try:
        make_server(files, chosen.threads).run()
    except KeyboardInterrupt:
        return 130
    return 0
