"""Results: the scores of a clip."""

from __future__ import annotations

import dataclasses
import html
import importlib
import json
import math
import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _core

if TYPE_CHECKING:
    import matplotlib.axes
    import pandas
    import pyarrow

__all__ = ["Pooled", "Result"]

_CHUNK = 1 << 16


@dataclass(frozen=True, slots=True)
class Pooled:
    """Statistics of a column, over the frames that have a score. Infinite scores count: one of them makes the mean infinite."""

    mean: float
    harmonic_mean: float
    min: float
    p1: float
    p5: float
    median: float
    p95: float
    p99: float
    max: float
    stddev: float
    scored: int
    missing: int


class _PooledColumns(Mapping[str, Pooled]):
    """Statistics of a column are computed at its first use."""

    def __init__(self, frames: Mapping[str, NDArray[np.float64]]) -> None:
        self._frames = frames
        self._known: dict[str, Pooled] = {}

    def __getitem__(self, name: str) -> Pooled:
        if name not in self._known:
            self._known[name] = Pooled(*_core.statistics(self._frames[name]))
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._frames)

    def __len__(self) -> int:
        return len(self._frames)

    def __repr__(self) -> str:
        return repr(dict(self))


@dataclass(frozen=True, eq=False)
class Result:
    """Scores of a clip, under the names and in the order of the library's score files.

    `index` has the numbers of the scored frames, ascending. `frames[name]` has a score for each of them, or NaN if there is none.
    `aggregate[name]` is a value of the whole clip, `pooled[name]` the statistics of a column. better(name) says which values are better.
    """

    index: NDArray[np.int64]
    frames: Mapping[str, NDArray[np.float64]]
    aggregate: Mapping[str, float]
    #: Warnings, and a note if one video ended first.
    notes: tuple[str, ...] = ()
    #: Frames per second of the videos, if they are known.
    frame_rate: float | None = None
    #: Properties of the files and how they were converted (spec comparison 11). None: there was
    #: nothing to decide.
    comparison: Mapping[str, Any] | None = None
    #: Numbers of the reference frames that the scored frames were compared with, for
    #: align="frames". None: frames were paired by number, after an offset if there is one.
    ref_frame: NDArray[np.int64] | None = None
    #: The sample, as the member "sample" of JSON files. `interval_95` has an interval for each
    #: column: the mean of all frames lies in it with a probability of 95 %. None: all frames were
    #: scored.
    sample: Mapping[str, Any] | None = None
    #: The columns of the models and features that you named, the models' first, without the
    #: features inside models. Empty: not known, as for a file.
    asked: tuple[str, ...] = ()
    #: The files and how they were scored: `reference`, `distorted`, `scored`, `models` and `device`
    #: of --log_details. None: not known, as for arrays.
    details: Mapping[str, Any] | None = None

    @property
    def pooled(self) -> Mapping[str, Pooled]:
        return _PooledColumns(self.frames)

    def __len__(self) -> int:
        return len(self.index)

    def with_frame_pairs(self, distorted: Sequence[int], reference: Sequence[int] | None) -> Result:
        """The same scores with other frame numbers: those in the two videos. None: frames were paired by number."""
        index = np.asarray(distorted, np.int64)[self.index]
        ref_frame = None if reference is None else np.asarray(reference, np.int64)[self.index]
        for array in (index, ref_frame):
            if array is not None:
                array.flags.writeable = False
        return dataclasses.replace(self, index=index, ref_frame=ref_frame)

    def __repr__(self) -> str:
        means = ", ".join(f"{name}: {pooled.mean:.6g}" for name, pooled in self.pooled.items())
        return f"<libvmaf.Result of {len(self)} frames, means {{{means}}}>"

    def _repr_html_(self) -> str:
        """A table for notebooks: statistics of the columns in `asked`, values of the whole clip, notes."""
        statistics = ("mean", "harmonic_mean", "min", "p5", "median", "p95", "max")
        heads = "".join(f"<th>{name.replace('_', ' ')}</th>" for name in ("score", *statistics))
        rows = [[name, *(f"{getattr(self.pooled[name], key):.6g}" for key in statistics)] for name in self._leading()]
        cells = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
        lines = [f"{name} of the whole clip: {value:.6g}" for name, value in self.aggregate.items()] + self._sampled() + list(self.notes)
        items = "".join(f"<li>{html.escape(line)}</li>" for line in lines)
        return (
            f"<table><caption>libvmaf.Result of {len(self)} frames</caption><thead><tr>{heads}</tr></thead><tbody>{cells}</tbody></table>"
            + (f"<ul>{items}</ul>" if items else "")
        )

    def _sampled(self) -> list[str]:
        if self.sample is None:
            return []
        intervals = self.sample["interval_95"]
        of_all = f"{self.sample['frames']} of {self.sample['of']} frames scored"
        return [f"{name}: {of_all}; the mean of all is in [{low:.6g}, {high:.6g}] (95 %)" for name, (low, high) in intervals.items() if name in self._leading()]

    def _leading(self) -> tuple[str, ...]:
        return self.asked or tuple(self.frames)

    def to_pandas(self) -> pandas.DataFrame:
        """One row for each frame, with the frame numbers as index."""
        pandas = _optional("pandas", "to_pandas()", "pandas")
        return pandas.DataFrame(self._ref_column() | dict(self.frames), index=pandas.Index(self.index, name="frame"))

    def to_arrow(self) -> pyarrow.Table:
        """One row for each frame: `frame`, then a column for each score, null if there is none."""
        pyarrow = _optional("pyarrow", "to_arrow()", "arrow")
        columns = {name: pyarrow.array(scores, from_pandas=True) for name, scores in self.frames.items()}
        return pyarrow.table({"frame": self.index, **self._ref_column(), **columns})

    def _ref_column(self) -> dict[str, Any]:
        return {} if self.ref_frame is None else {"ref_frame": self.ref_frame}

    def to_dict(self) -> dict[str, Any]:
        """The scores in the layout of JSON score files. None: there is no finite score."""
        scores = {
            "version": _core.version(),
            "frames": [
                {
                    "frameNum": int(frame),
                    **({} if self.ref_frame is None else {"ref_frame": int(self.ref_frame[row])}),
                    "metrics": {
                        name: _finite(scores[row]) for name, scores in self.frames.items() if not math.isnan(scores[row])
                    },
                }
                for row, frame in enumerate(self.index)
            ],
            "pooled_metrics": {
                name: {
                    statistic: _finite(getattr(pooled, statistic))
                    for statistic in ("min", "max", "mean", "harmonic_mean", "median", "p1", "p5", "p95", "p99", "stddev")
                }
                for name, pooled in self.pooled.items()
            },
            "aggregate_metrics": {name: _finite(value) for name, value in self.aggregate.items()},
        }
        records = {"comparison": self.comparison, "sample": self.sample}
        return scores | {name: record for name, record in records.items() if record is not None}

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write a score file, .json or .csv, with every bit of the scores. The file appears only when it is complete."""
        path = Path(path)
        if path.suffix == ".json":
            text = json.dumps(self.to_dict(), indent=1)
        elif path.suffix == ".csv":
            text = self._csv()
        else:
            raise ValueError(f"{path}: the name is to end in .json or .csv")
        unfinished = path.with_name(f"{path.name}.{secrets.token_hex(4)}.partial")
        try:
            with open(unfinished, "x", encoding="utf-8") as file:
                for start in range(0, len(text), _CHUNK):
                    file.write(text[start : start + _CHUNK])
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)

    def to_html(self) -> str:
        """The tool's report of these scores, without pictures, as one page. html_report() makes one for several results."""
        from ._report import html_report

        return html_report([self])

    def _csv(self) -> str:
        lines = [",".join(["Frame", *self._ref_column(), *self.frames])]
        columns = list(self.frames.values())
        for row, frame in enumerate(self.index):
            scores = ("" if math.isnan(column[row]) else repr(float(column[row])) for column in columns)
            ref = [] if self.ref_frame is None else [str(self.ref_frame[row])]
            lines.append(",".join([str(frame), *ref, *scores]))
        return "\n".join(lines) + "\n"

    def plot(self, *names: str, ax: matplotlib.axes.Axes | None = None) -> matplotlib.axes.Axes:
        """Draw columns over the frame numbers, on `ax` or on new axes. By default it draws the columns in `asked`."""
        pyplot = _optional("matplotlib.pyplot", "plot()", "plot")
        axes: matplotlib.axes.Axes = pyplot.subplots()[1] if ax is None else ax
        shown = names or self._leading()
        for name in shown:
            axes.plot(self.index, self.frames[name], label=f"{name}, mean {self.pooled[name].mean:.6g}")
        axes.set_title(f"{', '.join(shown) if len(shown) < 4 else f'{len(shown)} scores'} of {len(self)} frames")
        axes.set_xlabel("frame")
        axes.set_ylabel(shown[0] if len(shown) == 1 else "score")
        axes.legend()
        return axes


def _optional(module: str, user: str, extra: str) -> Any:
    """An optional module, imported at its first use."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as missing:
        package = str(missing.name).partition(".")[0]
        raise ModuleNotFoundError(f"{user} needs {package}: pip install 'libvmaf[{extra}]'", name=package) from missing


def _finite(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
