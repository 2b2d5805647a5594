#!/usr/bin/env python3
"""CPU time that the Python package adds to the library's work for a 1080p frame, in microseconds: least of several runs.

usage: VENV/bin/python bench/bench_python.py [FRAMES]

Sessions have no features, so there is nothing to score. The time is that of read() for two frames with three planes each, and with worker
threads of passing them on. "C functions" wraps and reads the same frames by ctypes, with as little Python as possible.
"""
import ctypes
import sys
import time

import numpy

import libvmaf
from libvmaf import capi

RUNS = 7


def least_of(run, frames):
    best = float("inf")
    for _ in range(RUNS):
        start = time.process_time()
        run(frames)
        best = min(best, (time.process_time() - start) / frames)
    return best * 1e6


def planes():
    return [numpy.zeros(shape, numpy.uint8) for shape in ((1080, 1920), (540, 960), (540, 960))]


def of_session(threads, ref, dis):
    with libvmaf.Session(threads=threads) as session:

        def run(frames):
            for _ in range(frames):
                session.read(ref, dis)

        return least_of(run, FRAMES)


def of_latest(ref, dis):
    with libvmaf.Session(features=["psnr"], threads=0) as session:
        session.read(ref, dis)
        return least_of(lambda frames: [session.latest("psnr_y") for _ in range(frames)], FRAMES)


def of_ctypes(ref, dis):
    context = ctypes.c_void_p()
    assert capi.vmaf_init(context, capi.VmafConfiguration(1, 0, 0, 0, 0)) == 0

    def foreign(arrays):
        return capi.VmafForeignPicture(
            struct_size=ctypes.sizeof(capi.VmafForeignPicture),
            pix_fmt=capi.PIX_FMT_YUV420P,
            bpc=8,
            w=1920,
            h=1080,
            data=(ctypes.c_void_p * 3)(*(array.ctypes.data for array in arrays)),
            stride=(ctypes.c_ssize_t * 3)(*(array.strides[0] for array in arrays)),
        )

    foreigns, pictures, index = (foreign(ref), foreign(dis)), (capi.VmafPicture(), capi.VmafPicture()), 0

    def run(frames):
        nonlocal index
        for _ in range(frames):
            for picture, lent in zip(pictures, foreigns):
                capi.vmaf_picture_wrap(context, picture, lent)
            assert capi.vmaf_read_pictures(context, *pictures, index) == 0
            index += 1

    best = least_of(run, FRAMES)
    capi.vmaf_close(context)
    return best


FRAMES = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
ref, dis = planes(), planes()
print(f"Session.read, no threads: {of_session(0, ref, dis):6.2f} us a frame")
print(f"Session.read, 2 threads:  {of_session(2, ref, dis):6.2f} us a frame, the workers' time too")
print(f"Session.latest:           {of_latest(ref, dis):6.2f} us a call")
print(f"C functions by ctypes:    {of_ctypes(ref, dis):6.2f} us a frame")
