"""Jobs that a GPU scores. Exact features give the files of the CPU, to the last byte.

They take a device, or the stand-in for it that test_dlpack.py names.
"""

from __future__ import annotations

import pytest

import libvmaf as vm
from made_videos import make_frame, write_y4m
from libvmaf_catalogue import Clip, Encode, Inline, Place, Pool
from test_catalogue import files_of, run_job

pytestmark = pytest.mark.skipif(not vm.gpus(), reason="no CUDA device")

FRAMES = 10
SCORING = {"models": ["vmaf_v0.6.1"], "features": {"psnr": {"enable_apsnr": True}, "xpsnr": {}}, "segment_seconds": 4 / 25}


@pytest.fixture(scope="module")
def clips(tmp_path_factory):
    folder = tmp_path_factory.mktemp("videos")
    paths = [folder / f"{number}.y4m" for number in range(3)]
    for noise, path in enumerate(paths):
        write_y4m(path, [make_frame(i, noise=noise) for i in range(FRAMES)])
    ref, *encodes = map(str, paths)
    with vm.Session(features=["psnr"], gpu=0) as session:
        pair = make_frame(0), make_frame(0, noise=1)
        session.read(*pair)
        if session.finish().frames["psnr_y"][0] != vm.score(*paths[:2], models=[], features=["psnr"], count=1, gpu=None).frames["psnr_y"][0]:
            pytest.skip("the stand-in's device computes nothing by itself")
    return [Clip(name, ref, tuple(Encode(f"e{i}", path) for i, path in enumerate(encodes))) for name in ("a", "b", "c")]


@pytest.fixture(scope="module")
def expected(clips, tmp_path_factory):
    out = tmp_path_factory.mktemp("cpu")
    run_job(out, clips, **SCORING)
    return files_of(out)


@pytest.mark.parametrize("workers", [[Place(gpu=0)], [Place(gpu=0), Place(gpu=0)], [Place(gpu=0), Place()]])
def test_files_are_those_of_the_cpu(clips, expected, tmp_path, workers):
    pool = Pool(workers)
    try:
        frames, summary = run_job(tmp_path, clips, pool, **SCORING)
    finally:
        pool.close()
    assert len(frames) == 6 * FRAMES and summary["error"].isna().all()
    assert files_of(tmp_path) == expected
    devices = {device for devices in summary["device"] for device in devices.split(", ")}
    assert devices <= {str(place) for place in workers}
    if Place() not in workers:
        assert devices == {"gpu 0"}


def test_in_this_process(clips, expected, tmp_path):
    _, summary = run_job(tmp_path, clips, Inline(Place(gpu=0)), **SCORING)
    assert files_of(tmp_path) == expected
    assert set(summary["device"]) == {"gpu 0"}
