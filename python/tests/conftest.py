"""Helpers that the tests share: frames made by arithmetic, and scores by the C functions alone."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from libvmaf import capi
from made_videos import make_frame

# Loading every Vulkan driver of the machine takes a tenth of a second in each process.
for _name in ("VK_DRIVER_FILES", "VK_ICD_FILENAMES"):
    os.environ.setdefault(_name, "/nonexistent.json")

PIX_FMTS = {"400": 4, "420": 1, "422": 2, "444": 3}


@pytest.fixture(scope="session")
def clip():
    """Pairs of 8-bit 4:2:0 frames."""
    return [(make_frame(i), make_frame(i, noise=2)) for i in range(6)]


def fill_picture(planes, pix_fmt, bpc):
    """A picture with the library's own memory."""
    picture = capi.VmafPicture()
    height, width = planes[0].shape
    assert capi.vmaf_picture_alloc(picture, PIX_FMTS[pix_fmt], bpc, width, height) == 0
    for number, plane in enumerate(planes):
        columns = picture.w[number] * plane.itemsize
        for row in range(picture.h[number]):
            ctypes.memmove(picture.data[number] + row * picture.stride[number], np.ascontiguousarray(plane[row]).ctypes.data, columns)
    return picture


def scores_of_c(pairs, *, model=None, features=(), pix_fmt="420", bpc=8, names=(), subsample=1):
    """Scores of frames and pooled means, computed by the C functions alone: {name: [score]}, {name: mean}."""
    context, loaded = ctypes.c_void_p(), ctypes.c_void_p()
    assert capi.vmaf_init(context, capi.VmafConfiguration(1, 0, subsample, 0, 0)) == 0
    if model:
        assert capi.vmaf_model_load(loaded, capi.VmafModelConfig(b"vmaf", 0), model.encode()) == 0
        assert capi.vmaf_use_features_from_model(context, loaded) == 0
    for feature in features:
        assert capi.vmaf_use_feature(context, feature.encode(), None) == 0
    for index, (ref, dis) in enumerate(pairs):
        pictures = [fill_picture(ref, pix_fmt, bpc), fill_picture(dis, pix_fmt, bpc)]
        assert capi.vmaf_read_pictures(context, *pictures, index) == 0
    assert capi.vmaf_read_pictures(context, None, None, 0) == 0
    frames, means = {}, {}
    value = ctypes.c_double()
    scored = range(0, len(pairs), subsample)
    if model:
        frames["vmaf"] = []
        for index in scored:
            assert capi.vmaf_score_at_index(context, loaded, value, index) == 0
            frames["vmaf"].append(value.value)
        assert capi.vmaf_score_pooled(context, loaded, capi.POOL_METHOD_MEAN, value, 0, len(pairs) - 1) == 0
        means["vmaf"] = value.value
    for name in names:
        frames[name] = []
        for index in scored:
            assert capi.vmaf_feature_score_at_index(context, name.encode(), value, index) == 0
            frames[name].append(value.value)
    assert capi.vmaf_close(context) == 0
    capi.vmaf_model_destroy(loaded)
    return frames, means
