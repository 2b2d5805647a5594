"""The command vmaf-catalogue."""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from types import FrameType
from typing import Any, Literal, get_args, get_origin, get_type_hints
from urllib.parse import quote

from libvmaf import ReadingOptions, Session, available_cores, gpus
from ._elements import Element, merge_all, missing_elements, plan_job, planned_elements, score_element
from ._executors import Executor, Inline, Stopped
from ._job import Job, JobError, JobOptions, begin_job
from ._lock import driving
from ._manifest import ManifestError, absolute_models, read_manifest
from ._output import status_of, verify
from ._pool import Pool
from ._progress import ProgressLine
from ._report import clip_page, counted, page_name, report_of, worst_clips
from ._run import Tally, drive
from ._segment import Place
from ._slurm import SlurmError, SlurmOptions, limits, submit, write_scripts
from ._store import StoreError, open_store
from ._tables import DamagedTable
from ._worker import be_quiet

__all__ = ["main"]

_TROUBLE, _FAILED_ROWS = 1, 3
#: Encodes with an error, in the closing line.
_MOST_NAMED = 5
_READING = get_type_hints(ReadingOptions)


class Interrupted(BaseException):
    """A signal stopped the program."""

    def __init__(self, number: int) -> None:
        self.number = number


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise Interrupted(number)


def main(arguments: Sequence[str] | None = None) -> int:
    before = {number: signal.signal(number, _interrupt) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        return _exit_code(arguments)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler or signal.SIG_DFL)


def _exit_code(arguments: Sequence[str] | None) -> int:
    be_quiet()
    try:
        chosen = _parser().parse_args(arguments)
        command: Callable[[argparse.Namespace], int] = chosen.command
        return command(chosen)
    except (JobError, ManifestError, SlurmError, StoreError, Stopped, DamagedTable, _UsageError) as error:
        print(f"vmaf-catalogue: {error}", file=sys.stderr)
        return _TROUBLE
    except OSError as error:
        print(f"vmaf-catalogue: {error}", file=sys.stderr)
        return _TROUBLE
    except Interrupted as stopped:
        print("vmaf-catalogue: interrupted; what is finished is kept, and --resume goes on", file=sys.stderr)
        return 128 + stopped.number


class _UsageError(Exception):
    pass


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="vmaf-catalogue", description="Scores many clips: a manifest in, Parquet out.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def add(name: str, command: Callable[[argparse.Namespace], int], text: str) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=text, description=text)
        added.set_defaults(command=command)
        return added

    scoring = add("run", _run, "Score a manifest's clips.")
    _add_job(scoring)
    _add_workers(scoring)
    scoring.add_argument("--ray", metavar="ADDRESS", help="use a Ray cluster: its address, 'auto', or 'local' to start one here")
    _add_slurm(scoring)
    scoring.add_argument("--retry-failed", action="store_true", help="with --resume: score clips with an error again")

    planning = add("plan", _plan, "Read a manifest's clips and number their segments, for `segment`.")
    _add_job(planning)
    _add_workers(planning)

    segment = add("segment", _segment, "Score segments of a planned job, by their numbers.")
    segment.add_argument("out", metavar="OUT")
    segment.add_argument("numbers", metavar="K", nargs="+", help="a number, or FIRST-LAST")
    segment.add_argument("--gpu", type=int, metavar="N", help="score on this GPU")
    segment.add_argument("--threads", type=int, default=0, metavar="N", help="worker threads of the library on the CPU (0: none)")

    merging = add("merge", _merge, "Merge the segments of a planned job.")
    merging.add_argument("out", metavar="OUT")

    state = add("status", _status, "Show how far a job is.")
    state.add_argument("out", metavar="OUT")

    page = add("report", _report, "Write a page about a job's scores.")
    page.add_argument("out", metavar="OUT")
    page.add_argument("-o", "--output", metavar="FILE", help="file to write (default: report.html)")
    page.add_argument("--metric", action="append", default=[], metavar="NAME", help="a column of scores; repeatable (default: those of the models)")
    page.add_argument("--clips", type=_count, default=20, metavar="N|all", help="number of worst clips with a page, in a folder next to the report (%(default)s)")

    checking = add("verify", _verify, "Check that a job's files are complete and have all rows.")
    checking.add_argument("out", metavar="OUT")
    checking.add_argument("--delete", action="store_true", help="delete damaged files; `run --resume` makes them again")
    return parser


def _add_job(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("manifest", metavar="MANIFEST", help=".csv, .jsonl or .parquet")
    parser.add_argument("-o", "--output", required=True, metavar="OUT", help="a folder, or a URL of fsspec")
    parser.add_argument("--resume", action="store_true", help="go on with an earlier run of the same job")
    parser.add_argument("--force-restart", action="store_true", help="delete an earlier job in OUT and begin again")
    defaults = parser.add_argument_group("defaults for clips that do not set these themselves")
    defaults.add_argument("-m", "--model", action="append", metavar="[COLUMN=]MODEL", help="a version, 'auto' or a JSON file; repeatable")
    defaults.add_argument("--feature", action="append", metavar="NAME[=OPTION=VALUE:...]", help="repeatable")
    defaults.add_argument("--subsample", type=_whole, default=1, metavar="N", help="score every N-th frame")
    reading = parser.add_argument_group("reading, as in the tool vmaf")
    for name, kind in _READING.items():
        option = f"--{name.replace('_', '-')}"
        if kind is bool:
            reading.add_argument(option, action=argparse.BooleanOptionalAction)
        else:
            reading.add_argument(option, choices=get_args(kind) if get_origin(kind) is Literal else None)
    output = parser.add_argument_group("files and segments")
    output.add_argument("--segment-seconds", type=_seconds, default=JobOptions.segment_seconds, metavar="S", help="length of segments (%(default)s)")
    output.add_argument("--clips-per-shard", "--clips-per-part", type=_whole, default=JobOptions.clips_per_shard, metavar="N", help="largest number of clips that share a file (%(default)s)")


def _add_workers(parser: argparse.ArgumentParser) -> None:
    workers = parser.add_argument_group("workers")
    workers.add_argument("--local", type=int, metavar="N", help="number of worker processes on CPUs (default: one for each core, or none with GPUs); 0 and no GPUs: use this process")
    workers.add_argument("--threads", type=int, default=0, metavar="N", help="worker threads of the library in each process (0: none)")
    workers.add_argument("--gpus", default="all", metavar="all|none|N,...", help="GPUs that score (%(default)s)")
    workers.add_argument("--gpu-share", type=_share, default=0.25, metavar="SHARE", help="share of a GPU for each worker (%(default)s)")
    workers.add_argument("--progress", choices=("auto", "bar", "plain", "json", "none"), default="auto", help="progress on standard error; json: a line of JSON every second (%(default)s)")


def _add_slurm(parser: argparse.ArgumentParser) -> None:
    slurm = parser.add_argument_group("Slurm", "The workers above read the clips first. --threads and --gpu-share apply to the tasks.")
    slurm.add_argument("--slurm", metavar="DIR", help="submit array jobs for the segments, and a job to merge them; DIR gets scripts and logs; all nodes must see DIR, OUT and the videos")
    slurm.add_argument("--gres", metavar="SPEC", help="resources of a task that scores on a GPU: gpu:1 (several segments at once, see --gpu-share) or shard:N (one at a time)")
    slurm.add_argument("--per-task", type=_whole, default=1, metavar="N", help="least number of segments of a task (%(default)s)")
    slurm.add_argument("--sbatch", action="append", default=[], metavar="OPTION", help="one more option for sbatch: --sbatch=--partition=long; repeatable")
    slurm.add_argument("--no-submit", action="store_true", help="only write the scripts; DIR/submit.sh submits them")


def _whole(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text}: a number from 1 on is needed")
    return number


def _count(text: str) -> int | None:
    """None: all."""
    if text == "all":
        return None
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text}: a number from 0 on, or all, is needed")
    return number


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < 1e9:
        raise argparse.ArgumentTypeError(f"{text}: a number above 0 is needed")
    return seconds


def _share(text: str) -> float:
    share = float(text)
    if not 0 < share <= 1:
        raise argparse.ArgumentTypeError(f"{text}: a share is above 0 and at most 1")
    return share


def _options(chosen: argparse.Namespace) -> JobOptions:
    models: Any = None
    if chosen.model:
        named = [model.rpartition("=") for model in chosen.model]
        is_named = any(name for name, _, _ in named)
        models = {name or model: model for name, _, model in named} if is_named else [model for _, _, model in named]
        models = absolute_models(models, os.getcwd())
    features: Any = None
    if chosen.feature:
        features = dict(_feature(text) for text in chosen.feature)
    reading = {name: getattr(chosen, name) for name in _READING if getattr(chosen, name) is not None}
    options = JobOptions(models, features, chosen.subsample, chosen.segment_seconds, chosen.clips_per_shard, reading)
    _check(options)
    return options


def _feature(text: str) -> tuple[str, dict[str, str]]:
    name, _, items = text.partition("=")
    options = {}
    for item in items.split(":") if items else []:
        option, is_there, value = item.partition("=")
        if not is_there:
            raise _UsageError(f"--feature {text}: '{item}' is no OPTION=VALUE")
        options[option] = value
    return name, options


def _check(options: JobOptions) -> None:
    """Check models and features once, so that an error does not appear in every row."""
    models = list(options.models.values()) if isinstance(options.models, dict) else options.models or []
    try:
        Session(models=[model for model in models if model not in ("auto", "v0", "v1")], features=options.features or (), threads=0).close()
    except (ValueError, OSError) as error:
        raise _UsageError(str(error)) from None


@contextlib.contextmanager
def _driven_job(chosen: argparse.Namespace) -> Iterator[Job]:
    """The job, with this process as its only driver."""
    options = _options(chosen)
    clips = read_manifest(chosen.manifest)
    store = open_store(chosen.output)
    with driving(store):
        yield begin_job(store, clips, options, resume=chosen.resume, restart=chosen.force_restart)


def _gpu_numbers(text: str) -> list[int]:
    if text == "none":
        return []
    there = [gpu.index for gpu in gpus()]
    if text == "all":
        return there
    try:
        numbers = [int(number) for number in text.split(",")]
    except ValueError:
        raise _UsageError(f"--gpus {text}: 'all', 'none' or numbers are needed") from None
    missing = [str(number) for number in numbers if number not in there]
    if missing:
        raise _UsageError(f"--gpus {text}: there is no GPU {', '.join(missing)}")
    return numbers


def _places(chosen: argparse.Namespace) -> list[Place]:
    """A GPU takes turns among its workers' decoders, so that neighbours in the list are on different ones."""
    numbers = _gpu_numbers(chosen.gpus)
    on_gpus = [Place(gpu=number) for _ in range(int(1 / chosen.gpu_share)) for number in numbers]
    by_itself = 0 if on_gpus else max(1, available_cores() // max(1, chosen.threads))
    return on_gpus + [Place(threads=chosen.threads)] * (by_itself if chosen.local is None else max(0, chosen.local))


def _executor(chosen: argparse.Namespace) -> Executor:
    if getattr(chosen, "ray", None) is not None:
        from ._ray import RayCluster

        return RayCluster(chosen.ray, gpu_share=chosen.gpu_share, threads=chosen.threads, with_gpus=chosen.gpus != "none", with_cpus=chosen.local != 0)
    places = _places(chosen)
    return Pool(places) if places else Inline(Place(threads=chosen.threads))


def _run(chosen: argparse.Namespace) -> int:
    if chosen.retry_failed and not chosen.resume:
        raise _UsageError("--retry-failed goes with --resume")
    if chosen.slurm is not None:
        return _run_in_slurm(chosen)
    with _driven_job(chosen) as job:
        return _drive(job, chosen)


def _drive(job: Job, chosen: argparse.Namespace) -> int:
    executor = _executor(chosen)
    progress = ProgressLine(chosen.progress)
    latest: list[Tally] = []

    def report(tally: Tally) -> None:
        latest[:] = [tally]
        progress(tally)

    try:
        outcome = drive(job, executor, retry_failed=chosen.retry_failed, report=report)
    except BaseException:
        progress.finish()
        executor.close()
        job.store.remove_unfinished()
        raise
    progress.finish(latest[0])
    executor.close()
    _close(job, latest[0].frames, progress)
    return _FAILED_ROWS if outcome.failed_rows else 0


def _close(job: Job, frames: int, progress: ProgressLine) -> None:
    """Print the state of the output and the work of this run."""
    errors = [f"{clip}/{encode}" for clip, encode, _ in status_of(job).errors]
    if progress.is_json:
        progress.tell(
            {"finished": True, "clips": job.clip_count, "encodes": job.encode_count, "frames": frames, "seconds": round(progress.seconds, 1), "errors": errors}
        )
        return
    named = ", ".join(errors[:_MOST_NAMED]) + (f" and {len(errors) - _MOST_NAMED} more" if len(errors) > _MOST_NAMED else "")
    failed = f", {len(errors)} with an error: {named}" if errors else ""
    counts = f"{counted(job.clip_count, 'clip')}, {counted(job.encode_count, 'encode')}, {counted(frames, 'frame')}"
    print(f"{counts} in {progress.seconds:.{0 if progress.seconds >= 10 else 1}f} s{failed}", file=sys.stderr)


def _run_in_slurm(chosen: argparse.Namespace) -> int:
    if chosen.ray is not None or chosen.retry_failed:
        raise _UsageError(f"--slurm does not go with {'--ray' if chosen.ray is not None else '--retry-failed'}")
    with _driven_job(chosen) as job:
        missing = _missing(job, chosen)
    # Nobody drives once it is submitted: merging may begin at once.
    side_by_side = int(1 / chosen.gpu_share) if (chosen.gres or "").startswith("gpu") else 1
    options = SlurmOptions(chosen.per_task, chosen.gres, side_by_side, chosen.threads, chosen.sbatch)
    written = write_scripts(chosen.slurm, job.store.url, missing, options, limits())
    if chosen.no_submit:
        print(f"{len(missing)} segments in {written.tasks} tasks: {written.folder}/submit.sh submits them", file=sys.stderr)
        return 0
    submitted = submit(written)
    arrays = f" in array jobs {', '.join(submitted.arrays)}" if submitted.arrays else ""
    print(f"{len(missing)} segments in {written.tasks} tasks{arrays}, merged by job {submitted.merging}", file=sys.stderr)
    return 0


def _missing(job: Job, chosen: argparse.Namespace) -> Sequence[int]:
    """Numbers of the segments that have no scores."""
    try:
        elements = planned_elements(job) if chosen.resume else _planned(job, chosen)
    except JobError:
        elements = _planned(job, chosen)
    return missing_elements(job, elements)


def _planned(job: Job, chosen: argparse.Namespace) -> Sequence[Element]:
    executor = _executor(chosen)
    try:
        return plan_job(job, executor)
    finally:
        executor.close()


def _plan(chosen: argparse.Namespace) -> int:
    with _driven_job(chosen) as job:
        print(len(_planned(job, chosen)))
    return 0


def _segment(chosen: argparse.Namespace) -> int:
    job = Job.open(open_store(chosen.out))
    elements = planned_elements(job)
    place = Place(chosen.gpu, chosen.threads)
    for text in chosen.numbers:
        first, _, last = text.partition("-")
        try:
            numbers = range(int(first), int(last or first) + 1)
        except ValueError:
            raise _UsageError(f"{text}: a number or FIRST-LAST is needed") from None
        for number in numbers:
            if not 0 <= number < len(elements):
                raise _UsageError(f"{number}: the job has {len(elements)} segments, from 0 on")
            score_element(job, elements[number], place)
    return 0


def _merge(chosen: argparse.Namespace) -> int:
    job = Job.open(open_store(chosen.out))
    with driving(job.store):
        report = merge_all(job)
    if report.missing:
        for shard, missing in report.missing:
            clip = job.clip(shard.first + missing.clip)
            which = "" if missing.segment is None else f" segment {missing.segment}"
            print(f"vmaf-catalogue: {clip.id}:{which} has no scores", file=sys.stderr)
        print("vmaf-catalogue: `run --resume` scores what is missing", file=sys.stderr)
        return _TROUBLE
    return _FAILED_ROWS if report.failed_rows else 0


def _status(chosen: argparse.Namespace) -> int:
    status = status_of(Job.open(open_store(chosen.out)))
    share = status.finished_clips / status.clips
    print(f"{status.finished_clips} of {status.clips} clips are finished ({share:.1%}), {status.waiting_segments} segments of others")
    print(f"{len(status.errors)} encodes have an error")
    for clip, encode, reason in status.errors:
        print(f"{clip}: {encode}: {reason}")
    return 0


def _report(chosen: argparse.Namespace) -> int:
    job = Job.open(open_store(chosen.out))
    folder, name = os.path.split(os.path.abspath(chosen.output or "report.html"))
    beside = open_store(folder)
    clips = f"{name.removesuffix('.html')}-clips"
    try:
        pages = {clip: f"{clips}/{page_name(clip)}" for clip in worst_clips(job, chosen.metric)[: chosen.clips]}
        page = report_of(job, chosen.metric, {clip: quote(path) for clip, path in pages.items()})
        for clip, path in pages.items():
            beside.write(path, clip_page(job, clip).encode())
    except ValueError as error:
        raise _UsageError(str(error)) from None
    beside.write(name, page.encode())
    return 0


def _verify(chosen: argparse.Namespace) -> int:
    job = Job.open(open_store(chosen.out))
    with driving(job.store) if chosen.delete else contextlib.nullcontext():
        return _check_output(job, chosen)


def _check_output(job: Job, chosen: argparse.Namespace) -> int:
    check = verify(job)
    for shard, reason in check.damaged:
        print(f"{shard.frames_name}: {reason}")
        if chosen.delete:
            job.store.remove(shard.summary_name)
            job.store.remove(shard.frames_name)
    for name in check.strange:
        print(f"{name}: it is not the job's")
        if chosen.delete:
            job.store.remove(name)
    if check.unfinished:
        print(f"{len(check.unfinished)} of {len(job.shards)} shards are not finished")
    print(f"{check.rows} rows, {check.errors} with an error, {check.frames} frames, digest {check.digest}")
    return 0 if check.is_well else _TROUBLE
