"""Frames made by arithmetic, and files of them: for the tests of this package and of the catalogue."""

from __future__ import annotations

import numpy as np


def plane_sizes(pix_fmt, width, height):
    chroma_width = width if pix_fmt == "444" else (width + 1) // 2
    chroma_height = (height + 1) // 2 if pix_fmt == "420" else height
    return [(height, width)] + ([] if pix_fmt == "400" else 2 * [(chroma_height, chroma_width)])


def make_frame(index, *, pix_fmt="420", width=176, height=144, bpc=8, noise=0):
    """Moving waves; with noise, a distorted version of them."""
    top = (1 << bpc) - 1
    planes = []
    for number, (rows, columns) in enumerate(plane_sizes(pix_fmt, width, height)):
        y, x = np.mgrid[0:rows, 0:columns]
        wave = np.sin((x + 3 * index) / (5 + number)) + np.cos((y - index) / (7 + number)) + 0.4 * np.sin(x * y / 50)
        samples = (wave + 2.4) / 4.8 * top
        if noise:
            samples = samples + (((x * 7919 + y * 104729 + index * 31) % 17) - 8) * noise * (1 << (bpc - 8))
        planes.append(np.clip(samples, 0, top).astype(np.uint8 if bpc == 8 else np.uint16))
    return planes


def write_raw(path, frames):
    with open(path, "wb") as file:
        for planes in frames:
            for plane in planes:
                file.write(plane.tobytes())
    return path


def write_y4m(path, frames, chroma="420jpeg", rate="25:1"):
    height, width = frames[0][0].shape
    with open(path, "wb") as file:
        file.write(f"YUV4MPEG2 W{width} H{height} F{rate} Ip C{chroma}\n".encode())
        for planes in frames:
            file.write(b"FRAME\n")
            for plane in planes:
                file.write(plane.tobytes())
    return path
