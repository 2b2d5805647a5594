"""Maps as arrays, compared with numpy and with scores of sessions."""

from __future__ import annotations

import gc

import numpy as np
import pytest

import libvmaf as vm
from made_videos import make_frame


def scores(features, ref, dis, **session):
    with vm.Session(features=features, threads=0, **session) as s:
        s.read(ref, dis)
        return {name: values[0] for name, values in s.finish().frames.items()}


def test_psnr_is_the_squared_error_of_luma(clip):
    ref, dis = clip[0]
    made = vm.map("psnr", ref, dis)
    assert made.dtype == np.float32 and made.shape == ref[0].shape
    error = ref[0].astype(np.float64) - dis[0]
    assert np.array_equal(made, error**2) and made.max() > 0
    assert made.mean(dtype=np.float64) == scores({"psnr": {"enable_mse": True}}, ref, dis)["mse_y"]


def test_deep_planes_need_their_depth(clip):
    ref, dis = ([plane.astype(np.uint16) << 2 for plane in frame] for frame in clip[0])
    made = vm.map("psnr", ref, dis, bpc=10)
    assert np.array_equal(made, vm.map("psnr", *clip[0]) * 16)
    assert np.array_equal(made, vm.map("psnr", vm.Frame(ref, bpc=10), vm.Frame(dis, bpc=10)))
    with pytest.raises(ValueError):
        vm.map("psnr", ref, dis)


def test_maps_pool_to_scores(clip):
    ref, dis = clip[0]
    ssim = vm.map("float_ssim", ref, dis).astype(np.float64)
    assert ssim.mean() == pytest.approx(scores("float_ssim", ref, dis)["float_ssim"], abs=1e-7)
    difference = vm.map("butteraugli", ref, dis).astype(np.float64)
    norms = [np.mean(difference**order) ** (1 / order) for order in (3, 6, 12)]
    expected = scores("butteraugli", ref, dis)
    assert np.mean(norms) == pytest.approx(expected["butteraugli_3norm"], rel=1e-6)
    assert difference.max() == expected["butteraugli_max"]


def test_options_count(clip):
    ref, dis = clip[0]
    height, width = ref[0].shape
    assert vm.map("float_ssim", ref, dis, {"scale": 1}).shape == (height - 10, width - 10)
    assert vm.map("float_ssim", ref, dis, {"scale": 2}).shape == (height // 2 - 10, width // 2 - 10)


def test_features_say_whether_they_have_a_map(clip):
    with_map = [name for name, feature in vm.features().items() if feature.map]
    assert {"psnr", "float_ssim", "butteraugli", "cambi"} <= set(with_map)
    for name in set(vm.features()) - set(with_map):
        with pytest.raises(ValueError, match=f"{name} has no map"):
            vm.map(name, *clip[0])
    with pytest.raises(ValueError, match="did you mean"):
        vm.map("psnrr", *clip[0])


def test_a_map_outlives_its_frames():
    made = vm.map("psnr", make_frame(0), make_frame(0, noise=2))
    copy = made.copy()
    gc.collect()
    assert np.array_equal(made, copy) and made.flags.writeable
