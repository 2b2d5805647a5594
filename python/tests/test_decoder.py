"""Which decoder media files get: the GPU that scores, as far as it can, or software. Scores do not depend on it.

What runs on a device takes a real one, or the stand-in for it that test_dlpack.py names, which scores and does not decode.
"""

from __future__ import annotations

import logging
import shutil
import subprocess

import pytest

import libvmaf as vm
from libvmaf import _files
from made_videos import write_y4m
from test_score import FRAMES, pairs

pytestmark = pytest.mark.skipif(not _files.has_media_support() or shutil.which("ffmpeg") is None, reason="no media files, or no ffmpeg")

needs_device = pytest.mark.skipif(not vm.gpus(), reason="no CUDA device")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("decoder")
    for name, frames in zip(("ref", "dis"), zip(*pairs())):
        write_y4m(folder / f"{name}.y4m", frames)
        for kind, codec in (("mkv", ["ffv1"]), ("mp4", ["libx264", "-qp", "0"])):
            source = folder / f"{name}.y4m"
            subprocess.run(["ffmpeg", "-v", "error", "-i", source, "-c:v", *codec, folder / f"{name}.{kind}"], check=True)
    return folder


def expected(folder):
    return vm.score(folder / "ref.y4m", folder / "dis.y4m", models="vmaf_v0.6.1", features=["psnr"], gpu=None)


@pytest.mark.parametrize("decoder", ["auto", "software"])
@pytest.mark.parametrize("kind", ["mkv", "mp4"])
@pytest.mark.parametrize("gpu", ["auto", None])
def test_scores_are_those_of_software(folder, kind, decoder, gpu):
    """If the GPU does not decode, or there is no GPU, software does."""
    videos = folder / f"ref.{kind}", folder / f"dis.{kind}"
    result = vm.score(*videos, models="vmaf_v0.6.1", features=["psnr"], gpu=gpu, decoder=decoder)
    assert len(result) == FRAMES
    for name, scores in expected(folder).frames.items():
        assert result.frames[name].tolist() == scores.tolist()


def test_what_makes_no_sense(folder):
    pair = (folder / "ref.mp4", folder / "dis.mp4")
    for gpu in (None, False):
        with pytest.raises(ValueError, match="decoder is 'cuda'"):
            vm.score(*pair, gpu=gpu, decoder="cuda")
    with pytest.raises(ValueError, match="decoder is 'cud'"):
        vm.score(*pair, decoder="cud")


@pytest.mark.skipif(bool(vm.gpus()), reason="a CUDA device")
def test_without_a_device_one_that_must_decode_is_missed(folder):
    with pytest.raises(vm.VideoError, match="no GPU to decode with"):
        vm.score(folder / "ref.mp4", folder / "dis.mp4", decoder="cuda")
    with pytest.raises(vm.DeviceError):
        vm.score(folder / "ref.y4m", folder / "dis.y4m", decoder="cuda")


@pytest.fixture(scope="module")
def long(folder):
    """A video that is not short, whatever the number of cores, as H.264 and as FFV1."""
    source = ["-f", "lavfi", "-i", "color=s=1920x1080:r=25", "-frames:v", "400"]
    for name, codec in (("long.mp4", ["libx264", "-preset", "ultrafast"]), ("long.mkv", ["ffv1"])):
        subprocess.run(["ffmpeg", "-v", "error", *source, "-c:v", *codec, folder / name], check=True)
    return folder / "long"


def complaints_of(caplog, videos, **options):
    """How often it is said that the CPU decodes, when a GPU scores."""
    caplog.clear()
    with caplog.at_level(logging.INFO, "libvmaf"):
        vm.score(*videos, features=["psnr"], gpu=0, count=1, align="off", **options)
    return sum("decoded on the CPU" in record.getMessage() for record in caplog.records)


@needs_device
def test_what_the_device_does_not_decode_is_said(folder, long, caplog):
    """No GPU decodes FFV1."""
    pair = [long.with_suffix(".mkv")] * 2
    assert complaints_of(caplog, pair) == 2
    assert complaints_of(caplog, pair, decoder="software") == 0
    with pytest.raises(vm.VideoError, match="no GPU decoder for ffv1"):
        vm.score(*pair, features=["psnr"], gpu=0, decoder="cuda")


@needs_device
def test_short_videos_are_decoded_in_software(folder, long, caplog):
    """Software is done before a GPU would start. The stand-in is asked for longer ones, and says that it cannot."""
    decodes = vm.gpus()[0].name != "driver double"
    for kind in ("mp4", "mkv"):
        assert complaints_of(caplog, (folder / f"ref.{kind}", folder / f"dis.{kind}")) == 0
    assert complaints_of(caplog, [long.with_suffix(".mp4")] * 2) == (0 if decodes else 2)


@needs_device
def test_one_after_the_other(folder):
    """Each of them opens the device again."""
    first, second = (vm.score(folder / "ref.mp4", folder / "dis.mp4", features=["psnr"], gpu=0) for _ in range(2))
    assert first.frames["psnr_y"].tolist() == second.frames["psnr_y"].tolist() == expected(folder).frames["psnr_y"].tolist()


def test_decoders_that_cannot_share_a_video_are_not_asked_again(folder, monkeypatch, caplog):
    """Scoring begins again, with one decoder for each video."""
    from libvmaf import _score

    asked = []

    class Clips:
        """Clips whose decoders say what only a GPU's decoders can say."""

        def __init__(self, clips):
            self.clips = clips

        @staticmethod
        def open(*arguments):
            return Clips(_files.Clips.open(*arguments))

        def __getattr__(self, name):
            return getattr(self.clips, name)

        def read(self, handles, on_gpu, in_segments, progress):
            asked.append(in_segments)
            if in_segments:
                raise _files.SegmentsDoNotFit("frames go missing")
            return self.clips.read(handles, on_gpu, in_segments, progress)

    monkeypatch.setattr(_score, "Clips", Clips)
    with caplog.at_level(logging.INFO, "libvmaf"):
        result = vm.score(folder / "ref.mkv", folder / "dis.mkv", features=["psnr"], gpu=None)
    assert asked == [True, False]
    assert result.frames["psnr_y"].tolist() == expected(folder).frames["psnr_y"].tolist()
    assert any("frames go missing" in record.getMessage() for record in caplog.records)
