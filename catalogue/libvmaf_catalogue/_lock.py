"""One driver at a time works on a job's output. A file in the output names it."""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import json
import os
import secrets
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ._store import Store

__all__ = ["LOCK", "JobError", "driving"]

LOCK = "driver.json"


class JobError(Exception):
    """The job cannot be begun, or not gone on with."""


@dataclass(frozen=True, slots=True)
class _Driver:
    host: str
    #: Since the host was started, and the process in it: numbers of processes are used again.
    boot: str
    pid: int
    started: str
    since: str
    token: str

    @staticmethod
    def this() -> _Driver:
        since = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M:%S UTC")
        return _Driver(socket.gethostname(), _boot(), os.getpid(), _start_of(os.getpid()), since, secrets.token_hex(8))

    @staticmethod
    def of(content: bytes) -> _Driver | None:
        """None: the file is not completely written yet."""
        try:
            return _Driver(**json.loads(content))
        except (ValueError, TypeError):
            return None

    def content(self) -> bytes:
        return (json.dumps(dataclasses.asdict(self), indent=1) + "\n").encode()

    @property
    def is_of_this_host(self) -> bool:
        return self.host == socket.gethostname()

    @property
    def is_alive(self) -> bool:
        """Whether the process on this host is alive. True if the system does not show processes."""
        return self.boot == _boot() and self.started == _start_of(self.pid)


def _boot() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""


def _start_of(pid: int) -> str:
    """Empty: there is no such process, or no /proc to ask."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if fields[0] == "Z" else fields[19]


def _is_over(content: bytes, is_released: bool) -> bool:
    """Whether a driver has ended. The state of a driver on another host is not known."""
    driver = _Driver.of(content)
    return driver is None or (driver.is_of_this_host and (is_released or not driver.is_alive))


@contextlib.contextmanager
def driving(store: Store) -> Iterator[None]:
    """JobError if another driver does. One that was killed on this host is none; of other hosts that cannot be known."""
    content = _Driver.this().content()
    there = store.claim(LOCK, content, _is_over)
    if there is not None:
        raise JobError(_refusal(store, _Driver.of(there)))
    try:
        yield
    finally:
        store.disclaim(LOCK, content)


def _refusal(store: Store, driver: _Driver | None) -> str:
    if driver is None:
        return f"{store.url}: another driver works on it"
    who = f"{store.url}: process {driver.pid} on {driver.host} works on it since {driver.since}"
    if driver.is_of_this_host:
        return who
    return f"{who}; if it does not any more, delete {store.url.rstrip('/')}/{LOCK}"
