"""Pages of results contain what the results have."""

from __future__ import annotations

import json
import math
import re

import numpy as np
import pytest

import libvmaf as vm
from made_videos import make_frame, write_y4m


def data_of(page):
    return json.loads(re.search(r'id="vmaf-data">(.*?)</script>', page, re.DOTALL).group(1))


@pytest.fixture(scope="module")
def videos(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    write_y4m(folder / "ref.y4m", [make_frame(i) for i in range(4)])
    for name, noise in (("one", 1), ("two", 4)):
        write_y4m(folder / f"{name}.y4m", [make_frame(i, noise=noise) for i in range(4)])
    return folder


def check_scores(found, result):
    assert found["frames"] == result.index.tolist()
    for name, scores in result.frames.items():
        assert found["metrics"][name] == [float(f"{score:.6g}") for score in scores], name
        assert found["pooled"][name]["p5"] == pytest.approx(result.pooled[name].p5)


def test_a_result_is_a_page(videos):
    result = vm.score(videos / "ref.y4m", videos / "one.y4m", models="vmaf_v0.6.1", features=["psnr"], gpu=None)
    page = result.to_html()
    data = data_of(page)
    check_scores(data, result)
    assert data["reference"]["path"].endswith("ref.y4m") and data["distorted"]["path"].endswith("one.y4m")
    height, width = make_frame(0)[0].shape
    assert (data["distorted"]["width"], data["distorted"]["height"], data["distorted"]["fps"]) == (width, height, 25)
    assert data["models"] == [{"name": "vmaf", "label": "vmaf_v0.6.1"}]
    assert result.details["device"] == "CPU" and result.details["scored"]["width"] == width
    assert "one.y4m" in page and not any(word in page for word in ("http:", "https:", "@import", "url("))


def test_several_results_are_a_ladder(videos):
    results = vm.score_encodes(videos / "ref.y4m", [videos / "one.y4m", videos / "two.y4m"], models=[], features=["psnr"], gpu=None)
    data = data_of(vm.html_report(results))
    assert [encode["label"] for encode in data["encodes"]] == ["one.y4m", "two.y4m"]
    for found, result in zip(data["encodes"], results):
        check_scores(found, result)
    named = data_of(vm.html_report(results, ["low", "high"]))
    assert [encode["label"] for encode in named["encodes"]] == ["low", "high"]
    with pytest.raises(ValueError, match="names has 1 of 2 results"):
        vm.html_report(results, ["low"])
    with pytest.raises(ValueError, match="results is empty"):
        vm.html_report([])


def test_scores_of_arrays_and_infinite_ones_are_a_page_too():
    made = vm.Result(np.arange(3), {"xpsnr_y": np.array([np.inf, 11.5, np.inf])}, {"axpsnr_y": math.inf}, notes=("odd <note>",))
    data = data_of(made.to_html())
    assert data["metrics"]["xpsnr_y"] == ["Infinity", 11.5, "Infinity"]
    assert data["warnings"] == ["odd <note>"] and data["distorted"]["path"] == "distorted"
    assert [encode["label"] for encode in data_of(vm.html_report([made, made]))["encodes"]] == ["encode 1", "encode 2"]


def test_scores_that_were_read_say_what_their_file_says(tmp_path):
    details = {"reference": {"path": "r.mp4", "width": 64, "height": 48, "codec": "av1", "bytes": 100}, "models": [{"name": "a", "label": "b"}]}
    log = {"frames": [{"frameNum": 0, "metrics": {"a": 5}}], "details": details}
    (tmp_path / "scores.json").write_text(json.dumps(log))
    result = vm.read_scores(tmp_path / "scores.json")
    assert result.details == details
    data = data_of(result.to_html())
    assert (data["reference"]["codec"], data["reference"]["bytes"], data["models"]) == ("av1", 100, details["models"])


def test_without_the_tool_the_package_says_so(monkeypatch, tmp_path):
    monkeypatch.setattr(vm._report, "__file__", str(tmp_path / "_report.py"))
    with pytest.raises(FileNotFoundError, match="built without the tool"):
        vm.Result(np.arange(1), {"x": np.ones(1)}, {}).to_html()
