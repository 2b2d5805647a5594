"""Results: columns, statistics, tables, files."""

from __future__ import annotations

import csv
import dataclasses
import json
import math
import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from xml.etree import ElementTree

import numpy as np
import pytest

import libvmaf as vm
from made_videos import make_frame


@pytest.fixture(scope="module")
def result():
    with vm.Session(models="vmaf_v0.6.1", features={"psnr": {"enable_apsnr": True}}, threads=0) as session:
        for i in range(4):
            session.read(make_frame(i), make_frame(i, noise=1 + i))
        return session.finish()


def test_statistics_are_those_of_the_columns(result):
    scores = result.frames["vmaf"]
    pooled = result.pooled["vmaf"]
    assert pooled.mean == sum(scores.tolist()) / 4
    assert pooled.min == scores.min()
    assert pooled.max == scores.max()
    assert pooled.median == pytest.approx(np.median(scores), abs=1e-12)
    assert pooled.p1 == pytest.approx(np.percentile(scores, 1), abs=1e-12)
    assert pooled.p5 == pytest.approx(np.percentile(scores, 5), abs=1e-12)
    assert pooled.p95 == pytest.approx(np.percentile(scores, 95), abs=1e-12)
    assert pooled.p99 == pytest.approx(np.percentile(scores, 99), abs=1e-12)
    assert pooled.stddev == pytest.approx(scores.std(), abs=1e-12)
    assert pooled.harmonic_mean == pytest.approx(4 / (1 / (scores + 1)).sum() - 1, abs=1e-12)
    assert (pooled.scored, pooled.missing) == (4, 0)
    assert set(result.pooled) == set(result.frames)


def test_missing_scores_do_not_count():
    made = vm.Result(np.arange(3), {"x": np.array([1.0, np.nan, 3.0])}, {})
    assert (made.pooled["x"].mean, made.pooled["x"].scored, made.pooled["x"].missing) == (2.0, 2, 1)
    empty = vm.Result(np.arange(1), {"x": np.array([np.nan])}, {}).pooled["x"]
    assert np.isnan(empty.mean) and empty.scored == 0


def test_infinite_scores_count(tmp_path):
    scores = np.full(25, np.inf)
    scores[7] = 11.5
    made = vm.Result(np.arange(25), {"xpsnr_y": scores}, {"axpsnr_y": 39.5, "axpsnr_cb": math.inf})
    pooled = made.pooled["xpsnr_y"]
    assert (pooled.mean, pooled.median, pooled.max, pooled.scored, pooled.missing) == (math.inf, math.inf, math.inf, 25, 0)
    assert (pooled.min, pooled.p1) == (11.5, 11.5)
    assert pooled.harmonic_mean == pytest.approx(25 / (1 / 12.5) - 1)
    assert math.isnan(pooled.stddev)
    made.write(tmp_path / "scores.json")
    written = json.loads((tmp_path / "scores.json").read_text(), parse_constant=pytest.fail)
    assert [frame["metrics"]["xpsnr_y"] for frame in written["frames"]] == [None] * 7 + [11.5] + [None] * 17
    assert written["pooled_metrics"]["xpsnr_y"]["mean"] is None
    assert written["aggregate_metrics"] == {"axpsnr_y": 39.5, "axpsnr_cb": None}
    made.write(tmp_path / "scores.csv")
    for name in ("scores.json", "scores.csv"):
        assert vm.read_scores(tmp_path / name).frames["xpsnr_y"].tolist() == scores.tolist(), name


def test_equal_frames_have_infinite_scores():
    with vm.Session(features=["xpsnr", "psnr_hvs"], threads=0) as session:
        for i in range(4):
            session.read(make_frame(i), make_frame(i, noise=3 if i == 2 else 0))
        result = session.finish()
    for name in ("xpsnr_y", "psnr_hvs_y", "psnr_hvs"):
        assert [math.isinf(score) for score in result.frames[name]] == [True, True, False, True], name
        assert result.pooled[name].mean == math.inf, name
    assert math.isfinite(result.aggregate["axpsnr_y"])


def test_columns_cannot_be_changed(result):
    with pytest.raises(ValueError):
        result.frames["vmaf"][0] = 1


def test_files_give_every_score_back(result, tmp_path):
    result.write(tmp_path / "scores.json")
    read = json.loads((tmp_path / "scores.json").read_text())
    assert [frame["frameNum"] for frame in read["frames"]] == [0, 1, 2, 3]
    for name, scores in result.frames.items():
        assert [frame["metrics"][name] for frame in read["frames"]] == scores.tolist()
        assert read["pooled_metrics"][name]["mean"] == result.pooled[name].mean
    assert read["aggregate_metrics"] == result.aggregate
    result.write(tmp_path / "scores.csv")
    with open(tmp_path / "scores.csv") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["vmaf"]) for row in rows] == result.frames["vmaf"].tolist()
    with pytest.raises(ValueError, match="end in"):
        result.write(tmp_path / "scores.txt")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["scores.csv", "scores.json"]


def test_a_file_that_cannot_be_written_leaves_the_old_one(result, tmp_path):
    path = tmp_path / "scores.json"
    path.mkdir()
    with pytest.raises(OSError):
        result.write(path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["scores.json"]


def test_what_a_killed_process_left_is_in_nobodys_way(result, tmp_path):
    """In a container, a new process may have the number of one that was killed in the middle of write()."""
    left = tmp_path / f"scores.json.{os.getpid()}.partial"
    left.write_text("half a file")
    result.write(tmp_path / "scores.json")
    assert json.loads((tmp_path / "scores.json").read_text())["frames"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["scores.json", left.name]


def test_two_threads_may_write_one_file(result, tmp_path):
    path = tmp_path / "scores.csv"
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda _: result.write(path), range(40)))
    assert [path.name for path in tmp_path.iterdir()] == ["scores.csv"]


def test_pandas(result):
    pytest.importorskip("pandas")
    table = result.to_pandas()
    assert table.index.name == "frame"
    assert table["vmaf"].tolist() == result.frames["vmaf"].tolist()


def test_arrow(result):
    pytest.importorskip("pyarrow")
    table = vm.Result(np.arange(2), {"x": np.array([1.5, np.nan])}, {}).to_arrow()
    assert table.column("x").to_pylist() == [1.5, None]
    assert result.to_arrow().column("vmaf").to_pylist() == result.frames["vmaf"].tolist()


def test_plot(result):
    pytest.importorskip("matplotlib").use("agg")
    axes = result.plot("vmaf")
    (line,) = axes.get_lines()
    assert line.get_xdata().tolist() == [0, 1, 2, 3]
    assert line.get_ydata().tolist() == result.frames["vmaf"].tolist()
    assert (axes.get_title(), axes.get_xlabel(), axes.get_ylabel()) == ("vmaf of 4 frames", "frame", "vmaf")
    (legend,) = axes.get_legend().get_texts()
    assert legend.get_text() == f"vmaf, mean {np.mean(result.frames['vmaf']):.6g}"
    again = result.plot(ax=axes)
    assert again is axes and len(axes.get_lines()) == 1 + 4
    assert (axes.get_title(), axes.get_ylabel()) == ("4 scores of 4 frames", "score")
    of_file = vm.Result(np.arange(2), {"x": np.array([1.5, 2.5])}, {}).plot()
    assert of_file.get_title() == "x of 2 frames"


@pytest.mark.parametrize(("method", "module", "extra"), [("plot", "matplotlib", "plot"), ("to_pandas", "pandas", "pandas"), ("to_arrow", "pyarrow", "arrow")])
def test_a_missing_package_is_named_with_its_cure(result, monkeypatch, method, module, extra):
    for name in [name for name in sys.modules if name.split(".")[0] == module]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ModuleNotFoundError, match=re.escape(f"{method}() needs {module}: pip install 'libvmaf[{extra}]'")) as raised:
        getattr(result, method)()
    assert raised.value.name == module


@pytest.mark.parametrize(
    ("models", "features", "asked"),
    [
        ("vmaf_v0.6.1", {"psnr": {"enable_apsnr": True}}, ["vmaf", "psnr_y", "psnr_cb", "psnr_cr"]),
        ({"b": "vmaf_b_v0.6.3", "a": "vmaf_v0.6.1"}, [], ["b", "a"]),
        ("vmaf_v0.6.1", ["vif"], ["vmaf", "integer_vif_scale0", "integer_vif_scale1", "integer_vif_scale2", "integer_vif_scale3"]),
        ([], {"cambi": {"full_ref": True}}, ["cambi", "cambi_source", "cambi_full_reference"]),
    ],
)
def test_what_was_asked_for(models, features, asked):
    """Features inside models are left out."""
    with vm.Session(models=models, features=features, threads=0) as session:
        session.read(make_frame(0, width=320, height=240), make_frame(0, width=320, height=240, noise=2))
        result = session.finish()
    assert sorted(result.asked) == sorted(asked)
    assert set(asked) <= set(result.frames)


def test_it_says_what_it_is(result):
    assert "4 frames" in repr(result) and len(result) == 4


def test_notebooks_show_a_table(result):
    made = dataclasses.replace(result, notes=("a<b is a warning",))
    root = ElementTree.fromstring(f"<page>{made._repr_html_()}</page>")
    assert root.find("table/caption").text == "libvmaf.Result of 4 frames"
    heads = [cell.text for cell in root.iterfind("table/thead/tr/th")]
    rows = {row[0].text: [cell.text for cell in row][1:] for row in root.iterfind("table/tbody/tr")}
    assert list(rows) == ["vmaf", "psnr_y", "psnr_cb", "psnr_cr"]
    scores = result.frames["psnr_y"]
    numbers = dict(zip(heads[1:], map(float, rows["psnr_y"])))
    assert numbers["mean"] == pytest.approx(scores.mean(), rel=1e-5)
    assert (numbers["min"], numbers["max"]) == (pytest.approx(scores.min(), rel=1e-5), pytest.approx(scores.max(), rel=1e-5))
    lines = [item.text for item in root.iterfind("ul/li")]
    assert lines[-1] == "a<b is a warning" and lines[0].startswith("apsnr_y of the whole clip: ") and len(lines) == 4
