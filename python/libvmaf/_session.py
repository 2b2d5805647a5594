"""Sessions: frames in, scores out."""

from __future__ import annotations

import difflib
import operator
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Literal

from . import _core
from ._lists import features as features_by_name
from ._lists import models as builtin_models
from ._result import Result

__all__ = ["Features", "Gpu", "Model", "Models", "OptionValue", "Session", "read_shared"]

OptionValue = bool | int | float | str

_POOLING = {"min": 1, "max": 2, "mean": 3, "harmonic_mean": 4}
_OUTPUT_FORMATS = {".xml": 1, ".json": 2, ".csv": 3, ".sub": 4}


def whole_number(name: str, value: int, least: int) -> int:
    """The value of a keyword as an int. Any integer type is allowed, such as numpy's."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is {value!r}: a whole number is needed") from None
    if number < least:
        raise ValueError(f"{name} is {value!r}: a number from {least} on is needed")
    return number


def gpu_number(gpu: Gpu) -> int | None:
    """The number of a CUDA device. None: the CPU or a Vulkan device."""
    if gpu is None or gpu is False or vulkan_number(gpu) is not None:
        return None
    if gpu is True or gpu == "auto":
        return 0
    if isinstance(gpu, str):
        raise ValueError(f"gpu is {gpu!r}: a number, True, False, None, 'auto' or a Vulkan device such as 'vk0' is needed")
    return whole_number("gpu", gpu, 0)


def vulkan_number(gpu: Gpu) -> int | None:
    """The number of a Vulkan device: 0 for "vk0". None: `gpu` is something else."""
    found = re.fullmatch(r"vk(\d{1,4})", gpu) if isinstance(gpu, str) else None
    return int(found[1]) if found else None


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of a message: a known name that is similar. Empty: there is none."""
    names, word = list(known), name.lower()
    alike = [other for other in (word, f"float_{word}") if other in names] or difflib.get_close_matches(word, names, 1)
    return f": did you mean {alike[0]!r}?" if alike else ""


def _option_text(value: OptionValue) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else str(value)


def option_texts(options: Mapping[str, OptionValue]) -> dict[str, str]:
    return {key: _option_text(value) for key, value in options.items()}


class Model:
    """A model: a built-in version such as "vmaf_v0.6.1", or a JSON file (a path object, or a name that ends in .json).

    `name` is the column of its scores. `overloads` changes options of its features: {"vif": {"vif_enhn_gain_limit": 1.0}}.
    A model may be used by several sessions, one after the other or at once.
    """

    def __init__(
        self,
        source: str | os.PathLike[str],
        *,
        name: str = "vmaf",
        clip: bool = True,
        transform: bool = False,
        overloads: Mapping[str, Mapping[str, OptionValue]] | None = None,
    ) -> None:
        is_file = not isinstance(source, str) or source.endswith(".json")
        if source in CHOSEN_VERSIONS:
            raise ValueError(f"model {source!r} is chosen by video files, for score(): name a version of models() here")
        if not is_file and source not in (known := builtin_models()):
            raise ValueError(f"there is no built-in model {source!r}, and a file's name ends in .json{did_you_mean(str(source), known)}")
        self._source = source
        self._request = (str(source) if not is_file and not overloads else "", transform)
        flags = (0 if clip else 1) | (2 if transform else 0)
        self._core = _core.Model.load(os.fspath(source), is_file, name, flags)
        for feature, options in (overloads or {}).items():
            self._core.overload(feature, option_texts(options))

    @property
    def name(self) -> str:
        return self._core.name

    @property
    def is_collection(self) -> bool:
        """Whether it has a confidence interval: columns with _bagging, _stddev, _ci_p95_lo and _ci_p95_hi after the name."""
        return self._core.is_collection

    @property
    def label(self) -> str:
        """The version or the file."""
        return os.fspath(self._source)

    def __repr__(self) -> str:
        return f"<libvmaf.Model {str(self._source)!r} named {self.name!r}>"


#: A mapping has the arguments of Model(), as plain values.
ModelSource = Model | str | os.PathLike[str] | Mapping[str, Any]
Models = ModelSource | Iterable[ModelSource] | Mapping[str, str | os.PathLike[str] | Mapping[str, Any]]
Features = str | Iterable[str] | Mapping[str, Mapping[str, OptionValue] | None]
#: A string is "auto" or a Vulkan device: "vk0".
Gpu = int | bool | str | None



def model_sources(models: Models) -> list[ModelSource]:
    if isinstance(models, Mapping):
        return list(models.values())
    return [models] if isinstance(models, (Model, str, os.PathLike)) else list(models)


#: Names for a model that the videos choose.
CHOSEN_VERSIONS = ("auto", "v0", "v1")


def model_request(source: ModelSource) -> tuple[str, bool]:
    """The version of a built-in model, and whether its scores are transformed. Empty: another model, or one with overloads."""
    if isinstance(source, Model):
        return source._request
    return (source if isinstance(source, str) else "", False)


def with_chosen(models: Models, chosen: Sequence[tuple[str, bool, Sequence[tuple[str, str, str]]]]) -> Models:
    """The models, with each of CHOSEN_VERSIONS replaced by the model that was chosen."""

    def resolved(source: Any, version: str, transform: bool, overloads: Sequence[tuple[str, str, str]]) -> Any:
        if not isinstance(source, str) or source not in CHOSEN_VERSIONS:
            return source
        if not transform and not overloads:
            return version
        options: dict[str, dict[str, str]] = {}
        for feature, option, value in overloads:
            options.setdefault(feature, {})[option] = value
        return {"source": version, "transform": transform, "overloads": options}

    sources = [resolved(source, *choice) for source, choice in zip(model_sources(models), chosen)]
    return dict(zip(models, sources)) if isinstance(models, Mapping) else sources


def load_models(models: Models) -> list[Model]:
    def named(source: ModelSource, name: str | None) -> Model:
        if isinstance(source, Model):
            return source
        if isinstance(source, Mapping):
            return Model(**{"name": source["source"] if name is None else name, **source})
        return Model(source, name=os.path.basename(os.fspath(source)).removesuffix(".json") if name is None else name)

    sources = model_sources(models)
    # Two models of one name would share the first one's scores.
    names: list[str | None] = list(models) if isinstance(models, Mapping) else ["vmaf" if len(sources) == 1 else None] * len(sources)
    loaded = [named(source, name) for source, name in zip(sources, names)]
    columns = [model.name for model in loaded]
    if len(set(columns)) < len(columns):
        raise ValueError(f"models need names of their own, these have {columns}: Model(..., name=...)")
    return loaded


def feature_options(features: Features) -> list[tuple[str, dict[str, str]]]:
    if isinstance(features, Mapping):
        return [(name, option_texts(options or {})) for name, options in features.items()]
    return [(name, {}) for name in ([features] if isinstance(features, str) else features)]


def _stored_names(name: str) -> list[str]:
    """Names under which the library may store the column `name` of score files."""
    short = name.removeprefix("integer_")
    return [name, f"VMAF_integer_feature_{short}_score", f"VMAF_feature_{short}_score"]


class Session:
    """Scores of one clip, frame by frame.

    models    a version, a path, a Model, several of these, or {column: version}. A single version has the column "vmaf";
              several versions are columns themselves.
    features  names, or {name: {option: value}}.
    threads   worker threads of the CPU; None: one for each core that the process may use; 0: read() does all work.
    sharing   number of sessions that share the cores. If threads is None, each session gets its share of them.
    gpu       number of a CUDA device, True: the first; "vk0", "vk1"...: a Vulkan device; None and False: the CPU;
              "auto": the first CUDA device, else a discrete Vulkan device, else the CPU.
    subsample score every n-th frame. Pass all frames nevertheless.
    bpc       bits of uint16 planes that come without a Frame.
    stream    stream of CUDA arrays, as in DLPack: they are read after the work that is queued there. 1 (and 0, as in CUDA) is the
              default stream. Any other value is the handle of a stream (torch.cuda.current_stream().cuda_stream).

    Use a session from one thread at a time. A call at the same time as another thread's raises RuntimeError.
    """

    def __init__(
        self,
        *,
        models: Models = (),
        features: Features = (),
        threads: int | None = None,
        gpu: Gpu = None,
        subsample: int = 1,
        bpc: int | None = None,
        stream: int = 1,
        cpumask: int = 0,
        sharing: int = 1,
    ) -> None:
        self._models = load_models(models)
        named_features = feature_options(features)
        self._features = [name for name, _ in named_features]
        self._bpc = bpc or 0
        self._stream = stream
        self._next_index = 0
        self._result: Result | None = None
        self._core = _open(gpu, threads, sharing, subsample, cpumask)
        try:
            for model in self._models:
                self._core.use_model(model._core)
            for name, options in named_features:
                if name.removesuffix("_cuda") not in (known := features_by_name()):
                    raise ValueError(f"there is no feature {name!r}{did_you_mean(name, known)}")
                self._core.use_feature(name, options)
        except BaseException:
            self._core.close()
            raise

    @property
    def gpu(self) -> int | str | None:
        """The device that scores: CUDA's number, or "vk0" for a Vulkan device. None: the CPU."""
        return self._core.device if self._core.vulkan is None else f"vk{self._core.vulkan}"

    @property
    def models(self) -> tuple[Model, ...]:
        return tuple(self._models)

    @property
    def closed(self) -> bool:
        return not self._core.is_open

    @property
    def handle(self) -> int:
        """The address of the VmafContext, for functions of capi."""
        return self._core.handle

    @property
    def segment_overlap(self) -> tuple[int, int]:
        """Frames before and after a segment of a clip that must be read too, for its scores to be the whole clip's."""
        return self._core.segment_overlap()

    @property
    def frames_held(self) -> tuple[int, int]:
        """How many reference and distorted frames the session holds at most, the next one included."""
        return self._core.frames_held()

    def read(self, ref: Any, dis: Any, index: int | None = None) -> None:
        """Score a frame: a Frame, an array (luma alone) or a sequence of planes, of numpy or with __dlpack__.

        Arrays are not copied. Do not write to them until the library has released them: two or three calls later, at the latest when
        the session is closed. Pass frames in the order of the video. By default `index` counts up.
        """
        at = self._next_index if index is None else index
        self._core.read(ref, dis, at, self._bpc, self._stream)
        self._next_index = at + 1

    def append(self, segment: Session, skip: int, count: int) -> None:
        """Append the scores of a segment of a clip as the next `count` frames of this session, instead of read().

        `segment` has read the segment and the frames around it (segment_overlap), `skip` of them before it. It is finished, and has
        the same features and models. Append the segments in the clip's order. finish() then returns the same as a session that read
        the whole clip.
        """
        self.append_saved(segment.save_segment(skip, count))

    def save_segment(self, skip: int, count: int) -> bytes:
        """The scores of a segment as bytes, for append_saved() of a session in any process.

        This session must be finished. Only the same version of the library can read the bytes.
        """
        return self._core.save_segment(skip, count)

    def append_saved(self, saved: bytes) -> int:
        """append() for bytes of save_segment(). Returns the number of frames. Damaged bytes raise ValueError."""
        count = self._core.append_saved(saved)
        self._next_index += count
        return count

    def latest(self, name: str, wait: bool = False) -> float | None:
        """Score of the last finished frame. With `wait`, wait for the last one that can be known. None: there is none yet."""
        for model in self._models:
            if model.name == name:
                return self._core.latest(model._core, [], wait)
        return self._core.latest(None, _stored_names(name), wait)

    def import_score(self, name: str, value: float, index: int) -> None:
        """Add a score that was computed elsewhere."""
        self._core.import_feature_score(name, value, index)

    def pooled(
        self,
        name: str,
        method: Literal["min", "max", "mean", "harmonic_mean"] = "mean",
        first: int = 0,
        last: int | None = None,
    ) -> float:
        """The library's pooled score of a range of frames, the last one included."""
        end = self._next_index - 1 if last is None else last
        for model in self._models:
            if model.name == name:
                return self._core.pooled(model._core, _POOLING[method], first, end)
        refused: ValueError | None = None
        for stored in _stored_names(name):
            try:
                return self._core.feature_pooled(stored, _POOLING[method], first, end)
            except ValueError as error:
                refused = refused or error
        raise refused or ValueError(name)

    def finish(self) -> Result:
        """Flush, and return the scores of all frames. A second call returns the same."""
        if self._result is None:
            self._core.flush()
            self._result = self._predicted()
        return self._result

    def _finish_read(self, frames: int) -> Result:
        """finish() of frames that were read and flushed under `handle`, from index 0 on."""
        self._core.note_read(0, frames)
        self._next_index = frames
        self._result = self._predicted()
        return self._result

    def _predicted(self) -> Result:
        """All scores so far, including those of models."""
        for model in self._models:
            self._core.predict(model._core)
        return self._columns()

    def _columns(self) -> Result:
        index, frames, aggregate = self._core.columns()
        for array in (index, *frames.values()):
            array.flags.writeable = False
        return Result(index, frames, aggregate, asked=tuple(dict.fromkeys(self._asked(frames))))

    def _asked(self, columns: Iterable[str]) -> Iterator[str]:
        """Columns of the models and of the named features."""
        names = list(columns)
        yield from (model.name for model in self._models if model.name in names)
        for feature in self._features:
            yield from (name for name in names if _core.may_write(feature, name))

    def write(self, path: str | os.PathLike[str], score_format: str | None = None) -> None:
        """Write a score file by the library. The name selects the format: .xml, .json, .csv or .sub.

        `score_format` is one printf conversion of a double; "%.17g" keeps every bit of a score.
        """
        text = os.fspath(path)
        suffix = os.path.splitext(text)[1]
        if suffix not in _OUTPUT_FORMATS:
            raise ValueError(f"{text}: the name is to end in one of {', '.join(_OUTPUT_FORMATS)}")
        self._core.write(text, _OUTPUT_FORMATS[suffix], score_format)

    def close(self) -> None:
        """Finish frames that are still being scored, then free everything."""
        self._core.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        place = "closed" if self.closed else "CPU" if self.gpu is None else f"GPU {self.gpu}"
        return f"<libvmaf.Session {place}, {self._next_index} frames>"


def _open(gpu: Gpu, threads: int | None, sharing: int, subsample: int, cpumask: int) -> _core.Context:
    """CUDA devices need no worker threads. On a Vulkan device some features run on the CPU, so it gets threads."""
    threads = None if threads is None else whole_number("threads", threads, 0)
    subsample = whole_number("subsample", subsample, 1)
    vulkan = vulkan_number(gpu)
    if (device := gpu_number(gpu)) is not None:
        try:
            return _core.Context(threads or 0, subsample, cpumask, 0, device, None, True)
        except _core.DeviceError:
            if gpu != "auto":
                raise
            vulkan = _core.default_vulkan_device()
    if threads is None:
        threads = max(1, _core.available_cores() // sharing)
    try:
        return _core.Context(threads, subsample, cpumask, 0, None, vulkan, gpu != "auto")
    except _core.DeviceError:
        if gpu != "auto":
            raise
    return _core.Context(threads, subsample, cpumask, 0, None, None, False)


def read_shared(sessions: Sequence[Session], ref: Any, dis: Sequence[Any], index: int | None = None) -> None:
    """Score one frame of several sessions with one reference, which is held, uploaded and normalised once."""
    first = sessions[0] if sessions else None
    if first is None:
        raise ValueError("there is no session")
    at = first._next_index if index is None else index
    _core.Context.read_shared([session._core for session in sessions], ref, list(dis), at, first._bpc, first._stream)
    for session in sessions:
        session._next_index = at + 1
