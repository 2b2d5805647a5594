"""Which segments are merged and which are not: segments that do not belong together, and errors of the program instead of a clip."""

from __future__ import annotations

import dataclasses
import shutil
import struct

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import libvmaf as vm
import libvmaf_catalogue as catalogue
from libvmaf import OpenVideos, SegmentsDoNotFit
from libvmaf_catalogue import Clip, Encode, Inline, Job, JobOptions, Place, open_store
from libvmaf_catalogue._elements import Element, merge_all, missing_elements, plan_job, score_element
from libvmaf_catalogue._manifest import clip_of as clip_of_row
from libvmaf_catalogue._segment import SegmentTarget, plan_clip, score_segment, write_segments
from made_videos import make_frame, write_y4m
from test_catalogue import check_equal, files_of, run_job, tables_of

FRAMES = 23
OPTIONS = JobOptions(features={"psnr": {"enable_apsnr": True}}, segment_seconds=0.2)


@pytest.fixture
def clip(tmp_path):
    """A clip whose segments need no frames of each other, so the library cannot tell them apart."""
    for name, noise, frames in (("ref", 0, FRAMES), ("dis", 2, FRAMES), ("short", 2, 9)):
        write_y4m(tmp_path / f"{name}.y4m", [make_frame(i, noise=noise, width=64, height=48) for i in range(frames)])
    return Clip("a", str(tmp_path / "ref.y4m"), (Encode("e", str(tmp_path / "dis.y4m")),))


@pytest.fixture
def job(clip, tmp_path):
    return Job.begin(open_store(str(tmp_path / "out")), [clip], OPTIONS)


@pytest.fixture
def undisturbed(clip, tmp_path):
    run_job(tmp_path / "undisturbed", [clip], **dataclasses.asdict(OPTIONS))
    return files_of(tmp_path / "undisturbed")


def score_all(job):
    elements = plan_job(job, Inline(Place()))
    assert len(elements) == 4
    for element in elements:
        score_element(job, element, Place())
    return elements


def segment_file(out, number):
    return next((out / "_segments").rglob(f"*-{number:05d}.parquet"))


def test_a_gap_is_an_error(job, clip, tmp_path):
    """The encode was shorter while its second segment was scored."""
    elements = plan_job(job, Inline(Place()))
    dis = tmp_path / "dis.y4m"
    for number, element in enumerate(elements):
        shutil.copy(dis, tmp_path / "kept.y4m")
        if number == 1:
            shutil.copy(tmp_path / "short.y4m", dis)
        score_element(job, element, Place())
        shutil.copy(tmp_path / "kept.y4m", dis)
    assert merge_all(job).failed_rows == 1
    frames, summary = tables_of(tmp_path / "out")
    assert "do not fit together" in summary.loc[("a", "e")]["error"]
    assert len(frames) == 0


def test_a_video_may_end_before_its_last_segments(clip, tmp_path):
    """This is no gap, because no encode has frames after the end."""
    short = dataclasses.replace(clip, encodes=(Encode("e", str(tmp_path / "short.y4m")),))
    segments = plan_clip(clip, OPTIONS)
    job = Job.begin(open_store(str(tmp_path / "out")), [short], OPTIONS)
    for segment in segments:
        write_segments(SegmentTarget(job.store, job.digest, job.shards[0]), [score_segment(short, OPTIONS, segment, Place())])
    assert merge_all(job).failed_rows == 0
    frames, summary = tables_of(tmp_path / "out")
    check_equal(frames, summary, "a", "e", vm.score(tmp_path / "ref.y4m", tmp_path / "short.y4m", models=[], features=OPTIONS.features, gpu=None))
    assert summary["frames"].tolist() == [9]


@pytest.mark.parametrize("change", [{"first": 6, "count": 4}, {"of": 5}, {"count": 4}])
def test_a_segment_of_another_cut_is_scored_anew(job, clip, tmp_path, undisturbed, change):
    elements = score_all(job)
    other = dataclasses.replace(elements[1].segment, **change)
    write_segments(SegmentTarget(job.store, job.digest, job.shards[0]), [score_segment(clip, OPTIONS, other, Place())])
    assert merge_all(job).missing
    assert not (tmp_path / "out/frames").exists()
    catalogue.run(Job.begin(job.store, [clip], OPTIONS, resume=True), Inline(Place()))
    files = files_of(tmp_path / "out")
    del files["plan.parquet"]
    assert files == undisturbed


def checksum(saved):
    total = 0xCBF29CE484222325
    for byte in saved:
        total = (total ^ byte) * 0x100000001B3 & (1 << 64) - 1
    return struct.pack("=Q", total)


def of_another_version(saved):
    """The same scores, saved by a library of another version."""
    version = vm.version().encode()
    content = saved[:-8].replace(version, b"9" + version[1:])
    assert saved[-8:] == checksum(saved[:-8]) and content != saved[:-8]
    return content + checksum(content)


@pytest.mark.parametrize("change", [of_another_version, lambda saved: saved[:-1], lambda saved: b"no scores"])
def test_scores_that_the_library_refuses_are_scored_anew(job, clip, tmp_path, undisturbed, change):
    """Another version of the library wrote a segment, or the segment has changed since."""
    score_all(job)
    path = segment_file(tmp_path / "out", 1)
    table = pq.read_table(path)
    changed = [change(saved) for saved in table.column("saved").to_pylist()]
    pq.write_table(pa.table([changed], schema=table.schema), path)
    assert merge_all(job).missing
    catalogue.run(Job.begin(job.store, [clip], OPTIONS, resume=True), Inline(Place()))
    files = files_of(tmp_path / "out")
    del files["plan.parquet"]
    assert files == undisturbed


def test_a_misfit_of_segments_makes_the_clip_one(clip, tmp_path, undisturbed, monkeypatch):
    """The decoder does not deliver what the index promised. Only one segment of all frames has the clip's scores."""
    true_save = OpenVideos.save_segment
    tried = []

    def save(self, before, count):
        tried.append(count)
        if len(tried) > 1 and count is not None:
            raise SegmentsDoNotFit("frames are not where they should be")
        return true_save(self, before, count)

    monkeypatch.setattr(OpenVideos, "save_segment", save)
    frames, summary = run_job(tmp_path / "out", [clip], **dataclasses.asdict(OPTIONS))
    assert tried[0] == 5 and tried[-1] is None
    check_equal(frames, summary, "a", "e", vm.score(clip.reference, clip.encodes[0].url, models=[], features=OPTIONS.features, gpu=None))
    assert files_of(tmp_path / "out").keys() == undisturbed.keys()


@pytest.mark.parametrize("is_planned", [False, True])
def test_an_error_of_the_program_stops_the_job(clip, tmp_path, monkeypatch, is_planned):
    """The error is not a clip's, which would get a row, and not a worker's, which would be asked again."""

    def mistaken(self, *arguments):
        return None + 1

    monkeypatch.setattr(OpenVideos, "segment_overlap" if is_planned else "save_segment", property(mistaken) if is_planned else mistaken)
    job = Job.begin(open_store(str(tmp_path / "out")), [clip], OPTIONS)
    with pytest.raises(catalogue.Stopped, match="(?s)defect.*TypeError.*NoneType"):
        catalogue.run(job, Inline(Place()))


@pytest.mark.parametrize("wrong", [{"features": {"psnr": 3}}, {"models": {"main": 5}}])
def test_a_manifest_with_values_of_another_kind_is_refused(wrong):
    row = {"id": "a", "reference": "r.y4m", "encodes": [{"url": "d.y4m"}], **wrong}
    with pytest.raises(catalogue.ManifestError, match="row 1"):
        clip_of_row(row, "row 1: ")


class CountedShard:
    """Counts how often somebody asks where it begins."""

    asked = 0

    def __init__(self, shard):
        self.shard = shard

    @property
    def first(self):
        CountedShard.asked += 1
        assert CountedShard.asked < 1_000_000, "the work grows with the square of the clips"
        return self.shard.first

    def __getattr__(self, name):
        return getattr(self.shard, name)


def test_the_work_of_planning_grows_with_the_clips(tmp_path, monkeypatch):
    clips = 100_000
    texts = [f'{{"id": "{i}", "reference": "r.y4m", "encodes": [{{"url": "d.y4m"}}]}}' for i in range(clips)]
    rows = pa.table({"id": [str(i) for i in range(clips)], "clip": texts})
    shards = [CountedShard(catalogue._job.Shard("00", i, 4 * i, 4)) for i in range(clips // 4)]
    job = Job(open_store(str(tmp_path)), JobOptions(), "digest", shards, rows)

    class Nothing:
        def get(self, clip, number):
            return None

    monkeypatch.setattr(catalogue._elements, "finished_shard", lambda job, shard: None)
    monkeypatch.setattr(catalogue._elements, "_segments_of", lambda job, shard: Nothing())
    elements = [Element(row, catalogue._plan.WHOLE) for row in range(clips)]
    assert missing_elements(job, elements) == list(range(clips))
    assert job.shard_of(0) is shards[0] and job.shard_of(clips - 1) is shards[-1]
