"""The conformance clips as files, made by the library's own tests, and what can be scored of each."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import libvmaf as vm
from libvmaf_catalogue import Clip, Encode, Inline, Job, JobOptions, Place, RawFormat, open_store, run
from libvmaf_catalogue._segment import plan_clip

ROOT = Path(__file__).resolve().parents[2]
SEED = int(os.environ.get("VMAF_TEST_SEED", random.randrange(1 << 30)))


@dataclass(frozen=True)
class ConformanceClip:
    name: str
    width: int
    height: int
    bpc: int
    pix_fmt: str
    frames: int
    folder: Path

    @property
    def ref(self):
        return self.folder / f"{self.name}-ref.yuv"

    @property
    def dis(self):
        return self.folder / f"{self.name}-dis.yuv"

    @property
    def raw(self):
        return (self.width, self.height, self.pix_fmt, self.bpc)

    def score(self, **scoring):
        return vm.score(self.ref, self.dis, raw=self.raw, gpu=None, threads=2, **scoring)

    def of_manifest(self):
        raw = RawFormat(*self.raw)
        return Clip(self.name, str(self.ref), (Encode("e", str(self.dis)),), reference_raw=raw, encode_raw=raw)


def clip_writer(folder):
    """Compiles the program that makes the clips, from the sources of the library's tests."""
    compiler = os.environ.get("CXX") or shutil.which("c++")
    if not compiler or not (ROOT / "test/support/clips.cpp").exists():
        pytest.skip("there is no C++ compiler, or no sources")
    program = folder / "write_clips"
    sources = [ROOT / "catalogue/tests/write_clips.cpp", ROOT / "test/support/clips.cpp"]
    folders = [f"-I{ROOT / name}" for name in ("include", "src", "test", "readers")]
    subprocess.run([*compiler.split(), "-std=c++20", "-O1", *folders, *sources, "-o", program], check=True)
    return program


def write_clips(program, folder, *names):
    """Clips with these names, or all clips."""
    said = subprocess.run([program, folder, *names], check=True, capture_output=True, text=True).stdout
    clips = []
    for line in said.splitlines():
        name, width, height, bits, pix_fmt, frames = line.split()
        if not names or name in names:
            clips.append(ConformanceClip(name, int(width), int(height), int(bits), pix_fmt, int(frames), folder))
    return clips


def scorable(clip):
    """Models and features that accept the clip's format."""

    def takes(**scoring):
        try:
            clip.score(count=1, **scoring)
            return True
        except (ValueError, OSError):
            return False

    models = [version for version in vm.models() if takes(models=[version])]
    return models, [name for name in vm.features() if takes(models=[], features=[name])]


def bits_of(values):
    return np.asarray(values, np.float64).tobytes()


def check_every_cut(clip, out, randomly, models, features, subsample=1):
    """Joined scores of segments are those of the whole clip: their bits, their order, their number."""
    options = {name: {} for name in features}
    if "motion" in features and randomly.random() < 0.5:
        options["motion"] = {"motion_five_frame_window": True, "motion_moving_average": randomly.random() < 0.5}
    if "psnr" in features:
        options["psnr"] = {"enable_apsnr": True, "enable_chroma": randomly.random() < 0.7}
    frames = randomly.randint(1, clip.frames // 2 // subsample * subsample)
    print(f"seed {SEED}: {clip.name} in segments of {frames} of {clip.frames} frames, {len(features)} features, {len(models)} models")
    scoring = {"models": models, "features": options, "subsample": subsample}
    job_options = JobOptions(segment_seconds=frames / 25, **scoring)
    job_clip = clip.of_manifest()
    assert len(plan_clip(job_clip, job_options)) > 1
    outcome = run(Job.begin(open_store(str(out)), [job_clip], job_options), Inline(Place(threads=2)))
    assert outcome.failed_rows == 0
    check_equal_bits(out, clip, clip.score(**scoring))


def check_equal_bits(out, clip, result):
    import pyarrow.parquet as pq

    frames = pq.read_table(next((out / "frames").rglob("*.parquet")))
    summary = pq.read_table(next((out / "summary").iterdir()))
    assert frames.column_names == ["id", "encode", "frame", *result.frames]
    assert frames.column("frame").to_pylist() == result.index.tolist()
    assert summary.column("frames").to_pylist() == [clip.frames]
    for name, scores in result.frames.items():
        assert bits_of(frames.column(name).to_numpy()) == bits_of(scores), name
        for statistic in ("mean", "harmonic_mean", "min", "p1", "p5", "median", "p95", "p99", "max", "stddev"):
            assert repr(summary.column(f"{name}__{statistic}").to_numpy()[0]) == repr(np.float64(getattr(result.pooled[name], statistic))), (name, statistic)
    for name, value in result.aggregate.items():
        assert bits_of(summary.column(name).to_numpy()) == bits_of([value]), name
