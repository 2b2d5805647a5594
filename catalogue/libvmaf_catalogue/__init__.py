"""Scores of many clips: a manifest in, Parquet data sets of per-frame scores and of summaries out.

The command `vmaf-catalogue` runs this package. A cluster of Ray needs the extra `ray`.
"""

from __future__ import annotations

from ._executors import Executor, Inline, Stopped
from ._job import Job, JobError, JobOptions
from ._manifest import Clip, Encode, ManifestError, RawFormat, read_manifest
from ._output import Check, Status, read_frames, read_summary, status_of, verify
from ._pool import Pool
from ._report import report_of
from ._run import Outcome, Tally, run
from ._segment import Place
from ._store import Store, StoreError, open_store

__all__ = [
    "Check",
    "Clip",
    "Encode",
    "Executor",
    "Inline",
    "Job",
    "JobError",
    "JobOptions",
    "ManifestError",
    "Outcome",
    "Place",
    "Pool",
    "RawFormat",
    "Status",
    "Stopped",
    "Store",
    "StoreError",
    "Tally",
    "open_store",
    "read_frames",
    "read_manifest",
    "read_summary",
    "report_of",
    "run",
    "status_of",
    "verify",
]
