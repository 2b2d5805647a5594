"""Jobs that Slurm runs, on a stand-in for sbatch and scontrol. It records its arguments, and runs tasks at once or leaves them out.

test/integration/slurm runs the same on a Slurm that is set up for it.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from libvmaf_catalogue._command import main
from libvmaf_catalogue._slurm import Limits, SlurmOptions, write_scripts
from test_catalogue import files_of, videos  # noqa: F401

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")

SBATCH = """#!{python}
import json, os, re, subprocess, sys
home = {home!r}
jobs = json.load(open(home + "/jobs.json"))
arguments = sys.argv[1:]
options = []
while arguments and arguments[0].startswith("--"):
    options.append(arguments.pop(0))
number = len(jobs) + 1
asked = dict(option[2:].partition("=")[::2] for option in options)
if number == int(os.environ.get("SBATCH_REFUSES", 0)):
    sys.exit("sbatch: error: Batch job submission failed: Invalid account")
jobs.append([options, arguments])
json.dump(jobs, open(home + "/jobs.json", "w"))
last = int(asked["array"].partition("-")[2]) if "array" in asked else None
for task in range(last + 1) if last is not None else [None]:
    if str(task) in os.environ.get("SBATCH_TASKS_DIE", "").split():
        continue
    environment = dict(os.environ) | ({{}} if task is None else {{"SLURM_ARRAY_TASK_ID": str(task)}})
    ended = subprocess.run(["bash", *arguments], env=environment, capture_output=True, text=True)
    with open(home + "/ended.txt", "a") as file:
        print(number, task, ended.returncode, ended.stderr, file=file)
print(f"{{100 + number}};cluster" if "parsable" in asked else "")
"""

SCONTROL = """#!/bin/sh
echo "MaxArraySize            = 3"
echo "MaxJobCount             = 10000"
"""


@pytest.fixture
def slurm(tmp_path, monkeypatch):
    """What the stand-in was given: its options and arguments for each job."""
    home = tmp_path / "slurm"
    home.mkdir()
    for name, text in (("sbatch", SBATCH.format(python=sys.executable, home=str(home))), ("scontrol", SCONTROL)):
        (home / name).write_text(text)
        (home / name).chmod(0o755)
    (home / "jobs.json").write_text("[]")
    monkeypatch.setenv("PATH", f"{home}{os.pathsep}{os.environ['PATH']}")
    return lambda: json.loads((home / "jobs.json").read_text())


@pytest.fixture
def manifest(videos, tmp_path):  # noqa: F811
    lines = [
        {"id": "a clip", "reference": str(videos / "ref.y4m"), "encodes": [{"name": f"dis{i}", "url": str(videos / f"dis{i}.y4m")} for i in range(2)]},
        {"id": "b", "reference": str(videos / "ref.y4m"), "encodes": [{"name": "text", "url": str(videos / "text.y4m")}]},
    ]
    path = tmp_path / "clips.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return str(path)


# 23 frames in segments of 5: four, and one that says why there are no scores.
JOB = ["--feature", "psnr", "--feature", "motion", "--segment-seconds", "0.2", "--gpus", "none", "--local", "0"]


def run(manifest, out, *more):
    return main(["run", manifest, "-o", str(out), *JOB, *more])


@pytest.fixture
def expected(manifest, tmp_path):
    assert run(manifest, tmp_path / "expected") == 3
    return files_of(tmp_path / "expected")


def result_of(tmp_path, out="out"):
    files = files_of(tmp_path / out)
    assert files.pop("plan.parquet")
    return files


def test_a_job_is_that_of_this_machine(slurm, manifest, expected, tmp_path):
    assert run(manifest, tmp_path / "out", "--slurm", str(tmp_path / "a folder"), "--sbatch=--partition=long", "--threads", "2") == 0
    assert result_of(tmp_path) == expected
    first, second, merging = slurm()
    # No array is larger than the cluster accepts.
    assert [option for options, _ in (first, second) for option in options if "array" in option] == ["--array=0-2", "--array=0-1"]
    for options, arguments in (first, second):
        assert "--cpus-per-task=2" in options and "--partition=long" in options and not any("gres" in option for option in options)
        assert arguments[0] == f"{tmp_path}/a folder/segments.sh"
    assert "--dependency=afterany:101:102" in merging[0] and "--partition=long" in merging[0]
    assert merging[1] == [f"{tmp_path}/a folder/merge.sh"]
    lists = [(tmp_path / "a folder" / f"tasks-{number}.txt").read_text() for number in range(2)]
    assert lists == ["0\n1\n2\n", "3\n4\n"]
    assert (tmp_path / "slurm" / "ended.txt").read_text().split("\n")[-2].startswith("3 None 3")


def test_what_has_died_is_submitted_again_alone(slurm, manifest, expected, tmp_path, monkeypatch):
    monkeypatch.setenv("SBATCH_TASKS_DIE", "1")
    assert run(manifest, tmp_path / "out", "--slurm", str(tmp_path / "jobs")) == 0
    ended = (tmp_path / "slurm" / "ended.txt").read_text()
    assert "has no scores" in ended and "3 None 1" in ended
    assert run(manifest, tmp_path / "out", "--slurm", str(tmp_path / "jobs")) == 1  # there is a job
    monkeypatch.delenv("SBATCH_TASKS_DIE")
    assert run(manifest, tmp_path / "out", "--slurm", str(tmp_path / "jobs"), "--resume") == 0
    again = slurm()[3:]
    assert [[option for option in options if "array" in option] for options, _ in again] == [["--array=0-1"], []]
    assert (tmp_path / "jobs" / "tasks-0.txt").read_text().split() == ["1", "4"]
    assert not (tmp_path / "jobs" / "tasks-1.txt").exists()
    assert result_of(tmp_path) == expected
    # Finished clips are merged, and no others.
    assert run(manifest, tmp_path / "out", "--slurm", str(tmp_path / "jobs"), "--resume") == 0
    (options, arguments), = slurm()[5:]
    assert not any("dependency" in option for option in options) and arguments[0].endswith("merge.sh")
    assert result_of(tmp_path) == expected


def test_scripts_alone(slurm, manifest, expected, tmp_path, capfd, monkeypatch):
    assert run(manifest, tmp_path / "out", "--slurm", str(tmp_path / "jobs"), "--no-submit", "--per-task", "2") == 0
    assert slurm() == []
    assert "5 segments in 3 tasks" in capfd.readouterr().err
    assert (tmp_path / "jobs" / "tasks-0.txt").read_text() == "0-1\n2-3\n4\n"
    assert os.system(f"{tmp_path}/jobs/submit.sh > {tmp_path}/said.txt") == 0
    assert (tmp_path / "said.txt").read_text() == "array 101\nmerge 102\n"
    assert result_of(tmp_path) == expected


def test_a_refusal_is_told(slurm, manifest, tmp_path, capfd, monkeypatch):
    monkeypatch.setenv("SBATCH_REFUSES", "2")
    assert run(manifest, tmp_path / "out", "--slurm", str(tmp_path / "jobs")) == 1
    said = capfd.readouterr().err
    assert "Invalid account" in said and "101" in said
    monkeypatch.setenv("PATH", str(tmp_path))
    assert run(manifest, tmp_path / "out", "--slurm", str(tmp_path / "jobs"), "--resume") == 1
    assert "there is no sbatch" in capfd.readouterr().err


def test_gpus_are_asked_for(tmp_path):
    """A task runs all of its segments at the same time."""
    options = SlurmOptions(gres="gpu:1", workers=4)
    write_scripts(tmp_path, "/out put", range(10), options, Limits(1001, 10000))
    submitting = (tmp_path / "submit.sh").read_text()
    assert "--gres=gpu:1" in submitting and "--cpus-per-task=4" in submitting and "--array=0-2 " in submitting
    script = (tmp_path / "segments.sh").read_text()
    assert "xargs -n 1 -P 4" in script and "segment '/out put' --gpu 0" in script
    assert (tmp_path / "tasks-0.txt").read_text() == "0 1 2 3\n4 5 6 7\n8 9\n"
    write_scripts(tmp_path, "/out", range(3), SlurmOptions(gres="shard:2", threads=3), Limits())
    assert "--cpus-per-task=3" in (tmp_path / "submit.sh").read_text()
    assert "exec " in (tmp_path / "segments.sh").read_text()


def test_a_cluster_is_not_filled(tmp_path):
    """Segments share tasks if there would otherwise be more tasks than half the cluster's jobs."""
    written = write_scripts(tmp_path, "/out", range(1000), SlurmOptions(), Limits(array_size=10, jobs=60))
    assert written.tasks == 30
    lists = sorted(Path(tmp_path).glob("tasks-*.txt"))
    assert [len(path.read_text().splitlines()) for path in lists] == [10, 10, 10]
    assert lists[0].read_text().splitlines()[0] == "0-33"
    written = write_scripts(tmp_path, "/out", [0, 1, 3, 4, 5, 9], SlurmOptions(segments_per_task=4), Limits())
    assert lists[0].read_text() == "0-1 3-4\n5 9\n"
    assert sorted(Path(tmp_path).glob("tasks-*.txt")) == lists[:1]
