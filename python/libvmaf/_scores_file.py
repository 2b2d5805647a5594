"""Score files that the library, the tool or Result.write wrote."""

from __future__ import annotations

import csv
import json
import math
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np

from ._result import Result

__all__ = ["read_scores"]

#: Number of a frame, number of its reference frame if known, and the scores.
_Row = tuple[int, int | None, dict[str, float]]


def read_scores(path: str | os.PathLike[str]) -> Result:
    """Read a score file in JSON, XML or CSV that the library, the tool `vmaf` or Result.write wrote.

    Raises ValueError for other files. If the run was stopped (a .partial file), `notes` says so.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
        first = text.lstrip()[:1]
        read = _of_json if first == "{" else _of_xml if first == "<" else _of_csv
        return _result(*read(text))
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError, csv.Error, ElementTree.ParseError) as error:
        raise ValueError(f"{path}: no file of scores in JSON, XML or CSV: {_reason(error)}") from error


def _reason(error: Exception) -> str:
    return f"{error} is missing" if isinstance(error, KeyError) else str(error)


#: Columns in their order as far as known, rows, values of the whole clip, notes. With JSON also
#: the whole log.
_Read = tuple[list[str], list[_Row], dict[str, float], list[str], Mapping[str, Any]]


def _of_json(text: str) -> _Read:
    log = json.loads(text)
    pooled = log.get("pooled_metrics", {})
    nulls = {name: _null_of(statistics) for name, statistics in pooled.items()}
    rows = []
    for frame in log["frames"]:
        scores = {name: _number(score, nulls.get(name, math.nan)) for name, score in frame["metrics"].items()}
        rows.append((int(frame["frameNum"]), _ref_frame(frame.get("ref_frame")), scores))
    aggregate = {name: _number(value, math.nan) for name, value in log.get("aggregate_metrics", {}).items()}
    incomplete = log.get("incomplete")
    notes = [] if incomplete is None else [_incomplete(incomplete["reason"], incomplete["frames"])]
    return list(pooled), rows, aggregate, notes, log


def _of_xml(text: str) -> _Read:
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise ValueError("it declares a document type")
    root = ElementTree.fromstring(text)
    if root.tag != "VMAF":
        raise ValueError(f"the root is <{root.tag}>, not <VMAF>")
    rows = []
    for frame in root.iterfind("frames/frame"):
        scores = {name: float(score) for name, score in frame.items() if name not in ("frameNum", "ref_frame")}
        rows.append((int(frame.attrib["frameNum"]), _ref_frame(frame.get("ref_frame")), scores))
    aggregates = root.find("aggregate_metrics")
    aggregate = {} if aggregates is None else {name: float(value) for name, value in aggregates.items()}
    mark = re.search(r'<!-- incomplete: reason="([^"]*)" frames="(\d+)" -->\s*</VMAF>\s*$', text)
    return [], rows, aggregate, [_incomplete(*mark.groups())] if mark else [], {}


def _of_csv(text: str) -> _Read:
    header, *lines = csv.reader(text.splitlines())
    if not header or header[0] != "Frame":
        raise ValueError("the first column is not Frame")
    names = header[1:-1] if header[-1] == "" else header[1:]  # the library ends each line with a comma
    rows = []
    for line in lines:
        if len(line) < 1 + len(names):
            raise ValueError(f"a line has {len(line)} values of {1 + len(names)}")
        scores = {name: score for name, score in zip(names, line[1:]) if score != ""}
        ref_frame = _ref_frame(scores.pop("ref_frame", None))
        rows.append((int(line[0]), ref_frame, {name: float(score) for name, score in scores.items()}))
    return [name for name in names if name != "ref_frame"], rows, {}, [], {}


def _ref_frame(number: Any) -> int | None:
    return None if number is None else int(number)


def _null_of(pooled: Mapping[str, Any]) -> float:
    """The value of a column's nulls, as JSON has neither NaN nor infinity. With NaN the harmonic mean is null, with -infinity the minimum."""
    is_infinite = pooled.get("harmonic_mean") is not None and pooled.get("min") is not None
    return math.inf if is_infinite else math.nan


def _number(value: Any, null: float) -> float:
    return null if value is None else float(value)


def _incomplete(reason: str, frames: int | str) -> str:
    return f"incomplete: {reason} after {frames} frames"


def _result(names: list[str], rows: list[_Row], aggregate: dict[str, float], notes: list[str], log: Mapping[str, Any]) -> Result:
    index = np.array([number for number, _, _ in rows], dtype=np.int64)
    if (np.diff(index) <= 0).any():
        raise ValueError("the frames' numbers do not ascend")
    known = dict.fromkeys(names)
    for _, _, scores in rows:
        known |= dict.fromkeys(scores)
    columns = {name: np.full(len(rows), np.nan) for name in known}
    for row, (_, _, scores) in enumerate(rows):
        for name, score in scores.items():
            columns[name][row] = score
    paired = [ref for _, ref, _ in rows if ref is not None]
    ref_frame = np.array(paired, dtype=np.int64) if rows and len(paired) == len(rows) else None
    for array in (index, *columns.values(), *(() if ref_frame is None else (ref_frame,))):
        array.flags.writeable = False
    details, comparison = (log[key] if isinstance(log.get(key), dict) else None for key in ("details", "comparison"))
    return Result(index, columns, aggregate, tuple(notes), ref_frame=ref_frame, comparison=comparison, details=details or comparison)
