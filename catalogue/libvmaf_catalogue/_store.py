"""Storage of a job's files: a folder, or any URL of fsspec. A file appears only when it is complete."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import secrets
import shutil
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import IO, Any

__all__ = ["Store", "StoreError", "open_store", "read_input"]


#: Called with a claim's content, and whether its process is known to have ended.
IsOver = Callable[[bytes, bool], bool]


class StoreError(Exception):
    """The output cannot be written or read: the job's trouble, not a clip's."""

    @property
    def is_full(self) -> bool:
        return isinstance(self.__cause__, OSError) and self.__cause__.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class Store(ABC):
    """Files under names with "/" between their parts."""

    def __init__(self, url: str) -> None:
        self.url = url

    @abstractmethod
    def writing(self, name: str, *, may_be_forgotten: bool = False) -> contextlib.AbstractContextManager[IO[bytes]]:
        """A file to write: it is there, durable, in place of one that was, once the block ends without an exception. With
        `may_be_forgotten` a machine that loses its power in the next seconds may not have it: it has it whole or not at all."""

    @abstractmethod
    def read(self, name: str) -> bytes:
        """FileNotFoundError if it is not there."""

    @abstractmethod
    def open(self, name: str) -> IO[bytes]:
        """To read here and there. FileNotFoundError if it is not there."""

    @abstractmethod
    def size(self, name: str) -> int | None:
        """None: it is not there."""

    @abstractmethod
    def list(self, folder: str) -> list[str]:
        """Names of all finished files in a folder and the folders in it, in order."""

    @abstractmethod
    def remove_folder(self, folder: str) -> None:
        """Remove a folder with all its contents. A missing folder is no error."""

    @abstractmethod
    def remove(self, name: str) -> None:
        """Remove a file. A missing file is no error."""

    @abstractmethod
    def remove_unfinished(self) -> None:
        """Remove unfinished files of killed writers."""

    @abstractmethod
    def claim(self, name: str, content: bytes, is_over: IsOver) -> bytes | None:
        """Write `content` if there is no file, or a claim that is over. Returns None, or the content of another claim."""

    @abstractmethod
    def disclaim(self, name: str, content: bytes) -> None:
        """Remove the file of claim(). It is no error if it is gone."""

    def write(self, name: str, content: bytes) -> None:
        with self.writing(name) as file:
            file.write(content)


@contextlib.contextmanager
def _storing(what: str) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise
    except OSError as error:
        raise StoreError(f"{what}: {error.strerror or error}") from error


_UNFINISHED = ".unfinished"


class _Folder(Store):
    def __init__(self, url: str) -> None:
        super().__init__(url)
        #: Open files by name. The kernel frees their locks when the process ends in any way.
        self._claims: dict[str, int] = {}

    def _path(self, name: str) -> str:
        return os.path.join(self.url, name)

    @contextlib.contextmanager
    def writing(self, name: str, *, may_be_forgotten: bool = False) -> Iterator[IO[bytes]]:
        path = self._path(name)
        unfinished = os.path.join(os.path.dirname(path), f".{os.path.basename(path)}.{secrets.token_hex(6)}{_UNFINISHED}")
        with _storing(path):
            try:
                with self._created(unfinished, may_be_forgotten) as file:
                    yield file
                    file.flush()
                    os.fsync(file.fileno())
                os.replace(unfinished, path)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(unfinished)
                raise
            if not may_be_forgotten:
                _sync_folder(os.path.dirname(path))

    def _created(self, path: str, may_be_forgotten: bool) -> IO[bytes]:
        try:
            return open(path, "xb")
        except FileNotFoundError:
            if may_be_forgotten:
                os.makedirs(os.path.dirname(path), exist_ok=True)
            else:
                _make_folders(os.path.dirname(path))
            return open(path, "xb")

    def read(self, name: str) -> bytes:
        with self.open(name) as file:
            return file.read()

    def open(self, name: str) -> IO[bytes]:
        with _storing(self._path(name)):
            return open(self._path(name), "rb")

    def size(self, name: str) -> int | None:
        try:
            with _storing(self._path(name)):
                return os.stat(self._path(name)).st_size
        except FileNotFoundError:
            return None

    def list(self, folder: str) -> list[str]:
        found = []
        for place, _, names in os.walk(self._path(folder)):
            relative = os.path.relpath(place, self.url)
            found += [os.path.normpath(os.path.join(relative, name)) for name in names if not name.endswith(_UNFINISHED)]
        return sorted(found)

    def remove_folder(self, folder: str) -> None:
        with contextlib.suppress(FileNotFoundError), _storing(self._path(folder)):
            shutil.rmtree(self._path(folder))

    def remove(self, name: str) -> None:
        with contextlib.suppress(FileNotFoundError), _storing(self._path(name)):
            os.unlink(self._path(name))

    def remove_unfinished(self) -> None:
        for place, _, names in os.walk(self.url):
            for name in names:
                if name.startswith(".") and name.endswith(_UNFINISHED):
                    self.remove(os.path.join(place, name))


    def claim(self, name: str, content: bytes, is_over: IsOver) -> bytes | None:
        path = self._path(name)
        with _storing(path):
            _make_folders(os.path.dirname(path))
            while True:
                file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
                try:
                    there = self._claim(file, path, content, is_over)
                except _Removed:
                    os.close(file)
                    continue
                except BaseException:
                    os.close(file)
                    raise
                if there is not None:
                    os.close(file)
                    return there
                self._claims[name] = file
                return None

    def _claim(self, file: int, path: str, content: bytes, is_over: IsOver) -> bytes | None:
        is_locked = _lock(file)
        if is_locked is not False:
            _check_is_there(file, path)
        there = os.pread(file, _MOST_CLAIMED, 0)
        if is_locked is False or (there and not is_over(there, bool(is_locked))):
            return there
        os.ftruncate(file, 0)
        os.pwrite(file, content, 0)
        os.fsync(file)
        return None

    def disclaim(self, name: str, content: bytes) -> None:
        file = self._claims.pop(name)
        try:
            with contextlib.suppress(_Removed):
                _check_is_there(file, self._path(name))
                self.remove(name)
        finally:
            os.close(file)


_MOST_CLAIMED = 1 << 16


class _Removed(Exception):
    """The file that is open is not the one that has its name."""


def _check_is_there(file: int, path: str) -> None:
    try:
        named = os.stat(path)
    except FileNotFoundError:
        raise _Removed from None
    if not os.path.samestat(os.fstat(file), named):
        raise _Removed


def _lock(file: int) -> bool | None:
    """Until it is closed. False: somebody else has; None: the file system has no such locks."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    except BlockingIOError:
        return False
    except OSError:
        return None


def _make_folders(path: str) -> None:
    """Their names are durable too."""
    if os.path.isdir(path):
        return
    parent = os.path.dirname(path)
    _make_folders(parent)
    with contextlib.suppress(FileExistsError):
        os.mkdir(path)
    _sync_folder(parent)


def _sync_folder(path: str) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


#: Storage in which an object appears complete, in one step.
_OBJECT_STORES = {"s3", "s3a", "gs", "gcs", "abfs", "abfss", "az", "adl", "oci", "r2", "memory"}


#: Storage that can refuse to overwrite an object. Some servers with S3's protocol cannot.
_CREATES_IN_ONE_STEP = {"s3", "s3a", "gs", "gcs", "memory"}
#: Time after which drivers that claimed at the same time have written too.
_SECONDS_TO_SETTLE = 1.0


class _Remote(Store):
    def __init__(self, url: str) -> None:
        super().__init__(url)
        import fsspec

        self._files, self._root = fsspec.core.url_to_fs(url)
        self._root = self._root.rstrip("/")
        self._puts_whole = bool(_OBJECT_STORES & set(_protocols(self._files)))
        self._is_of_this_process = "memory" in _protocols(self._files)
        self._creates_in_one_step = bool(_CREATES_IN_ONE_STEP & set(_protocols(self._files)))
        # Others write there.
        self._files.use_listings_cache = False

    def _path(self, name: str) -> str:
        return f"{self._root}/{name}" if name else self._root

    @contextlib.contextmanager
    def writing(self, name: str, *, may_be_forgotten: bool = False) -> Iterator[IO[bytes]]:
        path = self._path(name)
        with _storing(f"{self.url}/{name}"), tempfile.NamedTemporaryFile() as file:
            yield file
            file.flush()
            if not self._puts_whole:
                self._files.makedirs(path.rpartition("/")[0], exist_ok=True)
            unfinished = path if self._puts_whole else f"{path}.{secrets.token_hex(6)}{_UNFINISHED}"
            self._files.put_file(file.name, unfinished)
            if unfinished != path:
                self._files.mv(unfinished, path)

    def read(self, name: str) -> bytes:
        with _storing(f"{self.url}/{name}"):
            content: bytes = self._files.cat_file(self._path(name))
            return content

    def open(self, name: str) -> IO[bytes]:
        with _storing(f"{self.url}/{name}"):
            file: IO[bytes] = self._files.open(self._path(name), "rb")
            return file

    def size(self, name: str) -> int | None:
        self._files.invalidate_cache()
        try:
            with _storing(f"{self.url}/{name}"):
                return int(self._files.info(self._path(name))["size"])
        except FileNotFoundError:
            return None

    def list(self, folder: str) -> list[str]:
        self._files.invalidate_cache()
        with _storing(f"{self.url}/{folder}"):
            try:
                found = self._files.find(self._path(folder))
            except FileNotFoundError:
                return []
        prefix = self._path("")
        return sorted(path[len(prefix) + 1 :] for path in found if not path.endswith(_UNFINISHED))

    def remove_folder(self, folder: str) -> None:
        self._files.invalidate_cache()
        with contextlib.suppress(FileNotFoundError), _storing(f"{self.url}/{folder}"):
            self._files.rm(self._path(folder), recursive=True)

    def remove(self, name: str) -> None:
        with contextlib.suppress(FileNotFoundError), _storing(f"{self.url}/{name}"):
            self._files.rm_file(self._path(name))

    def remove_unfinished(self) -> None:
        if self._puts_whole:
            return
        with _storing(self.url):
            for path in self._files.find(self._path("")):
                if path.endswith(_UNFINISHED):
                    self._files.rm_file(path)


    def claim(self, name: str, content: bytes, is_over: IsOver) -> bytes | None:
        """The driver whose content is there after a while has the claim. If writing takes longer, two drivers may both get it."""
        path = self._path(name)
        with _storing(f"{self.url}/{name}"):
            while not self._create(path, content):
                try:
                    there = self.read(name)
                except FileNotFoundError:
                    continue
                if not is_over(there, False):
                    return there
                self.remove(name)
            if self._is_of_this_process:
                return None
            time.sleep(_SECONDS_TO_SETTLE)
            try:
                there = self.read(name)
            except FileNotFoundError:  # another one had it, and has ended already
                return b""
            return None if there == content else there

    def _create(self, path: str, content: bytes) -> bool:
        """False: there is one."""
        self._files.invalidate_cache()
        if not self._creates_in_one_step:
            if self._files.exists(path):
                return False
            self._files.makedirs(path.rpartition("/")[0], exist_ok=True)
            self._files.pipe_file(path, content)
            return True
        try:
            self._files.pipe_file(path, content, mode="create")
        except FileExistsError:
            return False
        return True

    def disclaim(self, name: str, content: bytes) -> None:
        with contextlib.suppress(FileNotFoundError):
            if self.read(name) == content:
                self.remove(name)


def _protocols(files: Any) -> tuple[str, ...]:
    return (files.protocol,) if isinstance(files.protocol, str) else tuple(files.protocol)


def open_store(url: str) -> Store:
    """A path, or a URL of fsspec."""
    if "://" not in url:
        return _Folder(os.path.abspath(url))
    if url.startswith("file://"):
        return _Folder(url.removeprefix("file://"))
    return _Remote(url)


def read_input(url: str) -> bytes:
    """The usual OSError."""
    if "://" not in url:
        with open(url, "rb") as file:
            return file.read()
    import fsspec

    with fsspec.open(url, "rb") as remote:
        content: bytes = remote.read()
        return content
