"""Programs of docs/examples."""

import shutil
import subprocess
import sys
from pathlib import Path

import libvmaf
import pytest
from made_videos import make_frame, write_y4m

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"


@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="needs ffmpeg")
def test_find_crf_finds_the_largest_one_that_is_good_enough(tmp_path):
    reference = tmp_path / "ref.y4m"
    write_y4m(reference, [make_frame(i) for i in range(8)])
    program = [sys.executable, str(EXAMPLES / "find_crf.py"), str(reference)]
    encoder = ["-c:v", "libx264", "-preset", "ultrafast"]
    answer = subprocess.run([*program, "90", *encoder], check=True, capture_output=True, text=True).stdout
    found = int(answer.splitlines()[-1])

    def vmaf(crf):
        encode = tmp_path / f"{crf}.mkv"
        subprocess.run(["ffmpeg", "-v", "error", "-i", reference, *encoder, "-crf", str(crf), encode], check=True)
        return libvmaf.score(reference, encode).pooled["vmaf"].mean

    assert vmaf(found) >= 90 > vmaf(found + 1)

    impossible = subprocess.run([*program, "101", *encoder], capture_output=True, text=True)
    assert impossible.returncode == 1
    assert "no encode has VMAF 101" in impossible.stderr
