"""A job: what is scored, with which options, and how its output is divided. It is kept beside the output, in job.json and manifest.parquet."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

import libvmaf as vm
from ._lock import JobError, driving
from ._manifest import Clip
from ._store import Store
from ._tables import DamagedTable, TableWriter, read_table

__all__ = ["Job", "JobError", "JobOptions", "Shard", "begin_job", "clip_key"]

_FORMAT = 1
_JOB, _MANIFEST = "job.json", "manifest.parquet"
#: Before the key of a clip in the name of a file with several.
_BATCH = "batch-"


@dataclass(frozen=True)
class JobOptions:
    """Options that change scores or the division of the output. Clips may override the first three."""

    models: Any = None
    features: Any = None
    subsample: int = 1
    segment_seconds: float = 20.0
    clips_per_shard: int = 32
    #: Keywords of libvmaf.score(): how files are read, such as scale, filter_dist or strict.
    reading: Mapping[str, Any] = field(default_factory=dict)

    def scoring(self, clip: Clip) -> dict[str, Any]:
        """Keywords of libvmaf.score() for a clip."""
        models = self.models if clip.models is None else clip.models
        features = self.features if clip.features is None else clip.features
        features = () if features is None else features
        if models is None:  # no model is scored if only features are named
            models = () if features else "auto"
        return {
            "models": models,
            "features": features,
            "subsample": clip.subsample or self.subsample,
        }


@dataclass(frozen=True, slots=True)
class Shard:
    """Clips that share files of the output: rows of manifest.parquet."""

    prefix: str
    number: int
    first: int
    count: int

    @property
    def frames_name(self) -> str:
        return f"frames/id_prefix={self.prefix}/part-{self.number:05d}.parquet"

    @property
    def summary_name(self) -> str:
        return f"summary/part-{self.prefix}-{self.number:05d}.parquet"

    @property
    def segments_folder(self) -> str:
        return f"_segments/{self.prefix}-{self.number:05d}"

    def segment_name(self, clip_id: str, segment: int) -> str:
        return f"{self.segments_folder}/{clip_key(clip_id)}-{segment:05d}.parquet"

    def batch_name(self, first_clip_id: str, clips: int) -> str:
        """Name of a file with several clips of one segment each."""
        return f"{self.segments_folder}/{_BATCH}{clip_key(first_clip_id)}-{clips:05d}.parquet"

    @staticmethod
    def is_batch(name: str) -> bool:
        return name.rpartition("/")[2].startswith(_BATCH)

    @staticmethod
    def segments_in(name: str) -> int:
        """Number of segments in a file, by its name."""
        return int(name.rpartition("-")[2].removesuffix(".parquet")) if Shard.is_batch(name) else 1


def clip_key(clip_id: str) -> str:
    """A key for file names, because an id may have any characters."""
    return hashlib.sha256(clip_id.encode()).hexdigest()[:20]


def _prefix(clip_id: str) -> str:
    return clip_key(clip_id)[:2]


@dataclass(frozen=True)
class Job:
    store: Store
    options: JobOptions
    #: Digest of the manifest, the options and the library's version. Files of other jobs have
    #: another one.
    digest: str
    shards: Sequence[Shard]
    _rows: pa.Table

    def clips(self, shard: Shard) -> list[Clip]:
        rows = self._rows.slice(shard.first, shard.count)
        return [Clip.from_json(text) for text in rows.column("clip").to_pylist()]

    @property
    def clip_count(self) -> int:
        return int(self._rows.num_rows)

    @functools.cached_property
    def _shards_of_rows(self) -> Sequence[Shard]:
        return [shard for shard in self.shards for _ in range(shard.count)]

    @functools.cached_property
    def encode_count(self) -> int:
        return sum(len(Clip.from_json(text).encodes) for text in self._rows.column("clip").to_pylist())

    def shard_of(self, row: int) -> Shard:
        return self._shards_of_rows[row]

    def shard_with(self, clip_id: str) -> Shard:
        for row, known in enumerate(self._rows.column("id").to_pylist()):
            if known == clip_id:
                return self.shard_of(row)
        raise KeyError(clip_id)

    def clip(self, row: int) -> Clip:
        return Clip.from_json(self._rows.column("clip")[row].as_py())

    @staticmethod
    def open(store: Store) -> Job:
        """One that was begun."""
        try:
            facts = json.loads(store.read(_JOB))
            options = JobOptions(**facts["options"])
            rows = read_table(store.read(_MANIFEST))
        except FileNotFoundError:
            raise JobError(f"{store.url}: there is no job") from None
        except (ValueError, KeyError, TypeError, DamagedTable) as error:
            raise JobError(f"{store.url}: {_JOB} and {_MANIFEST} are damaged ({error})") from None
        if facts.get("format") != _FORMAT:
            raise JobError(f"{store.url}: the job is of another version of this program")
        if _digest_of(rows.column("clip").to_pylist()) != facts["manifest"]:
            raise JobError(f"{store.url}: {_MANIFEST} is not the job's")
        return Job(store, options, facts["digest"], list(_shards(rows.column("prefix").to_pylist(), options)), rows)

    @staticmethod
    def begin(store: Store, clips: Sequence[Clip], options: JobOptions, *, resume: bool = False, restart: bool = False) -> Job:
        """Begin a job. With `resume`, go on with the same job; with `restart`, delete an earlier one first."""
        with driving(store):
            return begin_job(store, clips, options, resume=resume, restart=restart)

    def check_is_there(self) -> None:
        """Another driver may have put its own in its place."""
        if (_known(self.store) or {}).get("digest") != self.digest:
            raise JobError(f"{self.store.url}: the job that was begun there is another one now, or gone")


def begin_job(store: Store, clips: Sequence[Clip], options: JobOptions, *, resume: bool, restart: bool) -> Job:
    """Job.begin() for who is driving()."""
    ordered = sorted(clips, key=lambda clip: _prefix(clip.id))  # the manifest's order within a prefix
    texts = [clip.to_json() for clip in ordered]
    facts: dict[str, Any] = {
        "format": _FORMAT,
        "library": vm.version(),
        "manifest": _digest_of(texts),
        "clips": len(clips),
        "encodes": sum(len(clip.encodes) for clip in clips),
        "options": dataclasses.asdict(options),
    }
    facts["digest"] = _digest_of([json.dumps(facts)])
    if restart:
        _delete(store)
    else:
        known = _known(store)
        if known is not None and not resume:
            raise JobError(f"{store.url}: there is a job: --resume goes on with it, --force-restart deletes what it has done")
        # As text: the order of features is that of columns.
        differing = [key for key in facts if json.dumps((known or {}).get(key)) != json.dumps(facts[key]) and key != "digest"]
        if known is not None and differing:
            raise JobError(
                f"{store.url}: the job there has another {' and '.join(differing)}: give it what it was begun with, or --force-restart, which deletes what it has done"
            )
        if known is not None:
            return Job.open(store)
        if store.list("frames") or store.list("summary"):
            raise JobError(f"{store.url}: there are frames or a summary, and no job: give another folder, or --force-restart, which deletes them")
    rows = pa.table({"prefix": [_prefix(clip.id) for clip in ordered], "id": [clip.id for clip in ordered], "clip": texts})
    with store.writing(_MANIFEST) as file:
        writer = TableWriter(file, rows.schema)
        for batch in range(0, rows.num_rows, 1024):
            writer.write(rows.slice(batch, 1024))
        writer.close()
    store.write(_JOB, (json.dumps(facts, indent=1) + "\n").encode())
    return Job.open(store)


def _known(store: Store) -> dict[str, Any] | None:
    try:
        facts = json.loads(store.read(_JOB))
    except FileNotFoundError:
        return None
    except ValueError:
        raise JobError(f"{store.url}: {_JOB} is damaged: --force-restart begins anew") from None
    return facts if isinstance(facts, dict) else {}


def _delete(store: Store) -> None:
    for name in (_JOB, _MANIFEST, "plan.parquet"):
        store.remove(name)
    for folder in ("_segments", "summary", "frames"):
        store.remove_folder(folder)


def _digest_of(texts: Sequence[str]) -> str:
    digest = hashlib.sha256()
    for text in texts:
        digest.update(text.encode())
        digest.update(b"\n")
    return digest.hexdigest()


def _shards(prefixes: Sequence[str], options: JobOptions) -> Iterator[Shard]:
    first = 0
    while first < len(prefixes):
        prefix = prefixes[first]
        end = first
        while end < len(prefixes) and prefixes[end] == prefix:
            end += 1
        for number, start in enumerate(range(first, end, options.clips_per_shard)):
            yield Shard(prefix, number, start, min(options.clips_per_shard, end - start))
        first = end
