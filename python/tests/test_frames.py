"""Whole videos as arrays, compared with sessions that get planes made here."""

from __future__ import annotations

import shutil
import subprocess

import numpy as np
import pytest

import libvmaf as vm
from libvmaf import _core, _files, _frames
from made_videos import make_frame, rgb_video, yuv_of

FRAMES, ROWS, COLUMNS = 3, 48, 64
CHROMA = {"yuv420p": "420", "yuv422p": "422", "yuv444p": "444"}
PSNR = {"models": [], "features": ["psnr"], "gpu": None, "threads": 0}


def of_planes(ref, dis, *, bpc=8, **options):
    with vm.Session(bpc=bpc, threads=0, **options) as session:
        for pair in zip(ref, dis):
            session.read(*pair)
        return session.finish()


def planes(pix_fmt, noise=0, **options):
    return [make_frame(i, noise=noise, pix_fmt=pix_fmt, width=COLUMNS, height=ROWS, **options) for i in range(FRAMES)]


def check_equal(result, expected):
    assert list(result.frames) == list(expected.frames)
    for name, scores in expected.frames.items():
        assert result.frames[name].tolist() == scores.tolist(), name


class Exchanged:
    """An array that has DLPack and nothing else."""

    def __init__(self, array):
        self._array = array

    def __dlpack__(self, **options):
        return self._array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self._array.__dlpack_device__()


class Described:
    """An array that has the array interface and nothing else."""

    def __init__(self, array):
        self.__array_interface__ = array.__array_interface__
        self._array = array


def ways(format, frames):
    """All forms in which a video may be passed."""
    by_plane = [np.stack(plane) for plane in zip(*frames)]
    yield by_plane
    yield tuple(Exchanged(plane) for plane in by_plane)
    if format == "yuv444p":
        yield np.stack(by_plane, 1)
        yield np.stack(by_plane, -1)
        return
    packed = np.stack([np.concatenate([plane.ravel() for plane in frame]).reshape(-1, COLUMNS) for frame in frames])
    assert packed.shape == (FRAMES, {"yuv420p": ROWS * 3 // 2, "yuv422p": ROWS * 2}[format], COLUMNS)
    for wrap in (lambda array: array, Exchanged, Described):
        yield wrap(packed)


@pytest.mark.parametrize("bpc", [8, 10])
@pytest.mark.parametrize("format", CHROMA)
def test_yuv(format, bpc):
    ref, dis = planes(CHROMA[format], bpc=bpc), planes(CHROMA[format], noise=2, bpc=bpc)
    expected = of_planes(ref, dis, bpc=bpc, features=["psnr"])
    for one, other in zip(ways(format, ref), ways(format, dis)):
        check_equal(vm.score_frames(one, other, format=format, bpc=bpc, **PSNR), expected)


def test_chroma_of_odd_sizes():
    ref, dis = ([make_frame(i, noise=noise, width=37, height=35) for i in range(2)] for noise in (0, 2))
    result = vm.score_frames(*([np.stack(plane) for plane in zip(*side)] for side in (ref, dis)), format="yuv420p", **PSNR)
    check_equal(result, of_planes(ref, dis, features=["psnr"]))


def test_gray():
    ref, dis = planes("400"), planes("400", noise=2)
    expected = of_planes(ref, dis, models="vmaf_v0.6.1")
    for shape in ((FRAMES, ROWS, COLUMNS), (FRAMES, ROWS, COLUMNS, 1)):
        pair = [np.stack([frame[0] for frame in side]).reshape(shape) for side in (ref, dis)]
        check_equal(vm.score_frames(*pair, format="gray", models="vmaf_v0.6.1", gpu=None), expected)


class Recorder:
    """Planes that a session gets."""

    def __init__(self, **options):
        self.options, self.frames = options, []
        Recorder.latest = self

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def read(self, ref, dis):
        self.frames.append((ref, dis))

    def finish(self):
        return vm.Result(np.empty(0, np.int64), {}, {})


@pytest.mark.parametrize("bits", [8, 10, 16])
@pytest.mark.parametrize("matrix", [None, "bt601", "bt709", "bt2020"])
@pytest.mark.parametrize("range", ["limited", "full"])
def test_rgb(monkeypatch, bits, matrix, range):
    monkeypatch.setattr(_frames, "Session", Recorder)
    ref, dis = (rgb_video(seed, FRAMES, ROWS, COLUMNS, bits) for seed in (1, 2))
    largest = 2**bits - 1
    expected = [[yuv_of(frame / largest, bits, matrix or "bt709", range == "full") for frame in pair] for pair in zip(ref, dis)]
    options = {"bpc": bits, "matrix": matrix, "range": range}

    def check_planes():
        assert Recorder.latest.options["bpc"] == bits
        given, made = np.array(Recorder.latest.frames), np.array(expected)
        assert given.dtype == made.dtype and given.shape == made.shape == (FRAMES, 2, 3, ROWS, COLUMNS)
        difference = np.abs(given.astype(np.int64) - made)
        assert difference.max() <= 1 and difference.mean() < 1e-3  # a sample in the middle may be rounded either way

    for change in (
        lambda video: video,
        lambda video: np.moveaxis(video, -1, 1),
        list,
        lambda video: [Exchanged(frame) for frame in video],
        lambda video: video.astype(np.float64) / largest,
    ):
        vm.score_frames(change(ref), change(dis), format="rgb", **options)
        check_planes()
    vm.score_frames(ref[..., ::-1], dis[..., ::-1], format="bgr", **options)
    check_planes()


@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="no ffmpeg")
def test_rgb_is_what_files_of_rgb_are(tmp_path):
    """Equal, except for the rounding of swscale."""
    if not _files.has_media_support():
        pytest.skip("built without media files")
    smooth = np.stack(np.meshgrid(np.linspace(0, 255, ROWS), np.linspace(20, 230, COLUMNS), [0, 80, 160], indexing="ij"))
    ref = np.stack([(smooth[0] / 2 + smooth[1] / 3 + smooth[2] / 4 + i) for i in range(FRAMES)]).astype(np.uint8)
    dis = (ref.astype(np.int64) + np.random.default_rng(3).integers(-9, 10, ref.shape)).clip(0, 255).astype(np.uint8)
    for name, video in (("ref", ref), ("dis", dis)):
        (tmp_path / f"{name}.raw").write_bytes(video.tobytes())
        source = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{COLUMNS}x{ROWS}", "-i", tmp_path / f"{name}.raw"]
        subprocess.run(["ffmpeg", "-v", "error", *source, "-c:v", "ffv1", "-pix_fmt", "gbrp", tmp_path / f"{name}.mkv"], check=True)
    of_files = vm.score(tmp_path / "ref.mkv", tmp_path / "dis.mkv", features=["psnr"], gpu=None)
    result = vm.score_frames(ref, dis, format="rgb", features=["psnr"], gpu=None)
    assert list(result.frames) == list(of_files.frames)
    assert result.pooled["vmaf"].mean == pytest.approx(of_files.pooled["vmaf"].mean, abs=0.5)
    for name in ("psnr_y", "psnr_cb", "psnr_cr"):
        assert result.pooled[name].mean == pytest.approx(of_files.pooled[name].mean, abs=0.15), name


def test_the_model_is_that_for_the_height():
    ref, dis = planes("420"), planes("420", noise=2)
    pair = [[np.stack(plane) for plane in zip(*side)] for side in (ref, dis)]
    expected = of_planes(ref, dis, models="vmaf_v0.6.1", features=["psnr"])
    check_equal(vm.score_frames(*pair, format="yuv420p", features=["psnr"], gpu=None), expected)
    named = vm.score_frames(*pair, format="yuv420p", models={"mine": "auto", "other": "vmaf_v0.6.1neg"}, gpu=None)
    assert named.frames["mine"].tolist() == expected.frames["vmaf"].tolist()
    (default,) = (model.version for model in vm.models().values() if model.is_default)
    assert [_core.model_for_height(height) for height in (144, 1440, 1441, 2160)] == [default, default, "vmaf_4k_v0.6.1", "vmaf_4k_v0.6.1"]
    with pytest.raises(ValueError, match="model 'v1' is chosen by video files"):
        vm.score_frames(*pair, format="yuv420p", models="v1", gpu=None)


def test_features_are_told_what_they_ask_for():
    ref, dis = planes("444"), planes("444", noise=2)
    pair = [[np.stack(plane) for plane in zip(*side)] for side in (ref, dis)]

    def scores(features, **options):
        return vm.score_frames(*pair, format="yuv444p", models=[], features=features, gpu=None, **options)

    fast = scores(["xpsnr"], fps=50)
    check_equal(fast, of_planes(ref, dis, features={"xpsnr": {"fps": 50}}))
    assert fast.frame_rate == 50
    assert fast.frames["xpsnr_y"].tolist() != scores(["xpsnr"]).frames["xpsnr_y"].tolist()
    codes = {("bt709", "full"): 2, ("bt601", "limited"): 1, ("bt601", "full"): 3, ("bt2020", "limited"): 4, ("bt2020", "full"): 5, ("bt709", "limited"): 0}
    for (matrix, range), code in codes.items():
        expected = of_planes(ref, dis, features={"ssimulacra2": {"yuv_matrix": code}})
        check_equal(scores("ssimulacra2", matrix=matrix, range=range), expected)
        check_equal(scores({"ssimulacra2": {"yuv_matrix": code}}, matrix="bt709", range="full"), expected)
    check_equal(scores("ssimulacra2", range="full"), of_planes(ref, dis, features={"ssimulacra2": {"yuv_matrix": 2}}))


class OnDevice:
    """A tensor on CUDA device 3, as other libraries see it."""

    def __init__(self, array):
        self.array, self.shape, self.dtype = array, array.shape, f"torch.{array.dtype}"

    def __getitem__(self, key):
        return OnDevice(self.array[key])

    def __len__(self):
        return len(self.array)

    def reshape(self, *shape):
        return OnDevice(self.array.reshape(*shape))

    def __dlpack_device__(self):
        return (2, 3)


@pytest.mark.parametrize("format", CHROMA)
def test_device_arrays_go_to_their_device(monkeypatch, format):
    monkeypatch.setattr(_frames, "Session", Recorder)
    ref, dis = planes(CHROMA[format]), planes(CHROMA[format], noise=2)
    by_plane = [[OnDevice(np.stack(plane)) for plane in zip(*side)] for side in (ref, dis)]
    shape = (FRAMES, 3, ROWS, COLUMNS) if format == "yuv444p" else (FRAMES, -1, COLUMNS)
    packed = [OnDevice(np.stack([np.concatenate([plane.ravel() for plane in frame]) for frame in side]).reshape(shape)) for side in (ref, dis)]
    for pair in (by_plane, packed):
        vm.score_frames(*pair, format=format)
        assert Recorder.latest.options["gpu"] == 3
        assert len(Recorder.latest.frames) == FRAMES
        for given, expected in zip(Recorder.latest.frames, zip(ref, dis)):
            assert all(np.array_equal(one.array, other) for sides in zip(given, expected) for one, other in zip(*sides))
    vm.score_frames(*by_plane, format=format, gpu=5)
    assert Recorder.latest.options["gpu"] == 5
    with pytest.raises(ValueError, match="ref is rgb on a GPU: pass it in host memory"):
        vm.score_frames(*2 * [OnDevice(RGB)], format="rgb")


RGB = np.zeros((2, 48, 64, 3), np.uint8)
GRAY = RGB[..., 0]


@pytest.mark.parametrize(
    ("ref", "dis", "options", "error", "reason"),
    [
        (RGB, RGB, {"format": "rgba"}, ValueError, "format is 'rgba': one of 'rgb', "),
        (RGB, RGB, {"format": "rgb", "matrix": "bt2021"}, ValueError, "matrix is 'bt2021'"),
        (RGB, RGB, {"format": "rgb", "range": "tv"}, ValueError, "range is 'tv'"),
        (RGB[0], RGB[0], {"format": "rgb"}, ValueError, r"frames of the shape \(64, 3\): \(H, W, 3\) or \(3, H, W\) is needed; a single frame is array\[None\]"),
        (RGB[..., :2], RGB[..., :2], {"format": "rgb"}, ValueError, r"frames of the shape \(48, 64, 2\)"),
        (RGB, RGB[:1], {"format": "rgb"}, ValueError, r"ref has 2 frames of \(48, 64\), dis 1 of \(48, 64\)"),
        (RGB, RGB[:, :40], {"format": "rgb"}, ValueError, "have to be alike"),
        (RGB[:0], RGB[:0], {"format": "rgb"}, ValueError, "no frames"),
        ([], [], {"format": "rgb"}, ValueError, "no frames"),
        ([RGB[0], RGB[1][:20]], RGB, {"format": "rgb"}, ValueError, "ref has frames of different shapes"),
        (RGB, RGB.astype(np.uint16), {"format": "rgb"}, TypeError, "ref holds uint8, dis uint16"),
        (RGB.astype(np.uint16), RGB.astype(np.uint16), {"format": "rgb"}, ValueError, "bpc is needed for uint16"),
        (RGB.astype(np.int32), RGB.astype(np.int32), {"format": "rgb"}, TypeError, "ref and dis hold int32"),
        (RGB, RGB, {"format": "rgb", "bpc": 10}, ValueError, "uint8 has 8 bits"),
        (GRAY.astype(np.float32), GRAY.astype(np.float32), {"format": "gray"}, TypeError, "float32: uint8 or uint16 is needed"),
        ("a.png", "b.png", {"format": "rgb"}, TypeError, "ref is a str, no array"),
        (GRAY[0], GRAY[0], {"format": "gray"}, ValueError, r"the shape \(48, 64\): \(N, H, W\) is needed for gray; a single frame"),
        (GRAY[:, :40], GRAY[:, :40], {"format": "yuv420p"}, ValueError, r"\(2, 40, 64\): \(N, H\*3/2, W\)"),
        ([GRAY, GRAY], [GRAY, GRAY], {"format": "yuv420p"}, ValueError, "sequence of 2"),
        ([GRAY] * 3, [GRAY] * 3, {"format": "yuv420p"}, ValueError, "twice the chroma's size of yuv420p"),
    ],
)  # fmt: skip
def test_what_is_refused(ref, dis, options, error, reason):
    with pytest.raises(error, match=reason):
        vm.score_frames(ref, dis, gpu=None, **options)
