"""Features and models of the library: the lists of libvmaf_ext.h as Python objects."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from . import _core, capi

__all__ = ["Feature", "ModelInfo", "Option", "Output", "better", "features", "models"]

_TYPES = ("bool", "int", "real", "text")
#: By number in enum VmafOptionRole.
_ROLES = (
    None,
    "frame_rate",
    "display",
    "matrix",
    "transfer",
    "encode_width",
    "encode_height",
    "encode_depth",
    "source_width",
    "source_height",
    "display_height",
    "view_distance",
    "pixels_per_degree",
    "folder",
    "primaries",
)
_DIRECTIONS = (None, "higher", "lower")
_LARGEST = {"int": 2**31 - 1, "real": sys.float_info.max}


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a feature.

    `type` is "bool", "int", "real" or "text". `default` and `range` are texts, "" if there is none.
    `role` says what the option tells the feature: "frame_rate", "display", "matrix" and others of
    enum VmafOptionRole; None: it is a parameter of the metric.
    """

    name: str
    type: str
    default: str
    range: str
    help: str
    alias: str | None = None
    role: str | None = None
    least: float = 0
    most: float = 0


@dataclass(frozen=True, slots=True)
class Output:
    """A score that a feature may write. `better` is "higher", "lower" or None: the score does not measure quality."""

    name: str
    stored_name: str
    option: str | None
    better: str | None
    unit: str
    least: float
    most: float
    of_clip: bool
    help: str


@dataclass(frozen=True, slots=True)
class Feature:
    """A feature that sessions can compute, and the columns that it may write. `scores` describes the columns.

    `map` describes the values of map(name, ...). None: the feature has no map.
    """

    name: str
    help: str
    options: Mapping[str, Option]
    outputs: tuple[str, ...]
    scores: Mapping[str, Output]
    reads_chroma: bool
    sees_every_frame: bool
    min_size: tuple[int, int]
    gpu_tolerance: float
    map: str | None = None

    def option_with(self, role: str) -> Option | None:
        """The option of that role."""
        return next((option for option in self.options.values() if option.role == role), None)


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A built-in model, its features, and its purpose."""

    version: str
    features: tuple[str, ...]
    help: str = ""
    is_collection: bool = False
    reads_chroma: bool = False
    is_default: bool = False


def features() -> dict[str, Feature]:
    """Features of the library, by name."""
    return {feature.name: feature for feature in map(_feature, _listed(capi.vmaf_feature_list))}


def models() -> dict[str, ModelInfo]:
    """Built-in models and collections, by version."""
    return {model.version: model for model in map(_model, _listed(capi.vmaf_model_list))}


def better(column: str) -> str | None:
    """Which values of a column are better: "higher" or "lower". None: they do not measure quality. Options in the name are ignored.

    A column that no feature writes counts as a model's: higher is better.
    """
    return _DIRECTIONS[_core.direction(column)]


def _listed(next_after: Any) -> Iterator[Any]:
    element = next_after(None)
    while element:
        yield element.contents
        element = next_after(element)


def _null_terminated(pointers: Any) -> Iterator[Any]:
    index = 0
    while pointers[index]:
        yield pointers[index].contents
        index += 1


def _text_or_none(text: bytes | None) -> str | None:
    return None if text is None else text.decode()


def _default_text(option: Any, type_name: str) -> str:
    if type_name == "text":
        return str(option.default_text.decode())
    if type_name == "bool":
        return "true" if option.default_number else "false"
    return f"{option.default_number:.9g}" if option.least <= option.default_number <= option.most else ""


def _range_text(option: Any, type_name: str) -> str:
    if type_name not in _LARGEST:
        return ""
    least = "" if option.least <= -_LARGEST[type_name] else f"{option.least:.9g}"
    most = "" if option.most >= _LARGEST[type_name] else f"{option.most:.9g}"
    return f"{least}..{most}"


def _option(option: Any) -> Option:
    type_name = _TYPES[option.type]
    return Option(
        name=option.name.decode(),
        type=type_name,
        default=_default_text(option, type_name),
        range=_range_text(option, type_name),
        help=option.help.decode(),
        alias=_text_or_none(option.alias),
        role=_ROLES[option.role],
        least=option.least,
        most=option.most,
    )


def _output(output: Any) -> Output:
    return Output(
        name=output.log_name.decode(),
        stored_name=output.name.decode(),
        option=_text_or_none(output.option),
        better=_DIRECTIONS[output.direction],
        unit=output.unit.decode(),
        least=output.least,
        most=output.most,
        of_clip=output.scope != 0,
        help=output.help.decode(),
    )


def _feature(feature: Any) -> Feature:
    options = [_option(option) for option in _null_terminated(feature.options)]
    outputs = [_output(output) for output in _null_terminated(feature.outputs)]
    return Feature(
        name=feature.name.decode(),
        help=feature.help.decode(),
        options={option.name: option for option in options},
        outputs=tuple(output.name for output in outputs),
        scores={output.name: output for output in outputs},
        reads_chroma=feature.reads_chroma != 0,
        sees_every_frame=feature.sees_every_frame != 0,
        min_size=(feature.min_width_px, feature.min_height_px),
        gpu_tolerance=feature.gpu_tolerance,
        map=_text_or_none(feature.map),
    )


def _model(model: Any) -> ModelInfo:
    return ModelInfo(
        version=model.version.decode(),
        features=tuple(feature.name.decode() for feature in _null_terminated(model.features)),
        help=model.help.decode(),
        is_collection=model.is_collection != 0,
        reads_chroma=model.reads_chroma != 0,
        is_default=model.is_default != 0,
    )
