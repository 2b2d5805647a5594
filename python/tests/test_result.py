"""Results: columns, statistics, tables, files."""

from __future__ import annotations

import csv
import json
import math
import os
from concurrent.futures import ThreadPoolExecutor

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
    """A container gives a new process the number of one that was killed in the middle of write()."""
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
    assert axes.get_lines()[0].get_ydata().tolist() == result.frames["vmaf"].tolist()
    assert len(result.plot(ax=axes).get_lines()) == 1 + len(result.frames)


def test_it_says_what_it_is(result):
    assert "4 frames" in repr(result) and len(result) == 4
