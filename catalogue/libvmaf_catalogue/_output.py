"""Reading a job's output: as tables, how far it is, whether it is whole."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc

from ._job import Job, Shard
from ._manifest import Clip
from ._run import finished_shard
from ._store import Store
from ._tables import DamagedTable, facts_of, read_table

__all__ = ["Check", "Status", "read_frames", "read_summary", "status_of", "verify"]

#: Columns of the summary that depend on the worker.
_VARYING = ("seconds", "device")


def _tables(store: Store, folder: str) -> Iterator[pa.Table]:
    for name in store.list(folder):
        if name.endswith(".parquet") and not name.rpartition("/")[2].startswith("."):
            yield read_table(store.read(name)).replace_schema_metadata(None)


def _joined(tables: Sequence[pa.Table]) -> pa.Table:
    return pa.concat_tables(tables, promote_options="default") if tables else pa.table({})


def read_summary(store: Store, columns: Sequence[str] | None = None) -> pa.Table:
    """All rows of the summary, with the existing ones of `columns`. DamagedTable: a file is not complete."""

    def chosen(table: pa.Table) -> pa.Table:
        return table if columns is None else table.select([name for name in columns if name in table.column_names])

    return _joined([chosen(table) for table in _tables(store, "summary")])


def read_frames(store: Store, clip_id: str | None = None) -> pa.Table:
    """The frames of one clip, or of all."""
    if clip_id is None:
        return _joined(list(_tables(store, "frames")))
    job = Job.open(store)
    shard = job.shard_with(clip_id)
    table = read_table(store.read(shard.frames_name)).replace_schema_metadata(None)
    return table.filter(pc.equal(table.column("id"), clip_id))


@dataclass
class Status:
    """How far a job is."""

    clips: int
    finished_clips: int = 0
    waiting_segments: int = 0
    #: id, encode, reason
    errors: list[tuple[str, str, str]] = field(default_factory=list)


def status_of(job: Job) -> Status:
    status = Status(job.clip_count)
    for shard in job.shards:
        failed = finished_shard(job, shard)
        if failed is None:
            status.waiting_segments += sum(map(Shard.segments_in, job.store.list(shard.segments_folder)))
            continue
        status.finished_clips += shard.count
        if failed:
            summary = read_table(job.store.read(shard.summary_name))
            for row in summary.select(["id", "encode", "error"]).filter(pc.is_valid(summary.column("error"))).to_pylist():
                status.errors.append((row["id"], row["encode"], row["error"]))
    return status


@dataclass
class Check:
    """Result of verify()."""

    rows: int = 0
    frames: int = 0
    errors: int = 0
    #: Shards that no run has finished.
    unfinished: list[Shard] = field(default_factory=list)
    #: Shards with damaged files, and the reason.
    damaged: list[tuple[Shard, str]] = field(default_factory=list)
    #: Files that are not the job's.
    strange: list[str] = field(default_factory=list)
    #: Digest of all rows without the columns `seconds` and `device`: equal for equal jobs.
    digest: str = ""

    @property
    def is_well(self) -> bool:
        return not (self.unfinished or self.damaged or self.strange)


def verify(job: Job) -> Check:
    """Read all files. Check that each clip has its rows once, and that no row was changed."""
    check = Check()
    digest = hashlib.sha256()
    expected = set()
    for shard in job.shards:
        expected |= {shard.frames_name, shard.summary_name}
        if job.store.size(shard.summary_name) is None:
            check.unfinished.append(shard)
            continue
        try:
            _verify_shard(job, shard, check, digest.update)
        except (DamagedTable, FileNotFoundError, _Wrong) as error:
            check.damaged.append((shard, str(error) or type(error).__name__))
    for folder in ("frames", "summary"):
        check.strange += [name for name in job.store.list(folder) if name not in expected]
    check.digest = digest.hexdigest()
    return check


class _Wrong(Exception):
    pass


def _verify_shard(job: Job, shard: Shard, check: Check, add: Callable[[bytes], object]) -> None:
    summary = read_table(job.store.read(shard.summary_name))
    facts = facts_of(summary.schema)
    if facts.get("job") != job.digest:
        raise _Wrong("its summary is another job's")
    content = job.store.read(shard.frames_name)
    if hashlib.sha256(content).hexdigest() != facts.get("frames_sha256"):
        raise _Wrong("its frames are not those that were written")
    frames = read_table(content)
    clips = job.clips(shard)
    rows = [(row["id"], row["encode"]) for row in summary.select(["id", "encode"]).to_pylist()]
    if rows != [(clip.id, encode.name) for clip in clips for encode in clip.encodes]:
        raise _Wrong("its summary has other rows than the manifest")
    _verify_frames(job, clips, summary, frames)
    check.rows += summary.num_rows
    check.frames += frames.num_rows
    check.errors += summary.num_rows - summary.column("error").null_count
    add(content)
    for row in summary.drop_columns([name for name in _VARYING if name in summary.column_names]).to_pylist():
        add(json.dumps(row, sort_keys=True).encode())


def _verify_frames(job: Job, clips: Sequence[Clip], summary: pa.Table, frames: pa.Table) -> None:
    """The frames of each encode, one after the other."""
    subsample = {clip.id: job.options.scoring(clip)["subsample"] for clip in clips}
    has_gaps = bool(job.options.reading.get("sample")) or job.options.reading.get("align") == "frames"
    at = 0
    for row in summary.select(["id", "encode", "frames", "error"]).to_pylist():
        step = subsample[row["id"]]
        count = 0 if row["error"] is not None else -(-row["frames"] // step)
        own = frames.slice(at, count)
        whose = {(own.column("id")[0].as_py(), own.column("encode")[0].as_py())} if count else set()
        is_own = own.num_rows == count and whose <= {(row["id"], row["encode"])}
        numbers = own.column("frame").to_pylist()
        is_complete = numbers == sorted(set(numbers)) if has_gaps else numbers == list(range(0, count * step, step))
        if not is_own or not is_complete:
            raise _Wrong(f"it has other frames of {row['id']}, {row['encode']}, than its summary says")
        at += count
    if at != frames.num_rows:
        raise _Wrong("it has more frames than its summary says")


