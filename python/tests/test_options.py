"""Effects of score()'s options on files, compared with numpy and ffmpeg."""

from __future__ import annotations

import functools
import http.server
import re
import shutil
import subprocess
import threading

import numpy as np
import pytest

import libvmaf as vm
from libvmaf import _files, _options
from made_videos import make_frame, write_raw, write_y4m

FRAMES = 3
RAW = vm.RawVideo(176, 144)
PSNR = {"features": ["psnr"], "gpu": None}

needs_media = pytest.mark.skipif(not _files.has_media_support() or shutil.which("ffmpeg") is None, reason="no media files, or no ffmpeg")


def ffmpeg(folder, *arguments):
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", *arguments], cwd=folder, check=True)


def psnr(ref, dis):
    """PSNR of each frame's 8-bit planes."""
    errors = [np.mean((np.asarray(a, np.float64) - np.asarray(b, np.float64)) ** 2) for a, b in zip(ref, dis)]
    return [60 if error == 0 else min(60, 10 * np.log10(255**2 / error)) for error in errors]


def columns(result):
    return [result.frames[name].tolist() for name in ("psnr_y", "psnr_cb", "psnr_cr") if name in result.frames]


def is_near(values):
    return pytest.approx(np.transpose(values), abs=1e-6)


@pytest.fixture(scope="module")
def frames():
    return [make_frame(i) for i in range(FRAMES)], [make_frame(i, noise=2) for i in range(FRAMES)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory, frames):
    folder = tmp_path_factory.mktemp("options")
    for name, side in zip(("ref", "dis"), frames):
        write_raw(folder / f"{name}.yuv", side)
        write_y4m(folder / f"{name}.y4m", side)
    return folder


def rounded(values):
    return np.clip(np.floor(values + 0.5), 0, 255)


def to_limited(planes):
    """Converts from full range (spec comparison 2.1)."""
    luma, *chroma = [plane.astype(np.float64) for plane in planes]
    return [rounded(luma * 219 / 255 + 16)] + [rounded((plane - 128) * 224 / 255 + 128) for plane in chroma]


def to_full(planes):
    luma, *chroma = [plane.astype(np.float64) for plane in planes]
    return [rounded((luma - 16) * 255 / 219)] + [rounded((plane - 128) * 255 / 224 + 128) for plane in chroma]


@pytest.mark.parametrize(
    ("ranges", "convert"),
    [({"range_dist": "full"}, to_limited), ({"range_ref": "full"}, to_full), ({"range_ref": "full", "range_dist": "full"}, list)],
)
def test_ranges(folder, frames, ranges, convert):
    if ranges != {"range_ref": "full", "range_dist": "full"} and not _files.has_media_support():
        pytest.skip("built without media files")
    result = vm.score(folder / "ref.yuv", folder / "dis.yuv", raw=RAW, **ranges, **PSNR)
    assert columns(result) == is_near([psnr(ref, convert(dis)) for ref, dis in zip(*frames)])


def weights(red, blue):
    """Rows that compute Y, Cb and Cr from R, G and B."""
    luma = np.array([red, 1 - red - blue, blue])
    return np.array([luma, (np.array([0, 0, 1]) - luma) / (2 - 2 * blue), (np.array([1, 0, 0]) - luma) / (2 - 2 * red)])


BT601, BT709 = weights(0.299, 0.114), weights(0.2126, 0.0722)


@needs_media
@pytest.mark.parametrize("by", ["option", "tag"])
def test_matrices(tmp_path, by):
    """Converts 4:4:4, whose samples have the same place."""
    small = {"pix_fmt": "444", "width": 64, "height": 48}
    ref, dis = [make_frame(i, **small) for i in range(FRAMES)], [make_frame(i, noise=2, **small) for i in range(FRAMES)]
    for name, side, matrix in (("ref", ref, "bt709"), ("dis", dis, "smpte170m" if by == "tag" else "bt709")):
        write_y4m(tmp_path / f"{name}.y4m", side, chroma="444")
        ffmpeg(tmp_path, "-i", f"{name}.y4m", "-c:v", "ffv1", "-colorspace", matrix, "-color_range", "tv", f"{name}.mkv")
    options = {} if by == "tag" else {"matrix_dist": "bt601"}
    result = vm.score(tmp_path / "ref.mkv", tmp_path / "dis.mkv", **options, **PSNR)
    scale, origin = np.array([219, 224, 224]), np.array([16, 128, 128])
    expected = []
    for one, other in zip(ref, dis):
        yuv = (np.stack(other, -1) - origin) / scale
        converted = yuv @ (BT709 @ np.linalg.inv(BT601)).T * scale + origin
        expected.append(psnr(one, np.moveaxis(rounded(converted), -1, 0)))
    assert columns(result) == pytest.approx(np.transpose(expected), abs=0.02)  # ties of binary32


@needs_media
def test_backgrounds(tmp_path):
    """Straight alpha over a colour, in RGB."""
    colour = np.array([0x20, 0x80, 0xE0])
    for side, seed in (("ref", 1), ("dis", 2)):
        pixels = np.random.default_rng(seed).integers(0, 256, (FRAMES, 48, 64, 4), dtype=np.uint8)
        alpha = pixels[..., 3:] / 255
        composed = rounded(pixels[..., :3] * alpha + colour * (1 - alpha)).astype(np.uint8)
        for name, samples, pix_fmt in ((side, pixels, "rgba"), (f"{side}_composed", composed, "rgb24")):
            (tmp_path / f"{name}.raw").write_bytes(samples.tobytes())
            stored = "bgra" if pix_fmt == "rgba" else "gbrp"
            source = ["-f", "rawvideo", "-pix_fmt", pix_fmt, "-s", "64x48", "-i", f"{name}.raw"]
            ffmpeg(tmp_path, *source, "-c:v", "ffv1", "-pix_fmt", stored, f"{name}.mkv")
    result = vm.score(tmp_path / "ref.mkv", tmp_path / "dis.mkv", background="2080e0", **PSNR)
    expected = vm.score(tmp_path / "ref_composed.mkv", tmp_path / "dis_composed.mkv", **PSNR)
    assert columns(result) == pytest.approx(np.array(columns(expected)), abs=0.01)
    with pytest.raises(ValueError, match="background is 'blue'"):
        vm.score(tmp_path / "ref.mkv", tmp_path / "dis.mkv", background="blue", **PSNR)


@needs_media
def test_autorotate(folder, tmp_path, frames):
    """Both files store the same pictures, and one says that it is shown upright."""
    for name in ("ref", "dis"):
        ffmpeg(tmp_path, "-i", folder / f"{name}.y4m", "-c:v", "libx264", "-qp", "0", f"{name}.mp4")
    ffmpeg(tmp_path, "-i", "dis.mp4", "-c", "copy", "-metadata:s:v", "rotate=90", "turned.mp4")
    result = vm.score(tmp_path / "ref.mp4", tmp_path / "turned.mp4", autorotate=False, **PSNR)
    assert columns(result) == is_near([psnr(ref, dis) for ref, dis in zip(*frames)])
    shown = vm.score(tmp_path / "ref.mp4", tmp_path / "turned.mp4", scale="176x144", **PSNR)
    assert max(shown.frames["psnr_y"]) < min(result.frames["psnr_y"])


@needs_media
@pytest.mark.parametrize(("fps", "rate"), [("24000/1001", 24000 / 1001), (24000 / 1001, 24000 / 1001), (50, 50)])
def test_numbered_images_at_a_rate(tmp_path, frames, fps, rate):
    for name, side in zip(("ref", "dis"), frames):
        write_raw(tmp_path / f"{name}.gray", [planes[:1] for planes in side])
        ffmpeg(tmp_path, "-f", "rawvideo", "-pix_fmt", "gray", "-s", "176x144", "-i", f"{name}.gray", f"{name}_%04d.png")
    pair = (tmp_path / "ref_%04d.png", tmp_path / "dis_%04d.png")
    result = vm.score(*pair, fps=fps, **PSNR)
    assert result.frame_rate == pytest.approx(rate)
    assert columns(result) == is_near([psnr(ref[:1], dis[:1]) for ref, dis in zip(*frames)])
    late = vm.score(*pair, fps=fps, offset=f"{1 / rate:.5f}s", **PSNR)
    assert columns(late) == is_near([psnr(ref[:1], dis[:1]) for ref, dis in zip(frames[0], frames[1][1:])])


@needs_media
def test_network(folder, frames):
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    handler = functools.partial(Quiet, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/dis.y4m"
        with pytest.raises(vm.VideoError, match="allow_network=True"):
            vm.score(folder / "ref.y4m", url, **PSNR)
        result = vm.score(folder / "ref.y4m", url, allow_network=True, **PSNR)
        server.shutdown()
    assert columns(result) == is_near([psnr(ref, dis) for ref, dis in zip(*frames)])


@pytest.mark.parametrize("offset", [1, "1", "0.04s", "+1"])
def test_offsets(folder, frames, offset):
    ref, dis = frames
    late = vm.score(folder / "ref.y4m", folder / "dis.y4m", offset=offset, **PSNR)
    assert columns(late) == is_near([psnr(a, b) for a, b in zip(ref, dis[1:])])
    early = vm.score(folder / "ref.y4m", folder / "dis.y4m", offset=f"-{str(offset).lstrip('+')}", **PSNR)
    assert columns(early) == is_near([psnr(a, b) for a, b in zip(ref[1:], dis)])


@pytest.mark.parametrize("crop", ["100:80:20:16", "20,56,16,48"])
def test_crops(folder, frames, crop):
    def cut(planes):
        return [plane[16 // step : 96 // step, 20 // step : 120 // step] for plane, step in zip(planes, (1, 2, 2))]

    if not _files.has_media_support():
        pytest.skip("built without media files")
    result = vm.score(folder / "ref.y4m", folder / "dis.y4m", crop=crop, **PSNR)
    assert columns(result) == is_near([psnr(cut(ref), cut(dis)) for ref, dis in zip(*frames)])
    both = vm.score(folder / "ref.y4m", folder / "dis.y4m", crop="none", crop_ref=crop, crop_dist=crop, **PSNR)
    assert columns(both) == columns(result)


def planes_of_ffmpeg(folder, name, filters, size, dtype):
    """Frames of 4:2:0 after filters."""
    command = ["ffmpeg", "-nostdin", "-v", "error", "-i", name, "-vf", filters, "-f", "rawvideo", "-"]
    samples = np.frombuffer(subprocess.run(command, cwd=folder, check=True, capture_output=True).stdout, dtype)
    width, height = size
    for frame in samples.reshape(FRAMES, -1):
        luma, chroma = width * height, width * height // 4
        ends = [0, luma, luma + chroma, luma + 2 * chroma]
        shapes = [(height, width)] + 2 * [(height // 2, width // 2)]
        yield [frame[a:b].reshape(shape) for a, b, shape in zip(ends, ends[1:], shapes)]


@needs_media
@pytest.mark.parametrize(
    ("models", "display", "size", "bpc", "chosen"),
    [
        ("v1", "none", (256, 192), 10, vm.Model("vmaf_v1.0.16_3d0h", name="v", overloads={"cambi": {"enc_bitdepth": 8}})),
        ("v0", "phone", (1440, 1080), 8, vm.Model("vmaf_v0.6.1", name="v", transform=True)),
        ("v0", "4k", (2880, 2160), 8, vm.Model("vmaf_4k_v0.6.1", name="v")),
    ],
)
def test_models_for_displays(tmp_path, models, display, size, bpc, chosen):
    """256x192 just fits 1440x1080 and 2880x2160."""
    for name, noise in (("ref", 0), ("dis", 2)):
        write_y4m(tmp_path / f"{name}.y4m", [make_frame(i, noise=noise, width=256, height=192) for i in range(FRAMES)])
    result = vm.score(tmp_path / "ref.y4m", tmp_path / "dis.y4m", models={"v": models}, display=display, gpu=None)
    filters = f"scale={size[0]}:{size[1]}:flags=bicubic,format=yuv420p{'10le' if bpc == 10 else ''}"
    dtype = np.uint16 if bpc == 10 else np.uint8
    sides = [planes_of_ffmpeg(tmp_path, name, filters, size, dtype) for name in ("ref.y4m", "dis.y4m")]
    with vm.Session(models=[chosen], bpc=bpc) as session:
        for ref, dis in zip(*sides):
            session.read(ref, dis)
        expected = session.finish()
    assert result.frames["v"].tolist() == pytest.approx(expected.frames["v"].tolist(), abs=1e-6)


@pytest.mark.parametrize("name", sorted(_options._words_of_options()))
def test_named_values_are_those_of_the_readers(folder, name):
    listed = _options._words_of_options()[name]
    for value in listed:
        try:
            vm.score(folder / "ref.y4m", folder / "dis.y4m", count=1, **{name: value}, **PSNR)
        except ValueError as error:
            assert "which it cannot be" not in str(error), value
    with pytest.raises(ValueError, match=re.escape(f"{name} is 'some': one of {', '.join(map(repr, listed))} is needed")):
        vm.score(folder / "ref.y4m", folder / "dis.y4m", **{name: "some"}, **PSNR)


def test_the_named_values_are_all_that_there_are():
    assert {"align", "decoder", "display", "dist_format", "film_grain", "range_dist", "range_ref", "ref_format", "scaler"} == set(_options._words_of_options())
