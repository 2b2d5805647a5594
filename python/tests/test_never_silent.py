"""A plausible wrong number is never silent: a table of misleading pairs (docs/which-pictures.md).

Each row says what the tool `vmaf` writes about the pair, or which pair has the right score. The
package, which has keywords for options, and the tool are asked.
"""

from __future__ import annotations

import json
import logging
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import libvmaf as vm
from libvmaf import _files
from libvmaf._words import in_keywords

pytestmark = pytest.mark.skipif(not _files.has_media_support() or shutil.which("ffmpeg") is None, reason="no media files, or no ffmpeg")

#: The command in the wheel.
TOOL = Path(sys.executable).with_name("vmaf")

SOURCE = "testsrc2=s=320x180:r=25:d=0.4"
X264 = "-c:v libx264 -preset ultrafast -crf 20 -threads 1"
LOSSLESS = "-pix_fmt yuv420p -c:v ffv1"
FROM_START = "setpts=PTS-STARTPTS"
PQ = "-color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc"

#: name: ffmpeg's arguments that make it.
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
    # 40 frames that all differ, and edits of them.
    "film.mkv": f"-f lavfi -i testsrc2=s=320x180:r=5:d=8 {LOSSLESS}",
    "film.mp4": f"-i film.mkv {X264}",
    "from1.mkv": f"-i film.mkv -vf trim=start_frame=1,{FROM_START} {LOSSLESS}",
    "from5.mkv": f"-i film.mkv -vf trim=start_frame=5,{FROM_START} {LOSSLESS}",
    "cut.mkv": f"-i film.mkv -vf trim=start_frame=3,{FROM_START} {X264}",
    "black.mp4": f"-i film.mkv -vf tpad=start=3:color=black -frames:v 40 {X264}",
    "dropped.mp4": f"-i film.mkv -vf select=not(eq(n\\,20)),setpts=N/5/TB {X264}",
    "repeated.mp4": f"-i film.mkv -vf loop=1:1:20,select=not(eq(n\\,21)),setpts=N/5/TB {X264}",
    "still.mkv": f"-i film.mkv -vf trim=end_frame=1,loop=39:1,setpts=N/5/TB,noise=alls=6:allf=t:all_seed=3 {LOSSLESS}",
    "still.mp4": f"-i still.mkv {X264}",
    "camera.mkv": f"-i still.mkv -f lavfi -i color=red:s=24x24:r=5:d=8 -lavfi overlay=20+4*n:60+2*n {LOSSLESS}",
    "camera_cut.mp4": f"-i camera.mkv -vf trim=start_frame=1,{FROM_START} {X264}",
    "bars.mp4": f"-i film.mkv -vf crop=320:132,pad=320:180:0:24 {X264}",
    "wide.mkv": f"-i film.mkv -vf crop=320:132 {LOSSLESS}",
    "full.mp4": f"-i film.mkv -vf scale=in_range=tv:out_range=pc {X264}",
    "mistagged.mp4": "-i full.mp4 -c copy -bsf:v h264_metadata=video_full_range_flag=0",
    "grey.mp4": f"-i film.mkv -vf hue=s=0 {X264}",
    "gray.mp4": f"-i film.mkv {X264} -pix_fmt gray",
    "noisy.mkv": f"-i film.mkv -vf noise=alls=12:allf=t:all_seed=5 {LOSSLESS}",
    "noisy.mp4": f"-i noisy.mkv {X264} -crf 34",
    "blurred.mp4": f"-i film.mkv -vf scale=106:60,scale=320:180 {X264}",
    "large.mkv": f"-f lavfi -i testsrc2=s=640x360:r=25 -frames:v 3 {LOSSLESS}",
    "small.mp4": f"-i large.mkv -vf scale=320:180 {X264}",
}


def make_clips(folder: Path) -> Path:
    for name, arguments in CLIPS.items():
        subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", *arguments.split(), name], cwd=folder, check=True)
    whole = (folder / "ref.mp4").read_bytes()
    (folder / "cut.mp4").write_bytes(whole[: len(whole) // 2])
    # A phone's video: stored upright, with a matrix that turns it.
    turn = "-i turned.mp4 -c copy -metadata:s:v rotate=90 phone.mp4"
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", *turn.split()], cwd=folder, check=True)
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return make_clips(tmp_path_factory.mktemp("never_silent"))


@dataclass
class Row:
    """A reference, a distorted video, and the expected messages."""

    name: str
    ref: str
    dis: str
    #: Messages in this order.
    says: list[str]
    #: When it is an error: with strict only, always, or never.
    is_error: bool | None = False
    options: dict[str, Any] = field(default_factory=dict)
    #: Options of the package. ffmpeg's filter psnr has the same values after these filters
    #: of the reference and the distorted video.
    cure: dict[str, Any] | None = None
    filters: tuple[str, str] = ("null", "null")


CROP = "crop=320:132:0:24"
TO_1080P = "scale=1920:1080:flags=bicubic"
TEN_BITS = "format=yuv420p10le"


ROWS = [
    Row("PQ tags against SDR", "sdr.mp4", "pq.mp4", ["the score means nothing: one video is HDR"]),
    Row("PQ against PQ with a model for SDR", "pq.mp4", "pq.mp4", ["made for SDR; for HDR use cvvdp"], None),
    Row("25 and 48 fps", "ref.mp4", "48.mp4", ["25 and 48", "convert one first: ffmpeg", "--allow_fps_mismatch"], True),
    Row("variable frame rate", "ref.mp4", "variable.mp4", ["variable frame rate"], True),
    Row("rotated against upright", "ref.mp4", "phone.mp4", ["rotated by 270 degrees"], None, cure={}),
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
    Row(
        "late by one frame",
        "from1.mkv",
        "film.mp4",
        ["film.mp4 is 1 frame late (", " dB at lag 1, ", " at 0): --offset 1, or --align offset"],
        cure={"offset": 1},
        filters=("null", "trim=start_frame=1"),
    ),
    Row(
        "late by one second",
        "from5.mkv",
        "film.mp4",
        ["film.mp4 is 5 frames late (", " dB at lag 5, ", " at 0): --offset 5, or --align offset"],
        cure={"offset": "1s"},
        filters=("null", "trim=start_frame=5"),
    ),
    Row(
        "cut at the start",
        "film.mkv",
        "cut.mkv",
        ["cut.mkv is 3 frames early (", " dB at lag -3, ", " at 0): --offset -3, or --align offset"],
        cure={"align": "offset"},
        filters=("trim=start_frame=3", "null"),
    ),
    Row(
        "black frames in front",
        "film.mkv",
        "black.mp4",
        ["black.mp4 is 3 frames late (", "--offset 3, or --align offset"],
        cure={"align": "frames"},
        filters=("null", "trim=start_frame=3"),
    ),
    Row(
        "dropped frame",
        "film.mkv",
        "dropped.mp4",
        ["dropped.mp4 lacks 1 frame of film.mkv (the first is 20): --align frames"],
        cure={"align": "frames"},
        filters=("select='not(eq(n,20))'", "null"),
    ),
    Row(
        "repeated frame",
        "film.mkv",
        "repeated.mp4",
        ["repeats 1 frame (the first is its frame 20): --align frames"],
        cure={"align": "frames"},
        filters=("loop=1:1:20,select='not(eq(n,21))'", "null"),
    ),
    Row("static camera", "still.mkv", "still.mp4", [], None, cure={}),
    Row(
        "static camera, cut at the start",
        "camera.mkv",
        "camera_cut.mp4",
        ["camera_cut.mp4 is 1 frame early (", " dB at lag -1, ", " at 0): --offset -1, or --align offset"],
        cure={"offset": -1},
        filters=("trim=start_frame=1", "null"),
    ),
    Row(
        "letterboxed on one side",
        "film.mkv",
        "bars.mp4",
        ["bars.mp4 has black bars where film.mkv has a picture: --crop_dist auto"],
        cure={"crop_dist": "auto", "crop_ref": "320:132:0:24"},
        filters=(CROP, CROP),
    ),
    Row(
        "letterboxed reference of a cropped video",
        "wide.mkv",
        "bars.mp4",
        ["320x180 scaled to 320x132 changes the aspect: --crop_dist auto?"],
        cure={"crop_dist": "auto"},
        filters=("null", CROP),
    ),
    Row(
        "cropped, not scaled",
        "film.mkv",
        "wide.mkv",
        ["320x132 scaled to 320x180 changes the aspect: --crop_ref auto?"],
        cure={"crop_ref": "0,0,24,24"},
        filters=(CROP, "null"),
    ),
    Row(
        "full range tagged limited",
        "film.mkv",
        "mistagged.mp4",
        ["luma of mistagged.mp4 is 1.16 times that of film.mkv", "--range_dist full"],
        cure={"range_dist": "full"},
        filters=("null", "scale=in_range=pc:out_range=tv"),
    ),
    Row("grey encode", "film.mkv", "grey.mp4", ["grey.mp4 is grey where film.mkv has colours, which models v0.6.1 do not see: "]),
    Row("encode without chroma", "film.mkv", "gray.mp4", ["gray.mp4 is grey where film.mkv has colours, which models v0.6.1 do not see: "]),
    Row(
        "reference and distorted video exchanged",
        "blurred.mp4",
        "film.mkv",
        ["blurred.mp4 is blurrier than film.mkv in 40 of 40 frames, as if it were the encode: exchange -r and -d"],
    ),
    Row(
        "plain encode and its source exchanged",
        "noisy.mp4",
        "noisy.mkv",
        ["noisy.mp4 looks like the encode, with fewer bits and ", " less detail than noisy.mkv: exchange -r and -d"],
    ),
    Row(
        "360p against a display",
        "large.mkv",
        "large.mkv",
        ["the videos are 640x360 and model vmaf_v0.6.1 is made for 1080p: --display 1080p"],
        None,
        cure={"display": "1080p"},
        filters=(TO_1080P, TO_1080P),
    ),
    Row(
        "VMAF v1 of a smaller encode",
        "large.mkv",
        "small.mp4",
        ["-m v1 is vmaf_v1.0.16_3d0h:cambi.enc_width=320:cambi.enc_height=180:cambi.enc_bitdepth=8 (display 1080p, up to 40 frames/s)"],
        None,
        options={"models": "v1"},
        cure={"models": "v1"},
        filters=(TEN_BITS, f"scale=640:360:flags=bicubic,{TEN_BITS}"),
    ),
]


def find_in_order(parts: list[str], text: str) -> None:
    for part in parts:
        assert part in text, (part, text)
        text = text[text.index(part) + len(part) :]


def psnr_by_ffmpeg(folder: Path, ref: str, dis: str, filters: tuple[str, str] = ("null", "null")) -> list[float]:
    """PSNR of luma, frame by frame, to two decimals. Equal pictures have the library's largest value."""
    sides = [f"[{side}:v]{chain},settb=1/5,setpts=N[{side}]" for side, chain in enumerate(filters)]
    graph = ";".join([*sides, "[1][0]psnr=stats_file=psnr.log:shortest=1"])
    command = ["ffmpeg", "-nostdin", "-v", "error", "-i", ref, "-i", dis, "-lavfi", graph, "-f", "null", "-"]
    subprocess.run(command, cwd=folder, check=True)
    largest = 72 if TEN_BITS in graph else 60
    return [min(float(value), largest) for value in re.findall(r"psnr_y:(\S+)", (folder / "psnr.log").read_text())]


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
    says = [in_keywords(text) for text in row.says]
    find_in_order(says, "\n".join([*said, caplog.text]))
    if row.is_error is False:
        with pytest.raises(vm.VideoError) as raised:
            vm.score(row.ref, row.dis, gpu=None, strict=True, **row.options)
        find_in_order(says, str(raised.value))
    elif row.is_error is None:
        assert vm.score(row.ref, row.dis, gpu=None, strict=True, **row.options).notes == ()


@pytest.mark.parametrize("row", [row for row in ROWS if row.cure is not None], ids=lambda row: row.name)
def test_of_the_cure(folder, row):
    options = {"features": ["psnr"], "gpu": None, "strict": True} | row.cure
    result = vm.score(folder / row.ref, folder / row.dis, **options)
    expected = psnr_by_ffmpeg(folder, row.ref, row.dis, row.filters)
    assert result.frames["psnr_y"].tolist() == pytest.approx(expected, abs=0.006)


def test_a_model_that_is_made_for_sdr_is_in_the_record(folder):
    pair = (folder / "pq.mp4", folder / "pq.mp4")
    line = "made for SDR; for HDR use cvvdp"
    assert vm.score(*pair, gpu=None).comparison["conversions"] == [f"vmaf_v0.6.1: {line}"]
    results = vm.score_encodes(pair[0], [folder / "sdr.mp4", pair[1]], models="v1", gpu=None)
    assert line not in str(results[0].comparison)
    assert f"vmaf_v1.0.16_3d0h: {line}" in results[1].comparison["conversions"]


def run_tool(folder: Path, row: Row, *more: str) -> subprocess.CompletedProcess[str]:
    options = []
    if raw := row.options.get("raw"):
        for letter, value in zip("whpb", raw):
            options += [f"-{letter}", str(value)]
        options += ["--frame_cnt", str(row.options["count"])]
    if models := row.options.get("models"):
        options += ["-m", models]
    command = [str(TOOL), "-r", row.ref, "-d", row.dis, *options, "--gpu", "none", *more]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)


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


def test_a_ladder_with_a_deeper_encode(folder):
    """Each encode is scored in its own form, as in a run of its own."""
    names = ["-d", "dis.mp4", "-d", "ten.mp4", "-o", "{name}.json", "--json"]
    command = [str(TOOL), "-r", "ref.mp4", *names, "--gpu", "none", "-n", "--feature", "psnr"]
    assert subprocess.run(command, cwd=folder, capture_output=True, text=True).returncode == 0
    for name, form in (("dis", "null"), ("ten", TEN_BITS)):
        frames = json.loads((folder / f"{name}.json").read_text())["frames"]
        expected = psnr_by_ffmpeg(folder, "ref.mp4", f"{name}.mp4", (form, form))
        assert [frame["metrics"]["psnr_y"] for frame in frames] == pytest.approx(expected, abs=0.006)
