#!/usr/bin/env python3
"""Edits real clips, encodes them, and prints what `vmaf --align` finds: the table of
docs/alignment-results.md, which says when a result is right.

  bench/align_real.py VMAF CLIP...      needs ffmpeg with libx264
"""
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile

ENCODES = {"CRF 18": (18, 1), "CRF 30": (30, 1), "CRF 40": (40, 1), "CRF 26, half size": (26, 2)}
LAGS = {"none": 0, "1 late": 1, "7 early": -7}
EDITS = ["5 dropped", "5 repeated", "5 dropped, 5 repeated"]
FRAMES = 150
BLACK = -1


def edited(edit: str, frames: int) -> list[int]:
    """For each distorted frame the number of the reference frame that it shows."""
    shown = list(range(frames))
    lag = LAGS.get(edit, 0)
    if lag > 0:
        shown = [BLACK] * lag + shown[:-lag]
    if lag < 0:
        shown = shown[-lag:]
    places = sorted(random.Random(edit).sample(range(10, frames - 10), 10), reverse=True)
    for i, at in enumerate(places):
        if "dropped" in edit and i % 2 == 0:
            del shown[at]
        if "repeated" in edit and i % 2 == 1:
            shown.insert(at, shown[at])
    return shown


def ffmpeg(*arguments: str) -> None:
    subprocess.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-y", *arguments], check=True, cwd=folder)


def read_clip(clip: str) -> tuple[bytes, list[bytes]]:
    """ref.y4m: its header and frames."""
    ffmpeg("-i", str(pathlib.Path(clip).resolve()), "-frames:v", str(FRAMES), "-fps_mode", "passthrough", "-pix_fmt", "yuv420p", "ref.y4m")
    header, rest = (folder / "ref.y4m").read_bytes().split(b"\n", 1)
    width, height = (int(field[1:]) for field in header.decode().split() if field[0] in "WH")
    size = len(b"FRAME\n") + width * height + 2 * ((width + 1) // 2 * ((height + 1) // 2))
    return header + b"\n", [rest[at : at + size] for at in range(0, len(rest), size)]


def encode(header: bytes, frames: list[bytes], shown: list[int], crf: int, part: int) -> None:
    """dis.mp4"""
    luma = (len(frames[0]) - 6) * 2 // 3
    black = b"FRAME\n" + bytes([16]) * luma + bytes([128]) * (len(frames[0]) - 6 - luma)
    (folder / "shown.y4m").write_bytes(header + b"".join(black if i == BLACK else frames[i] for i in shown))
    scaled = f"scale=trunc(iw/{2 * part})*2:trunc(ih/{2 * part})*2"
    ffmpeg("-i", "shown.y4m", "-vf", scaled, "-c:v", "libx264", "-preset", "veryfast", "-threads", "1", "-crf", str(crf), "dis.mp4")


def vmaf(how: str) -> tuple[dict, str]:
    command = [tool, "-r", "ref.y4m", "-d", "dis.mp4", "--align", how, "--feature", "float_moment", "-n", "--gpu", "none", "-q", "--json", "-o", "-"]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=folder)
    return json.loads(done.stdout), done.stderr


def time_of(document: dict) -> dict:
    return document.get("comparison", {}).get("time", {})


def psnr_text(pairs: list[tuple[bytes, bytes]]) -> str:
    """PSNR of some luma samples of the pairs."""
    squares = [(a - b) ** 2 for one, other in pairs for a, b in zip(one[6 : len(one) * 2 // 3 : 13], other[6 : len(one) * 2 // 3 : 13])]
    return f"{10 * math.log10(255**2 * len(squares) / max(1, sum(squares))):.0f} dB"


def judged(edit: str, frames: list[bytes], shown: list[int], crf: int) -> dict[str, str]:
    """For each way to align: what is wrong; empty if nothing is."""
    wrong = {}
    if edit in LAGS:
        found = time_of(vmaf("offset")[0]).get("offset", 0)
        wrong["offset"] = "" if found == LAGS[edit] else f"offset {'refused' if found is None else found}"
    said = vmaf("check")[1]
    warned = "--align" in said or "--offset" in said
    wrong["check"] = "" if warned == (edit != "none") else "warned" if warned else "no warning"
    document = vmaf("frames")[0]
    rows = [(shown[frame["frameNum"]], frame.get("ref_frame", frame["frameNum"])) for frame in document["frames"]]
    right = sum(1 for picture, found in rows if picture in (BLACK, found))
    all_shown = sum(1 for picture in shown if picture != BLACK)
    is_right = right >= (0.95 if crf >= 40 else 0.99) * len(rows) and len(rows) >= 0.98 * all_shown
    if edit == "none":
        is_right = not any(time_of(document).get(name) for name in ("offset", "dropped", "repeated"))
    others = [(frames[picture], frames[found]) for picture, found in rows if picture not in (BLACK, found)]
    wrong["frames"] = "" if is_right else f"{len(others)} of {len(shown)} frames get others (of {psnr_text(others)})" if others else "frames are left out"
    return wrong


tool = str(pathlib.Path(sys.argv[1]).resolve())
print("| clip | edit | `offset` | `check` | `frames` | what fails |\n| --- | --- | --- | --- | --- | --- |")
with tempfile.TemporaryDirectory() as made:
    folder = pathlib.Path(made)
    for clip in sys.argv[2:]:
        header, frames = read_clip(clip)
        for edit in [*LAGS, *EDITS]:
            shown = edited(edit, len(frames))
            results = {}
            for name, (crf, part) in ENCODES.items():
                encode(header, frames, shown, crf, part)
                results[name] = judged(edit, frames, shown, crf)
            counts = [
                f"{sum(1 for wrong in results.values() if not wrong[how])} of {len(results)}" if how in results["CRF 18"] else ""
                for how in ("offset", "check", "frames")
            ]
            misses = [f"{name}: {', '.join(what for what in wrong.values() if what)}" for name, wrong in results.items() if any(wrong.values())]
            print("|", " | ".join([pathlib.Path(clip).name, edit, *counts, "; ".join(misses)]), "|", flush=True)
