"""Long tests of jobs with many clips, and tests that need more packages. scripts/catalogue-trial runs it."""

from __future__ import annotations

import os
import random
import resource
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import libvmaf as vm
from conformance import SEED, ConformanceClip, check_every_cut, clip_writer, scorable, write_clips
from made_videos import make_frame, write_raw, write_y4m
import libvmaf_catalogue as catalogue
from libvmaf_catalogue import Clip, Encode, Inline, Job, JobOptions, Place, Pool, open_store
from test_catalogue import check_equal, clip_of, files_of, run_job, tables_of, videos  # noqa: F401

ARGUMENTS = ["-m", "vmaf_v0.6.1", "--feature", "psnr=enable_apsnr=true", "--segment-seconds", "0.2", "--clips-per-shard", "4", "--progress", "none"]
OPTIONS = JobOptions(models=["vmaf_v0.6.1"], features={"psnr": {"enable_apsnr": "true"}}, segment_seconds=0.2, clips_per_shard=4)
CLIPS = 24


def manifest_of(videos):
    return [clip_of(videos, f"clip {i}", ("dis0", "text", "dis1") if i % 5 == 3 else ("dis0", "dis2")) for i in range(CLIPS)]


@pytest.fixture(scope="module")
def manifest(videos):
    path = videos / "trial.jsonl"
    path.write_text("".join(clip.to_json() + "\n" for clip in manifest_of(videos)))
    return path


@pytest.fixture(scope="module")
def undisturbed(videos, tmp_path_factory):
    out = tmp_path_factory.mktemp("undisturbed")
    catalogue.run(Job.begin(open_store(str(out)), manifest_of(videos), OPTIONS), Inline(Place()))
    return files_of(out)


def start(manifest, out, *more, **popen):
    command = [sys.executable, "-m", "libvmaf_catalogue", "run", str(manifest), "-o", str(out), *ARGUMENTS, "--local", "2", *more]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True, **popen)


def workers_of(process):
    """Child processes of a process."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if (entry / "stat").read_text().rpartition(")")[2].split()[1] == str(process.pid):
                    found.append(int(entry.name))
            except OSError:
                pass
    return found


def kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def no_rows_twice(out):
    frames, summary = tables_of(out)
    assert not frames.duplicated(["id", "encode", "frame"]).any()
    assert not summary.index.duplicated().any()
    assert len(summary) == sum(3 if i % 5 == 3 else 2 for i in range(CLIPS))


@pytest.mark.parametrize("trial", range(4))
def test_the_driver_is_killed_again_and_again(manifest, tmp_path, undisturbed, trial):
    randomly = random.Random(SEED + trial)
    print("seed", SEED + trial)
    kills = 0
    while True:
        process = start(manifest, tmp_path, "--resume")
        try:
            process.wait(1 + randomly.random() * 3 + kills * 0.3)  # even on a busy machine it makes progress at last
        except subprocess.TimeoutExpired:
            workers = workers_of(process)
            kills += 1
            kill(process.pid)
            for worker in workers:  # otherwise they end by themselves when they notice
                if randomly.random() < 0.5:
                    kill(worker)
            process.wait()
            process.stderr.close()
            continue
        assert process.returncode == 3, process.stderr.read()
        process.stderr.close()
        break
    print(kills, "kills")
    assert files_of(tmp_path) == undisturbed
    assert not (tmp_path / "_segments").exists()
    assert not [path for path in tmp_path.rglob("*") if "unfinished" in path.name]
    no_rows_twice(tmp_path)


@pytest.mark.parametrize("trial", range(3))
def test_workers_are_killed(manifest, tmp_path, undisturbed, trial):
    randomly = random.Random(SEED + trial)
    process = start(manifest, tmp_path)
    kills = 0
    while process.poll() is None:
        time.sleep(1 + randomly.random() * 2)  # each death costs the start of a worker; four deaths in a row cost a clip its row
        workers = workers_of(process)
        if workers and kills < 8:
            kill(randomly.choice(workers))
            kills += 1
    print(kills, "kills", process.stderr.read())
    process.stderr.close()
    assert process.returncode == 3 and kills > 2
    assert files_of(tmp_path) == undisturbed


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_is_a_clean_stop(manifest, tmp_path, undisturbed, number):
    process = start(manifest, tmp_path)
    while not list(tmp_path.glob("frames/*/*.parquet")):
        time.sleep(0.02)
    workers = workers_of(process)
    process.send_signal(number)
    _, errors = process.communicate()
    assert process.returncode == 128 + number and "--resume" in errors
    assert not any(Path(f"/proc/{worker}").exists() for worker in workers)
    assert not [path for path in tmp_path.rglob("*") if "unfinished" in path.name]
    process = start(manifest, tmp_path, "--resume")
    process.communicate()
    assert process.returncode == 3
    assert files_of(tmp_path) == undisturbed


def test_a_full_disk(manifest, tmp_path, undisturbed):
    if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=160k", "none", tmp_path]).returncode != 0:
        pytest.skip("no tmpfs can be mounted")
    try:
        process = start(manifest, tmp_path)
        _, errors = process.communicate()
        assert process.returncode == 1 and "No space left" in errors
        print(errors)
        subprocess.run(["mount", "-o", "remount,size=50m", tmp_path], check=True)
        process = start(manifest, tmp_path, "--resume")
        _, errors = process.communicate()
        assert process.returncode == 3, errors
        assert files_of(tmp_path) == undisturbed
        no_rows_twice(tmp_path)
    finally:
        subprocess.run(["umount", tmp_path], check=True)


def test_files_that_may_not_grow(manifest, tmp_path, undisturbed):
    process = start(manifest, tmp_path, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000)))
    _, errors = process.communicate()
    assert process.returncode == 1 and "File too large" in errors
    process = start(manifest, tmp_path, "--resume")
    process.communicate()
    assert files_of(tmp_path) == undisturbed


def test_a_node_of_a_cluster_is_killed(videos, tmp_path, undisturbed):
    import ray
    from ray.cluster_utils import Cluster

    from libvmaf_catalogue._ray import RayCluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    try:
        nodes = [cluster.add_node(num_cpus=2) for _ in range(2)]
        cluster.wait_for_nodes()
        ray.init(address=cluster.address, log_to_driver=False)
        executor = RayCluster("auto")
        done = []
        killed = threading.Event()

        def watch(tally):
            done.append(tally.done)
            if tally.done > CLIPS / 3 and not killed.is_set():
                killed.set()
                threading.Thread(target=cluster.remove_node, args=(nodes[1],), kwargs={"allow_graceful": False}).start()

        job = Job.begin(open_store(str(tmp_path)), manifest_of(videos), OPTIONS)
        outcome = catalogue.run(job, executor, report=watch)
        executor.close()
        print(outcome)
        assert killed.is_set()
        assert files_of(tmp_path) == undisturbed
    finally:
        ray.shutdown()
        cluster.shutdown()


def test_the_command_on_ray(manifest, tmp_path, undisturbed):
    process = start(manifest, tmp_path, "--ray", "local", "--gpus", "none")
    _, errors = process.communicate()
    assert process.returncode == 3, errors
    assert files_of(tmp_path) == undisturbed


@pytest.mark.parametrize("chosen", [None, "7"])
def test_workers_of_a_cluster_that_is_started_here(monkeypatch, chosen):
    """The workers get as much of a busy machine as those of a pool, unless the user has chosen otherwise."""
    import ray

    from libvmaf_catalogue._ray import RayCluster

    if chosen is None:
        monkeypatch.delenv("RAY_worker_niceness", raising=False)
    else:
        monkeypatch.setenv("RAY_worker_niceness", chosen)
    cluster = RayCluster("local", with_gpus=False)
    try:
        assert ray.get(ray.remote(lambda: os.nice(0)).remote()) == os.nice(0) + int(chosen or 0)
        assert os.environ.get("RAY_worker_niceness") == chosen
    finally:
        cluster.close()


@pytest.fixture
def s3(monkeypatch):
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(port=0)
    server.start()
    host, port = server.get_host_and_port()
    url = f"http://{host}:{port}"
    for name, value in {"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_DEFAULT_REGION": "us-east-1", "FSSPEC_S3_ENDPOINT_URL": url, "AWS_ENDPOINT_URL": url}.items():
        monkeypatch.setenv(name, value)
    import s3fs

    files = s3fs.S3FileSystem(endpoint_url=url)
    files.mkdir("bucket")
    yield files
    server.stop()


def test_an_object_store(videos, tmp_path, s3):
    for name in ("ref", "dis0", "dis1", "text"):
        s3.put_file(str(videos / f"{name}.y4m"), f"bucket/videos/{name}.y4m")
    lines = ["id,reference,name,url"]
    for i in range(6):
        lines += [f"clip {i},ref.y4m,low,dis1.y4m", f"clip {i},ref.y4m,high,dis0.y4m", f"clip {i},ref.y4m,text,text.y4m", f"clip {i},ref.y4m,gone,gone.y4m"]
    s3.pipe_file("bucket/videos/clips.csv", "\n".join(lines).encode())
    (videos / "clips-here.csv").write_text("\n".join(lines))
    here = start(videos / "clips-here.csv", tmp_path / "here")
    here.communicate()
    there = start("s3://bucket/videos/clips.csv", "s3://bucket/out/job")
    while not s3.exists("bucket/out/job/_segments"):
        time.sleep(0.05)
        s3.invalidate_cache()
    time.sleep(1)
    there.kill()
    there.communicate()
    there = start("s3://bucket/videos/clips.csv", "s3://bucket/out/job", "--resume")
    _, errors = there.communicate()
    assert (here.returncode, there.returncode) == (3, 3), errors
    s3.get("bucket/out/job/", str(tmp_path / "there"), recursive=True)
    frames, summary = tables_of(tmp_path / "here")
    there_frames, there_summary = tables_of(tmp_path / "there")
    assert frames.equals(there_frames)
    assert not list((tmp_path / "there").glob("_segments/**/*.parquet"))
    different = ["seconds", "device", "error"]
    assert summary.drop(columns=different).equals(there_summary.drop(columns=different))
    assert there_summary["error"].isna().tolist() == summary["error"].isna().tolist()


def test_memory(videos, undisturbed):
    store = open_store("memory://out")
    catalogue.run(Job.begin(store, manifest_of(videos), OPTIONS), Inline(Place()))
    assert {name for name in store.list("") if name.endswith("parquet")} == set(undisturbed)
    for name in undisturbed:
        if name.startswith("frames"):
            assert store.read(name) == undisturbed[name]


def cpu_seconds():
    """CPU seconds of this process and of the children that it has waited for."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def cpu_of(word):
    """Running processes with that text in their command line."""
    ticks = 0
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                if word in (entry / "cmdline").read_text():
                    ticks += sum(map(int, (entry / "stat").read_text().rpartition(")")[2].split()[11:13]))
            except OSError:
                pass
    return ticks / os.sysconf("SC_CLK_TCK")


def test_throughput_of_200_clips(tmp_path):
    """Compares the job with the same segments, scored by hand in as many processes."""
    size = {"width": 640, "height": 360}
    write_y4m(tmp_path / "ref.y4m", [make_frame(i, **size) for i in range(125)])
    write_y4m(tmp_path / "dis.y4m", [make_frame(i, noise=2, **size) for i in range(125)])
    clips = [Clip(f"clip {i}", str(tmp_path / "ref.y4m"), (Encode("e", str(tmp_path / "dis.y4m")),)) for i in range(200)]
    program = f"""
import sys, libvmaf
for _ in range(int(sys.argv[1])):
    libvmaf.score({str(tmp_path / "ref.y4m")!r}, {str(tmp_path / "dis.y4m")!r}, models="vmaf_v0.6.1", threads=0, gpu=None)
"""
    cores = len(os.sched_getaffinity(0))
    seconds, cpu = {}, {}

    def by_hand():
        shares = [len(clips) // cores + (i < len(clips) % cores) for i in range(cores)]
        processes = [subprocess.Popen([sys.executable, "-c", program, str(share)]) for share in shares]
        assert all(process.wait() == 0 for process in processes)

    def by_pool():
        pool = Pool([Place()] * cores)
        catalogue.run(Job.begin(open_store(str(tmp_path / f"pool{len(seconds)}")), clips, JobOptions(models=["vmaf_v0.6.1"])), pool)
        pool.close()

    def by_ray():
        from libvmaf_catalogue._ray import RayCluster

        cluster = RayCluster("local", with_gpus=False)
        began = time.monotonic()
        catalogue.run(Job.begin(open_store(str(tmp_path / f"ray{len(seconds)}")), clips, JobOptions(models=["vmaf_v0.6.1"])), cluster)
        seconds.setdefault("by_ray, started", []).append(time.monotonic() - began)
        cpu.setdefault("by_ray, workers", []).append(cpu_of("ray::"))
        cpu.setdefault("by_ray, all", []).append(cpu_of("ray"))
        cluster.close()

    for _ in range(2):
        for way in (by_hand, by_pool, by_ray):
            began, cpu_before = time.monotonic(), cpu_seconds()
            way()
            cpu.setdefault(way.__name__, []).append(cpu_seconds() - cpu_before)
            seconds.setdefault(way.__name__, []).append(time.monotonic() - began)
    for what, measured in (("s", seconds), ("s of CPU", cpu)):
        least = {name: min(each) for name, each in measured.items()}
        print({name: f"{value:.1f} {what}, {least['by_hand'] / value:.0%}" for name, value in least.items()}, measured)


def test_overhead_of_10000_clips(tmp_path):
    """CPU and wall time of a clip besides its scoring."""
    write_y4m(tmp_path / "ref.y4m", [make_frame(i) for i in range(25)])
    write_y4m(tmp_path / "dis.y4m", [make_frame(i, noise=2) for i in range(25)])
    count = 10_000
    clips = [Clip(f"clip {i}", str(tmp_path / "ref.y4m"), (Encode("e", str(tmp_path / "dis.y4m")),)) for i in range(count)]
    began, cpu = time.monotonic(), cpu_seconds()
    for _ in range(500):
        vm.score(tmp_path / "ref.y4m", tmp_path / "dis.y4m", models=[], features=["psnr"], threads=0, gpu=None)
    alone, cpu_alone = (time.monotonic() - began) / 500, (cpu_seconds() - cpu) / 500
    cores = len(os.sched_getaffinity(0))
    began, cpu = time.monotonic(), cpu_seconds()
    pool = Pool([Place()] * cores)
    catalogue.run(Job.begin(open_store(str(tmp_path / "out")), clips, JobOptions(features=["psnr"])), pool)
    pool.close()
    each, cpu_each = (time.monotonic() - began) * cores / count, (cpu_seconds() - cpu) / count
    print(f"{alone * 1e3:.2f} ms a clip by hand, {each * 1e3:.2f} ms of a core in a job: {(each - alone) * 1e3:.2f} ms overhead")
    print(f"CPU: {cpu_alone * 1e3:.2f} ms a clip by hand, {cpu_each * 1e3:.2f} ms in a job: {(cpu_each - cpu_alone) * 1e3:.2f} ms overhead")
    began = time.monotonic()
    job = Job.begin(open_store(str(tmp_path / "out")), clips, JobOptions(features=["psnr"]), resume=True)
    catalogue.run(job, Inline(Place()))
    print(f"{time.monotonic() - began:.1f} s to see that all is done")


@pytest.mark.parametrize("subsample", [1, 3])
@pytest.mark.parametrize(("pix_fmt", "bpc"), [("420", 8), ("422", 8), ("444", 10), ("420", 10), ("422", 12), ("420", 16), ("400", 8), ("400", 16)])
def test_every_feature_cut_at_random(tmp_path, pix_fmt, bpc, subsample):
    randomly = random.Random(f"{SEED} {pix_fmt} {bpc} {subsample}")
    count = randomly.randint(9, 26)
    kind = {"pix_fmt": pix_fmt, "bpc": bpc, "width": randomly.randint(320, 340), "height": randomly.randint(216, 240)}
    clip = ConformanceClip("waves", kind["width"], kind["height"], bpc, pix_fmt, count, tmp_path)
    write_raw(clip.ref, [make_frame(i, **kind) for i in range(count)])
    write_raw(clip.dis, [make_frame(i, noise=2, **kind) for i in range(count)])
    check_every_cut(clip, tmp_path / "out", randomly, *scorable(clip), subsample)


@pytest.fixture(scope="module")
def conformance_clips(tmp_path_factory):
    folder = tmp_path_factory.mktemp("conformance")
    return write_clips(clip_writer(folder), folder)


def test_every_conformance_clip_cut_at_random(conformance_clips, tmp_path):
    """All features and models, each on some clip."""
    seen = set()
    for clip in conformance_clips:
        models, features = scorable(clip)
        seen |= {*models, *features}
        for trial in range(3 if clip.width <= 640 else 1):
            check_every_cut(clip, tmp_path / clip.name / str(trial), random.Random(f"{SEED} {clip.name} {trial}"), models, features)
    assert seen == {*vm.models(), *vm.features()}
