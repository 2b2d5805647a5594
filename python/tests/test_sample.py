"""A sample of a clip's frames. Their scores are those of a run of all frames, and the record is the tool's."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import libvmaf as vm
from made_videos import make_frame, write_y4m

#: The command in the wheel.
TOOL = Path(sys.executable).with_name("vmaf")

FRAMES = 120
FEATURES = ["psnr", "motion", "cvvdp"]


@pytest.fixture(scope="module")
def clip(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sample")
    write_y4m(folder / "ref.y4m", [make_frame(i) for i in range(FRAMES)])
    write_y4m(folder / "dis.y4m", [make_frame(i, noise=1 + i // 50) for i in range(FRAMES)])
    write_y4m(folder / "late.y4m", [make_frame(max(0, i - 4), noise=2) for i in range(FRAMES)])
    return folder


def by_tool(folder, *options):
    command = [str(TOOL), "-r", "ref.y4m", "-d", "dis.y4m", "-n", "-q", "--gpu", "none", "--json", "-o", "-", *options]
    return json.loads(subprocess.run(command, cwd=folder, capture_output=True, check=True).stdout)


def check_rows(sample, whole):
    assert set(sample.frames) == set(whole.frames)
    for name, scores in sample.frames.items():
        if name != "cvvdp_run":  # depends on the frames so far
            assert scores.tolist() == whole.frames[name][sample.index].tolist(), name


@pytest.mark.parametrize("share", ["25%", "auto:0.2", "auto:1000"])
def test_sampled_frames_have_the_scores_of_the_whole_clip(clip, share):
    pair = (clip / "ref.y4m", clip / "dis.y4m")
    options = {"models": [], "features": FEATURES, "gpu": None}
    sample = vm.score(*pair, sample=share, **options)
    check_rows(sample, vm.score(*pair, **options))
    features = [word for name in FEATURES for word in ("--feature", name)]
    expected = by_tool(clip, *features, "--sample", share)
    assert sample.index.tolist() == [frame["frameNum"] for frame in expected["frames"]]
    assert sample.sample == expected["sample"]
    assert sample.to_dict()["sample"] == expected["sample"]
    assert sample.ref_frame is None
    low, high = sample.sample["interval_95"]["psnr_y"]
    assert low < sample.pooled["psnr_y"].mean < high
    assert "cvvdp_run" not in sample.sample["interval_95"]
    assert f"{len(sample)} of {FRAMES} frames scored" in sample._repr_html_()


def test_frames_are_numbered_as_both_videos_do_after_an_offset(clip):
    pair = (clip / "ref.y4m", clip / "late.y4m")
    options = {"models": [], "features": ["psnr"], "gpu": None, "offset": 4}
    sample = vm.score(*pair, sample="30%", **options)
    assert sample.sample["of"] == FRAMES - 4
    check_rows(sample, vm.score(*pair, **options))


def test_of_aligned_frames_and_of_several_encodes(clip):
    options = {"models": [], "features": ["psnr"], "gpu": None, "align": "frames", "sample": "30%"}
    late, plain = vm.score_encodes(clip / "ref.y4m", [clip / "late.y4m", clip / "dis.y4m"], **options)
    assert late.ref_frame is not None
    for sample, name in ((late, "late"), (plain, "dis")):
        whole = vm.score(clip / "ref.y4m", clip / f"{name}.y4m", **(options | {"sample": None}))
        rows = np.searchsorted(whole.index, sample.index)
        assert sample.frames["psnr_y"].tolist() == whole.frames["psnr_y"][rows].tolist()
        assert sample.ref_frame.tolist() == whole.ref_frame[rows].tolist()


def test_what_is_no_sample_is_refused(clip):
    pair = (clip / "ref.y4m", clip / "dis.y4m")
    for wrong in ("10", "0%", "100%", "auto", "auto:0"):
        with pytest.raises(ValueError, match="sample"):
            vm.score(*pair, sample=wrong, gpu=None)
    with pytest.raises(ValueError, match="subsample"):
        vm.score(*pair, sample="10%", subsample=2, gpu=None)
    with pytest.raises(ValueError, match="one encode"):
        vm.score_encodes(pair[0], [pair[1], pair[1]], sample="auto:1", gpu=None)
    with pytest.raises(vm.VideoError, match="sample needs 40 frames"):
        vm.score(*pair, sample="10%", count=39, gpu=None)
    with pytest.raises(vm.VideoError, match="leaves no interval"):
        vm.score(pair[0], pair[0], sample="auto:1", models=[], features=["xpsnr"], gpu=None)
