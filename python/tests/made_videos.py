"""Frames made by arithmetic, and files of them, for the tests of this package and of the catalogue."""

from __future__ import annotations

import numpy as np


def plane_sizes(pix_fmt, width, height):
    chroma_width = width if pix_fmt == "444" else (width + 1) // 2
    chroma_height = (height + 1) // 2 if pix_fmt == "420" else height
    return [(height, width)] + ([] if pix_fmt == "400" else 2 * [(chroma_height, chroma_width)])


def make_frame(index, *, pix_fmt="420", width=176, height=144, bpc=8, noise=0):
    """Moving waves. With noise they are a distorted version of the waves without."""
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


def rgb_video(seed, frames, rows, columns, bits=8):
    samples = np.random.default_rng(seed).integers(0, 2**bits, (frames, rows, columns, 3))
    return samples.astype(np.uint8 if bits == 8 else np.uint16)


WEIGHTS = {"bt601": (0.299, 0.587, 0.114), "bt709": (0.2126, 0.7152, 0.0722), "bt2020": (0.2627, 0.678, 0.0593)}


def yuv_of(rgb, bits, matrix, is_full):
    """Equations of ITU-T H.273 8.3 for R, G and B from 0 to 1."""
    red, green, blue = (rgb[..., channel].astype(np.float64) for channel in range(3))
    kr, kg, kb = WEIGHTS[matrix]
    luma = kr * red + kg * green + kb * blue
    cb, cr = (blue - luma) / (2 * (1 - kb)), (red - luma) / (2 * (1 - kr))
    if is_full:
        largest = 2**bits - 1
        values = [largest * luma, largest * cb + 2 ** (bits - 1), largest * cr + 2 ** (bits - 1)]
    else:
        unit = 2 ** (bits - 8)
        values = [unit * (219 * luma + 16), unit * (224 * cb + 128), unit * (224 * cr + 128)]
    return [np.clip(np.floor(value + 0.5), 0, 2**bits - 1).astype(np.uint8 if bits == 8 else np.uint16) for value in values]
