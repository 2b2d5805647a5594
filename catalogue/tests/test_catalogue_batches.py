"""Short clips share tasks and files. The output does not show it, and errors of a clip affect no other clip."""

from __future__ import annotations

import os
import signal

import pytest

from made_videos import make_frame, write_y4m
import libvmaf_catalogue as catalogue
from libvmaf_catalogue import Clip, Encode, Inline, Job, JobOptions, Place, Pool, open_store
from libvmaf_catalogue._command import main
from libvmaf_catalogue._tasks import ClipsTask, SegmentTask
from test_catalogue import Stop, StopsAfter, damage, files_of, tables_of

OPTIONS = JobOptions(features={"psnr": {}, "motion": {}}, segment_seconds=0.2, clips_per_shard=100)
CLIPS = 12
WITH_ERROR = {5, 9}


def named_alike(count):
    """Ids of one shard."""
    found, number = [], 0
    while len(found) < count:
        if catalogue._job.clip_key(f"clip {number}").startswith("7"):
            found.append(f"clip {number}")
        number += 1
    return found


@pytest.fixture(scope="module")
def clips(tmp_path_factory):
    """Short clips, some with an encode that does not exist, and two clips that are cut. Their columns differ."""
    folder = tmp_path_factory.mktemp("short")
    for name, frames, noise in (("ref", 6, 0), ("dis", 6, 2), ("long", 13, 0), ("long-dis", 13, 3)):
        write_y4m(folder / f"{name}.y4m", [make_frame(i, noise=noise, width=64, height=48) for i in range(frames)])
    (folder / "text.y4m").write_text("nothing of a video")

    def clip(number, name):
        is_long = number in (3, 10)
        encodes = [Encode("e", str(folder / ("long-dis.y4m" if is_long else "dis.y4m")))]
        if number in WITH_ERROR:
            encodes.append(Encode("text", str(folder / "text.y4m")))
        features = {"psnr": {"enable_apsnr": True}} if number == 7 else ["float_ssim"] if number == 8 else None
        return Clip(name, str(folder / ("long.y4m" if is_long else "ref.y4m")), tuple(encodes), features=features)

    return [clip(number, name) for number, name in enumerate(named_alike(CLIPS))]


@pytest.fixture(autouse=True)
def together(monkeypatch):
    """Puts all clips into one prefix and batches them as in a job of many clips, however slow the machine is."""
    monkeypatch.setattr(catalogue._tasks, "_SECONDS_OF_CLIPS", 60.0)
    monkeypatch.setattr(catalogue._run, "_LEAST_TASKS", 1)
    monkeypatch.setattr(catalogue._job, "_prefix", lambda clip_id: catalogue._job.clip_key(clip_id)[:1])


@pytest.fixture
def apart(clips, tmp_path, monkeypatch):
    """The output of a job in which each clip has its own task."""
    with monkeypatch.context() as patch:
        patch.setattr(catalogue._run, "_LEAST_TASKS", 1000)
        catalogue.run(Job.begin(open_store(str(tmp_path / "apart")), clips, OPTIONS), Inline(Place()))
    return files_of(tmp_path / "apart")


class Counts(Inline):
    """Clips of the tasks."""

    def __init__(self):
        super().__init__(Place())
        self.clips = []
        self.segments = 0

    def submit(self, task, needs, avoid):
        if isinstance(task, ClipsTask):
            self.clips.append(len(task.clips))
        self.segments += isinstance(task, SegmentTask)
        super().submit(task, needs, avoid)


def test_clips_together_are_clips_apart(clips, tmp_path, apart):
    executor = Counts()
    tallies = []
    outcome = catalogue.run(Job.begin(open_store(str(tmp_path / "out")), clips, OPTIONS), executor, report=lambda tally: tallies.append(tally.done))
    assert executor.clips == [CLIPS]
    assert executor.segments == 2 * 2  # of the long ones
    assert outcome.failed_rows == len(WITH_ERROR)
    assert tallies == sorted(tallies) and tallies[-1] == CLIPS
    assert files_of(tmp_path / "out") == apart


def test_a_job_of_few_clips_has_each_in_a_task(clips, tmp_path, monkeypatch):
    monkeypatch.setattr(catalogue._run, "_LEAST_TASKS", CLIPS // 2)
    executor = Counts()
    catalogue.run(Job.begin(open_store(str(tmp_path)), clips, OPTIONS), executor)
    assert executor.clips == [2] * (CLIPS // 2)


def test_a_task_ends_after_a_while(clips, tmp_path, apart, monkeypatch):
    """Other workers then have work from the rest."""
    monkeypatch.setattr(catalogue._tasks, "_SECONDS_OF_CLIPS", 0.0)
    executor = Counts()
    catalogue.run(Job.begin(open_store(str(tmp_path / "out")), clips, OPTIONS), executor)
    assert executor.clips == list(range(CLIPS, 0, -1))
    assert files_of(tmp_path / "out") == apart


def test_a_task_ends_after_many_rows(clips, tmp_path, apart, monkeypatch):
    monkeypatch.setattr(catalogue._tasks, "_MOST_FRAMES", 12)
    executor = Counts()
    catalogue.run(Job.begin(open_store(str(tmp_path / "out")), clips, OPTIONS), executor)
    assert executor.clips[:3] == [CLIPS, CLIPS - 2, CLIPS - 5]  # the fourth one is long and has no rows yet
    assert files_of(tmp_path / "out") == apart


@pytest.mark.parametrize("how", [None, "cut", "overwritten", "deleted"])
def test_what_an_earlier_run_has_left(clips, tmp_path, apart, capsys, how):
    store = open_store(str(tmp_path / "out"))
    with pytest.raises(Stop):
        catalogue.run(Job.begin(store, clips, OPTIONS), StopsAfter(2))
    batch, own = sorted((tmp_path / "out" / "_segments").rglob("*.parquet"), key=lambda path: not path.name.startswith("batch-"))
    assert batch.name.endswith(f"-{CLIPS - 2:05d}.parquet") and own.name.endswith("-00000.parquet")
    assert main(["status", str(tmp_path / "out")]) == 0
    assert f"{CLIPS - 1} segments of others" in capsys.readouterr().out
    if how is not None:
        damage(batch, how)
    executor = Counts()
    catalogue.run(Job.begin(store, clips, OPTIONS, resume=True), executor)
    # One of the long clips was begun and is planned. The other one is not known.
    assert executor.clips == ([1] if how is None else [CLIPS - 1])
    assert files_of(tmp_path / "out") == apart


def test_segments_that_are_in_a_batch_are_not_scored_again(clips, tmp_path):
    store = open_store(str(tmp_path / "out"))
    (tmp_path / "clips.jsonl").write_text("".join(clip.to_json() + "\n" for clip in clips))
    arguments = ["--feature", "psnr", "--feature", "motion", "--segment-seconds=0.2", "--clips-per-shard=100", "--local=0", "--progress=none"]
    assert main(["plan", str(tmp_path / "clips.jsonl"), "-o", str(tmp_path / "out"), *arguments]) == 0
    job = Job.open(store)
    with pytest.raises(Stop):
        catalogue.run(job, StopsAfter(1))
    elements = catalogue._elements.planned_elements(job)
    long = [number for number, element in enumerate(elements) if element.segment.of > 1]
    assert catalogue._elements.missing_elements(job, elements) == long
    assert not catalogue._elements.score_element(job, elements[0], Place())
    assert all(catalogue._elements.score_element(job, elements[number], Place()) for number in long)
    assert main(["merge", str(tmp_path / "out")]) == 3


class HasTroubleWith:
    """score_clip() of a worker that lacks memory for one clip, so many times."""

    def __init__(self, clip, times):
        self.clip, self.times = clip, times
        self.score = catalogue._tasks.score_clip

    def __call__(self, clip, *more):
        if clip.id == self.clip.id and self.times:
            self.times -= 1
            raise MemoryError("no room")
        return self.score(clip, *more)


@pytest.mark.parametrize("number", [0, 4, CLIPS - 1])
@pytest.mark.parametrize("times", [1, 4])
def test_trouble_with_one_of_them(clips, tmp_path, apart, monkeypatch, number, times):
    ordered = Job.begin(open_store(str(tmp_path / "out")), clips, OPTIONS)
    clip = ordered.clip(number)
    monkeypatch.setattr(catalogue._tasks, "score_clip", HasTroubleWith(clip, times))
    outcome = catalogue.run(ordered, Inline(Place()))
    assert outcome.retried == times
    if times < 4:
        assert files_of(tmp_path / "out") == apart
        return
    _, summary = tables_of(tmp_path / "out")
    errors = summary["error"].dropna()
    assert set(errors[clip.id]) == {"MemoryError: no room, 4 times"}
    assert {name for name, _ in errors.index} == {clip.id} | {clips[number].id for number in WITH_ERROR}


def test_a_worker_that_dies_with_them(clips, tmp_path, apart):
    class KillsBatches(Pool):
        def submit(self, task, needs, avoid):
            super().submit(task, needs, avoid)
            if isinstance(task, ClipsTask) and len(task.clips) > 1:
                os.kill(next(worker for worker in self._workers if worker.task is task).process.pid, signal.SIGKILL)

    pool = KillsBatches([Place()])
    try:
        outcome = catalogue.run(Job.begin(open_store(str(tmp_path / "out")), clips, OPTIONS), pool)
    finally:
        pool.close()
    assert outcome.retried == 1
    assert files_of(tmp_path / "out") == apart
