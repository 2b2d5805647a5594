"""Errors are exceptions by errno, and the library's messages go to Python's logging."""

from __future__ import annotations

import errno
import logging
import sys

import pytest

import libvmaf as vm
from made_videos import make_frame


def test_errors_have_the_librarys_words(tmp_path, capfd):
    with pytest.raises(ValueError, match='feature psnr: psnr: option enable_mse is "maybe"'):
        vm.Session(features={"psnr": {"enable_mse": "maybe"}})
    with pytest.raises(ValueError, match="nothing.json"):
        vm.Model(tmp_path / "nothing.json")
    (tmp_path / "empty.json").write_text("{}")
    with pytest.raises(ValueError, match="empty.json"):
        vm.Model(str(tmp_path / "empty.json"))
    with pytest.raises(ValueError, match="gpu is 'first'"):
        vm.Session(gpu="first")
    assert capfd.readouterr() == ("", "")


def test_an_error_does_not_answer_for_an_earlier_one(caplog):
    with vm.Session(features=["psnr"], threads=0) as session:
        with pytest.raises(ValueError):
            vm.Model("nothing.json")
        with pytest.raises(ValueError) as refused:
            session.read(make_frame(0), make_frame(0, width=64))
    assert "nothing.json" not in str(refused.value)


def test_messages_go_to_the_logger(caplog):
    with caplog.at_level(logging.WARNING, "libvmaf"):
        with vm.Session(threads=0), pytest.raises(ValueError):
            vm.Model("nothing.json")
        quiet = [record.levelno for record in caplog.records]
    assert quiet == [logging.ERROR]
    caplog.clear()
    with caplog.at_level(logging.DEBUG, "libvmaf"), vm.Session(features=["psnr"], threads=0):
        assert "psnr" in caplog.text
    assert {record.name for record in caplog.records} == {"libvmaf"}


def test_messages_of_workers_arrive(caplog):
    with caplog.at_level(logging.DEBUG, "libvmaf"), vm.Session(features={"vif": {"debug": True}}, threads=2) as session:
        session.read(make_frame(0), make_frame(0))
        session.finish()
    assert caplog.records


def test_a_handler_that_fails_does_not_fail_the_call(monkeypatch):
    class Failing(logging.Handler):
        def emit(self, record):
            raise ZeroDivisionError

    told = []
    monkeypatch.setattr(sys, "unraisablehook", lambda failure: told.append(failure.exc_type))
    logger, handler = logging.getLogger("libvmaf"), Failing()
    logger.addHandler(handler)
    try:
        with pytest.raises(ValueError, match="nothing.json"):
            vm.Model("nothing.json")
    finally:
        logger.removeHandler(handler)
    assert told == [ZeroDivisionError]


def test_without_a_device_it_is_a_device_error(monkeypatch):
    if vm.gpus():
        pytest.skip("there is a GPU")
    with pytest.raises(vm.DeviceError) as refused:
        vm.Session(features=["psnr"], gpu=0)
    assert isinstance(refused.value, OSError)
    assert refused.value.errno in (errno.ENODEV, errno.ENOSYS)
    with vm.Session(features=["psnr"], gpu="auto", threads=0) as session:
        assert session.gpu is None
