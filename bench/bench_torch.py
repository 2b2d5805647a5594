#!/usr/bin/env python3
"""Pairs of torch tensors that are scored on a GPU each second. Compare with bench_cuda --feed device --fill 200, which does so from C++.

usage: VENV/bin/python bench/bench_torch.py [--seconds S] [--runs N] [--size WIDTHxHEIGHT] [--model VERSION]
  default: 2 s a run, 5 runs, 1920x1080 and 3840x2160, vmaf_v0.6.1. Needs torch and a GPU.

Tensors are filled before and lent, not copied. One line for each size, frames/s (median of the runs, least and most in brackets): until
the last frame is scored, which is what bench_cuda measures, and until the result with the model's scores of all frames is there.
"""

import argparse
import statistics
import time

import torch
from torch_frames import moving_frame

import libvmaf

PERIOD = 8  # pairs, together larger than caches


def rates(model, pairs, seconds):
    """Frames a second until all are scored, and until the result is there."""
    with libvmaf.Session(models=model, gpu=0) as session:
        for ref, dis in 25 * pairs:
            session.read(ref, dis)
        frames, start = 0, time.monotonic()
        while time.monotonic() - start < seconds:
            for ref, dis in pairs:
                session.read(ref, dis)
            frames += len(pairs)
        session.latest("vmaf", wait=True)
        scored = time.monotonic()
        session.finish()
        return frames / (scored - start), frames / (time.monotonic() - start)


def in_words(values):
    return f"{statistics.median(values):.0f} frames/s ({min(values):.0f}..{max(values):.0f})"


parser = argparse.ArgumentParser()
parser.add_argument("--seconds", type=float, default=2)
parser.add_argument("--runs", type=int, default=5)
parser.add_argument("--size", action="append")
parser.add_argument("--model", default="vmaf_v0.6.1")
chosen = parser.parse_args()
for size in chosen.size or ("1920x1080", "3840x2160"):
    width, height = map(int, size.split("x"))
    pairs = [tuple(moving_frame(width, height, 2 * i + k, "cuda") for k in range(2)) for i in range(PERIOD)]
    torch.cuda.synchronize()
    scored, finished = zip(*(rates(chosen.model, pairs, chosen.seconds) for _ in range(chosen.runs)))
    print(f"{size} {chosen.model}: {in_words(scored)}, with the result {in_words(finished)}", flush=True)
