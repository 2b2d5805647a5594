"""Scores of whole videos as arrays."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._lists import features as known_features
from ._result import Result
from ._session import Features, Gpu, Models, Session, feature_options, model_sources

__all__ = ["score_frames"]

Format = Literal["rgb", "bgr", "gray", "yuv420p", "yuv422p", "yuv444p"]
Matrix = Literal["bt601", "bt709", "bt2020"]
Range = Literal["limited", "full"]

#: The weights of red and blue in luma (ITU-T H.273).
_WEIGHTS = {"bt601": (0.299, 0.114), "bt709": (0.2126, 0.0722), "bt2020": (0.2627, 0.0593)}
#: Subsampling of chroma: columns and rows of luma for each sample.
_CHROMA_STEPS = {"yuv420p": (2, 2), "yuv422p": (2, 1), "yuv444p": (1, 1)}
_FORMATS = ("rgb", "bgr", "gray", *_CHROMA_STEPS)
#: Values of the option for matrix and range.
_MATRIX_OPTIONS = {
    ("bt709", "limited"): 0, ("bt601", "limited"): 1, ("bt709", "full"): 2,
    ("bt601", "full"): 3, ("bt2020", "limited"): 4, ("bt2020", "full"): 5,
}  # fmt: skip
_CUDA_DEVICES = (2, 13)


def score_frames(
    ref: Any,
    dis: Any,
    *,
    format: Format,
    bpc: int | None = None,
    matrix: Matrix | None = None,
    range: Range = "limited",
    fps: float | None = None,
    models: Models = "auto",
    features: Features = (),
    gpu: Gpu = "auto",
    threads: int | None = None,
    subsample: int = 1,
    stream: int = 1,
) -> Result:
    """Score frames that are arrays: numpy's, torch's, cupy's, or anything with the array interface, the buffer protocol or DLPack.

    format    layout of the arrays, for N frames of H rows and W columns:
              "rgb", "bgr"  (N, H, W, 3) or (N, 3, H, W), or a sequence of N frames of (H, W, 3) or (3, H, W)
              "gray"        (N, H, W) or (N, H, W, 1): luma alone, as it is
              "yuv444p"     (N, 3, H, W) or (N, H, W, 3), or a sequence of three planes, (N, H, W) each
              "yuv420p"     a sequence of three planes, (N, H, W) and twice (N, H/2, W/2), rounded up; or (N, H*3/2, W), the
                            planes of a frame one after the other, as ffmpeg's rawvideo has them
              "yuv422p"     as "yuv420p": (N, H, W) and twice (N, H, W/2), or (N, H*2, W)
    bpc       bits of a sample: 8 for uint8; needed for uint16. RGB may be floating point from 0 to 1. It is scored at 8 bits or `bpc`.
    matrix, range
              of YUV: how the samples are coded, for colour metrics. Of RGB, which has full range: the target of its conversion to
              4:4:4. None: "bt709" for RGB, and the default of each feature for YUV.
    fps       frames per second, for features that ask for it.
    models    as for Session, or "auto", the built-in model for the height. If you name features, the model is still scored;
              models=[] leaves it out.
    features, threads, subsample, stream
              as for Session.
    gpu       as for Session. "auto": the device of the arrays; for host arrays the first GPU, or the CPU if there is none.

    Arrays in the memory of a CUDA device are scored there. RGB must be in host memory.
    """
    if format not in _FORMATS:
        raise ValueError(f"format is {format!r}: one of {', '.join(map(repr, _FORMATS))} is needed")
    for name, value, known in (("matrix", matrix, (None, *_WEIGHTS)), ("range", range, ("limited", "full"))):
        if value not in known:
            raise ValueError(f"{name} is {value!r}: one of {', '.join(map(repr, known))} is needed")
    sides = [_video("ref", ref, format), _video("dis", dis, format)]
    (first, _), (second, _) = sizes = [(side.frames, side.size) for side in sides]
    if sizes[0] != sizes[1]:
        raise ValueError("ref has {} frames of {}, dis {} of {}: they have to be alike".format(first, sizes[0][1], second, sizes[1][1]))
    if first == 0:
        raise ValueError("ref and dis have no frames")
    bits = _bits(sides, bpc)
    toward = _RgbToYuv.of(matrix or "bt709", range, bits)
    device = next((side.device for side in sides if side.device is not None), None)
    with Session(
        models=_for_height(models, sides[0].size[0]),
        features=_with_clip_options(features, matrix, range, fps),
        gpu=device if gpu == "auto" and device is not None else gpu,
        threads=threads,
        subsample=subsample,
        bpc=bits,
        stream=stream,
    ) as session:
        for pair in zip(*(side.pictures(toward) for side in sides)):
            session.read(*pair)
        return dataclasses.replace(session.finish(), frame_rate=fps)


class _Video(NamedTuple):
    """Frames as one sequence, or as one for each plane."""

    name: str
    format: Format
    planes: Sequence[Any]
    frames: int
    #: Rows and columns of luma.
    size: tuple[int, int]
    dtype: str
    #: The number of a CUDA device. None: host memory.
    device: int | None

    def pictures(self, toward: _RgbToYuv) -> Iterator[Sequence[Any]]:
        """The frames, one after the other, as arguments for Session.read()."""
        for at in range(self.frames):
            planes = [plane[at] for plane in self.planes]
            if self.format in ("rgb", "bgr"):
                yield toward.planes(_channels_last(_host(planes[0])), is_bgr=self.format == "bgr")
            elif len(planes) == 3:
                yield planes
            else:
                yield self._split(planes[0])

    def _split(self, frame: Any) -> Sequence[Any]:
        rows, columns = self.size
        if self.format == "gray":
            return [frame.reshape(rows, columns)]
        if len(frame.shape) == 3 and frame.shape[0] == 3:
            return [frame[0], frame[1], frame[2]]
        if len(frame.shape) == 3:
            planes = [frame[..., 0], frame[..., 1], frame[..., 2]]
            return planes if self.device is not None else [np.ascontiguousarray(plane) for plane in planes]
        chroma = _chroma_size(self.format, self.size)
        samples, area = frame.reshape(-1), chroma[0] * chroma[1]
        return [
            samples[: rows * columns].reshape(rows, columns),
            samples[rows * columns : rows * columns + area].reshape(*chroma),
            samples[rows * columns + area :].reshape(*chroma),
        ]


class _RgbToYuv(NamedTuple):
    """Conversion of RGB from 0 to 1 to 4:4:4 samples."""

    matrix: NDArray[np.float64]
    offset: NDArray[np.float64]
    largest: int

    @staticmethod
    def of(matrix: Matrix, range: Range, bits: int) -> _RgbToYuv:
        red, blue = _WEIGHTS[matrix]
        luma = np.array([red, 1 - red - blue, blue])
        rows = np.array([luma, ([0, 0, 1] - luma) / (2 - 2 * blue), ([1, 0, 0] - luma) / (2 - 2 * red)])
        step, largest = 1 << (bits - 8), (1 << bits) - 1
        scale, black = ([219 * step, 224 * step, 224 * step], 16 * step) if range == "limited" else (3 * [largest], 0)
        return _RgbToYuv(rows * np.array(scale)[:, None], np.array([black, 128 * step, 128 * step], np.float64), largest)

    def planes(self, pixels: NDArray[Any], *, is_bgr: bool) -> list[NDArray[Any]]:
        """Samples, rounded to the nearest. Without BLAS, whose results differ between machines."""
        is_float = pixels.dtype.kind == "f"
        matrix = (self.matrix[:, ::-1] if is_bgr else self.matrix) / (1 if is_float else self.largest)
        channels = np.moveaxis(pixels, 2, 0).astype(np.float64, order="C")
        made = []
        for weights, offset in zip(matrix, self.offset + 0.5):
            samples = weights[0] * channels[0]
            for weight, channel in zip(weights[1:], channels[1:]):
                samples += weight * channel
            samples += offset
            np.clip(samples, 0, self.largest, out=samples)  # the conversion below cuts off the fraction
            made.append(samples.astype(np.uint8 if self.largest == 255 else np.uint16))
        return made


def _video(name: str, video: Any, format: Format) -> _Video:
    is_rgb = format in ("rgb", "bgr")
    if isinstance(video, (list, tuple)):
        if is_rgb:
            return _of_rgb(name, format, [_array(name, frame) for frame in video])
        if format == "gray" or len(video) != 3:
            raise ValueError(f"{name} is a sequence of {len(video)}: an array{'' if format == 'gray' else ', or three of the planes,'} is needed")
        planes = [_array(name, plane) for plane in video]
        shapes = [tuple(plane.shape) for plane in planes]
        if len(shapes[0]) != 3 or any(shape != (shapes[0][0], *_chroma_size(format, shapes[0][1:])) for shape in shapes[1:]):
            raise ValueError(f"{name} has planes of {shapes}: (N, H, W) and twice the chroma's size of {format} are needed")
        return _Video(name, format, planes, shapes[0][0], shapes[0][1:], str(planes[0].dtype), _device(planes[0]))
    array = _array(name, video)
    if is_rgb:
        return _of_rgb(name, format, array)
    shape = tuple(array.shape)
    return _Video(name, format, [array], shape[0], _size_of_array(name, format, shape), str(array.dtype), _device(array))


def _of_rgb(name: str, format: Format, frames: Any) -> _Video:
    if len(frames) == 0:
        return _Video(name, format, [frames], 0, (0, 0), "uint8", None)
    for frame in frames if isinstance(frames, list) else frames[:1]:
        shape = tuple(frame.shape)
        if len(shape) != 3 or 3 not in (shape[0], shape[2]):
            raise ValueError(f"{name} has frames of the shape {shape}: (H, W, 3) or (3, H, W) is needed{_one_frame(shape)}")
        if _device(frame) is not None:
            raise ValueError(f"{name} is {format} on a GPU: pass it in host memory (.cpu()), or as yuv444p")
        if frame.dtype != frames[0].dtype or shape != tuple(frames[0].shape):
            raise ValueError(f"{name} has frames of different shapes or types")
    rows, columns = shape[:2] if shape[2] == 3 else shape[1:]
    return _Video(name, format, [frames], len(frames), (rows, columns), str(frames[0].dtype), None)


def _size_of_array(name: str, format: Format, shape: tuple[int, ...]) -> tuple[int, int]:
    """Rows and columns of luma."""
    if format == "gray" and (len(shape) == 3 or shape[3:] == (1,)):
        return (shape[1], shape[2])
    if format == "yuv444p" and len(shape) == 4 and 3 in (shape[1], shape[3]):
        return (shape[2], shape[3]) if shape[1] == 3 else (shape[1], shape[2])
    thirds = {"yuv420p": 3, "yuv422p": 2}.get(format)
    if thirds and len(shape) == 3 and shape[1] % thirds == 0 and shape[2] % 2 == 0:
        rows = shape[1] * 2 // 3 if format == "yuv420p" else shape[1] // 2
        if rows % 2 == 0 or format == "yuv422p":
            return (rows, shape[2])
    needed = {
        "gray": "(N, H, W)", "yuv444p": "(N, 3, H, W) or (N, H, W, 3)", "yuv422p": "(N, H*2, W) of an even width",
        "yuv420p": "(N, H*3/2, W) of an even height and width",
    }  # fmt: skip
    planes = "" if format == "gray" else ", or a sequence of three planes"
    raise ValueError(f"{name} has the shape {shape}: {needed[format]} is needed for {format}{planes}{_one_frame(shape)}")


def _one_frame(shape: tuple[int, ...]) -> str:
    return "; a single frame is array[None]" if len(shape) == 2 else ""


def _chroma_size(format: Format, luma: Sequence[int]) -> tuple[int, int]:
    columns, rows = _CHROMA_STEPS[format]
    return -(-luma[0] // rows), -(-luma[1] // columns)


def _channels_last(frame: NDArray[Any]) -> NDArray[Any]:
    return frame if frame.shape[2] == 3 else np.moveaxis(frame, 0, 2)


def _array(name: str, video: Any) -> Any:
    """An array with shape and dtype whose items are its frames. In host memory it is numpy's."""
    if _device(video) is not None:
        return video
    try:
        return _host(video)
    except (TypeError, ValueError, RuntimeError) as error:
        raise TypeError(f"{name} is a {type(video).__name__}, no array: {error}") from error


def _host(video: Any) -> NDArray[Any]:
    if isinstance(video, np.ndarray) or not hasattr(video, "__dlpack__"):
        array = np.asarray(video)
    else:
        array = np.from_dlpack(video)
    if array.dtype.kind not in "uif":
        raise TypeError(f"it holds {array.dtype}")
    return array


def _device(array: Any) -> int | None:
    if not hasattr(array, "__dlpack_device__"):
        return None
    kind, number = array.__dlpack_device__()
    return int(number) if kind in _CUDA_DEVICES else None


def _bits(sides: Sequence[_Video], bpc: int | None) -> int:
    types = [side.dtype.removeprefix("torch.") for side in sides]
    if types[0] != types[1]:
        raise TypeError(f"ref holds {types[0]}, dis {types[1]}: the same is needed")
    is_float = types[0].startswith("float") and sides[0].format in ("rgb", "bgr")
    if types[0] not in ("uint8", "uint16") and not is_float:
        raise TypeError(f"ref and dis hold {types[0]}: uint8 or uint16 is needed, or floating point from 0 to 1 for RGB")
    if types[0] == "uint16" and bpc is None:
        raise ValueError("bpc is needed for uint16: the bits of a sample, such as 10")
    if types[0] == "uint8" and bpc not in (None, 8):
        raise ValueError(f"bpc is {bpc}, and uint8 has 8 bits")
    bits = 8 if bpc is None else bpc
    if not 8 <= bits <= 16 or (types[0] == "uint16" and bits == 8):
        raise ValueError(f"bpc is {bits}: 10, 12 or 16 is needed for uint16")
    return bits


def _for_height(models: Models, height: int) -> Models:
    """The models, with "auto" replaced by the model for the height."""

    def chosen(source: Any) -> Any:
        return _core.model_for_height(height) if source == "auto" else source

    if isinstance(models, Mapping):
        return {name: chosen(source) for name, source in models.items()}
    return [chosen(source) for source in model_sources(models)]


def _with_clip_options(features: Features, matrix: Matrix | None, range: Range, fps: float | None) -> Features:
    """Features with the options that describe the clip. The caller's own options have priority."""
    told: dict[str, Any] = {"frame_rate": fps}
    if matrix is not None or range != "limited":
        told["matrix"] = _MATRIX_OPTIONS[matrix or "bt709", range]
    known = known_features()
    chosen: dict[str, dict[str, Any]] = {}
    for name, options in feature_options(features):
        chosen[name] = dict(options)
        feature = known.get(name.removesuffix("_cuda"))
        for role, value in told.items() if feature else ():
            option = feature.option_with(role) if feature else None
            if option and value is not None and not {option.name, option.alias} & set(options):
                chosen[name][option.name] = value
    return chosen
