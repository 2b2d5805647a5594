"""The server of the Model Context Protocol, used by the protocol's own client over standard input and output."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

pytest.importorskip("mcp", reason="the SDK of the Model Context Protocol is not installed")

from anyio.from_thread import start_blocking_portal
from mcp import Client, StdioServerParameters

import libvmaf as vm
from libvmaf import _files
from made_videos import make_frame, write_y4m

COMMAND = str(Path(sys.executable).with_name("vmaf-mcp"))


def write_png(path, luma):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    height, width = luma.shape
    rows = b"".join(b"\0" + row.tobytes() for row in luma)
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Videos in one of two allowed folders, and beside the folders a file that nobody may see."""
    top = tmp_path_factory.mktemp("mcp")
    folder = top / "allowed"
    folder.mkdir()
    (top / "second").mkdir()
    ref, dis = [make_frame(i) for i in range(6)], [make_frame(i, noise=1 + i % 3) for i in range(6)]
    write_y4m(folder / "ref.y4m", ref)
    write_y4m(folder / "dis.y4m", dis)
    write_y4m(top / "second" / "dis.y4m", dis)
    write_y4m(top / "outside.y4m", dis)
    with open(folder / "endless.yuv", "wb") as file:  # long enough: hours of black
        file.truncate(10**11)
    (folder / "cut.y4m").write_bytes((folder / "dis.y4m").read_bytes()[:-100])
    (folder / "out").symlink_to(top)
    (folder / "in.y4m").symlink_to("dis.y4m")
    (folder / "list.txt").write_text("ffconcat version 1.0\nfile ../outside.y4m\n")
    (folder / "list.m3u8").write_text("#EXTM3U\n")
    (folder / "list.mpd").write_text("<?xml version='1.0'?><MPD/>")
    (folder / "text.json").write_text("{}")
    (folder / "images").mkdir()
    (folder / "bad").mkdir()
    for number in range(3):
        write_png(folder / "images" / f"frame_{number:02d}.png", ref[number][0])
        write_png(top / f"secret_{number}.png", ref[number][0])
    (folder / "bad" / "0.png").symlink_to(top / "secret_0.png")
    (folder / "bad" / "list0.png").write_text("#EXTM3U\n")
    os.mkfifo(folder / "fifo")
    return folder


@pytest.fixture(scope="module")
def use(folder):
    """Calls a coroutine function with a client. Its server may read the folder and its neighbour `second`."""
    server = StdioServerParameters(command=COMMAND, args=[str(folder), str(folder.parent / "second")])
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(Client(server)) as client:
        yield lambda function: portal.call(function, client)


@pytest.fixture(scope="module")
def call(use):
    """The structure in a tool's answer."""

    def call(tool, **arguments):
        answer = use(lambda client: client.call_tool(tool, arguments))
        assert not answer.is_error, answer.content
        return answer.structured_content

    return call


@pytest.fixture(scope="module")
def refusal(use):
    """The text of the error in a tool's answer."""

    def refusal(tool, **arguments):
        answer = use(lambda client: client.call_tool(tool, arguments))
        assert answer.is_error
        return "".join(part.text for part in answer.content)

    return refusal


def test_tools(use):
    tools = use(lambda client: client.list_tools()).tools
    assert {tool.name for tool in tools} == {"list_models", "list_features", "list_gpus", "report", "score", "show_worst_frames", "summarize_report"}
    assert all(tool.annotations.read_only_hint and tool.description for tool in tools)


def test_lists_are_the_librarys(use):
    async def lists(client):
        return [(await client.call_tool(name, {})).structured_content["result"] for name in ("list_models", "list_features", "list_gpus")]

    models, features, gpus = use(lists)
    assert {row["version"]: tuple(row["features"]) for row in models} == {row.version: row.features for row in vm.models().values()}
    assert {row["name"]: (row["help"], tuple(row["outputs"]), len(row["options"])) for row in features} == {
        row.name: (row.help, row.outputs, len(row.options)) for row in vm.features().values()
    }
    assert [row["name"] for row in gpus] == [gpu.name for gpu in vm.gpus()]


def test_one_feature(call, refusal):
    (cambi,) = call("list_features", name="cambi")["result"]
    assert [option["name"] for option in cambi["options"]] == list(vm.features()["cambi"].options)
    assert "there is no feature 'camby'" in refusal("list_features", name="camby")


def six_digits(value):
    return float(f"{value:.6f}")


def check_statistics(summary, result):
    assert summary["frames"] == len(result)
    assert set(summary["scores"]) == set(result.frames)
    for name, pooled in result.pooled.items():
        for statistic in ("mean", "harmonic_mean", "min", "p1", "p5", "median", "p95", "p99", "max", "stddev", "scored", "missing"):
            assert summary["scores"][name][statistic] == six_digits(getattr(pooled, statistic))


def test_a_pair(folder, call):
    expected = vm.score(folder / "ref.y4m", folder / "dis.y4m", features={"psnr": {"enable_apsnr": True}}, models="vmaf_v0.6.1", gpu=None)
    summary = call(
        "score", reference="ref.y4m", distorted=str(folder / "dis.y4m"), models=["vmaf_v0.6.1"],
        features={"psnr": {"enable_apsnr": True}}, gpu="cpu", worst=2,
    )  # fmt: skip
    check_statistics(summary, expected)
    assert summary["whole_clip"] == {name: six_digits(value) for name, value in expected.aggregate.items()}
    ranked = sorted(zip(map(six_digits, expected.frames["vmaf"]), range(6)))
    assert summary["worst_by"] == "vmaf"
    assert [(row["score"], row["frame"], row["seconds"]) for row in summary["worst"]] == [(s, i, i / 25) for s, i in ranked[:2]]


def test_lower_scores_may_be_better_and_equal_pictures_are_infinite(folder, call):
    features = ["butteraugli", "xpsnr"]
    expected = vm.score(folder / "ref.y4m", folder / "dis.y4m", features=features, gpu=None)
    summary = call("score", reference="ref.y4m", distorted="dis.y4m", features=features, gpu="cpu", worst=2, worst_by="butteraugli_max")
    ranked = sorted(zip(map(six_digits, expected.frames["butteraugli_max"]), range(6)), key=lambda item: (-item[0], item[1]))
    assert [(row["score"], row["frame"]) for row in summary["worst"]] == ranked[:2]
    assert (summary["better"]["butteraugli_max"], summary["better"]["xpsnr_y"]) == ("lower", "higher")
    summary = call("score", reference="ref.y4m", distorted="ref.y4m", models=[], features=["xpsnr"], gpu="cpu", worst=1)
    assert summary["scores"]["xpsnr_y"]["mean"] == summary["whole_clip"]["axpsnr_y"] == "Infinity"
    assert summary["scores"]["xpsnr_y"]["missing"] == 0 and summary["scores"]["xpsnr_y"]["stddev"] is None
    assert summary["worst"] == [{"frame": 0, "seconds": 0, "score": "Infinity"}]


def test_the_model_stays_unless_it_is_left_out(folder, call):
    pair = {"reference": "ref.y4m", "distorted": "dis.y4m", "features": ["psnr"], "gpu": "cpu", "worst": 0}
    check_statistics(call("score", **pair), vm.score(folder / "ref.y4m", folder / "dis.y4m", models="vmaf_v0.6.1", features=["psnr"], gpu=None))
    check_statistics(call("score", **pair, models=[]), vm.score(folder / "ref.y4m", folder / "dis.y4m", models=[], features=["psnr"], gpu=None))


def test_options_of_a_pair(folder, call):
    expected = vm.score(folder / "ref.y4m", folder / "dis.y4m", features=["psnr"], skip=1, count=3, gpu=None)
    summary = call(
        "score", reference="in.y4m", distorted=str(folder.parent / "second/dis.y4m"), features=["psnr"], gpu="cpu"
    )
    assert summary["frames"] == 6
    summary = call(
        "score", reference="./ref.y4m", distorted="../allowed/in.y4m", features=["psnr"], skip=1, count=3, gpu="cpu",
        worst_by="psnr_cb",
    )  # fmt: skip
    check_statistics(summary, expected)
    assert summary["worst_by"] == "psnr_cb"


def test_numbered_images(call, refusal):
    if not _files.has_media_support():
        pytest.skip("built without media files")
    pair = {"reference": "images/frame_%02d.png", "distorted": "images/frame_%02d.png", "features": ["psnr"], "gpu": "cpu"}
    summary = call("score", **pair, fps="24000/1001", worst=2, offset=-1)
    assert summary["frames"] == 2
    assert summary["worst"][1]["seconds"] == pytest.approx(1001 / 24000)
    for path in ("../secret_%d.png", "out/secret_%d.png", "images/other_%d.png", "/etc/x%d.png", "bad/%d.png", "nothing/%d.png"):
        refused = refusal("score", **pair | {"reference": path})
        assert "no file in the folders that may be read" in refused and "secret_0" not in refused.replace(path, "")
    assert "list of other files" in refusal("score", **pair | {"reference": "bad/list%d.png"})


def test_how_files_are_read(folder, call, refusal):
    """Reads the scores as the package does."""
    late = call("score", reference="ref.y4m", distorted="dis.y4m", features=["psnr"], gpu="cpu", offset=2)
    check_statistics(late, vm.score(folder / "ref.y4m", folder / "dis.y4m", features=["psnr"], skip=(0, 2), gpu=None))
    aligned = call("score", reference="ref.y4m", distorted="dis.y4m", features=["psnr"], gpu="cpu", align="frames")
    check_statistics(aligned, vm.score(folder / "ref.y4m", folder / "dis.y4m", features=["psnr"], align="frames", gpu=None))
    assert "align" in refusal("score", reference="ref.y4m", distorted="dis.y4m", align="some")
    if not _files.has_media_support() or shutil.which("ffmpeg") is None:
        pytest.skip("no media files, or no ffmpeg")
    turn = ["-i", "dis.y4m", "-c:v", "libx264", "-qp", "0", "-y", "upright.mp4"], ["-i", "upright.mp4", "-c", "copy", "-metadata:s:v", "rotate=90", "-y", "turned.mp4"]
    for arguments in turn:
        subprocess.run(["ffmpeg", "-nostdin", "-v", "error", *arguments], cwd=folder, check=True)
    stored = call("score", reference="ref.y4m", distorted="turned.mp4", features=["psnr"], gpu="cpu", autorotate=False)
    check_statistics(stored, vm.score(folder / "ref.y4m", folder / "dis.y4m", features=["psnr"], gpu=None))


@pytest.mark.parametrize(
    "path",
    ["../outside.y4m", "out/outside.y4m", "/etc/passwd", "nothing.y4m", "../nothing.y4m", "-", "", "a\0b", "file:ref.y4m", "http://localhost/ref.y4m"],
)  # fmt: skip
def test_what_lies_outside_is_refused_there_or_not(refusal, path):
    refused = refusal("score", reference="ref.y4m", distorted=path, gpu="cpu")
    assert f"{path!r}" in refused and ("no file in the folders that may be read" in refused or path == "")
    assert f"{path!r}" in refusal("summarize_report", path=path)
    if path != "":
        assert f"{path + '.json'!r}" in refusal("score", reference="ref.y4m", distorted="dis.y4m", models=[path + ".json"])


def test_what_is_no_video_is_refused(refusal):
    for name in ("list.txt", "list.m3u8", "list.mpd"):
        assert "list of other files" in refusal("score", reference=name, distorted="dis.y4m", gpu="cpu")
    assert "no regular file" in refusal("score", reference="fifo", distorted="dis.y4m", gpu="cpu")
    assert "no regular file" in refusal("summarize_report", path=".")


def test_errors_are_the_packages(folder, refusal):
    pair = {"reference": "ref.y4m", "distorted": "dis.y4m", "gpu": "cpu"}
    assert "cut.y4m" in refusal("score", **pair | {"distorted": "cut.y4m"})
    assert "vmaf_v7" in refusal("score", **pair, models=["vmaf_v7"])
    assert "vuf" in refusal("score", **pair, features=["vuf"])
    assert "heatmaps_path" in refusal("score", **pair, features={"cambi": {"heatmaps_path": str(folder)}})
    assert "subsample" in refusal("score", **pair, subsample=0)
    assert "there is no column 'x'" in refusal("score", **pair, features=["psnr"], worst_by="x")
    assert "no file of scores" in refusal("summarize_report", path="text.json")
    if not vm.gpus():
        assert refusal("score", **pair | {"gpu": 0})


def test_a_report(folder, call):
    result = vm.score(folder / "ref.y4m", folder / "dis.y4m", features={"psnr": {"enable_apsnr": True}}, gpu=None)
    for name in ("scores.json", "scores.csv"):
        result.write(folder / name)
        summary = call("summarize_report", path=name, worst=1)
        check_statistics(summary, result)
        worst = int(result.frames[summary["worst_by"]].argmin())
        assert [(row["frame"], row["seconds"]) for row in summary["worst"]] == [(worst, None)]


def test_a_page(folder, use, refusal):
    results = vm.score_encodes(folder / "ref.y4m", [folder / "dis.y4m", folder / "in.y4m"], models=[], features=["psnr"], gpu=None)
    for number, result in enumerate(results):
        result.write(folder / f"scores{number}.json")
    answer = use(lambda client: client.call_tool("report", {"scores": ["scores0.json", "scores1.json"]}))
    (content,) = answer.content
    assert not answer.is_error and content.resource.mime_type == "text/html"
    data = json.loads(re.search(r'id="vmaf-data">(.*?)</script>', content.resource.text, re.DOTALL).group(1))
    assert [encode["label"] for encode in data["encodes"]] == ["scores0.json", "scores1.json"]
    assert data["encodes"][1]["pooled"]["psnr_y"]["mean"] == pytest.approx(results[1].pooled["psnr_y"].mean)
    assert "no file in the folders" in refusal("report", scores=["scores0.json", "../outside.json"])


def test_worst_frames_are_pictures(folder, use, refusal):
    pair = {"reference": "ref.y4m", "distorted": "dis.y4m", "models": [], "features": ["psnr"], "gpu": "cpu"}
    answer = use(lambda client: client.call_tool("show_worst_frames", pair | {"count": 1}))
    assert not answer.is_error, answer.content
    order, said, *pictures = answer.content
    scores = vm.score(folder / "ref.y4m", folder / "dis.y4m", models=[], features=["psnr"], gpu=None).frames["psnr_y"]
    worst = int(scores.argmin())
    assert order.text == "The lowest of psnr_y." and said.text.startswith(f"Frame {worst}: {scores[worst]:.2f}.")
    assert [(picture.type, picture.mime_type) for picture in pictures] == [("image", "image/png")] * 3
    reference = base64.b64decode(pictures[0].data)
    assert reference[:8] == b"\x89PNG\r\n\x1a\n" and pictures[0].data != pictures[1].data
    height, width = make_frame(0)[0].shape
    assert struct.unpack(">II", reference[16:24]) == (width, height)
    assert "no file in the folders" in refusal("show_worst_frames", **pair | {"distorted": "../outside.y4m"})
    for bad in ("path=/etc/passwd", "version=vmaf_v0.6.1:path=/etc/passwd", "vmaf_v7"):
        assert "there is no built-in model" in refusal("show_worst_frames", **pair | {"models": [bad]})
    assert "there is no feature" in refusal("show_worst_frames", **pair | {"features": ["cambi=heatmaps_path=/tmp"]})


def test_progress(use):
    seen = []

    async def report(done, total, message):
        seen.append((done, total))

    arguments = {"reference": "ref.y4m", "distorted": "dis.y4m", "features": ["psnr"], "gpu": "cpu"}
    answer = use(lambda client: client.call_tool("score", arguments, progress_callback=report))
    assert not answer.is_error
    assert seen[-1] == (6, 6)


def test_a_scoring_that_is_called_off_ends(use):
    """This also ends the wait of the next call, because one pair is scored at a time."""
    raw = {"width": 640, "height": 480}
    endless = {"reference": "endless.yuv", "distorted": "endless.yuv", "raw": raw, "features": ["psnr"], "gpu": "cpu"}
    short = {"reference": "ref.y4m", "distorted": "dis.y4m", "features": ["psnr"], "gpu": "cpu"}

    async def call_off(client):
        begun = asyncio.Event()

        async def report(done, total, message):
            begun.set()

        scoring = asyncio.create_task(client.call_tool("score", endless, progress_callback=report))
        await begun.wait()
        scoring.cancel()
        with pytest.raises(asyncio.CancelledError):
            await scoring
        return await asyncio.wait_for(client.call_tool("score", short), 300)

    assert use(call_off).structured_content["frames"] == 6


def test_command_line(folder, tmp_path):
    def run(*arguments):
        return subprocess.run([COMMAND, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=tmp_path)

    assert run("--help").returncode == 0
    nothing = run("nothing")
    assert nothing.returncode == 2 and "nothing" in nothing.stderr
    assert run(str(folder / "ref.y4m")).returncode == 2
    assert run("--threads", "-1").returncode == 2
    ended = run()
    assert (ended.returncode, ended.stdout) == (0, "")


def test_without_the_sdk_the_command_says_what_to_install(tmp_path):
    program = "import sys; sys.modules['mcp.server'] = None; from libvmaf._mcp_command import main; sys.exit(main([]))"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path)
    assert ended.returncode == 1 and "libvmaf[mcp]" in ended.stderr
