"""Videos as local files, or as URLs that ffmpeg's libraries open themselves."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections import OrderedDict
from typing import Any

from libvmaf import VideoError

__all__ = ["forget_copies", "local_name"]

#: ffmpeg's libraries read pieces of these.
_OPENED_BY_READERS = ("http://", "https://")
_KEPT = 8


class _Copies:
    """Copies of files that only fsspec opens. The last few are kept until the process ends."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._kept: OrderedDict[str, str] = OrderedDict()

    def get(self, url: str) -> str:
        if url in self._kept:
            self._kept.move_to_end(url)
            return self._kept[url]
        import fsspec

        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="vmaf-catalogue-")
        name = hashlib.sha256(url.encode()).hexdigest()[:16] + os.path.splitext(url)[1]
        path = os.path.join(self._folder.name, name)
        files: Any
        files, place = fsspec.core.url_to_fs(url)
        files.get_file(place, path)
        self._kept[url] = path
        while len(self._kept) > _KEPT:
            os.unlink(self._kept.popitem(last=False)[1])
        return path


_copies = _Copies()


def local_name(url: str, allow_network: bool) -> str:
    """The name for score(). Raises FileNotFoundError and the like for a missing file."""
    if "://" not in url:
        return url
    if url.startswith("file://"):
        return url.removeprefix("file://")
    if url.startswith(_OPENED_BY_READERS):
        if not allow_network:
            raise VideoError(f"{url}: nothing is fetched from there without --allow-network")
        return url
    try:
        return _copies.get(url)
    except OSError:
        raise
    except Exception as error:  # each storage has its own
        raise OSError(f"{url}: {error}") from error


def forget_copies() -> None:
    """Before a process is ended in haste."""
    if _copies._folder is not None:
        _copies._folder.cleanup()
