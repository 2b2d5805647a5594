#!/usr/bin/env python3
"""What a GPU does for a ladder: every kind of kernel and copy, how often and how long, for one reference and N encodes.

usage: VENV/bin/python bench/profile_ladder.py [--encodes N] [--frames N] [--size WIDTHxHEIGHT] [--model VERSION]
  default: 1 and 8 encodes, 96 frames, 1920x1080, vmaf_v0.6.1. Needs torch (its profiler sees all work of the process) and a GPU.

Tensors are in host memory, so that uploads are seen too. One line for each kind: how often it ran for a frame of the reference,
microseconds each, microseconds a pair, share of all. Kernels of several sessions run at the same time, and are slower then: their sum
exceeds the time that passes.
"""

import argparse
import collections

import torch
from torch_frames import moving_frame

import libvmaf

WARM_UP = 24


def pinned_frame(width, height, seed):
    return [plane.pin_memory() for plane in moving_frame(width, height, seed, "cpu")]


def profile(version, encodes, frames, ref, dis):
    model = libvmaf.Model(version)
    sessions = [libvmaf.Session(models=model, gpu=0) for _ in range(encodes)]

    def read(count):
        for i in range(count):
            shown = [dis[(i + k) % len(dis)] for k in range(encodes)]
            libvmaf.read_shared(sessions, ref[i % len(ref)], shown)

    read(WARM_UP)
    torch.cuda.synchronize()
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profiler:
        read(frames)
        torch.cuda.synchronize()
    for session in sessions:
        session.finish()
        session.close()
    count, microseconds = collections.Counter(), collections.Counter()
    first, last = [], []
    for event in profiler.events():
        if event.device_type == torch.autograd.DeviceType.CUDA:
            name = event.name.split("(")[0]
            count[name] += 1
            microseconds[name] += event.time_range.elapsed_us()
            first.append(event.time_range.start)
            last.append(event.time_range.end)
    total, pairs = sum(microseconds.values()), frames * encodes
    passed = max(last) - min(first)
    print(f"{encodes} encodes, {frames} frames: {total / pairs:.1f} us of work a pair in {passed / pairs:.1f} us that pass")
    for name, spent in microseconds.most_common():
        each = spent / count[name]
        print(f"  {name:<60} {count[name] / frames:6.2f} a frame {each:8.2f} us {spent / pairs:8.2f} us a pair {spent / total:6.1%}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--encodes", type=int, action="append")
    parser.add_argument("--frames", type=int, default=96)
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--model", default="vmaf_v0.6.1")
    chosen = parser.parse_args()
    width, height = map(int, chosen.size.split("x"))
    ref = [pinned_frame(width, height, 2 * i) for i in range(4)]
    dis = [pinned_frame(width, height, 2 * i + 1) for i in range(8)]
    for encodes in chosen.encodes or (1, 8):
        profile(chosen.model, encodes, chosen.frames, ref, dis)


main()
