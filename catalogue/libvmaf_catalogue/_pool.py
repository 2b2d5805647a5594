"""Worker processes of this machine."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait

from ._executors import Done, Needs, Stopped
from ._segment import Place
from ._tasks import Task

__all__ = ["Pool"]

_SECONDS_TO_END = 5
_PROGRAM = "import sys; sys.path[:] = sys.argv[2].split(chr(10)); from libvmaf_catalogue._worker import main; main()"


@dataclass
class _Worker:
    number: int
    place: Place
    process: subprocess.Popen[bytes]
    connection: Connection
    task: Task | None = None
    is_there: bool = False


class Pool:
    """One process for each place. One that dies is replaced."""

    def __init__(self, places: Sequence[Place]) -> None:
        self._next_number = 0
        self._workers = [self._start(place) for place in places]

    def _start(self, place: Place) -> _Worker:
        ours, theirs = socket.socketpair()
        with theirs:
            process = subprocess.Popen(
                [sys.executable, "-c", _PROGRAM, str(theirs.fileno()), "\n".join(sys.path)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # a terminal's signals are for the driver
            )
        connection = Connection(ours.detach())
        with contextlib.suppress(OSError):  # if it has died already, that shows when it is waited for
            connection.send(place)
        self._next_number += 1
        return _Worker(self._next_number, place, process, connection)

    @property
    def has_gpus(self) -> bool:
        return any(worker.place.gpu is not None for worker in self._workers)

    @property
    def has_both_kinds(self) -> bool:
        return self.has_gpus and any(worker.place.gpu is None for worker in self._workers)

    def _idle(self, needs: Needs) -> list[_Worker]:
        return [
            worker
            for worker in self._workers
            if worker.task is None and (needs is Needs.ANY or worker.place.gpu is not None)
        ]

    def has_room(self, needs: Needs) -> bool:
        return bool(self._idle(needs))

    def submit(self, task: Task, needs: Needs, avoid: frozenset[int]) -> None:
        idle = self._idle(needs)
        worker = next((worker for worker in idle if worker.number not in avoid), idle[0])
        worker.task = task
        with contextlib.suppress(OSError):  # its death is noticed by wait()
            worker.connection.send(task)

    def wait(self) -> Done:
        while True:
            connections = [worker.connection for worker in self._workers if worker.task is not None]
            ready = wait(connections)[0]
            worker = next(worker for worker in self._workers if worker.connection is ready)
            assert worker.task is not None
            try:
                message = worker.connection.recv()
            except (EOFError, OSError):
                return self._died(worker)
            if message is None:
                worker.is_there = True
                continue
            answer, trouble = message
            task, worker.task = worker.task, None
            return Done(task, answer, trouble, worker.number)

    def _died(self, worker: _Worker) -> Done:
        worker.connection.close()
        try:
            worker.process.wait(_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            worker.process.kill()
        status = worker.process.wait()
        if not worker.is_there and status > 0:  # so would all others be, and every clip have an error
            raise Stopped(f"a worker process cannot start (exit status {status})")
        self._workers[self._workers.index(worker)] = self._start(worker.place)
        assert worker.task is not None
        how = f"signal {-status}" if status < 0 else f"exit status {status}"
        return Done(worker.task, trouble=f"the worker died ({how})", worker=worker.number)

    def close(self) -> None:
        for worker in self._workers:
            worker.connection.close()
        for worker in self._workers:
            try:
                worker.process.wait(_SECONDS_TO_END)
            except subprocess.TimeoutExpired:
                worker.process.kill()
                worker.process.wait()

    def process_ids(self) -> list[int]:
        return [worker.process.pid for worker in self._workers]
