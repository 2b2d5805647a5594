"""A planned job as array jobs of Slurm: tasks score segments, a last job puts them together."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

__all__ = ["SlurmError", "SlurmOptions", "Submission", "limits", "submit", "write_scripts"]


class SlurmError(Exception):
    """Slurm does not answer, or refuses the jobs."""


@dataclass(frozen=True)
class SlurmOptions:
    #: Segments that a task scores, one after the other unless `workers` says otherwise. There are
    #: more if there would be too many tasks.
    segments_per_task: int = 1
    #: Generic resources of a task: "gpu:1" or "shard:8". None: tasks are on CPUs.
    gres: str | None = None
    #: Segments that a task scores side by side.
    workers: int = 1
    #: Threads of the library in each worker.
    threads: int = 0
    #: More options of sbatch.
    more: Sequence[str] = ()


@dataclass(frozen=True)
class Limits:
    """Limits of a cluster."""

    array_size: int = 1001
    jobs: int = 10000


@dataclass(frozen=True)
class Submission:
    """Folder of the scripts, and Slurm's numbers of the arrays and of the merging job. Empty: not submitted."""

    folder: Path
    tasks: int
    arrays: Sequence[str] = ()
    merging: str = ""


def limits() -> Limits:
    """The limits from scontrol, or Slurm's defaults if it does not answer."""
    try:
        said = subprocess.run(["scontrol", "show", "config"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return Limits()

    def number(name: str, otherwise: int) -> int:
        found = re.search(rf"^{name}\s*=\s*(\d+)\s*$", said, re.MULTILINE)
        return int(found.group(1)) if found and int(found.group(1)) > 0 else otherwise

    return Limits(number("MaxArraySize", Limits.array_size), number("MaxJobCount", Limits.jobs))


def _tasks(numbers: Sequence[int], options: SlurmOptions, cluster: Limits) -> list[str]:
    """Arguments of `vmaf-catalogue segment`, a line for each task. Half of the jobs that a cluster holds are left to others."""
    most = max(1, cluster.jobs // 2)
    each = max(options.segments_per_task, options.workers, -(-len(numbers) // most))
    return [" ".join(_ranges(numbers[start : start + each], options.workers)) for start in range(0, len(numbers), each)]


def _ranges(numbers: Sequence[int], workers: int) -> list[str]:
    """Numbers as text. With one worker, consecutive numbers become FIRST-LAST."""
    texts: list[str] = []
    first = last = numbers[0]
    for number in (*numbers[1:], -1):
        if number == last + 1 and workers == 1:
            last = number
            continue
        texts.append(str(first) if first == last else f"{first}-{last}")
        first = last = number
    return texts


_SEGMENTS = """#!/bin/bash
# A task of an array: the line of its number in a file says which segments it scores.
numbers=$(sed -n "$((SLURM_ARRAY_TASK_ID + 1))p" "$1") || exit
{score}
"""

_MERGE = """#!/bin/bash
# Runs when all tasks have ended, also if some failed. Status 3: encodes have an error. Status 1:
# segments have no scores, and `run --resume` scores them.
exec {command} merge {out}
"""

_SUBMIT = """#!/bin/bash
# Submits the arrays, and the job that merges the segments when all have ended. Prints the numbers
# of the jobs.
set -euo pipefail
after=
{arrays}
job=$(sbatch --parsable --dependency=afterany"$after" {merge_options} {folder}/merge.sh)
echo "merge ${{job%%;*}}"
"""

_ARRAY = """job=$(sbatch --parsable --array=0-{last} {options} {folder}/segments.sh {folder}/tasks-{number}.txt)
echo "array ${{job%%;*}}"
after+=:${{job%%;*}}"""


def write_scripts(folder: str | os.PathLike[str], out: str, numbers: Sequence[int], options: SlurmOptions, cluster: Limits) -> Submission:
    """segments.sh, merge.sh, submit.sh and lists of tasks, in a folder that every node sees under this name, as it does Python's and `out`."""
    folder = Path(folder).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "log").mkdir(exist_ok=True)
    for old in folder.glob("tasks-*.txt"):
        old.unlink()
    command = f"{shlex.quote(sys.executable)} -m libvmaf_catalogue"
    score = f"{command} segment {shlex.quote(out)}"
    score += f" --threads {options.threads}" if options.threads else ""
    score += " --gpu 0" if options.gres else ""
    if options.workers > 1:
        score = f"xargs -n 1 -P {options.workers} {score} <<<\"$numbers\""
    else:
        score = f"exec {score} $numbers"
    tasks = _tasks(numbers, options, cluster)
    cpus = max(1, options.threads) * options.workers
    log = shlex.quote(f"{folder}/log/%A_%a.txt")
    array_options = [f"--job-name=vmaf-segments --output={log}", f"--cpus-per-task={cpus}"]
    array_options += [f"--gres={shlex.quote(options.gres)}"] if options.gres else []
    more = [shlex.quote(option) for option in options.more]
    arrays = []
    for number, start in enumerate(range(0, len(tasks), cluster.array_size)):
        chunk = tasks[start : start + cluster.array_size]
        _write(folder / f"tasks-{number}.txt", "".join(line + "\n" for line in chunk))
        arrays.append(
            _ARRAY.format(last=len(chunk) - 1, options=" ".join(array_options + more), folder=shlex.quote(str(folder)), number=number)
        )
    merge_log = shlex.quote(f"{folder}/log/merge-%j.txt")
    merge_options = " ".join([f"--job-name=vmaf-merge --output={merge_log}", *more])
    _write(folder / "segments.sh", _SEGMENTS.format(score=score))
    _write(folder / "merge.sh", _MERGE.format(command=command, out=shlex.quote(out)))
    submitting = _SUBMIT.format(arrays="\n".join(arrays), merge_options=merge_options, folder=shlex.quote(str(folder)))
    if not arrays:
        submitting = submitting.replace('--dependency=afterany"$after" ', "")
    _write(folder / "submit.sh", submitting, mode=0o755)
    return Submission(folder, len(tasks))


def _write(path: Path, text: str, mode: int = 0o644) -> None:
    path.write_text(text)
    path.chmod(mode)


def submit(written: Submission, report: Callable[[str], object] = lambda line: None) -> Submission:
    """By submit.sh. SlurmError if there is no sbatch, or it refuses; arrays that it took before are named then."""
    if shutil.which("sbatch") is None:
        raise SlurmError(f"there is no sbatch here: {written.folder}/submit.sh submits the jobs where there is one")
    ended = subprocess.run([str(written.folder / "submit.sh")], capture_output=True, text=True)
    jobs = [line.split() for line in ended.stdout.splitlines()]
    arrays = [words[1] for words in jobs if words[0] == "array"]
    merging = next((words[1] for words in jobs if words[0] == "merge"), "")
    if ended.returncode != 0 or not merging:
        taken = f"; submitted before: {', '.join(arrays)} (scancel ends them)" if arrays else ""
        raise SlurmError(f"sbatch: {ended.stderr.strip() or f'status {ended.returncode}'}{taken}")
    return Submission(written.folder, written.tasks, arrays, merging)
