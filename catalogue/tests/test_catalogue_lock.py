"""One driver at a time works on an output. A driver that was killed does not block others."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys

import pytest

import libvmaf_catalogue as catalogue
from libvmaf_catalogue import Inline, Job, JobError, Place, open_store
from libvmaf_catalogue._command import main
from libvmaf_catalogue._lock import LOCK, driving
from test_catalogue import OPTIONS, Stop, StopsAfter, files_of, many, undisturbed, videos  # noqa: F401

ARGUMENTS = ["--feature", "psnr", "--feature", "motion", "--segment-seconds=0.25", "--clips-per-shard=3", "--progress=none"]


@pytest.fixture(scope="module")
def manifest(videos):
    path = videos / "locked.jsonl"
    path.write_text("".join(clip.to_json() + "\n" for clip in many(videos)))
    return path


@pytest.fixture
def driver():
    """Starts another process that becomes the driver and does nothing."""
    program = """
import sys
from libvmaf_catalogue import open_store
from libvmaf_catalogue._lock import driving
with driving(open_store(sys.argv[1])):
    print("driving", flush=True)
    sys.stdin.read()
"""
    started = []

    def start(url):
        process = subprocess.Popen([sys.executable, "-c", program, str(url)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        started.append(process)
        assert process.stdout.readline() == "driving\n"
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


@pytest.fixture(params=["folder", "fsspec"])
def place(request, tmp_path, monkeypatch):
    """An output as a URL that fsspec opens. It has no file locks."""
    monkeypatch.setattr(catalogue._store, "_SECONDS_TO_SETTLE", 0.01)
    return str(tmp_path / "out") if request.param == "folder" else f"local://{tmp_path}/out"


def begun(place, videos):
    store = open_store(place)
    job = Job.begin(store, many(videos), OPTIONS)
    with pytest.raises(Stop):
        catalogue.run(job, StopsAfter(2))
    return store


def test_a_second_driver_is_refused(videos, manifest, place, driver, capsys):
    store = begun(place, videos)
    other = driver(place)
    before = store.list("")
    store.write(".half.unfinished", b"the other driver's")
    for arguments in (["run", str(manifest), "-o", place, "--resume"], ["run", str(manifest), "-o", place, "--force-restart"], ["plan", str(manifest), "-o", place, "--resume"]):
        assert main([*arguments, *ARGUMENTS, "--local=0"]) == 1
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        assert f"{store.url}: process {other.pid} on {socket.gethostname()} works on it since 20" in said
    assert main(["merge", place]) == 1
    assert main(["verify", place, "--delete"]) == 1
    with pytest.raises(JobError, match=str(other.pid)):
        Job.begin(store, many(videos), OPTIONS, restart=True)
    with pytest.raises(JobError, match=str(other.pid)):
        catalogue.run(Job.open(store), Inline(Place()))
    assert store.list("") == before
    assert store.size(".half.unfinished") is not None
    assert main(["status", place]) == 0
    other.communicate("")
    catalogue.run(Job.begin(store, many(videos), OPTIONS, resume=True), Inline(Place()))
    assert store.size(LOCK) is None


def test_a_driver_that_was_killed_is_none(videos, place, driver, undisturbed, tmp_path):
    store = begun(place, videos)
    other = driver(place)
    other.send_signal(signal.SIGKILL)
    other.wait()
    assert store.size(LOCK) is not None
    catalogue.run(Job.begin(store, many(videos), OPTIONS, resume=True), Inline(Place()))
    assert files_of(tmp_path / "out") == undisturbed
    assert store.size(LOCK) is None


def test_a_driver_that_was_killed_and_nobody_waits_for(place, driver):
    other = driver(place)
    os.kill(other.pid, signal.SIGKILL)
    os.waitid(os.P_PID, other.pid, os.WEXITED | os.WNOWAIT)  # it has ended, and its number is still reserved
    with driving(open_store(place)):
        pass


def written_by(place, **changes):
    """What a driver of this process would write, with changes."""
    store = open_store(place)
    with driving(store):
        content = json.loads(store.read(LOCK)) | changes
    store.write(LOCK, json.dumps(content).encode())
    return store


@pytest.mark.parametrize("changes", [{"started": "1"}, {"boot": "before the power went"}])
def test_a_number_that_is_used_again(place, changes):
    with driving(written_by(place, **changes)):
        pass


def test_what_was_not_written_to_its_end(place):
    store = open_store(place)
    store.write(LOCK, b'{"host": "')
    with driving(store):
        pass


def test_a_driver_of_another_host(videos, manifest, place, capsys):
    store = written_by(place, host="elsewhere", pid=1, since="2026-01-02 03:04:05 UTC")
    arguments = ["run", str(manifest), "-o", place, *ARGUMENTS, "--local=0"]
    assert main(arguments) == 1
    said = capsys.readouterr().err
    assert "process 1 on elsewhere works on it since 2026-01-02 03:04:05 UTC" in said and f"delete {store.url}/{LOCK}" in said
    store.remove(LOCK)
    assert main(arguments) == 3


@pytest.mark.parametrize("place", ["fsspec"], indirect=True)
@pytest.mark.parametrize("is_there_still", [True, False])
def test_another_that_created_it_at_the_same_time(place, monkeypatch, is_there_still):
    """If storage lets both write, the driver whose content is there after a while is the one."""
    store = written_by(place, host="elsewhere", pid=1)
    others = store.read(LOCK)
    store.remove(LOCK)
    monkeypatch.setattr(catalogue._store.time, "sleep", lambda seconds: store.write(LOCK, others) if is_there_still else store.remove(LOCK))
    with pytest.raises(JobError, match="process 1 on elsewhere" if is_there_still else "another driver"), driving(store):
        pass
    assert (store.size(LOCK) is not None) == is_there_still


def test_a_lock_that_was_taken_by_another_is_left(place):
    store = open_store(place)
    with driving(store):
        store.remove(LOCK)
        store.write(LOCK, b"another's")
    assert store.read(LOCK) == b"another's"


def test_segments_without_a_driver(videos, manifest, place, driver, capsys):
    """Tasks of an array go on while a driver works."""
    assert main(["plan", str(manifest), "-o", place, *ARGUMENTS, "--local=0"]) == 0
    driver(place)
    assert main(["segment", place, "0-1"]) == 0
    assert len(open_store(place).list("_segments")) == 2


def test_two_threads_of_one_process(videos, tmp_path):
    first, second = open_store(str(tmp_path)), open_store(str(tmp_path))
    with driving(first), pytest.raises(JobError, match=str(os.getpid())), driving(second):
        pass


def test_a_job_that_was_begun_anew(videos, tmp_path):
    store = open_store(str(tmp_path))
    job = Job.begin(store, many(videos), OPTIONS)
    Job.begin(store, many(videos)[1:], OPTIONS, restart=True)
    with pytest.raises(JobError, match="another one now"):
        catalogue.run(job, Inline(Place()))


def test_drivers_at_once(manifest, tmp_path, undisturbed):
    out = tmp_path / "out"
    command = [sys.executable, "-m", "libvmaf_catalogue", "run", str(manifest), "-o", str(out), "--resume", "--local=0", *ARGUMENTS]
    drivers = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    said = [process.communicate()[1] for process in drivers]
    ended = [process.returncode for process in drivers]
    assert 3 in ended and set(ended) <= {1, 3}
    assert all("works on it" in text for status, text in zip(ended, said) if status == 1)
    assert files_of(out) == undisturbed
