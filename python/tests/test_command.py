"""The command `vmaf` of the wheel."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import libvmaf as vm
from made_videos import make_frame, write_y4m

COMMAND = str(Path(sys.executable).with_name("vmaf"))


def run(folder, *arguments):
    return subprocess.run([COMMAND, *arguments], cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)


def test_it_has_the_scores_of_the_package(tmp_path):
    for name, noise in (("ref", 0), ("dis", 2)):
        write_y4m(tmp_path / f"{name} 1.y4m", [make_frame(i, noise=noise) for i in range(4)])
    pair = ("-r", "ref 1.y4m", "-d", "dis 1.y4m", "--gpu", "none")
    ended = run(tmp_path, *pair, "--feature", "psnr", "--json", "-o", "scores.json", "--precision=max", "-q")
    assert ended.returncode == 0, ended.stderr
    written = vm.read_scores(tmp_path / "scores.json")
    expected = vm.score(tmp_path / "ref 1.y4m", tmp_path / "dis 1.y4m", features=["psnr"], gpu=None)
    for name, scores in expected.frames.items():
        assert written.frames[name].tolist() == scores.tolist(), name


def test_it_is_of_the_packages_version_and_keeps_exit_codes(tmp_path):
    version = run(tmp_path, "--version")
    assert (version.returncode, (version.stdout + version.stderr).strip()) == (0, vm.version())
    refused = run(tmp_path, "-r", "nothing.y4m", "-d", "nothing.y4m")
    assert refused.returncode not in (0, 1) and "nothing.y4m" in refused.stderr
