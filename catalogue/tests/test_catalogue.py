"""Jobs of many clips. Their rows are the scores of score(), whatever cuts, interrupts or repeats them."""

from __future__ import annotations

import io
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import libvmaf as vm
from made_videos import make_frame, write_raw, write_y4m
import libvmaf_catalogue as catalogue
from libvmaf_catalogue import Clip, Encode, Inline, Job, JobOptions, Place, Pool
from libvmaf import OpenVideos, _files
from libvmaf_catalogue._command import main
from libvmaf_catalogue._progress import ProgressLine
from libvmaf_catalogue._report import report_of
from libvmaf_catalogue._segment import plan_clip

FRAMES = 23
EVERYTHING = {
    "models": ["vmaf_v0.6.1", "vmaf_v1.0.16_3d0h", "vmaf_b_v0.6.3"],
    "features": {
        "psnr": {"enable_apsnr": True}, "xpsnr": {}, "cvvdp": {}, "ssimulacra2": {}, "speed_temporal": {}, "float_motion": {},
    },
}


@pytest.fixture(scope="module")
def videos(tmp_path_factory):
    folder = tmp_path_factory.mktemp("videos")
    size = {"width": 321, "height": 241}
    write_y4m(folder / "ref.y4m", [make_frame(i, **size) for i in range(FRAMES)])
    for number, noise in enumerate((1, 2, 5)):
        write_y4m(folder / f"dis{number}.y4m", [make_frame(i, noise=noise, **size) for i in range(FRAMES)])
    write_y4m(folder / "short.y4m", [make_frame(i, noise=3, **size) for i in range(9)])
    (folder / "broken.y4m").write_bytes((folder / "dis0.y4m").read_bytes()[: -1000])
    (folder / "text.y4m").write_text("nothing of a video")
    return folder


def clip_of(videos, name="a", encodes=("dis0", "dis1"), **more):
    return Clip(name, str(videos / "ref.y4m"), tuple(Encode(encode, str(videos / f"{encode}.y4m")) for encode in encodes), **more)


def run_job(out, clips, executor=None, **options):
    """Frames and summary of a job."""
    job = Job.begin(catalogue.open_store(str(out)), clips, JobOptions(**options))
    catalogue.run(job, executor or Inline(Place()))
    return tables_of(out)


def tables_of(out):
    frames = pa.concat_tables([pq.read_table(path) for path in sorted(Path(out, "frames").rglob("*.parquet"))], promote_options="default")
    summary = pa.concat_tables([pq.read_table(path) for path in sorted(Path(out, "summary").iterdir())], promote_options="default")
    return frames.to_pandas(), summary.to_pandas().set_index(["id", "encode"])


def files_of(out):
    """The summary without columns that may differ from run to run."""
    content = {}
    for path in sorted(Path(out).rglob("*.parquet")):
        name = str(path.relative_to(out))
        if name.startswith("summary"):
            table = pq.read_table(path)
            content[name] = table.drop_columns(["seconds", "device"]).to_pylist(), table.schema.metadata
        else:
            content[name] = path.read_bytes()
    return content


def check_equal(frames, summary, clip, encode, result):
    rows = frames[(frames["id"] == clip) & (frames["encode"] == encode)]
    assert rows["frame"].tolist() == result.index.tolist()
    for name, scores in result.frames.items():
        assert np.array_equal(rows[name].to_numpy(), scores, equal_nan=True), name
        for statistic in ("mean", "harmonic_mean", "min", "p1", "p5", "median", "p95", "p99", "max", "stddev"):
            value = summary.loc[(clip, encode)][f"{name}__{statistic}"]
            assert np.array_equal(value, getattr(result.pooled[name], statistic), equal_nan=True), (name, statistic)
    for name, value in result.aggregate.items():
        assert np.array_equal(summary.loc[(clip, encode)][name], value, equal_nan=True), name


@pytest.mark.parametrize("cut", range(5))
def test_cut_and_merged_is_the_uncut_clip(videos, tmp_path, cut):
    """Scores are equal to the last bit, wherever the clip is cut. Features look at neighbours, and values of the whole clip are exact sums."""
    seed = random.randrange(1 << 30)
    print("seed", seed)
    frames = random.Random(seed).randint(1, (FRAMES - 1) // 2 - 1)  # Twice as many must leave a rest when every second frame is scored.
    subsample = 1 if cut < 4 else 2
    scoring = {**EVERYTHING, "subsample": subsample}
    assert len(plan_clip(clip_of(videos), JobOptions(segment_seconds=frames / 25, **scoring))) > 1
    got, summary = run_job(tmp_path / "out", [clip_of(videos)], segment_seconds=frames / 25, **scoring)
    for encode in ("dis0", "dis1"):
        result = vm.score(videos / "ref.y4m", videos / f"{encode}.y4m", gpu=None, threads=0, **scoring)
        assert [name for name in got.columns if name not in ("id", "encode", "frame")] == list(result.frames)
        check_equal(got, summary, "a", encode, result)
        assert summary.loc[("a", encode)]["frames"] == FRAMES


@pytest.mark.parametrize(
    ("pix_fmt", "bpc", "options"),
    [("420", 8, {}), ("422", 10, {"reduced_hbd_peak": True}), ("444", 12, {"enable_mse": True}), ("400", 8, {}), ("420", 16, {"enable_chroma": False})],
)
@pytest.mark.parametrize("noise", [0, 3])
def test_values_of_the_whole_clip(tmp_path, pix_fmt, bpc, options, noise):
    kind = {"pix_fmt": pix_fmt, "bpc": bpc, "width": 37, "height": 35}
    write_raw(tmp_path / "ref.yuv", [make_frame(i, **kind) for i in range(7)])
    write_raw(tmp_path / "dis.yuv", [make_frame(i, noise=noise, **kind) for i in range(7)])
    raw = catalogue.RawFormat(37, 35, pix_fmt, bpc)
    clip = Clip("a", str(tmp_path / "ref.yuv"), (Encode("e", str(tmp_path / "dis.yuv")),), reference_raw=raw, encode_raw=raw)
    features = {"psnr": {"enable_apsnr": True, **options}}
    assert len(plan_clip(clip, JobOptions(features=features, segment_seconds=2 / 25))) == 3
    got, summary = run_job(tmp_path / "out", [clip], features=features, segment_seconds=2 / 25)
    result = vm.score(tmp_path / "ref.yuv", tmp_path / "dis.yuv", models=[], features=features, raw=(37, 35, pix_fmt, bpc), gpu=None, threads=0)
    assert list(got.columns) == ["id", "encode", "frame", *result.frames]
    assert set(result.aggregate) == {"apsnr_y", "apsnr_cb", "apsnr_cr"}
    check_equal(got, summary, "a", "e", result)


@pytest.mark.parametrize("features", [["xpsnr"], {"cvvdp": {"display": "standard_fhd"}}])
def test_values_of_the_whole_clip_that_need_all_frames_in_order(videos, tmp_path, features):
    clip = clip_of(videos, "a", ("dis0",))
    assert len(plan_clip(clip, JobOptions(features=features, segment_seconds=0.2))) > 1
    got, summary = run_job(tmp_path / "out", [clip], features=features, segment_seconds=0.2)
    result = vm.score(videos / "ref.y4m", videos / "dis0.y4m", models=[], features=features, gpu=None, threads=0)
    assert {"axpsnr_y", "axpsnr_w"} <= set(result.aggregate) or "cvvdp" in result.aggregate
    check_equal(got, summary, "a", "dis0", result)


def test_a_segment_begins_where_frames_are_scored(videos, tmp_path):
    """Segments of 1 s have 25 frames, which is no multiple of 3."""
    for name in ("ref", "dis0"):
        write_y4m(tmp_path / f"{name}.y4m", [make_frame(i % 10, width=64, height=48, noise=name == "dis0") for i in range(300)])
    scoring = {"models": [], "features": ["vif", "motion"], "subsample": 3}
    got, summary = run_job(tmp_path / "out", [clip_of(tmp_path, encodes=["dis0"])], segment_seconds=1.0, **scoring)
    result = vm.score(tmp_path / "ref.y4m", tmp_path / "dis0.y4m", gpu=None, threads=0, **scoring)
    assert got["frame"].tolist()[:100] == result.index.tolist()[:100]
    check_equal(got, summary, "a", "dis0", result)
    assert summary["frames"].tolist() == [300]


def test_a_bad_file_is_one_row_with_its_reason(videos, tmp_path):
    clips = [
        clip_of(videos, "ladder", ("dis0", "missing", "text", "short", "broken", "dis1")),
        clip_of(videos, "good", ("dis2",)),
        Clip("no reference", str(videos / "nothing.y4m"), (Encode("e", str(videos / "dis0.y4m")),)),
        clip_of(videos, "unknown", ("dis0",), features=["vuf"]),
    ]
    for seconds in (20, 0.2):
        got, summary = run_job(tmp_path / f"out{seconds}", clips, features=["psnr"], segment_seconds=seconds)
        assert len(summary) == 9
        errors = summary["error"].dropna()
        assert set(errors.index) == {
            ("ladder", "missing"), ("ladder", "text"), ("ladder", "broken"), ("no reference", "e"), ("unknown", "dis0"),
        }
        assert "missing.y4m" in errors[("ladder", "missing")]
        assert "text.y4m" in errors[("ladder", "text")]
        assert f"frame {FRAMES - 1}" in errors[("ladder", "broken")]
        assert "nothing.y4m" in errors[("no reference", "e")]
        assert "vuf" in errors[("unknown", "dis0")]
        assert set(zip(got["id"], got["encode"])) == {("ladder", "dis0"), ("ladder", "short"), ("ladder", "dis1"), ("good", "dis2")}
        assert summary["frames"][("ladder", "short")] == 9 and "ended before" in summary["notes"][("ladder", "short")]
        for encode in ("dis0", "short", "dis1"):
            check_equal(got, summary, "ladder", encode, vm.score(videos / "ref.y4m", videos / f"{encode}.y4m", models=[], features=["psnr"], gpu=None))


def test_a_container_that_promises_other_lengths(videos, tmp_path, monkeypatch):
    expected = vm.score(videos / "ref.y4m", videos / "dis0.y4m", models=[], features=["psnr", "motion"], gpu=None)
    for promise in (FRAMES + 30, FRAMES - 9):
        monkeypatch.setattr(OpenVideos, "expected_frames", promise)
        got, summary = run_job(tmp_path / f"out{promise}", [clip_of(videos, encodes=["dis0"])], features=["psnr", "motion"], segment_seconds=0.2)
        check_equal(got, summary, "a", "dis0", expected)


@pytest.fixture(scope="module")
def media(videos):
    """The same videos as media files, with key frames in several places."""
    from libvmaf import _files

    if shutil.which("ffmpeg") is None or not _files.has_media_support():
        pytest.skip("no ffmpeg, or built without media files")
    encoders = {
        "mp4": ["-c:v", "libx264", "-g", "7", "-bf", "2", "-pix_fmt", "yuv420p"],
        "mkv": ["-c:v", "libx265", "-x265-params", "keyint=6:open-gop=1:bframes=3:log-level=none", "-pix_fmt", "yuv420p"],
        "ts": ["-c:v", "mpeg2video", "-g", "5", "-bf", "2", "-q:v", "3"],
    }
    for suffix, options in encoders.items():
        for name in ("ref", "dis1"):
            command = ["ffmpeg", "-v", "error", "-y", "-i", videos / f"{name}.y4m", *options, "-vf", "crop=320:240", videos / f"{name}.{suffix}"]
            if subprocess.run(command).returncode != 0:
                pytest.skip(f"ffmpeg cannot make {suffix}")
    return videos


@pytest.mark.parametrize("suffix", ["mp4", "mkv", "ts"])
def test_segments_of_media_files_begin_at_key_frames(media, tmp_path, suffix):
    reference, encode = str(media / f"ref.{suffix}"), str(media / f"dis1.{suffix}")
    clip = Clip("a", reference, (Encode("e", encode), Encode("same", reference)))
    scoring = {"models": ["vmaf_v0.6.1"], "features": ["psnr", "speed_temporal"]}
    for frames in (3, 4):
        plan = plan_clip(clip, JobOptions(segment_seconds=frames / 25, **scoring))
        assert len(plan) == FRAMES // frames
        assert all(seek is not None for segment in plan for seek in segment.seeks)
        assert sum(seek[0] is not None for seek in plan[-1].seeks) == 3  # decoding begins at a key frame
        got, summary = run_job(tmp_path / f"out{frames}", [clip], segment_seconds=frames / 25, **scoring)
        check_equal(got, summary, "a", "e", vm.score(reference, encode, gpu=None, threads=0, **scoring))


def test_a_file_that_is_not_what_its_packets_say(media, tmp_path, monkeypatch):
    """The clip is then scored as a whole, whatever segments were made of it."""
    reference, encode = str(media / "ref.mp4"), str(media / "dis1.mp4")
    true_start = OpenVideos.segment_start

    def wrong(self, video, first, end):
        asked, pts, dropped, checked, digest = true_start(self, video, first, end)
        return asked, pts, dropped, checked, digest ^ (video == 1 and first > 10)

    monkeypatch.setattr(OpenVideos, "segment_start", wrong)
    clip = Clip("a", reference, (Encode("e", encode),))
    got, summary = run_job(tmp_path, [clip], features=["psnr", "motion"], segment_seconds=0.2)
    check_equal(got, summary, "a", "e", vm.score(reference, encode, gpu=None, threads=0, models=[], features=["psnr", "motion"]))


def many(videos):
    return [clip_of(videos, f"clip {i}", ("dis0", "dis1", "text") if i == 3 else ("dis0",)) for i in range(8)]


OPTIONS = JobOptions(features={"psnr": {}, "motion": {}}, segment_seconds=0.25, clips_per_shard=3)


@pytest.fixture(scope="module")
def undisturbed(videos, tmp_path_factory):
    out = tmp_path_factory.mktemp("undisturbed")
    catalogue.run(Job.begin(catalogue.open_store(str(out)), many(videos), OPTIONS), Inline(Place()))
    return files_of(out)


def test_workers_change_nothing(videos, tmp_path, undisturbed):
    job = Job.begin(catalogue.open_store(str(tmp_path)), many(videos), OPTIONS)
    pool = Pool([Place(), Place(threads=2)])
    try:
        outcome = catalogue.run(job, pool)
    finally:
        pool.close()
    assert outcome == catalogue.Outcome(clips=8, failed_rows=1, retried=0)
    assert files_of(tmp_path) == undisturbed
    assert not (tmp_path / "_segments").exists()


class Stop(Exception):
    pass


class StopsAfter(Inline):
    """Interrupts a job like a kill, between two tasks or within one."""

    def __init__(self, tasks):
        super().__init__(Place())
        self.left = tasks

    def wait(self):
        if self.left == 0:
            raise Stop
        self.left -= 1
        return super().wait()


@pytest.mark.parametrize("step", [2, 7])
def test_resumed_again_and_again(videos, tmp_path, undisturbed, step):
    store = catalogue.open_store(str(tmp_path))
    Job.begin(store, many(videos), OPTIONS)
    for _ in range(100):
        job = Job.begin(store, many(videos), OPTIONS, resume=True)
        try:
            catalogue.run(job, StopsAfter(step))
            break
        except Stop:
            pass
    assert files_of(tmp_path) == undisturbed


def damage(path, how):
    content = path.read_bytes()
    if how == "cut":
        path.write_bytes(content[: len(content) // 2])
    elif how == "empty":
        path.write_bytes(b"")
    elif how == "overwritten":
        path.write_bytes(b"x" * len(content))
    elif how == "deleted":
        path.unlink()


@pytest.mark.parametrize("how", ["cut", "empty", "overwritten", "deleted"])
def test_damaged_files_of_an_earlier_run(videos, tmp_path, undisturbed, how):
    store = catalogue.open_store(str(tmp_path))
    job = Job.begin(store, many(videos), OPTIONS)
    with pytest.raises(Stop):
        catalogue.run(job, StopsAfter(18))
    finished = sorted((tmp_path / "frames").rglob("*.parquet"))
    segments = sorted((tmp_path / "_segments").rglob("*.parquet"))
    assert finished and segments
    damage(finished[0], how)
    damage(sorted((tmp_path / "summary").iterdir())[-1], how)
    damage(segments[0], how)
    damage(segments[-1], how)
    (segments[0].parent / ".half.unfinished").write_bytes(b"PAR1")
    catalogue.run(Job.begin(store, many(videos), OPTIONS, resume=True), Inline(Place()))
    assert files_of(tmp_path) == undisturbed
    assert not [path for path in tmp_path.rglob("*") if "unfinished" in path.name]


def test_a_bit_that_turned_in_a_segment(videos, tmp_path, undisturbed):
    store = catalogue.open_store(str(tmp_path))
    job = Job.begin(store, many(videos), OPTIONS)
    with pytest.raises(Stop):
        catalogue.run(job, StopsAfter(2))
    segment = sorted((tmp_path / "_segments").rglob("*.parquet"))[0]
    content = bytearray(segment.read_bytes())
    content[60] ^= 1  # in a page; the footer is intact
    segment.write_bytes(content)
    catalogue.run(Job.begin(store, many(videos), OPTIONS, resume=True), Inline(Place()))
    assert files_of(tmp_path) == undisturbed


def test_segments_by_number(videos, tmp_path, undisturbed, capsys):
    """Runs the tasks without a driver, in any order, some of them twice."""
    manifest = tmp_path / "clips.jsonl"
    manifest.write_text("".join(clip.to_json() + "\n" for clip in many(videos)))
    out = tmp_path / "out"
    assert main(["plan", str(manifest), "-o", str(out), "--feature", "psnr", "--feature", "motion", "--segment-seconds=0.25", "--clips-per-shard=3", "--local=0"]) == 0
    count = int(capsys.readouterr().out)
    assert count == 8 * 3
    assert main(["segment", str(out), "7", "20-23"]) == 0
    assert main(["merge", str(out)]) == 1
    assert "has no scores" in capsys.readouterr().err
    assert main(["segment", str(out), *map(str, reversed(range(count)))]) == 0
    assert main(["segment", str(out), str(count)]) == 1
    assert main(["merge", str(out)]) == 3
    assert main(["merge", str(out)]) == 3
    files = files_of(out)
    del files["plan.parquet"]
    assert files == undisturbed


def test_another_job_is_refused(videos, tmp_path):
    store = catalogue.open_store(str(tmp_path))
    Job.begin(store, many(videos), OPTIONS)
    with pytest.raises(catalogue.JobError, match="--resume"):
        Job.begin(store, many(videos), OPTIONS)
    with pytest.raises(catalogue.JobError, match="another options"):
        Job.begin(store, many(videos), JobOptions(features=["psnr"]), resume=True)
    with pytest.raises(catalogue.JobError, match="manifest"):
        Job.begin(store, many(videos)[1:], OPTIONS, resume=True)
    other = json.loads((tmp_path / "job.json").read_text()) | {"library": "2.0"}
    (tmp_path / "job.json").write_text(json.dumps(other))
    with pytest.raises(catalogue.JobError, match="library"):
        Job.begin(store, many(videos), OPTIONS, resume=True)
    Job.begin(store, many(videos)[1:], OPTIONS, restart=True)
    with pytest.raises(catalogue.JobError, match="no job"):
        Job.open(catalogue.open_store(str(tmp_path / "elsewhere")))


def test_manifests(tmp_path):
    encodes = [{"name": "low", "url": "low.mp4", "bitrate": 500000.0}, {"name": "high", "url": "s3://bucket/high.mp4"}]
    raw = {"width": 64, "height": 48, "pix_fmt": "420", "bpc": 10}
    rows = [
        {"id": "a", "reference": "/ref.mp4", "encodes": encodes, "models": ["vmaf_v0.6.1", "mine.json"], "features": {"psnr": {"enable_mse": True}}, "tags": {"genre": "news"}},
        {"id": "b", "reference": "b.yuv", "encodes": [{"name": "e", "url": "b2.yuv"}], "subsample": 5, "reference_raw": raw, "encode_raw": raw},
    ]
    (tmp_path / "clips.jsonl").write_text("\n".join(map(json.dumps, rows)))
    pq.write_table(pa.table({key: [row.get(key) if key in ("id", "reference", "encodes", "subsample", "reference_raw", "encode_raw") else json.dumps(row[key]) if key in row else None for row in rows] for key in {**rows[0], **rows[1]}}), tmp_path / "clips.parquet")
    (tmp_path / "clips.csv").write_text(
        "id,reference,name,url,bitrate,models,features,subsample,reference_raw,encode_raw,tags\n"
        'a,/ref.mp4,low,low.mp4,500000,vmaf_v0.6.1;mine.json,"{""psnr"": {""enable_mse"": true}}",,,,"{""genre"": ""news""}"\n'
        "b,b.yuv,e,b2.yuv,,,,5,64x48:420:10,64x48:420:10,\n"
        'a,/ref.mp4,high,s3://bucket/high.mp4,,vmaf_v0.6.1;mine.json,"{""psnr"": {""enable_mse"": true}}",,,,"{""genre"": ""news""}"\n'
    )
    expected = catalogue.read_manifest(str(tmp_path / "clips.jsonl"))
    assert expected[0].encodes == (Encode("low", str(tmp_path / "low.mp4"), 500000.0), Encode("high", "s3://bucket/high.mp4"))
    assert expected[0].models == ["vmaf_v0.6.1", str(tmp_path / "mine.json")]
    assert expected[1].reference_raw == catalogue.RawFormat(64, 48, "420", 10) and expected[1].subsample == 5
    for name in ("clips.parquet", "clips.csv"):
        assert catalogue.read_manifest(str(tmp_path / name)) == expected
    assert [Clip.from_json(clip.to_json()) for clip in expected] == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no clip"),
        ("nothing", "line 1 is not JSON"),
        ("[]", "no JSON object"),
        ('{"id": "a"}', "row 1: reference"),
        ('{"id": "a", "reference": "r"}', "no encode"),
        ('{"id": "a", "reference": "r", "encodes": [{"name": "x"}]}', "url"),
        ('{"id": "a", "reference": "r", "encodes": [{"url": "e"}], "model": "x"}', "model is unknown"),
        ('{"id": "a", "reference": "r", "encodes": [{"url": "a/e"}, {"url": "b/e"}]}', "names of their own"),
        ('{"id": "a", "reference": "r", "encodes": [{"url": "e"}], "subsample": 0}', "subsample is 0"),
        ('{"id": "a", "reference": "r", "encodes": [{"url": "e"}], "encode_raw": "64"}', "raw format"),
        ('{"id": "a", "reference": "r", "encodes": [{"url": "e"}]}\n{"id": "a", "reference": "r", "encodes": [{"url": "e"}]}', "row 2: there is a clip 'a'"),
    ],
)
def test_manifests_that_say_nothing_useful(tmp_path, text, message):
    path = tmp_path / "clips.jsonl"
    path.write_text(text)
    with pytest.raises(catalogue.ManifestError, match=message):
        catalogue.read_manifest(str(path))


def command(*arguments):
    return subprocess.run([sys.executable, "-m", "libvmaf_catalogue", *map(str, arguments)], capture_output=True, text=True)


def test_the_command(videos, tmp_path):
    manifest = videos / "clips.csv"
    manifest.write_text("id,reference,name,url\nx,ref.y4m,low,dis2.y4m\nx,ref.y4m,high,dis0.y4m\n")
    out = tmp_path / "out"
    ran = command("run", manifest, "-o", out, "-m", "main=vmaf_v0.6.1", "--feature", "psnr=enable_apsnr=true", "--local", 1, "--progress", "none")
    assert (ran.returncode, ran.stdout) == (0, "") and re.fullmatch("1 clip, 2 encodes, 46 frames in [0-9.]+ s\n", ran.stderr)
    _, summary = tables_of(out)
    expected = vm.score(videos / "ref.y4m", videos / "dis2.y4m", models={"main": "vmaf_v0.6.1"}, features={"psnr": {"enable_apsnr": True}}, gpu=None)
    assert summary.loc[("x", "low")]["main__mean"] == expected.pooled["main"].mean
    assert command("run", manifest, "-o", out).returncode == 1
    again = command("run", manifest, "-o", out, "-m", "main=vmaf_v0.6.1", "--feature", "psnr=enable_apsnr=true", "--resume")
    assert again.returncode == 0
    manifest.write_text("id,reference,name,url\nx,ref.y4m,low,nothing.y4m\n")
    failed = command("run", manifest, "-o", out, "--force-restart", "--local", 0)
    assert failed.returncode == 3 and ", 1 with an error: " in failed.stderr
    assert command("run", manifest, "-o", tmp_path / "other", "--feature", "vuf").returncode == 1


@pytest.fixture(scope="module")
def finished(videos, tmp_path_factory):
    out = tmp_path_factory.mktemp("finished")
    clips = [
        Clip(f"title <{i}>", str(videos / "ref.y4m"), tuple(Encode(name, str(videos / f"{name}.y4m"), rate) for name, rate in (("dis0", 300), ("dis2", 100))))
        for i in range(3)
    ]
    clips.append(clip_of(videos, "bad", ("text",)))
    clips.append(clip_of(videos, "some", ("dis0",), subsample=5))
    catalogue.run(Job.begin(catalogue.open_store(str(out)), clips, JobOptions(models=["vmaf_v0.6.1"])), Inline(Place()))
    return out


def test_how_files_are_read_is_said_as_to_score(videos, tmp_path):
    """Options are the package's. PSNR is compared with numpy's."""
    if not _files.has_media_support():
        pytest.skip("built without media files, which crops need")
    frames = [[make_frame(i, noise=noise) for i in range(4)] for noise in (0, 2)]
    for name, side in zip(("ref", "dis"), frames):
        write_y4m(tmp_path / f"{name}.y4m", side)
    (tmp_path / "clips.csv").write_text("id,reference,url\na,ref.y4m,dis.y4m\n")

    def run(name, *options):
        command = ["run", str(tmp_path / "clips.csv"), "-o", str(tmp_path / name), "--feature", "psnr", "--local", "0", "--gpus", "none"]
        return main([*command, "--progress", "none", *options])

    assert run("out", "--range-ref", "full", "--range-dist", "full", "--offset", "1", "--crop", "96:64:8:4", "--no-autorotate", "--allow-fps-mismatch") == 0
    options = {"range_ref": "full", "range_dist": "full", "offset": "1", "crop": "96:64:8:4", "autorotate": False, "allow_fps_mismatch": True}
    assert Job.open(catalogue.open_store(str(tmp_path / "out"))).options.reading == options
    got, _ = tables_of(tmp_path / "out")
    sides = [np.array([planes[0][4:68, 8:104] for planes in side], float) for side in (frames[0][:-1], frames[1][1:])]
    errors = ((sides[0] - sides[1]) ** 2).mean((1, 2))
    assert got["psnr_y"].tolist() == pytest.approx((10 * np.log10(255**2 / errors)).tolist())
    for wrong in (["--align", "some"], ["--display", "8k"], ["--film-grain", "some"], ["--sizes", "ref"]):
        with pytest.raises(SystemExit):
            run("wrong", *wrong)
    help_text = subprocess.run([sys.executable, "-m", "libvmaf_catalogue", "run", "--help"], capture_output=True, text=True).stdout
    for name in vm.ReadingOptions.__annotations__:
        assert f"--{name.replace('_', '-')}" in help_text


def test_status_and_verification(videos, finished, tmp_path, capsys):
    assert main(["status", str(finished)]) == 0
    out = capsys.readouterr().out
    assert "5 of 5 clips are finished (100.0%)" in out and "bad: text: " in out
    assert main(["verify", str(finished)]) == 0
    said = capsys.readouterr().out
    assert said.startswith(f"8 rows, 1 with an error, {6 * FRAMES + 5} frames, digest ")
    again = tmp_path / "again"
    job = Job.open(catalogue.open_store(str(finished)))
    clips = [clip for shard in job.shards for clip in job.clips(shard)]
    catalogue.run(Job.begin(catalogue.open_store(str(again)), clips, job.options), Inline(Place()))
    assert catalogue.verify(Job.open(catalogue.open_store(str(again)))).digest == said.split()[-1]
    assert catalogue.read_frames(job.store, "title <1>").num_rows == 2 * FRAMES
    assert catalogue.read_frames(job.store).num_rows == 6 * FRAMES + 5
    assert catalogue.read_summary(job.store, ["id", "vmaf__mean"]).column_names == ["id", "vmaf__mean"]

    files = sorted((again / "frames").rglob("*.parquet"))
    content = bytearray(files[0].read_bytes())
    content[len(content) // 2] ^= 8
    files[0].write_bytes(content)
    sorted((again / "summary").iterdir())[-1].unlink()
    (again / "frames" / "other.parquet").write_bytes(b"")
    assert main(["verify", str(again), "--delete"]) == 1
    said_now = capsys.readouterr().out
    assert "not those that were written" in said_now and "other.parquet" in said_now and "1 of " in said_now
    catalogue.run(Job.begin(catalogue.open_store(str(again)), clips, job.options, resume=True), Inline(Place()))
    assert catalogue.verify(Job.open(catalogue.open_store(str(again)))).digest == said.split()[-1]


def test_failed_clips_are_scored_again(videos, tmp_path):
    (tmp_path / "late.y4m").write_text("not yet")
    clips = [Clip("late", str(videos / "ref.y4m"), (Encode("e", str(tmp_path / "late.y4m")),)), clip_of(videos, "good", ("dis0",))]
    store = catalogue.open_store(str(tmp_path / "out"))
    options = JobOptions(features=["psnr"])
    assert catalogue.run(Job.begin(store, clips, options), Inline(Place())).failed_rows == 1
    shutil.copy(videos / "dis1.y4m", tmp_path / "late.y4m")
    assert catalogue.run(Job.begin(store, clips, options, resume=True), Inline(Place())).failed_rows == 1
    assert catalogue.run(Job.begin(store, clips, options, resume=True), Inline(Place()), retry_failed=True).failed_rows == 0
    check_equal(*tables_of(tmp_path / "out"), "late", "e", vm.score(videos / "ref.y4m", videos / "dis1.y4m", models=[], features=["psnr"], gpu=None))


def data_of(page):
    return json.loads(re.search(r'id="(?:catalogue|vmaf)-data">(.*?)</script>', page, re.DOTALL).group(1))


def test_the_report(finished, tmp_path):
    path = tmp_path / "page.html"
    assert main(["report", str(finished), "-o", str(path)]) == 0
    page = path.read_text()
    summary = catalogue.read_summary(catalogue.open_store(str(finished))).to_pylist()
    scored = [row for row in summary if row["error"] is None]
    assert f"<td>{min(row['vmaf__mean'] for row in scored):.6g}</td>" in page
    assert "title &lt;1&gt;" in page and "title <1>" not in page and "text.y4m" in page
    assert not any(word in page for word in ("http:", "https:", "src=", "@import", "url(", "{{"))
    data = data_of(page)
    assert [row["clip"] for row in data["rows"]] == [row["id"] for row in summary]
    for found, row in zip(data["rows"], summary):
        assert all(found[key] == row[key] for key in ("encode", "url", "width", "height", "duration", "bitrate", "frames", "error"))
        if row["error"] is None:
            values = dict(zip(data["statistics"], found["scores"]["vmaf"]))
            assert values["p5"] == float(f"{row['vmaf__p5']:.6g}") and (found["width"], found["height"]) == (321, 241)
    clips = {row["clip"]: row["page"] for row in data["rows"]}
    assert len(list((tmp_path / "page-clips").iterdir())) == len({row["id"] for row in scored})
    for clip, link in clips.items():
        of = [row for row in scored if row["id"] == clip]
        assert bool(link) == bool(of)
        if link:
            there = data_of((tmp_path / link).read_text())
            encodes = there.get("encodes", [there])
            assert [encode["pooled"]["vmaf"]["mean"] for encode in encodes] == pytest.approx([row["vmaf__mean"] for row in of])
            assert there["reference"]["path"].endswith("ref.y4m")
    assert main(["report", str(finished), "-o", str(tmp_path / "few.html"), "--metric", "integer_motion2", "--clips", "1"]) == 0
    few = (tmp_path / "few.html").read_text()
    assert data_of(few)["metrics"] == ["integer_motion2"] and len(list((tmp_path / "few-clips").iterdir())) == 1
    assert main(["report", str(finished), "-o", str(path), "--metric", "nothing"]) == 1
    assert main(["report", str(finished), "-o", str(tmp_path / "none.html"), "--clips", "0"]) == 0
    assert not (tmp_path / "none-clips").exists()


def test_the_report_lists_the_worst_encodes_first_whichever_scores_are_better(videos, tmp_path):
    clips = [Clip("a", str(videos / "ref.y4m"), tuple(Encode(name, str(videos / f"{name}.y4m")) for name in ("ref", "dis0", "dis1")))]
    store = catalogue.open_store(str(tmp_path / "out"))
    job = Job.begin(store, clips, JobOptions(features=["butteraugli", "xpsnr"]))
    assert catalogue.run(job, Inline(Place())).failed_rows == 0
    for metric, sign in (("butteraugli_3norm", -1), ("xpsnr_y", 1)):
        page = report_of(job, [metric])
        rows = re.findall('<th scope="row">a</th><td>([a-z0-9]+)</td>.*?<td>[0-9]+</td><td>([^<]+)</td><td>[^<]+</td></tr>', page)
        results = {name: vm.score(videos / "ref.y4m", videos / f"{name}.y4m", models=[], features=["butteraugli", "xpsnr"], gpu=None) for name in ("ref", "dis0", "dis1")}
        means = {name: result.pooled[metric].mean for name, result in results.items()}
        assert [name for name, _ in rows] == sorted(means, key=lambda name: sign * means[name]) and rows[-1][0] == "ref", metric
    assert rows[-1][1] == "∞" and data_of(page)["rows"][0]["scores"]["xpsnr_y"][0] == "Infinity"


def test_the_summary_says_what_encodes_are(videos, tmp_path):
    """Models come first, in the order of the request."""
    _, summary = run_job(tmp_path, [clip_of(videos, encodes=("dis0",))], models={"second": "vmaf_v0.6.1neg", "first": "vmaf_v0.6.1"}, features=["xpsnr", "psnr"])
    columns = [name.removesuffix("__mean") for name in summary.columns if name.endswith("__mean")]
    assert columns[:8] == ["second", "first", "xpsnr_y", "xpsnr_cb", "xpsnr_cr", "psnr_y", "psnr_cb", "psnr_cr"]
    row = summary.loc[("a", "dis0")]
    assert (row["url"], row["width"], row["height"], row["duration"]) == (str(videos / "dis0.y4m"), 321, 241, FRAMES / 25)
    assert row[["codec", "bytes", "bitrate"]].isna().all()
    details = json.loads(row["details"])
    assert [model["label"] for model in details["models"]] == ["vmaf_v0.6.1neg", "vmaf_v0.6.1"] and "device" not in details


def test_the_summary_knows_codecs_and_sizes(videos, tmp_path):
    if not _files.has_media_support() or shutil.which("ffmpeg") is None:
        pytest.skip("no media files, or no ffmpeg")
    path = tmp_path / "dis.mp4"
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-i", str(videos / "dis0.y4m"), "-c:v", "mpeg4", str(path)], check=True)
    encodes = (Encode("told", str(path), 5000.0), Encode("measured", str(path)))
    _, summary = run_job(tmp_path / "out", [Clip("a", str(videos / "ref.y4m"), encodes)], features=["psnr"])
    size = path.stat().st_size
    assert summary["codec"].tolist() == ["mpeg4"] * 2 and summary["bytes"].tolist() == [size] * 2
    assert summary["bitrate"].tolist() == [5000, 8 * size / (FRAMES / 25)]


class KillsItself(Pool):
    """The worker is killed when it gets one of the first tasks."""

    def __init__(self, places, deaths):
        super().__init__(places)
        self.deaths = deaths

    def submit(self, task, needs, avoid):
        if self.deaths and isinstance(task, catalogue._tasks.SegmentTask):
            self.deaths -= 1
            for pid in self.process_ids():
                os.kill(pid, signal.SIGKILL)
        super().submit(task, needs, avoid)


@pytest.mark.parametrize("deaths", [1, 3])
def test_a_worker_that_dies_is_replaced(videos, tmp_path, undisturbed, deaths):
    job = Job.begin(catalogue.open_store(str(tmp_path)), many(videos), OPTIONS)
    pool = KillsItself([Place(), Place()], deaths)
    try:
        outcome = catalogue.run(job, pool)
    finally:
        pool.close()
    assert outcome.failed_rows == 1 and outcome.retried >= 1
    assert files_of(tmp_path) == undisturbed


def test_there_is_a_worker_for_each_core_that_the_process_may_use(monkeypatch):
    """The quota of a container counts, as in the tool: libvmaf.available_cores()."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: set(range(64)))
    monkeypatch.setattr(catalogue._command, "available_cores", lambda: 3)
    chosen = catalogue._command._parser().parse_args(["plan", "clips.csv", "-o", "out", "--gpus=none"])
    assert len(catalogue._command._places(chosen)) == 3


def test_a_worker_whose_driver_has_ended_ends_quietly(tmp_path):
    """The worker dies just before it says that it is there."""
    ours, theirs = socket.socketpair()
    ours.close()
    with theirs:
        command = [sys.executable, "-c", catalogue._pool._PROGRAM, str(theirs.fileno()), "\n".join(sys.path)]
        worker = subprocess.run(command, pass_fds=[theirs.fileno()], capture_output=True, text=True, timeout=60)
    assert (worker.returncode, worker.stderr) == (0, "")


def test_a_job_that_is_stopped_while_its_workers_start_says_so_alone(videos, tmp_path):
    manifest = tmp_path / "clips.jsonl"
    manifest.write_text("".join(clip.to_json() + "\n" for clip in many(videos)))
    for number in range(5):
        out = tmp_path / str(number)
        arguments = ["run", str(manifest), "-o", str(out), "--feature=psnr", "--local=2", "--gpus=none", "--progress=none"]
        driver = subprocess.Popen([sys.executable, "-m", "libvmaf_catalogue", *arguments], stderr=subprocess.PIPE, text=True)
        while not (out / "job.json").exists() and driver.poll() is None:
            time.sleep(0.001)
        time.sleep(0.03 * number)  # from before the first worker to after the last
        driver.terminate()
        said = driver.communicate(timeout=60)[1]
        assert "Traceback" not in said and "Error" not in said
        assert driver.returncode in (0, 3) or (driver.returncode == 128 + signal.SIGTERM and "interrupted" in said)


def test_workers_that_cannot_start_stop_the_job(videos, tmp_path, monkeypatch, capfd):
    """Otherwise every clip would have an error for it."""
    job = Job.begin(catalogue.open_store(str(tmp_path)), many(videos), OPTIONS)
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    pool = Pool([Place(), Place()])
    monkeypatch.undo()
    with pytest.raises(catalogue.Stopped, match="cannot start"):
        catalogue.run(job, pool)
    pool.close()
    assert not (tmp_path / "summary").exists()


def test_what_kills_every_worker_is_a_row(videos, tmp_path):
    clips = [clip_of(videos, "a", ("dis0",)), clip_of(videos, "b", ("dis0",))]
    job = Job.begin(catalogue.open_store(str(tmp_path)), clips, JobOptions(features=["psnr"], segment_seconds=100))

    class KillsClipA(Pool):
        def submit(self, task, needs, avoid):
            super().submit(task, needs, avoid)
            if isinstance(task, catalogue._tasks.ClipsTask) and task.clip.id == "a":
                os.kill(next(worker for worker in self._workers if worker.task is task).process.pid, signal.SIGKILL)

    pool = KillsClipA([Place()])
    try:
        outcome = catalogue.run(job, pool)
    finally:
        pool.close()
    assert (outcome.failed_rows, outcome.retried) == (1, 4)
    _, summary = tables_of(tmp_path)
    assert summary.loc[("a", "dis0")]["error"] == "the worker died (signal 9), 4 times"
    assert summary.loc[("b", "dis0")]["frames"] == FRAMES


def test_urls(videos):
    import fsspec

    files = fsspec.filesystem("memory")
    for name in ("ref", "dis0"):
        files.pipe_file(f"/videos/{name}.y4m", (videos / f"{name}.y4m").read_bytes())
    files.pipe_file("/videos/clips.csv", b"id,reference,name,url\na,ref.y4m,good,dis0.y4m\na,ref.y4m,gone,gone.y4m\na,ref.y4m,web,http://localhost/x.mp4\n")
    clips = catalogue.read_manifest("memory://videos/clips.csv")
    assert clips[0].reference == "memory://videos/ref.y4m"
    store = catalogue.open_store("memory://scores")
    job = Job.begin(store, clips, JobOptions(features=["psnr"], segment_seconds=0.25))
    assert catalogue.run(job, Inline(Place())).failed_rows == 2
    rows = {row["encode"]: row for row in catalogue.read_summary(store).to_pylist()}
    expected = vm.score(videos / "ref.y4m", videos / "dis0.y4m", models=[], features=["psnr"], gpu=None)
    assert rows["good"]["psnr_y__mean"] == expected.pooled["psnr_y"].mean
    assert "gone.y4m" in rows["gone"]["error"] and "--allow-network" in rows["web"]["error"]
    assert catalogue.verify(job).is_well
    assert store.list("_segments") == []
    Job.begin(store, clips, JobOptions(), restart=True)
    assert [name for name in store.list("") if not name.startswith(("job", "manifest"))] == []


def test_raw_encodes_of_a_video_that_is_not(videos, tmp_path):
    write_raw(tmp_path / "dis.yuv", [make_frame(i, noise=2, width=321, height=241) for i in range(FRAMES)])
    raw = catalogue.RawFormat(321, 241)
    clip = Clip("a", str(videos / "ref.y4m"), (Encode("raw", str(tmp_path / "dis.yuv")),), encode_raw=raw)
    expected = vm.score(videos / "ref.y4m", videos / "dis1.y4m", models=[], features=["psnr"], gpu=None)
    check_equal(*run_job(tmp_path / "out", [clip], features=["psnr"]), "a", "raw", expected)
    turned = Clip("b", str(tmp_path / "dis.yuv"), (Encode("e", str(videos / "ref.y4m")),), reference_raw=raw)
    _, summary = run_job(tmp_path / "turned", [turned], features=["psnr"])
    assert summary.loc[("b", "e")]["psnr_y__mean"] == expected.pooled["psnr_y"].mean


def test_progress():
    text = io.StringIO()
    for kind, shown in (("bar", ["2/8 clips  25% [=====               ]", "ETA 0:00:0", "1 failed", "\x1b[K"]), ("plain", ["progress 2/8 clips  25%"])):
        line = ProgressLine(kind, text)
        line(catalogue.Tally(clips=8, done=2, frames=50, failed_rows=1))
        line.finish()
        for part in shown:
            assert part in text.getvalue()
        assert text.getvalue().endswith("\n")
    silent = io.StringIO()
    ProgressLine("none", silent)(catalogue.Tally(clips=8))
    assert silent.getvalue() == ""


def test_progress_for_dashboards_is_json():
    text = io.StringIO()
    line = ProgressLine("json", text)
    line(catalogue.Tally(clips=8))
    line(catalogue.Tally(clips=8, done=1))  # too soon after the one before
    line.finish(catalogue.Tally(clips=8, done=2, frames=50, failed_rows=1, retried=3))
    first, last = map(json.loads, text.getvalue().splitlines())
    assert (first["done"], first["eta"]) == (0, None)
    assert (last["clips"], last["done"], last["frames"], last["failed"], last["retried"]) == (8, 2, 50, 1, 3)
    assert last["eta"] >= 0 and last["seconds"] >= 0


def test_the_closing_line(videos, tmp_path, capsys):
    manifest = tmp_path / "clips.jsonl"
    encodes = [{"name": name, "url": str(videos / f"{name}.y4m")} for name in ("dis0", "text")]
    manifest.write_text("".join(json.dumps({"id": name, "reference": str(videos / "ref.y4m"), "encodes": encodes}) + "\n" for name in ("news-3", "film")))
    arguments = ["run", str(manifest), "-o", str(tmp_path / "out"), "--feature", "psnr", "--local", "0", "--gpus", "none", "--progress"]
    assert main([*arguments, "none"]) == 3
    said = capsys.readouterr().err.splitlines()[-1]
    assert re.fullmatch(r"2 clips, 4 encodes, 46 frames in [0-9.]+ s, 2 with an error: (news-3/text, film/text|film/text, news-3/text)", said), said
    assert main([*arguments, "json", "--force-restart"]) == 3
    last = json.loads(capsys.readouterr().err.splitlines()[-1])
    assert last["finished"] and (last["clips"], last["encodes"], last["frames"]) == (2, 4, 46)
    assert sorted(last["errors"]) == ["film/text", "news-3/text"]


class BothKinds(Inline):
    """Schedules as if there were workers on GPUs and CPUs."""

    has_gpus = has_both_kinds = True

    def __init__(self):
        super().__init__(Place())
        self.needs = {}

    def submit(self, task, needs, avoid):
        if not isinstance(task, catalogue._tasks.MergeTask):
            self.needs.setdefault(task.clip.id, set()).add(needs.value)
        super().submit(task, needs, avoid)


def test_scores_do_not_depend_on_which_worker_was_free(videos, tmp_path, monkeypatch):
    """Some features differ between CPU and GPU. In a build without GPUs none does."""
    monkeypatch.setattr(catalogue._features, "_same_on_gpu", lambda: {"psnr"})
    clips = [clip_of(videos, name, ("dis0",), features=features) for name, features in (("same", ["psnr"]), ("other", ["psnr", "ciede"]), ("option", {"float_ssim": {}}))]
    executor = BothKinds()
    catalogue.run(Job.begin(catalogue.open_store(str(tmp_path)), clips, JobOptions(segment_seconds=0.4)), executor)
    assert executor.needs == {"same": {"any"}, "other": {"gpu"}, "option": {"gpu"}}


def test_what_features_say_of_themselves():
    from libvmaf_catalogue._features import differ_by_device

    assert not differ_by_device({"psnr": {}, "vif_cuda": {}})
    assert differ_by_device("nobody knows it") and differ_by_device(["psnr", "nobody knows it"])


class HasTrouble(Inline):
    """A worker that fails so many times."""

    def __init__(self, times):
        super().__init__(Place())
        self.times = times

    def wait(self):
        if self.times == 0:
            return super().wait()
        self.times -= 1
        return catalogue._executors.Done(self._tasks.popleft(), trouble="MemoryError: no room")


def test_trouble_that_is_not_the_clips_own_is_tried_again(videos, tmp_path):
    clips = [clip_of(videos, "a", ("dis0",))]
    for times, error in ((3, None), (4, "MemoryError: no room, 4 times")):
        out = tmp_path / str(times)
        catalogue.run(Job.begin(catalogue.open_store(str(out)), clips, JobOptions(features=["psnr"])), HasTrouble(times))
        _, summary = tables_of(out)
        assert summary.loc[("a", "dis0")]["error"] == error or (error is None and summary["error"].isna().all())


def test_a_sample_of_each_clip(tmp_path):
    write_y4m(tmp_path / "ref.y4m", [make_frame(i) for i in range(60)])
    for name, noise in (("dis0", 2), ("dis1", 5)):
        write_y4m(tmp_path / f"{name}.y4m", [make_frame(i, noise=noise) for i in range(60)])
    clip = clip_of(tmp_path)
    options = {"features": ["psnr"], "segment_seconds": 0.5, "reading": {"sample": "40%"}}
    assert len(plan_clip(clip, JobOptions(**options))) == 1
    frames, summary = run_job(tmp_path / "out", [clip], **options)
    for encode in clip.encodes:
        result = vm.score(clip.reference, encode.url, models=[], features=["psnr"], sample="40%", gpu=None)
        own = frames[frames.encode == encode.name]
        assert own.frame.tolist() == result.index.tolist()
        assert own.psnr_y.tolist() == result.frames["psnr_y"].tolist()
        row = summary.loc["a", encode.name]
        assert (row.frames, row.frames_of_clip) == (len(result), 60)
        assert [row.psnr_y__ci_p95_lo, row.psnr_y__ci_p95_hi] == result.sample["interval_95"]["psnr_y"]
    assert catalogue.verify(Job.open(catalogue.open_store(str(tmp_path / "out")))).is_well
