"""Reads back score files of the library and of the package."""

from __future__ import annotations

import math

import numpy as np
import pytest

import libvmaf as vm
from made_videos import make_frame


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Files of one session, with all digits if the format allows it."""
    folder = tmp_path_factory.mktemp("scores")
    with vm.Session(models="vmaf_v0.6.1", features={"psnr": {"enable_apsnr": True}}, threads=0, subsample=2) as session:
        for i in range(5):
            session.read(make_frame(i), make_frame(i, noise=1 + i))
        result = session.finish()
        for kind in ("json", "xml", "csv"):
            session.write(folder / f"library.{kind}", score_format="%.17g")
        session.write(folder / "short.xml")
    result.write(folder / "package.json")
    result.write(folder / "package.csv")
    return folder, result


@pytest.mark.parametrize("name", ["library.json", "library.xml", "library.csv", "package.json", "package.csv"])
def test_every_score_comes_back(folder, name):
    path, result = folder
    read = vm.read_scores(path / name)
    assert read.index.tolist() == result.index.tolist() == [0, 2, 4]
    assert list(read.frames) == list(result.frames)
    for column, scores in result.frames.items():
        assert read.frames[column].tolist() == scores.tolist()
    assert read.aggregate == ({} if name.endswith("csv") else result.aggregate)
    assert read.notes == ()
    assert read.pooled["vmaf"] == result.pooled["vmaf"]


def test_a_result_that_was_read_is_a_result(folder, tmp_path):
    path, result = folder
    read = vm.read_scores(str(path / "short.xml"))
    assert read.pooled["vmaf"].mean == pytest.approx(result.pooled["vmaf"].mean, abs=1e-6)
    with pytest.raises(ValueError):
        read.frames["vmaf"][0] = 1
    read.write(tmp_path / "again.json")
    assert vm.read_scores(tmp_path / "again.json").frames["vmaf"].tolist() == read.frames["vmaf"].tolist()


def write(path, text):
    path.write_text(text)
    return path


def test_missing_scores_are_nan(tmp_path):
    for text in (
        '{"frames": [{"frameNum": 0, "metrics": {"a": 1}}, {"frameNum": 1, "metrics": {"a": null, "b": 2}}], "pooled_metrics": {"b": {}, "a": {}}}',
        '<VMAF><frames><frame frameNum="0" a="1" /><frame frameNum="1" a="nan" b="2" /></frames></VMAF>',
        "Frame,b,a,\n0,,1,\n1,2,nan,\n",
        "Frame,b,a\n0,,1\n1,2,\n",
    ):
        read = vm.read_scores(write(tmp_path / "scores", text))
        assert np.array_equal(read.frames["a"], [1, math.nan], equal_nan=True), text
        assert np.array_equal(read.frames["b"], [math.nan, 2], equal_nan=True), text
        assert text.startswith("<") or list(read.frames) == ["b", "a"]


def test_infinite_scores_are_read(tmp_path):
    frames = '"frames": [{"frameNum": 0, "metrics": {"a": 1}}, {"frameNum": 1, "metrics": {"a": null}}]'
    infinite = '"pooled_metrics": {"a": {"min": 1, "max": null, "mean": null, "harmonic_mean": 3}}'
    for text in (
        f"{{{frames}, {infinite}}}",
        '<VMAF><frames><frame frameNum="0" a="1" /><frame frameNum="1" a="inf" /></frames></VMAF>',
        "Frame,a,\n0,1,\n1,inf,\n",
    ):
        assert vm.read_scores(write(tmp_path / "scores", text)).frames["a"].tolist() == [1, math.inf], text
    for pooled in ('"min": 1, "max": 1, "mean": null, "harmonic_mean": null', '"min": null, "max": 1, "mean": null, "harmonic_mean": 3'):
        read = vm.read_scores(write(tmp_path / "scores", f'{{{frames}, "pooled_metrics": {{"a": {{{pooled}}}}}}}'))
        assert math.isnan(read.frames["a"][1]), pooled


def test_infinite_scores_of_the_library_come_back(tmp_path):
    with vm.Session(features=["xpsnr"], threads=0) as session:
        for i in range(3):
            session.read(make_frame(i), make_frame(i, noise=3 if i == 1 else 0))
        result = session.finish()
        for kind in ("json", "xml", "csv"):
            session.write(tmp_path / f"scores.{kind}", score_format="%.17g")
    assert result.pooled["xpsnr_y"].mean == math.inf
    for kind in ("json", "xml", "csv"):
        read = vm.read_scores(tmp_path / f"scores.{kind}")
        assert read.frames["xpsnr_y"].tolist() == result.frames["xpsnr_y"].tolist(), kind
        assert read.pooled["xpsnr_y"].mean == math.inf, kind


def test_what_a_stopped_run_left_says_so(tmp_path):
    json = write(tmp_path / "a", '{"frames": [], "incomplete": {"reason": "decode error", "frames": 7}}')
    xml = write(tmp_path / "b", '<VMAF>\n<frames />\n  <!-- incomplete: reason="decode error" frames="7" -->\n</VMAF>\n')
    for path in (json, xml):
        assert vm.read_scores(path).notes == ("incomplete: decode error after 7 frames",)


@pytest.mark.parametrize(
    "text",
    [
        "", "{}", "{", "[]", "<VMAF>", "<html></html>", "frame\n1\n", "Frame,a,b\n0,\n", "Frame,a\nx,1\n", "Frame,a\n0,x\n", "\0",
        '{"frames": 3}', '{"frames": [{"metrics": {}}]}', '{"frames": [{"frameNum": 1, "metrics": {"a": []}}]}',
        '{"frames": [{"frameNum": Infinity, "metrics": {}}]}', '{"frames": [{"frameNum": 1e30, "metrics": {}}]}',
        "Frame,a\n1,1\n1,2\n", "Frame,a\n1,1\n0,2\n", '<VMAF><frames><frame a="1"/></frames></VMAF>',
        '<!DOCTYPE VMAF [<!ENTITY a "b">]><VMAF/>', "[" * 100000, '{"a":' * 100000,
    ],
)  # fmt: skip
def test_what_is_no_file_of_scores(tmp_path, text):
    with pytest.raises(ValueError, match="no file of scores"):
        vm.read_scores(write(tmp_path / "scores", text))


def test_what_is_no_text(tmp_path):
    (tmp_path / "scores").write_bytes(bytes(range(256)))
    with pytest.raises(ValueError, match="no file of scores"):
        vm.read_scores(tmp_path / "scores")
    with pytest.raises(FileNotFoundError):
        vm.read_scores(tmp_path / "nothing")
