"""Arrays are lent to the library until it has finished with them, and not longer than the session."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import weakref

import numpy as np
import pytest

import libvmaf as vm
from made_videos import make_frame
from libvmaf import _core


class Plane(np.ndarray):
    """An array that can have weak references."""


def planes_of(index, alive, **options):
    planes = [plane.view(Plane) for plane in make_frame(index, **options)]
    alive.extend(weakref.ref(plane) for plane in planes)
    return planes


def count(alive):
    gc.collect()
    _core._drop_released()
    return sum(plane() is not None for plane in alive)


@pytest.mark.parametrize("threads", [0, 2])
def test_planes_are_released_while_frames_are_read(threads):
    alive = []
    with vm.Session(models="vmaf_v0.6.1", threads=threads) as session:
        most = 3 * sum(session.frames_held)
        for index in range(30):
            session.read(planes_of(index, alive, width=64, height=64), planes_of(index, alive, width=64, height=64, noise=2))
            assert count(alive) <= most
        session.finish()
    assert count(alive) == 0


@pytest.mark.parametrize("threads", [0, 2])
def test_planes_are_released_when_a_session_is_closed_without_flush(threads):
    alive = []
    session = vm.Session(models="vmaf_v0.6.1", threads=threads)
    for index in range(3):
        session.read(planes_of(index, alive), planes_of(index, alive))
    session.close()
    assert count(alive) == 0


def test_planes_are_released_when_a_session_is_forgotten():
    alive = []
    session = vm.Session(models="vmaf_v0.6.1", threads=2)
    session.read(planes_of(0, alive), planes_of(0, alive))
    del session
    assert count(alive) == 0


@pytest.mark.parametrize("threads", [0, 2])
def test_refused_planes_are_released(threads):
    alive = []
    with vm.Session(features=["psnr"], threads=threads) as session:
        session.read(make_frame(0), make_frame(0))
        for change in ({"width": 64}, {"pix_fmt": "444"}):
            with pytest.raises(ValueError):
                session.read(planes_of(1, alive, **change), planes_of(1, alive))
            with pytest.raises(ValueError):
                session.read(planes_of(1, alive, **change), planes_of(1, alive, **change))
        with pytest.raises(ValueError, match="frame 0"):
            session.read(planes_of(0, alive), planes_of(0, alive), 0)
        with pytest.raises(TypeError):
            session.read(planes_of(1, alive), [*planes_of(1, alive)[:2], "text"])
        assert count(alive) == 0
        session.read(make_frame(1), make_frame(1))
        assert len(session.finish()) == 2


def test_planes_of_a_failed_session_are_released():
    alive = []
    with pytest.raises(RuntimeError, match="enough"), vm.Session(models="vmaf_v0.6.1", threads=2) as session:
        session.read(planes_of(0, alive), planes_of(0, alive))
        raise RuntimeError("enough")
    assert count(alive) == 0


def test_the_main_thread_drops_what_workers_released():
    """Arrays are released without another call of the package."""
    alive = []
    with vm.Session(features=["psnr"], threads=1) as session:
        session.read(planes_of(0, alive), planes_of(0, alive))
        while session.latest("psnr_y", wait=True) is None:
            pass
        for _ in range(1_000_000_000):
            if not any(plane() is not None for plane in alive):
                break
        assert not any(plane() is not None for plane in alive)


def test_an_array_may_be_given_again_and_again():
    frame = make_frame(0, width=64, height=64)
    references = [sys.getrefcount(plane) for plane in frame]
    with vm.Session(features=["psnr"], threads=2) as session:
        for _ in range(50):
            session.read(frame, frame)
        session.finish()
    _core._drop_released()
    assert [sys.getrefcount(plane) for plane in frame] == references


def resident_bytes():
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_thousands_of_sessions_leave_nothing_behind():
    frame = make_frame(0, width=32, height=32)

    def sessions(count):
        for _ in range(count):
            with vm.Session(features=["psnr"], threads=0) as session:
                session.read(frame, frame)
                session.finish()

    sessions(300)
    before = resident_bytes()
    sessions(2000)
    assert resident_bytes() - before < 4 << 20


def test_a_session_that_is_left_open_does_not_hang_the_end():
    program = """
import numpy, libvmaf
frame = [numpy.zeros((480, 640), numpy.uint8)]
session = libvmaf.Session(models="vmaf_v0.6.1", threads=2)
for _ in range(4):
    session.read(frame, frame)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stderr) == (0, "")
