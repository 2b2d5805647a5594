#!/usr/bin/env python3
"""Scores what a torch model makes of a degraded clip, beside the clip itself.

usage: score_torch_model.py REFERENCE DEGRADED MODEL.py

MODEL.py has a function load(), which returns a torch.nn.Module. The module takes frames as float32
of (N, 3, H, W) from 0 to 1 and gives frames of the reference's size. All frames are held in memory.
Needs ffmpeg, ffprobe and torch.
"""

import json
import runpy
import subprocess
import sys

import libvmaf
import numpy as np
import torch

FEATURES = ["psnr", "ssimulacra2"]
BATCH = 8


def frames_of(path):
    """Frames as uint8 of (N, 3, H, W), RGB."""
    probe = ["ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "stream=width,height", "-of", "json", path]
    stream = json.loads(subprocess.run(probe, check=True, capture_output=True).stdout)["streams"][0]
    decode = ["ffmpeg", "-v", "error", "-i", path, "-map", "0:v:0", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    samples = np.frombuffer(subprocess.run(decode, check=True, capture_output=True).stdout, np.uint8)
    frames = samples.reshape(-1, stream["height"], stream["width"], 3).transpose(0, 3, 1, 2)
    return torch.from_numpy(np.ascontiguousarray(frames))


def restored(model, frames):
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = model.to(device).eval()
    with torch.inference_mode():
        batches = [model(batch.to(device).float() / 255).clamp(0, 1).cpu() for batch in frames.split(BATCH)]
    return (torch.cat(batches) * 255).round().to(torch.uint8)


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    reference, degraded = frames_of(sys.argv[1]), frames_of(sys.argv[2])
    model = runpy.run_path(sys.argv[3])["load"]()
    # One clip at a time: VMAF looks at the motion between frames.
    for name, frames in (("degraded", degraded), ("restored", restored(model, degraded))):
        if frames.shape != reference.shape:
            print(f"{name}: {tuple(frames.shape)} is not the reference's shape {tuple(reference.shape)}")
            continue
        result = libvmaf.score_frames(reference, frames, format="rgb", models=["vmaf_v0.6.1neg"], features=FEATURES)
        print(f"{name}: " + ", ".join(f"{column} {result.pooled[column].mean:.3f}" for column in result.asked))


if __name__ == "__main__":
    main()
