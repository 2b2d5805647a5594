"""A page about a job's scores: one file for any browser, which asks nobody for anything."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import libvmaf as vm

from ._job import Job
from ._output import read_summary, status_of

__all__ = ["report_of"]

_WORST = 20
_TITLES = 60
_BINS = 50

_STYLE = """
:root { color-scheme: light dark; font: 15px/1.45 system-ui, sans-serif; }
body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: .5rem 0 1.5rem; }
th, td { padding: .2rem .8rem .2rem 0; text-align: right; border-bottom: 1px solid #8884; }
th.text, td.text { text-align: left; overflow-wrap: anywhere; }
.plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(20rem, 1fr)); gap: 1rem; }
figure { margin: 0; }
figcaption { overflow-wrap: anywhere; }
svg { width: 100%; height: auto; }
svg text { font: 10px system-ui, sans-serif; fill: currentColor; }
.axis { stroke: currentColor; stroke-opacity: .4; fill: none; }
.bar { fill: #4a7fb5; }
.line { stroke: #4a7fb5; stroke-width: 2; fill: none; }
.point { fill: #4a7fb5; }
"""


def report_of(job: Job, metrics: Sequence[str] = ()) -> str:
    """HTML. `metrics` are columns of frames/; those of the models if none is named."""
    summary = read_summary(job.store)
    known = [name.removesuffix("__mean") for name in summary.column_names if name.endswith("__mean")]
    unknown = [name for name in metrics if name not in known]
    if unknown:
        raise ValueError(f"there is no score {', '.join(unknown)}; there are {', '.join(known)}")
    rows = [_Row.of(row) for row in summary.to_pylist()]
    chosen = list(metrics) or _main_ones(known)
    status = status_of(job)
    body = [
        f"<h1>{_text(job.store.url)}</h1>",
        f"<p>{status.finished_clips} of {status.clips} clips, {len(rows)} encodes, {sum(row.frames for row in rows)} frames; {len(status.errors)} encodes with an error.</p>",
    ]
    for metric in chosen:
        scored = [row for row in rows if row.value(metric, "mean") is not None]
        if scored:
            body += [f"<h2>{_text(metric)}</h2>", *_of_metric(metric, scored)]
    if status.errors:
        body += ["<h2>Errors</h2>", _table(("clip", "encode", "reason"), status.errors, texts=3)]
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>Scores of {_text(job.store.url)}</title><style>{_STYLE}</style></head>\n<body>\n" + "\n".join(body) + "\n</body></html>\n"
    )


@dataclass(frozen=True)
class _Row:
    clip: str
    encode: str
    frames: int
    bitrate: float | None
    values: Mapping[str, Any]

    @staticmethod
    def of(row: Mapping[str, Any]) -> _Row:
        return _Row(row["id"], row["encode"], row["frames"] or 0, row.get("bitrate"), row)

    def value(self, metric: str, statistic: str) -> float | None:
        value: float | None = self.values.get(f"{metric}__{statistic}")
        return value


def _main_ones(known: Sequence[str]) -> list[str]:
    """Models are named so, or stand last."""
    models = [name for name in known if name.startswith("vmaf") and not name.endswith(("_bagging", "_stddev", "_lo", "_hi"))]
    return models or list(known[-1:])


def _text(value: object) -> str:
    return html.escape(str(value))


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if math.isfinite(value) else "∞" if value > 0 else "−∞"


def _table(heads: Sequence[str], rows: Iterable[Sequence[object]], texts: int) -> str:
    def cells(tag: str, values: Sequence[object]) -> str:
        kinds = [' class="text"' if number < texts else "" for number in range(len(values))]
        return "".join(f"<{tag}{kind}>{_text(value)}</{tag}>" for kind, value in zip(kinds, values))

    lines = [f"<tr>{cells('td', row)}</tr>" for row in rows]
    return f"<table><thead><tr>{cells('th', heads)}</tr></thead><tbody>{''.join(lines)}</tbody></table>"


def _of_metric(metric: str, rows: Sequence[_Row]) -> Iterable[str]:
    finite = [mean for row in rows if math.isfinite(mean := row.values[f"{metric}__mean"])]
    infinite = f", {len(rows) - len(finite)} of them infinite" if len(finite) < len(rows) else ""
    if finite:
        yield f"<figure>{_histogram(finite)}<figcaption>Means of {len(rows)} encodes{infinite}</figcaption></figure>"
    lower = vm.better(metric) == "lower"
    sign = -1 if lower else 1
    statistics = ("mean", *(("p99", "p95") if lower else ("p1", "p5")), "min", "median", "max", "stddev")
    worst = sorted(rows, key=lambda row: (sign * row.values[f"{metric}__mean"], row.clip, row.encode))[:_WORST]
    yield f"<h3>{'Highest' if lower else 'Lowest'} means</h3>"
    yield _table(
        ("clip", "encode", "frames", "mean", "worst 1 %", "worst 5 %", *statistics[3:]),
        ([row.clip, row.encode, row.frames, *(_number(row.value(metric, name)) for name in statistics)] for row in worst),
        texts=2,
    )
    titles: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        if row.bitrate is not None and math.isfinite(row.values[f"{metric}__mean"]):
            titles.setdefault(row.clip, []).append((row.bitrate, row.values[f"{metric}__mean"]))
    curves = {clip: sorted(points) for clip, points in titles.items() if len(points) > 1}
    if curves:
        shown = sorted(curves, key=lambda clip: (min(sign * score for _, score in curves[clip]), clip))[:_TITLES]
        more = f", the {_TITLES} worst of {len(curves)}" if len(curves) > _TITLES else ""
        yield f"<h3>Bitrate and mean, by title{more}</h3>"
        plots = (f"<figure>{_curve(curves[clip])}<figcaption>{_text(clip)}</figcaption></figure>" for clip in shown)
        yield f'<div class="plots">{"".join(plots)}</div>'


_WIDTH, _HEIGHT, _LEFT, _BOTTOM = 400, 180, 44, 20


def _axes(low: tuple[float, float], high: tuple[float, float]) -> str:
    right, top, base = _WIDTH - 8, 8, _HEIGHT - _BOTTOM
    return (
        f'<path class="axis" d="M{_LEFT} {top}V{base}H{right}"/>'
        f'<text x="{_LEFT}" y="{_HEIGHT - 6}">{_number(low[0])}</text>'
        f'<text x="{right}" y="{_HEIGHT - 6}" text-anchor="end">{_number(high[0])}</text>'
        f'<text x="{_LEFT - 4}" y="{base}" text-anchor="end">{_number(low[1])}</text>'
        f'<text x="{_LEFT - 4}" y="{top + 8}" text-anchor="end">{_number(high[1])}</text>'
    )


def _svg(label: str, inside: str) -> str:
    return f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{_text(label)}">{inside}</svg>'


def _histogram(values: Sequence[float]) -> str:
    low, high = min(values), max(values)
    span = high - low or 1.0
    counts = [0] * _BINS
    for value in values:
        counts[min(_BINS - 1, int((value - low) / span * _BINS))] += 1
    most = max(counts)
    width = (_WIDTH - 8 - _LEFT) / _BINS
    height = _HEIGHT - _BOTTOM - 8
    bars = "".join(
        f'<rect class="bar" x="{_LEFT + number * width:.2f}" y="{_HEIGHT - _BOTTOM - height * count / most:.2f}" width="{width * 0.9:.2f}" height="{height * count / most:.2f}"/>'
        for number, count in enumerate(counts)
        if count
    )
    return _svg("distribution", bars + _axes((low, 0), (low + span, most)))


def _curve(points: Sequence[tuple[float, float]]) -> str:
    low = points[0][0], min(score for _, score in points)
    high = points[-1][0], max(score for _, score in points)
    spans = [(top - bottom) or 1.0 for bottom, top in zip(low, high)]
    width, height = _WIDTH - 16 - _LEFT, _HEIGHT - _BOTTOM - 16

    def place(point: tuple[float, float]) -> str:
        x = _LEFT + 4 + (point[0] - low[0]) / spans[0] * width
        y = _HEIGHT - _BOTTOM - 4 - (point[1] - low[1]) / spans[1] * height
        return f"{x:.1f},{y:.1f}"

    places = [place(point) for point in points]
    dots = "".join(f'<circle class="point" r="3" cx="{x}" cy="{y}"/>' for x, y in (each.split(",") for each in places))
    return _svg("bitrate and mean", f'<polyline class="line" points="{" ".join(places)}"/>{dots}{_axes(low, high)}')
