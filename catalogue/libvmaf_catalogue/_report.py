"""A page about a job's scores: one file for any browser, which asks nobody for anything. Its style and scripts are the tool's."""

from __future__ import annotations

import html
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import resources
from typing import Any

import libvmaf as vm
import pyarrow.compute as pc

from ._job import Job, clip_key
from ._merge import STATISTICS
from ._output import read_summary, status_of
from ._tables import read_table

__all__ = ["clip_page", "counted", "page_name", "report_of", "worst_clips"]

#: Rows for readers without scripts.
_WORST = 20
_SCRIPTS = ("curves.js", "rate.js", "ladder.js", "catalogue.js")
_FACTS = ("encode", "size", "codec", "duration", "bitrate", "bytes", "frames")

_Row = Mapping[str, Any]


def report_of(job: Job, metrics: Sequence[str] = (), pages: Mapping[str, str] = {}) -> str:
    """HTML. `metrics` are columns of frames/; those of the models if none is named. `pages` are links of clips."""
    rows, chosen = _rows_of(job, metrics)
    status = status_of(job)
    heading = job.store.url.rstrip("/").rpartition("/")[2] or job.store.url
    facts = [
        counted(status.clips, "clip") if status.finished_clips == status.clips else f"{status.finished_clips} of {status.clips} clips",
        counted(len(rows), "encode"),
        counted(sum(row["frames"] or 0 for row in rows), "frame"),
        job.store.url,
    ]
    heads = [("clip", "clip"), ("encode", "encode"), ("size", "size"), ("codec", "codec"), ("duration", "duration")]
    heads += [("bitrate", "bitrate"), ("bytes", "file size"), ("frames", "frames")]
    heads += [(f"score:{name}|{key}", f"{name}{label}") for name in chosen for key, label in (("mean", ""), ("worst5", ", worst 5 %"))]
    worst = _sorted(rows, chosen)[:_WORST]
    return _filled(
        "page.html",
        {
            "version": vm.version(),
            "title": _text(f"{heading} – VMAF catalogue"),
            "heading": _text(heading),
            "facts": "".join(f"<span>{_text(fact)}</span>" for fact in facts),
            "banner": _banner(status.errors),
            "heads": "".join(f'<th scope="col" data-key="{_text(key)}">{_text(label)}</th>' for key, label in heads),
            "rows": "\n".join(_static_row(row, chosen, pages) for row in worst),
            "cut": f"The {_WORST} worst of {len(rows)} encodes." if len(rows) > _WORST else "",
            "data": _data(rows, chosen, pages),
        },
    )


def worst_clips(job: Job, metrics: Sequence[str] = ()) -> list[str]:
    """All clips with scores, that with the worst encode first."""
    rows, chosen = _rows_of(job, metrics)
    return list(dict.fromkeys(row["id"] for row in _sorted(rows, chosen) if row["error"] is None))


def page_name(clip: str) -> str:
    return f"{clip_key(clip)}.html"


def clip_page(job: Job, clip: str) -> str:
    """The tool's report of a clip's encodes, from their saved scores."""
    shard = job.shard_with(clip)
    frames = read_table(job.store.read(shard.frames_name))
    frames = frames.filter(pc.equal(frames.column("id"), clip))
    summary = [row for row in read_table(job.store.read(shard.summary_name)).to_pylist() if row["id"] == clip and row["error"] is None]
    return vm.html_report((_result(row, frames) for row in summary), [row["encode"] for row in summary])


def _result(row: _Row, frames: Any) -> vm.Result:
    of = frames.filter(pc.equal(frames.column("encode"), row["encode"]))
    names = [name for name in of.column_names if name not in ("id", "encode", "frame", "ref_frame") and f"{name}__mean" in row]
    columns = {name: of.column(name).to_numpy() for name in names if of.column(name).null_count < of.num_rows}
    comparison, details = (json.loads(row[key]) if row[key] else None for key in ("comparison", "details"))
    notes = tuple((row["notes"] or "").splitlines())
    return vm.Result(of.column("frame").to_numpy(), columns, {}, notes, row["frame_rate"], comparison, details=details)


def _rows_of(job: Job, metrics: Sequence[str]) -> tuple[list[dict[str, Any]], list[str]]:
    """Rows of the summary, and names of the scores to show."""
    summary = read_summary(job.store)
    known = [name.removesuffix("__mean") for name in summary.column_names if name.endswith("__mean")]
    unknown = [name for name in metrics if name not in known]
    if unknown:
        raise ValueError(f"there is no score {', '.join(unknown)}; there are {', '.join(known)}")
    rows = summary.to_pylist()
    chosen = list(metrics) or _main_ones(known)
    return rows, [name for name in chosen if any(row.get(f"{name}__mean") is not None for row in rows)]


def _main_ones(known: Sequence[str]) -> list[str]:
    """Columns of models, by their names; otherwise the first column."""
    models = [name for name in known if name.startswith("vmaf") and not name.endswith(("_bagging", "_stddev", "_lo", "_hi"))]
    return models or list(known[:1])


def _sorted(rows: Iterable[_Row], chosen: Sequence[str]) -> list[_Row]:
    """Rows sorted by the first score, the worst first. Rows without a score are last."""
    sign = -1 if chosen and vm.better(chosen[0]) == "lower" else 1

    def place(row: _Row) -> tuple[bool, float, str, str]:
        value = row.get(f"{chosen[0]}__mean") if chosen else None
        return value is None, 0.0 if value is None else sign * value, row["id"], row["encode"]

    return sorted(rows, key=place)


def _text(value: object) -> str:
    return html.escape(str(value))


def counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _number(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.6g}" if math.isfinite(value) else "∞" if value > 0 else "−∞"


def _worst5(name: str) -> str:
    return f"{name}__{'p95' if vm.better(name) == 'lower' else 'p5'}"


_SHOWN: Mapping[str, Callable[[_Row], str]] = {
    "size": lambda row: f"{row['width']}×{row['height']}" if row["width"] else "",
    "duration": lambda row: "" if row["duration"] is None else f"{row['duration']:.2f} s",
    "bitrate": lambda row: "" if row["bitrate"] is None else f"{row['bitrate'] / 1e3:.4g} kbit/s",
    "bytes": lambda row: "" if row["bytes"] is None else f"{row['bytes'] / 1e6:.4g} MB",
}


def _static_row(row: _Row, chosen: Sequence[str], pages: Mapping[str, str]) -> str:
    page = pages.get(row["id"])
    clip = f'<a href="{_text(page)}">{_text(row["id"])}</a>' if page else _text(row["id"])
    if row["error"] is not None:
        rest = f'<td>{_text(row["encode"])}</td><td class="error" colspan="{len(_FACTS) - 1 + 2 * len(chosen)}">{_text(row["error"])}</td>'
    else:
        facts = [_SHOWN[key](row) if key in _SHOWN else row[key] if row[key] is not None else "" for key in _FACTS]
        scores = [_number(row.get(key)) for name in chosen for key in (f"{name}__mean", _worst5(name))]
        rest = "".join(f"<td>{_text(value)}</td>" for value in (*facts, *scores))
    return f'<tr title="{_text(row["url"])}"><th scope="row">{clip}</th>{rest}</tr>'


def _banner(errors: Sequence[tuple[str, str, str]]) -> str:
    if not errors:
        return ""
    rows = "".join(f'<tr><td>{_text(clip)}</td><td>{_text(encode)}</td><td>{_text(reason)}</td></tr>' for clip, encode, reason in errors)
    head = '<thead><tr><th scope="col">clip</th><th scope="col">encode</th><th scope="col">reason</th></tr></thead>'
    title = f"{counted(len(errors), 'encode')} with an error"
    return f'<section class="banner" id="errors"><details open><summary>{title}</summary><table>{head}<tbody>{rows}</tbody></table></details></section>\n'


def _data(rows: Iterable[_Row], chosen: Sequence[str], pages: Mapping[str, str]) -> str:
    """Columns of scores have six digits."""

    def score(value: float | None) -> float | str | None:
        if value is None:
            return None
        return float(f"{value:.6g}") if math.isfinite(value) else "Infinity" if value > 0 else "-Infinity"

    def listed() -> Iterator[dict[str, Any]]:
        for row in rows:
            facts = {key: row[key] for key in ("encode", "url", "width", "height", "codec", "duration", "bitrate", "bytes", "frames", "error")}
            scores = {
                name: [score(row.get(f"{name}__{statistic}")) for statistic in STATISTICS]
                for name in chosen
                if row.get(f"{name}__mean") is not None
            }
            yield {"clip": row["id"], **facts, "page": pages.get(row["id"]), "scores": scores}

    data = {
        "metrics": list(chosen),
        "better": {name: better for name in chosen if (better := vm.better(name))},
        "statistics": STATISTICS,
        "rows": list(listed()),
    }
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")


def _filled(page: str, parts: Mapping[str, str]) -> str:
    """Marks of the page are replaced at once: what takes their place may look like marks."""
    folder = resources.files(__package__) / "page"
    own = {
        "style": "\n".join((folder / name).read_text("utf-8") for name in ("report.css", "catalogue.css")),
        "script": "\n".join((folder / name).read_text("utf-8") for name in _SCRIPTS),
    }
    known = {**parts, **own}
    first, *rest = (folder / page).read_text("utf-8").split("{{")
    text = [first]
    for piece in rest:
        name, _, after = piece.partition("}}")
        text += [known[name], after]
    return "".join(text)
