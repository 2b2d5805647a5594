"""A worker process: the number of a socket is its argument; a place comes first, then tasks, each is answered. It says None when it is
there, and ends with the socket."""

from __future__ import annotations

import logging
import os
import queue
import sys
import threading
from multiprocessing.connection import Connection
from typing import NoReturn

from . import _inputs
from ._segment import Place
from ._tasks import Task, perform


def be_quiet() -> None:
    """Turn off the library's messages. Those about clips are in the output."""
    logger = logging.getLogger("libvmaf")
    logger.addHandler(logging.NullHandler())
    logger.propagate = False


def _receive(connection: Connection, received: queue.SimpleQueue[Place | Task]) -> None:
    try:
        while True:
            received.put(connection.recv())
    except (EOFError, OSError):  # the driver has closed it, or is dead
        _end()


def _send(connection: Connection, message: object) -> None:
    try:
        connection.send(message)
    except OSError:  # the driver has ended meanwhile
        _end()


def _end() -> NoReturn:
    _inputs.forget_copies()
    os._exit(0)


def main() -> None:
    connection = Connection(int(sys.argv[1]))
    be_quiet()
    _send(connection, None)
    received: queue.SimpleQueue[Place | Task] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(connection, received), daemon=True).start()
    place = received.get()
    assert isinstance(place, Place)
    while True:
        task = received.get()
        assert not isinstance(task, Place)
        try:
            answer, trouble = perform(task, place), ""
        except Exception as error:
            answer, trouble = None, f"{type(error).__name__}: {error}"
        _send(connection, (answer, trouble))
