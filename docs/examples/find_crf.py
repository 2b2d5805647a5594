#!/usr/bin/env python3
"""Finds the largest CRF whose encode still has the wanted VMAF. The reference is decoded once.

usage: find_crf.py REFERENCE VMAF [ENCODER-OPTION...]    (default: -c:v libx264 -preset medium)

All frames are held in memory as 8-bit 4:2:0, so take a clip of some seconds that stands for the
video. Needs ffmpeg and ffprobe.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import libvmaf
import numpy as np

LOWEST, HIGHEST = 0, 51  # what libx264 and libx265 take


def size_of(path):
    command = ["ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "stream=width,height", "-of", "json", path]
    stream = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["streams"][0]
    return stream["width"], stream["height"]


def decoded(path, width, height):
    """Frames one after the other, the planes of each as ffmpeg's rawvideo has them."""
    command = ["ffmpeg", "-v", "error", "-i", path, "-map", "0:v:0", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-"]
    samples = subprocess.run(command, check=True, capture_output=True).stdout
    return np.frombuffer(samples, np.uint8).reshape(-1, height * 3 // 2, width)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    path, wanted = sys.argv[1], float(sys.argv[2])
    encoder = sys.argv[3:] or ["-c:v", "libx264", "-preset", "medium"]
    width, height = size_of(path)
    if width % 2 or height % 2:
        sys.exit(f"{path} is {width}x{height}: 4:2:0 as one array needs even sizes")
    reference = decoded(path, width, height)

    def vmaf_at(crf, folder):
        encode = str(Path(folder) / "encode.mkv")
        subprocess.run(
            ["ffmpeg", "-v", "error", "-y", "-i", path, "-map", "0:v:0", *encoder, "-crf", str(crf), encode], check=True
        )
        result = libvmaf.score_frames(reference, decoded(encode, width, height), format="yuv420p")
        mean = result.pooled["vmaf"].mean
        print(f"crf {crf}: VMAF {mean:.2f}, {Path(encode).stat().st_size} bytes", flush=True)
        return mean

    # VMAF falls as the CRF rises: halve the range until it is known.
    with tempfile.TemporaryDirectory() as folder:
        low, high = LOWEST - 1, HIGHEST + 1  # VMAF at `low` is enough, at `high` it is not
        while high - low > 1:
            middle = (low + high) // 2
            if vmaf_at(middle, folder) >= wanted:
                low = middle
            else:
                high = middle
    if low < LOWEST:
        sys.exit(f"no encode has VMAF {wanted:g}")
    print(low)


if __name__ == "__main__":
    main()
