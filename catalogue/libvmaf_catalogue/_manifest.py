"""Manifests: which clips there are, and what each is scored with."""

from __future__ import annotations

import csv
import io
import json
import os
import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ._store import read_input

__all__ = ["Clip", "Encode", "ManifestError", "RawFormat", "read_manifest"]

Json = Any


class ManifestError(ValueError):
    """A manifest that says nothing that could be done."""


@dataclass(frozen=True, slots=True)
class RawFormat:
    """Format of a raw planar file."""

    width: int
    height: int
    pix_fmt: str = "420"
    bpc: int = 8


@dataclass(frozen=True, slots=True)
class Encode:
    """A distorted video of a clip."""

    name: str
    url: str
    bitrate: float | None = None


@dataclass(frozen=True, slots=True)
class Clip:
    """A row of the manifest: a reference and its encodes. None: the job's default."""

    id: str
    reference: str
    encodes: tuple[Encode, ...]
    models: Json = None
    features: Json = None
    subsample: int | None = None
    reference_raw: RawFormat | None = None
    encode_raw: RawFormat | None = None
    tags: Json = None

    def to_json(self) -> str:
        """Always the same text for the same row. The order of features is that of columns."""
        row: dict[str, Json] = {"id": self.id, "reference": self.reference}
        row["encodes"] = [_without_none(encode, ("name", "url", "bitrate")) for encode in self.encodes]
        for encode in row["encodes"]:
            if "bitrate" in encode:
                encode["bitrate"] = float(encode["bitrate"])
        for key in ("models", "features", "subsample", "tags"):
            if getattr(self, key) is not None:
                row[key] = getattr(self, key)
        for key in ("reference_raw", "encode_raw"):
            if getattr(self, key) is not None:
                row[key] = _without_none(getattr(self, key), ("width", "height", "pix_fmt", "bpc"))
        return json.dumps(row, ensure_ascii=False, separators=(",", ":"))

    @staticmethod
    def from_json(text: str) -> Clip:
        return clip_of(json.loads(text), "")


def _without_none(item: object, keys: Iterable[str]) -> dict[str, Json]:
    return {key: getattr(item, key) for key in keys if getattr(item, key) is not None}


_KEYS = {"id", "reference", "encodes", "models", "features", "subsample", "reference_raw", "encode_raw", "tags"}
_CSV_KEYS = (_KEYS - {"encodes"}) | {"name", "url", "bitrate"}


def read_manifest(path: str) -> list[Clip]:
    """Read a file or URL that ends in .csv, .jsonl, .ndjson or .parquet. Relative names start in its folder."""
    readers: dict[str, Callable[[bytes], Iterator[Mapping[str, Json]]]] = {
        ".csv": _csv_rows,
        ".jsonl": _json_rows,
        ".ndjson": _json_rows,
        ".parquet": _parquet_rows,
    }
    suffix = posixpath.splitext(path)[1].lower()
    if suffix not in readers:
        raise ManifestError(f"{path}: the name of a manifest ends in one of {', '.join(readers)}")
    base = path if "://" in path else os.path.abspath(path)
    clips: list[Clip] = []
    seen: set[str] = set()
    for number, row in enumerate(readers[suffix](read_input(path)), 1):
        where = f"{path}: row {number}: "
        clip = clip_of(row, where, os.path.dirname(base))
        if clip.id in seen:
            raise ManifestError(f"{where}there is a clip {clip.id!r} before")
        seen.add(clip.id)
        clips.append(clip)
    if not clips:
        raise ManifestError(f"{path}: there is no clip")
    return clips


def _json_rows(content: bytes) -> Iterator[Mapping[str, Json]]:
    for number, line in enumerate(_text(content).splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            raise ManifestError(f"line {number} is not JSON: {error}") from None
        if not isinstance(row, dict):
            raise ManifestError(f"line {number} is no JSON object")
        yield row


def _parquet_rows(content: bytes) -> Iterator[Mapping[str, Json]]:
    try:
        table = pq.read_table(pa.BufferReader(content))
    except pa.ArrowException as error:
        raise ManifestError(f"the manifest is not Parquet: {error}") from None
    for batch in table.to_batches():
        yield from batch.to_pylist()


def _csv_rows(content: bytes) -> Iterator[Mapping[str, Json]]:
    """One encode a line; lines of one id are a clip and say the same of all but the encode."""
    clips: dict[str, dict[str, Json]] = {}
    reader = csv.DictReader(io.StringIO(_text(content)))
    unknown = set(reader.fieldnames or ()) - _CSV_KEYS
    if unknown:
        raise ManifestError(f"columns {', '.join(sorted(unknown))} are unknown, {', '.join(sorted(_CSV_KEYS))} are known")
    for line in reader:
        if None in line:
            raise ManifestError(f"line {reader.line_num} has more fields than the header")
        encode = {key: line.pop(key) for key in ("name", "url", "bitrate") if line.get(key)}
        row: dict[str, Json] = {key: value for key, value in line.items() if value}
        first = clips.setdefault(row.get("id", ""), {**row, "encodes": []})
        if row != {key: value for key, value in first.items() if key != "encodes"}:
            raise ManifestError(f"line {reader.line_num} says another thing of clip {row.get('id')!r} than the line before")
        first["encodes"].append(encode)
    yield from clips.values()


def _text(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ManifestError(f"the manifest is not UTF-8: {error}") from None


def clip_of(row: Mapping[str, Json], where: str, folder: str = "") -> Clip:
    """Checks a row. `folder` is where relative names are looked for."""

    def refuse(why: str) -> ManifestError:
        return ManifestError(where + why)

    given = {key: value for key, value in row.items() if value is not None}
    unknown = set(given) - _KEYS
    if unknown:
        raise refuse(f"{', '.join(sorted(unknown))} is unknown")
    for key in ("id", "reference"):
        if not isinstance(given.get(key), str) or not given[key]:
            raise refuse(f"{key} is to be a text")
    encodes = tuple(_encode_of(encode, folder, refuse) for encode in _decoded(given.get("encodes"), refuse) or ())
    if not encodes:
        raise refuse("there is no encode")
    names = [encode.name for encode in encodes]
    if len(set(names)) < len(names):
        raise refuse(f"encodes need names of their own, these have {names}")
    subsample = given.get("subsample")
    return Clip(
        id=given["id"],
        reference=_absolute(given["reference"], folder),
        encodes=encodes,
        models=absolute_models(_models_of(given.get("models"), refuse), folder),
        features=_features_of(given.get("features"), refuse),
        subsample=None if subsample is None else _positive(subsample, "subsample", refuse),
        reference_raw=_raw_of(given.get("reference_raw"), refuse),
        encode_raw=_raw_of(given.get("encode_raw"), refuse),
        tags=_tags(given.get("tags")),
    )


Refuse = Callable[[str], ManifestError]


def _encode_of(encode: Json, folder: str, refuse: Refuse) -> Encode:
    if not isinstance(encode, Mapping) or not isinstance(encode.get("url"), str) or not encode["url"]:
        raise refuse("an encode is to have a url")
    unknown = set(encode) - {"name", "url", "bitrate"}
    if unknown:
        raise refuse(f"{', '.join(sorted(unknown))} of an encode is unknown")
    bitrate = encode.get("bitrate")
    try:
        rate = None if bitrate is None else float(bitrate)
    except (TypeError, ValueError):
        raise refuse(f"bitrate is {bitrate!r}: a number is needed") from None
    name = encode.get("name") or posixpath.basename(encode["url"])
    return Encode(str(name), _absolute(encode["url"], folder), rate)


def _absolute(path: str, folder: str) -> str:
    if "://" in path or not folder:
        return path
    return posixpath.join(folder, path) if "://" in folder else os.path.normpath(os.path.join(folder, path))


def absolute_models(models: Json, folder: str) -> Json:
    """The models, with absolute paths for files."""

    def absolute(source: str) -> str:
        return _absolute(source, folder) if source.endswith(".json") else source

    if isinstance(models, Mapping):
        return {name: absolute(source) for name, source in models.items()}
    return [absolute(source) for source in models] if models is not None else None


def _decoded(value: Json, refuse: Refuse) -> Json:
    """The value of a text cell in CSV or flat Parquet, which may be JSON."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(value)
        except json.JSONDecodeError as error:
            raise refuse(f"{value!r} is not JSON: {error}") from None
    return value


def _listed(value: Json, refuse: Refuse) -> Json:
    """Models or features: a name, several with ; between them, a list, or a JSON object."""
    value = _decoded(value, refuse)
    if isinstance(value, str):
        value = [name.strip() for name in value.split(";") if name.strip()]
    if value is None or (isinstance(value, Mapping) and all(isinstance(name, str) for name in value)):
        return value
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise refuse(f"{value!r}: a name, a list of names or an object is needed")
    return value


def _models_of(value: Json, refuse: Refuse) -> Json:
    models = _listed(value, refuse)
    if isinstance(models, Mapping) and not all(isinstance(source, str) for source in models.values()):
        raise refuse(f"{models!r}: a model is a version, 'auto', 'v0', 'v1' or a JSON file")
    return models


def _features_of(value: Json, refuse: Refuse) -> Json:
    features = _listed(value, refuse)
    if isinstance(features, Mapping) and not all(options is None or isinstance(options, Mapping) for options in features.values()):
        raise refuse(f"{features!r}: options of a feature are an object")
    return features


def _positive(value: Json, name: str, refuse: Refuse) -> int:
    try:
        number = int(value)
    except (TypeError, ValueError):
        number = 0
    if number < 1 or number != float(value):
        raise refuse(f"{name} is {value!r}: a whole number from 1 on is needed")
    return number


def _raw_of(value: Json, refuse: Refuse) -> RawFormat | None:
    """An object, or WIDTHxHEIGHT[:PIX_FMT[:BITS]]."""
    value = _decoded(value, refuse)
    if value is None:
        return None
    if isinstance(value, str):
        size, *more = value.split(":")
        keys = ("width", "height", "pix_fmt", "bpc")
        value = dict(zip(keys, [*size.split("x"), *more]))
    if not isinstance(value, Mapping) or not {"width", "height"} <= set(value) <= {"width", "height", "pix_fmt", "bpc"}:
        raise refuse(f"{value!r}: a raw format has width, height, pix_fmt and bpc")
    return RawFormat(
        _positive(value["width"], "width", refuse),
        _positive(value["height"], "height", refuse),
        str(value.get("pix_fmt") or "420"),
        _positive(value.get("bpc") or 8, "bpc", refuse),
    )


def _tags(value: Json) -> Json:
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(value)
        except json.JSONDecodeError:
            return value
    return value
