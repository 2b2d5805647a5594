"""Arrays that have DLPack and nothing else, in host memory and on a CUDA device.

The producers are made here, so that no array library is needed. Those on a device run where the CUDA driver shows one, be it the stand-in
for it that the library's own tests use: LD_LIBRARY_PATH=BUILD/test/cuda, and LD_PRELOAD=BUILD/test/cuda/libemulated_gpu.so for kernels
that compute.
"""

from __future__ import annotations

import ctypes
import gc
from ctypes import (
    CFUNCTYPE,
    POINTER,
    PYFUNCTYPE,
    Structure,
    c_int,
    c_int32,
    c_int64,
    c_size_t,
    c_uint8,
    c_uint16,
    c_uint32,
    c_uint64,
    c_void_p,
    py_object,
)

import numpy as np
import pytest

import libvmaf as vm
from made_videos import make_frame
from libvmaf import _core

CPU, CUDA, CUDA_HOST, VULKAN = 1, 2, 3, 7


class Tensor(Structure):
    _fields_ = [
        ("data", c_void_p),
        ("device_type", c_int32),
        ("device_id", c_int32),
        ("dimensions", c_int32),
        ("code", c_uint8),
        ("bits", c_uint8),
        ("lanes", c_uint16),
        ("shape", POINTER(c_int64)),
        ("strides", POINTER(c_int64)),
        ("byte_offset", c_uint64),
    ]


Deleter = CFUNCTYPE(None, c_void_p)


class ManagedTensor(Structure):
    _fields_ = [("tensor", Tensor), ("context", c_void_p), ("deleter", Deleter)]


class VersionedTensor(Structure):
    _fields_ = [
        ("major", c_uint32),
        ("minor", c_uint32),
        ("context", c_void_p),
        ("deleter", Deleter),
        ("flags", c_uint64),
        ("tensor", Tensor),
    ]


class Exchange(Structure):
    _fields_ = [
        ("major", c_uint32),
        ("minor", c_uint32),
        ("previous", c_void_p),
        ("allocate", c_void_p),
        ("managed_tensor_of", PYFUNCTYPE(c_int, py_object, POINTER(c_void_p))),
        ("array_of", c_void_p),
        ("tensor_of", c_void_p),
        ("current_stream", PYFUNCTYPE(c_int, c_int32, c_int32, POINTER(c_void_p))),
    ]


new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype = py_object
new_capsule.argtypes = [c_void_p, ctypes.c_char_p, c_void_p]

#: Tensors that were exported and not returned.
lent = {}


@Deleter
def give_back(address):
    del lent[address]


class Producer:
    """An array of an unknown library."""

    def __init__(self, array, *, device=(CPU, 0), data=None, offset=0, compact=False, code=1):
        self.array = array
        self.device = device
        self.data = array.ctypes.data if data is None else data
        self.offset = offset
        self.compact = compact
        self.code = code
        self.streams = []

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, stream=None):
        self.streams.append(stream)
        return new_capsule(self.lend(ManagedTensor(tensor=self.tensor(), deleter=give_back)), b"dltensor", None)

    def tensor(self):
        dimensions = self.array.ndim
        strides = (c_int64 * dimensions)(*(stride // self.array.itemsize for stride in self.array.strides))
        return Tensor(
            data=self.data - self.offset,
            device_type=self.device[0],
            device_id=self.device[1],
            dimensions=dimensions,
            code=self.code,
            bits=8 * self.array.itemsize,
            lanes=1,
            shape=(c_int64 * dimensions)(*self.array.shape),
            strides=None if self.compact else strides,
            byte_offset=self.offset,
        )

    def lend(self, managed):
        """Address of the array's memory."""
        lent[ctypes.addressof(managed)] = (managed, self)
        return ctypes.addressof(managed)


def exchange_capsule(major, managed_tensor_of, current_stream, previous=None):
    """DLPack's table of functions for C. Functions that nothing here calls are null."""
    functions = dict(Exchange._fields_)
    table = Exchange(
        major=major,
        minor=3,
        previous=previous and ctypes.addressof(previous),
        managed_tensor_of=functions["managed_tensor_of"](managed_tensor_of),
        current_stream=functions["current_stream"](current_stream),
    )
    tables.append(table)
    return new_capsule(ctypes.addressof(table), b"dlpack_exchange_api", None)


#: By the protocol, they stay until the process ends.
tables = []


class FastProducer(Producer):
    """An array of a library with DLPack's functions for C."""

    tensor_major = 1
    refuses = False
    stream = None
    handed_over = 0

    def managed_tensor_of(self, out):
        if self.refuses:
            return -1
        self.handed_over += 1
        out[0] = self.lend(VersionedTensor(major=self.tensor_major, minor=3, tensor=self.tensor(), deleter=give_back))
        return 0

    @staticmethod
    def current_stream(kind, device, out):
        assert (kind, device) == (CUDA, 0)
        out[0] = FastProducer.stream
        return 0

    __dlpack_c_exchange_api__ = exchange_capsule(1, managed_tensor_of, current_stream)


class NewerProducer(FastProducer):
    """Functions of the next major version, which still has this version's."""

    __dlpack_c_exchange_api__ = exchange_capsule(2, lambda *_: -1, lambda *_: -1, previous=tables[0])


class FutureProducer(FastProducer):
    """Functions of another version only."""

    __dlpack_c_exchange_api__ = exchange_capsule(2, lambda *_: -1, lambda *_: -1)


def nothing_is_lent():
    gc.collect()
    _core._drop_released()
    return not lent


@pytest.fixture(scope="module")
def expected(clip):
    with vm.Session(models="vmaf_v0.6.1", features=["psnr"], threads=0) as session:
        for pair in clip:
            session.read(*pair)
        return session.finish()


def check(result, expected):
    assert set(result.frames) == set(expected.frames)
    for name, scores in expected.frames.items():
        assert result.frames[name].tolist() == scores.tolist()


@pytest.mark.parametrize("options", [{}, {"compact": True}, {"offset": 64}, {"device": (CUDA_HOST, 0)}])
def test_host_tensors(clip, expected, options):
    with vm.Session(models="vmaf_v0.6.1", features=["psnr"], threads=2) as session:
        for ref, dis in clip:
            session.read([Producer(plane, **options) for plane in ref], [Producer(plane, **options) for plane in dis])
        check(session.finish(), expected)
    assert nothing_is_lent()


@pytest.mark.parametrize("producer", [FastProducer, NewerProducer])
def test_host_tensors_are_handed_over_without_python(clip, expected, producer):
    planes = []
    with vm.Session(models="vmaf_v0.6.1", features=["psnr"], threads=2) as session:
        for ref, dis in clip:
            pair = [[producer(plane) for plane in ref], [producer(plane) for plane in dis]]
            planes += pair[0] + pair[1]
            session.read(*pair)
        check(session.finish(), expected)
    assert {(plane.handed_over, len(plane.streams)) for plane in planes} == {(1, 0)}
    planes.clear()
    assert nothing_is_lent()


def test_other_versions_are_asked_in_python(clip):
    luma = clip[0][0][0]
    of_another_version = FutureProducer(luma)
    handing_over_another = FastProducer(luma)
    handing_over_another.tensor_major = 2
    with vm.Session(features=["psnr"], threads=0) as session:
        session.read(of_another_version, luma)
        session.read(handing_over_another, luma)
    assert (of_another_version.handed_over, of_another_version.streams) == (0, [None])
    assert (handing_over_another.handed_over, handing_over_another.streams) == (1, [None])
    assert nothing_is_lent()


def test_tensors_that_their_library_does_not_hand_over(clip):
    luma = clip[0][0][0]
    producer = FastProducer(luma)
    producer.refuses = True
    with vm.Session(features=["psnr"], threads=0) as session:
        with pytest.raises(ValueError, match="plane 0: the array's library did not hand it over"):
            session.read(producer, luma)
        session.read(luma, luma)
    assert nothing_is_lent()


def test_tensors_that_cannot_be_taken(clip):
    luma = clip[0][0][0]
    refused = [
        (Producer(luma, code=0), TypeError, "plane 0 holds another type"),
        (Producer(luma.astype(np.uint32)), TypeError, "plane 0 holds another type"),
        (Producer(luma.T), ValueError, "plane 0 is not contiguous"),
        (Producer(luma.reshape(2, 72, 4, 44)), ValueError, "plane 0 has 4 dimensions"),
        (Producer(luma, device=(VULKAN, 0)), ValueError, "neither the host nor CUDA"),
        (Producer(luma, device=(CUDA, 0)), ValueError, "the session needs gpu=0"),
        (FastProducer(luma, device=(VULKAN, 0)), ValueError, "neither the host nor CUDA"),
        (FastProducer(luma, device=(CUDA, 0)), ValueError, "the session needs gpu=0"),
        (FastProducer(luma.T), ValueError, "plane 0 is not contiguous"),
    ]
    with vm.Session(features=["psnr"], threads=0) as session:
        for producer, error, says in refused:
            with pytest.raises(error, match=says):
                session.read(producer, luma)
            assert nothing_is_lent()
        session.read(luma, luma)


class Driver:
    """The parts of the CUDA driver that memory on a device needs."""

    def __init__(self):
        self.library = ctypes.CDLL("libcuda.so.1")
        self.context = c_void_p()
        self.call("cuInit", 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(self.context), 0)

    def call(self, name, *arguments):
        assert getattr(self.library, name)(*arguments) == 0, name

    def upload(self, array):
        """Address of a copy that stays until the process ends."""
        address = c_uint64()
        self.call("cuCtxPushCurrent_v2", self.context)
        self.call("cuMemAlloc_v2", ctypes.byref(address), c_size_t(array.nbytes))
        self.call("cuMemcpyHtoD_v2", address, c_void_p(array.ctypes.data), c_size_t(array.nbytes))
        self.call("cuCtxPopCurrent_v2", ctypes.byref(c_void_p()))
        return address.value


@pytest.fixture(scope="module")
def driver():
    if not vm.gpus():
        pytest.skip("no CUDA device")
    return Driver()


@pytest.fixture(scope="module")
def device_clip(clip, driver):
    def on_device(planes):
        whole = [np.ascontiguousarray(plane) for plane in planes]
        return [Producer(plane, device=(CUDA, 0), data=driver.upload(plane), compact=True) for plane in whole]

    return [(on_device(ref), on_device(dis)) for ref, dis in clip]


def kernels_compute(expected, clip):
    """The stand-in's device computes nothing by itself."""
    with vm.Session(features=["psnr"], gpu=0) as session:
        session.read(*clip[0])
        return session.finish().frames["psnr_y"][0] == expected.frames["psnr_y"][0]


def test_device_tensors_are_read_where_they_lie(clip, device_clip, expected):
    with vm.Session(models="vmaf_v0.6.1", features=["psnr"], gpu=0) as session:
        assert session.gpu == 0
        for ref, dis in device_clip:
            session.read(ref, dis)
        result = session.finish()
    assert nothing_is_lent()
    assert {stream for pair in device_clip for planes in pair for plane in planes for stream in plane.streams} == {1}
    if kernels_compute(expected, clip):
        check(result, expected)


def test_host_arrays_on_a_gpu(clip, expected, driver):
    with vm.Session(models="vmaf_v0.6.1", features=["psnr"], gpu="auto") as session:
        assert session.gpu == 0
        for pair in clip:
            session.read(*pair)
        result = session.finish()
    if kernels_compute(expected, clip):
        check(result, expected)


def new_stream(driver):
    stream = c_void_p()
    driver.call("cuCtxPushCurrent_v2", driver.context)
    driver.call("cuStreamCreate", ctypes.byref(stream), 1)
    driver.call("cuCtxPopCurrent_v2", ctypes.byref(c_void_p()))
    return stream


def test_the_stream_is_passed_on(clip, device_clip, driver):
    stream = new_stream(driver)
    for plane in device_clip[0][0]:
        plane.streams.clear()
    with vm.Session(features=["psnr"], gpu=0, stream=stream.value) as session:
        session.read(*device_clip[0])
        assert len(session.finish()) == 1
    assert [plane.streams for plane in device_clip[0][0]] == 3 * [[stream.value]]
    assert nothing_is_lent()


def test_who_works_on_the_same_stream_need_not_order_it(clip, device_clip, driver, expected, monkeypatch):
    """(current stream of the producer, stream of the session, whether the producer has to order the two)"""
    own = new_stream(driver).value
    cases = [
        (None, 1, False),
        (None, 0, False),
        (1, 1, False),
        (own, own, False),
        (own, -1, False),
        (own, 1, True),
        (None, own, True),
    ]
    for current, stream, is_ordered in cases:
        monkeypatch.setattr(FastProducer, "stream", current)
        ref, dis = (
            [FastProducer(plane.array, device=(CUDA, 0), data=plane.data) for plane in planes] for planes in device_clip[0]
        )
        with vm.Session(features=["psnr"], gpu=0, stream=stream) as session:
            session.read(ref, dis)
            result = session.finish()
        assert {tuple(plane.streams) for plane in ref + dis} == {(stream,) if is_ordered else ()}
        if kernels_compute(expected, clip):
            assert result.frames["psnr_y"][0] == expected.frames["psnr_y"][0]
        del ref, dis
        assert nothing_is_lent()


def test_maps_of_device_tensors(clip, device_clip):
    for feature in ("psnr", "float_ssim"):
        made = vm.map(feature, *device_clip[0])
        assert made.shape == vm.map(feature, *clip[0]).shape
        assert np.array_equal(made, vm.map(feature, *clip[0]))
    with pytest.raises(ValueError, match="the frames lie in different memories"):
        vm.map("psnr", clip[0][0], device_clip[0][1])
    assert nothing_is_lent()


def test_memories_are_not_mixed(clip, device_clip):
    elsewhere = [Producer(plane.array, device=(CUDA, 7), data=plane.data) for plane in device_clip[0][0]]
    with vm.Session(features=["psnr"], gpu=0) as session:
        with pytest.raises(ValueError, match="the one frame lies in host memory"):
            session.read(clip[0][0], device_clip[0][1])
        with pytest.raises(ValueError, match="different memories"):
            session.read([device_clip[0][0][0], *clip[0][0][1:]], device_clip[0][1])
        with pytest.raises(ValueError, match="plane 0 is on CUDA device 7, the session on 0"):
            session.read(elsewhere, elsewhere)
        session.read(*device_clip[0])
        with pytest.raises(ValueError):
            session.read(*clip[1])
        assert nothing_is_lent() or len(session.finish()) == 1
    assert nothing_is_lent()


def test_files_on_a_gpu(clip, expected, driver, tmp_path):
    for name, side in (("ref", 0), ("dis", 1)):
        with open(tmp_path / f"{name}.yuv", "wb") as file:
            for pair in clip:
                for plane in pair[side]:
                    file.write(plane.tobytes())
    raw = vm.RawVideo(176, 144)
    result = vm.score(tmp_path / "ref.yuv", tmp_path / "dis.yuv", models="vmaf_v0.6.1", features=["psnr"], raw=raw)
    if kernels_compute(expected, clip):
        check(result, expected)
    several = vm.score_encodes(
        tmp_path / "ref.yuv", 2 * [tmp_path / "dis.yuv"], models="vmaf_v0.6.1", features=["psnr"], raw=raw, gpu=0
    )
    for one in several:
        for name, scores in result.frames.items():
            # Without computing, sums are no scores.
            assert np.array_equal(one.frames[name], scores, equal_nan=True)
