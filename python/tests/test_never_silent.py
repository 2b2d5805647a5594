"""Never a plausible wrong number in silence: a table of pairs that mislead (docs/which-pictures.md).

Each row says what is written about the pair, or which pair has the right score. The package and, if
it is built, the tool `vmaf` are asked.
"""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import libvmaf as vm
from libvmaf import _files

pytestmark = pytest.mark.skipif(not _files.has_media_support() or shutil.which("ffmpeg") is None, reason="no media files, or no ffmpeg")

TOOL = Path(os.environ.get("VMAF_TOOL", Path(__file__).parents[2] / "build" / "tools" / "vmaf"))
needs_tool = pytest.mark.skipif(not TOOL.is_file(), reason="VMAF_TOOL names no vmaf, and build/tools has none")

SOURCE = "testsrc2=s=320x180:r=25:d=0.4"
X264 = "-c:v libx264 -preset ultrafast -crf 20 -threads 1"
PQ = "-color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc"

#: name: what ffmpeg makes it of.
CLIPS = {
    "ref.mp4": f"-f lavfi -i {SOURCE} {X264}",
    "dis.mp4": f"-f lavfi -i {SOURCE} {X264} -crf 40",
    "ref.y4m": f"-f lavfi -i {SOURCE} -pix_fmt yuv420p",
    "dis.y4m": "-i dis.mp4",
    "ref.yuv": f"-f lavfi -i {SOURCE} -pix_fmt yuv420p",
    "pq.mp4": f"-f lavfi -i {SOURCE} {X264} {PQ}",
    "sdr.mp4": f"-f lavfi -i {SOURCE} {X264} -color_primaries bt709 -color_trc bt709 -colorspace bt709",
    "48.mp4": f"-f lavfi -i testsrc2=s=320x180:r=48:d=0.4 {X264}",
    "variable.mp4": f"-f lavfi -i testsrc2=s=320x180:r=50:d=0.8 -vf select='not(mod(n\\,5))+lt(mod(n\\,10)\\,3)' -vsync vfr {X264}",
    "turned.mp4": "-i ref.mp4 -vf transpose=1 -c:v libx264 -preset ultrafast -qp 0",
    "interlaced.mp4": f"-f lavfi -i {SOURCE} -vf setfield=tff {X264} -flags +ilme+ildct -x264-params tff=1",
    "ten.mp4": f"-f lavfi -i {SOURCE} {X264} -crf 40 -pix_fmt yuv420p10le",
}


def make_clips(folder: Path) -> Path:
    for name, arguments in CLIPS.items():
        subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", *arguments.split(), name], cwd=folder, check=True)
    whole = (folder / "ref.mp4").read_bytes()
    (folder / "cut.mp4").write_bytes(whole[: len(whole) // 2])
    # A phone's: stored upright, with a matrix that turns it.
    turn = "-i turned.mp4 -c copy -metadata:s:v rotate=90 phone.mp4"
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", *turn.split()], cwd=folder, check=True)
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return make_clips(tmp_path_factory.mktemp("never_silent"))


@dataclass
class Row:
    """A reference, a distorted video, and what is said of them."""

    name: str
    ref: str
    dis: str
    #: In this order.
    says: list[str]
    #: With strict alone, always, or never.
    is_error: bool | None = False
    options: dict[str, Any] = field(default_factory=dict)
    #: The pair whose scores it has, if not its own.
    scored_as: tuple[str, str] | None = None


ROWS = [
    Row("PQ tags against SDR", "sdr.mp4", "pq.mp4", ["the score means nothing: one video is HDR"]),
    Row("PQ against PQ with a model for SDR", "pq.mp4", "pq.mp4", ["made for SDR; for HDR use cvvdp"], None),
    Row("25 and 48 fps", "ref.mp4", "48.mp4", ["25 and 48", "convert one first: ffmpeg", "--allow_fps_mismatch"], True),
    Row("variable frame rate", "ref.mp4", "variable.mp4", ["variable frame rate"], True),
    Row("rotated against upright", "ref.mp4", "phone.mp4", ["rotated by 270 degrees"], None, scored_as=("ref.mp4", "ref.mp4")),
    Row("interlaced", "interlaced.mp4", "interlaced.mp4", ["interlaced", "--deinterlace"]),
    Row("truncated mp4", "ref.mp4", "cut.mp4", ["incomplete mp4 (no moov)"], True),
    Row("URL without network", "http://127.0.0.1:9/ref.mp4", "dis.mp4", ["--allow_network"], True),
    Row(
        "raw file of another size",
        "ref.yuv",
        "ref.yuv",
        ["no whole number of frames", "check -w -h -p -b"],
        options={"raw": (320, 184, "420", 8), "count": 5},
    ),
]


def find_in_order(parts: list[str], text: str) -> None:
    for part in parts:
        assert part in text, (part, text)
        text = text[text.index(part) + len(part) :]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_of_the_package(folder, monkeypatch, caplog, row):
    monkeypatch.chdir(folder)
    said = []
    with caplog.at_level(logging.INFO, "libvmaf"):
        try:
            result = vm.score(row.ref, row.dis, gpu=None, **row.options)
            said += result.notes
        except vm.VideoError as error:
            assert row.is_error is True, error
            said.append(str(error))
        else:
            assert row.is_error is not True
            if row.scored_as:
                assert result.frames["vmaf"].tolist() == vm.score(*row.scored_as, gpu=None).frames["vmaf"].tolist()
    find_in_order(row.says, "\n".join([*said, caplog.text]))
    if row.is_error is False:
        with pytest.raises(vm.VideoError) as raised:
            vm.score(row.ref, row.dis, gpu=None, strict=True, **row.options)
        find_in_order(row.says, str(raised.value))
    elif row.is_error is None:
        vm.score(row.ref, row.dis, gpu=None, strict=True, **row.options)


def run_tool(folder: Path, row: Row, *more: str) -> subprocess.CompletedProcess[str]:
    options = []
    if raw := row.options.get("raw"):
        for letter, value in zip("whpb", raw):
            options += [f"-{letter}", str(value)]
        options += ["--frame_cnt", str(row.options["count"])]
    command = [str(TOOL), "-r", row.ref, "-d", row.dis, *options, "--gpu", "none", *more]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)


@needs_tool
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_of_the_tool(folder, row):
    done = run_tool(folder, row)
    assert (done.returncode != 0) == (row.is_error is True), done
    find_in_order(row.says, done.stderr)
    if row.is_error is False:
        # The warning is the last line, after the score.
        find_in_order(row.says, done.stderr[done.stderr.index("vmaf_v0.6.1:") :])
    strict = run_tool(folder, row, "--strict")
    assert (strict.returncode != 0) == (row.is_error is not None), strict
    find_in_order(row.says, strict.stderr)


@needs_tool
def test_a_ladder_with_a_deeper_encode(folder):
    """Each encode is scored in its own form, as by itself."""
    both = [str(TOOL), "-r", "ref.mp4", "-d", "dis.mp4", "-d", "ten.mp4", "--gpu", "none"]
    ladder = subprocess.run(both, cwd=folder, capture_output=True, text=True)
    assert ladder.returncode == 0
    for name in ("dis.mp4", "ten.mp4"):
        alone = run_tool(folder, Row("", "ref.mp4", name, [])).stderr.splitlines()
        (line,) = [line for line in alone if line.startswith("vmaf")]
        assert f"{name}: {line}" in ladder.stderr
