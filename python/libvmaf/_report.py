"""HTML pages of results, written by the tool `vmaf` in this folder."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from . import _core
from ._result import Result

__all__ = ["html_report", "tool_path"]


def html_report(results: Iterable[Result], names: Sequence[str] = ()) -> str:
    """One HTML page for one or more encodes: curves, statistics, worst frames; with several, the ladder.

    The page loads nothing else. `names` are the names of the encodes; by default those of their files.
    """
    of = list(results)
    if not of:
        raise ValueError("results is empty: a page is about one result or more")
    if names and len(names) != len(of):
        raise ValueError(f"names has {len(names)} of {len(of)} results")
    tool = tool_path()
    with tempfile.TemporaryDirectory() as folder:
        files = [str(Path(folder, f"{number:06d}.json")) for number in range(len(of))]
        for number, (result, file) in enumerate(zip(of, files)):
            name = names[number] if names else f"encode {number + 1}" if len(of) > 1 else "distorted"
            Path(file).write_text(json.dumps(_saved(result, name, bool(names))), encoding="utf-8")
        page = Path(folder, "page.html")
        command = [os.fspath(tool), "--report", *files, "--html", os.fspath(page)]
        ran = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
        if ran.returncode != 0:
            raise ValueError(f"the page cannot be written: {ran.stderr.strip() or ran.returncode}")
        return page.read_text(encoding="utf-8")


def tool_path() -> Path:
    tool = Path(__file__).with_name("vmaf")
    if not tool.exists():
        raise FileNotFoundError(f"{tool} is not there: the package was built without the tool, which writes the page")
    return tool


def _saved(result: Result, name: str, is_named: bool) -> dict[str, Any]:
    """The layout of `vmaf --log_details`."""
    details: Mapping[str, Any] = result.details or {}
    distorted = details.get("distorted", {})
    path = name if is_named else distorted.get("path") or name
    return result.to_dict() | {
        "version": _core.version(),
        "details": {**details, "distorted": distorted | {"path": path}, "warnings": list(result.notes)},
    }
