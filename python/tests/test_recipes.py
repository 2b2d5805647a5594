"""Programs of docs/examples."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import libvmaf
import numpy as np
import pytest
from made_videos import make_frame, write_y4m

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"
ENCODER = ["-c:v", "libx264", "-preset", "ultrafast"]
needs_ffmpeg = pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="needs ffmpeg")


@pytest.fixture
def reference(tmp_path):
    return write_y4m(tmp_path / "ref.y4m", [make_frame(i) for i in range(8)])


@pytest.fixture
def encode(tmp_path, reference):
    path = tmp_path / "encode.mp4"
    subprocess.run(["ffmpeg", "-v", "error", "-i", reference, *ENCODER, "-crf", "30", path], check=True)
    return path


@pytest.fixture
def new_ffmpeg():
    """ffmpeg 7.0 or later with the filter libvmaf: the system's, or PyPI's, whose filter has another libvmaf."""
    candidates = [shutil.which("ffmpeg")]
    try:
        import imageio_ffmpeg

        candidates.append(imageio_ffmpeg.get_ffmpeg_exe())
    except (ImportError, RuntimeError):
        pass
    for program in filter(None, candidates):
        asked = subprocess.run([program, "-hide_banner", "-filters"], capture_output=True, text=True).stdout
        version = subprocess.run([program, "-version"], capture_output=True, text=True).stdout.split()[2].lstrip("n")
        if " libvmaf " in asked and int(version.split(".")[0]) >= 7:
            return program
    pytest.skip("there is no ffmpeg 7.0 with libvmaf")


def run(name, *arguments, ffmpeg="ffmpeg", interpreter=()):
    # Commands of this environment, such as vmaf, come first.
    environment = os.environ | {"FFMPEG": ffmpeg, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    command = [*interpreter, EXAMPLES / name, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=environment)


def mean_vmaf(reference, encode):
    return libvmaf.score(reference, encode, models=["vmaf_v0.6.1"], gpu=None).pooled["vmaf"].mean


@needs_ffmpeg
def test_find_crf_finds_the_largest_one_that_is_good_enough(tmp_path, reference):
    def find(wanted):
        return run("find_crf.py", reference, wanted, *ENCODER, interpreter=[sys.executable])

    def vmaf(crf):
        encode = tmp_path / f"{crf}.mkv"
        subprocess.run(["ffmpeg", "-v", "error", "-i", reference, *ENCODER, "-crf", str(crf), encode], check=True)
        return libvmaf.score(reference, encode).pooled["vmaf"].mean

    found = int(find(90).stdout.splitlines()[-1])
    assert vmaf(found) >= 90 > vmaf(found + 1)

    impossible = find(101)
    assert impossible.returncode == 1
    assert "no encode has VMAF 101" in impossible.stderr


@needs_ffmpeg
def test_ffmpegs_filter_scores_as_this_library(tmp_path, reference, encode, new_ffmpeg):
    scores = tmp_path / "scores.json"
    answer = run("ffmpeg_filter.sh", reference, encode, scores, ffmpeg=new_ffmpeg)
    assert answer.returncode == 0, answer.stderr
    assert float(answer.stdout) == pytest.approx(mean_vmaf(reference, encode), abs=1e-6)
    assert len(json.loads(scores.read_text())["frames"]) == 8

    missing = run("ffmpeg_filter.sh", reference, tmp_path / "nothing.mp4", scores, ffmpeg=new_ffmpeg)
    assert missing.returncode == 1
    assert "nothing.mp4" in missing.stderr


def test_one_command_encodes_and_scores(tmp_path, reference, new_ffmpeg):
    encode = tmp_path / "encode.mp4"
    answer = run("encode_and_score.sh", reference, encode, *ENCODER, "-crf", "35", ffmpeg=new_ffmpeg)
    assert answer.returncode == 0, answer.stderr
    assert float(answer.stdout) == pytest.approx(mean_vmaf(reference, encode), abs=1e-6)


@needs_ffmpeg
def test_a_gate_fails_for_the_bad_encode_alone(tmp_path, reference):
    folder = tmp_path / "encodes"
    folder.mkdir()
    for name, crf in (("good", 15), ("bad", 51)):
        subprocess.run(["ffmpeg", "-v", "error", "-i", reference, *ENCODER, "-crf", str(crf), folder / f"{name}.mp4"], check=True)
    good, bad = (mean_vmaf(reference, folder / f"{name}.mp4") for name in ("good", "bad"))

    def gate(limit):
        return run("ci_gate.sh", reference, folder, "--gpu", "none", "--pictures", 1, "--fail_under", limit)

    failed = gate((good + bad) / 2)
    assert failed.returncode == 1
    assert f"FAILED with exit code 3: {folder}/bad.mp4" in failed.stdout
    assert failed.stdout.endswith("2 encodes, 1 failed\n")
    assert {path.name for path in folder.glob("*.html")} == {"good.html", "bad.html"}
    assert gate(bad - 1).returncode == 0
    assert run("ci_gate.sh", reference, tmp_path / "empty", "--gpu", "none").returncode == 2


@needs_ffmpeg
def test_a_torch_model_is_scored(tmp_path, reference, encode):
    pytest.importorskip("torch", reason="torch is not installed")

    def scores(factor):
        model = tmp_path / "model.py"
        model.write_text(
            "import torch\n\n\nclass Dimmed(torch.nn.Module):\n    def forward(self, frames):\n"
            f"        return frames * {factor}\n\n\ndef load():\n    return Dimmed()\n"
        )
        answer = run("score_torch_model.py", reference, encode, model, interpreter=[sys.executable])
        assert answer.returncode == 0, answer.stderr
        return dict(line.split(": ", 1) for line in answer.stdout.splitlines())

    same = scores(1)
    assert same["degraded"] == same["restored"]
    dimmed = scores(0.5)
    assert dimmed["degraded"] == same["degraded"]
    psnr = [float(dimmed[name].split("psnr_y ")[1].split(",")[0]) for name in ("degraded", "restored")]
    assert psnr[1] < psnr[0] - 10


@needs_ffmpeg
def test_gstreamers_element_scores_as_this_library(tmp_path, reference, encode):
    if shutil.which("gst-inspect-1.0") is None or subprocess.run(["gst-inspect-1.0", "--exists", "vmaf"]).returncode:
        pytest.skip("there is no GStreamer with an element vmaf")
    scores = tmp_path / "scores.json"
    answer = run("gstreamer_vmaf.sh", reference, encode, scores)
    assert answer.returncode == 0, answer.stderr
    found = [frame["metrics"]["self"] for frame in json.loads(scores.read_text())["frames"]]
    assert np.mean(found) == pytest.approx(mean_vmaf(reference, encode), abs=1e-6)


def test_the_example_of_nvenc_compiles_and_says_that_there_is_no_encoder(tmp_path):
    root = EXAMPLES.parents[1]
    found = subprocess.run(["pkg-config", "--cflags", "ffnvcodec >= 12.1"], capture_output=True, text=True)
    if shutil.which("gcc") is None or found.returncode:
        pytest.skip("there are no headers of ffnvcodec 12.1")
    library = next(Path(libvmaf.__file__).parent.rglob("libvmaf.so.3"))
    program = tmp_path / "nvenc_recon"
    include = [option.replace("-I", "-isystem", 1) for option in found.stdout.split()]
    strict = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]
    subprocess.run(
        ["gcc", *strict, f"-I{root / 'include'}", *include, EXAMPLES / "nvenc_recon.c", library, "-ldl", f"-Wl,-rpath,{library.parent}", "-o", program],
        check=True,
    )
    if shutil.which("nvidia-smi"):
        pytest.skip("this machine may have an encoder, which the example was never run on")
    (tmp_path / "frames.nv12").write_bytes(bytes(320 * 180 * 3 // 2))
    answer = subprocess.run([program, tmp_path / "frames.nv12", "320", "180", tmp_path / "out.h264"], capture_output=True, text=True)
    assert answer.returncode == 77
    assert "no encoder here" in answer.stderr
