"""Which files a server may open for its clients."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

__all__ = ["AllowedPaths", "RefusedPath"]


_PROBED_BYTES = 1 << 16
#: Playlists and manifests that ffmpeg's libraries know: HLS, concat, SDP, DASH, IMF.
_LIST = re.compile(rb"\A(\xef\xbb\xbf)?\s*(#EXTM3U|ffconcat|\[playlist\]|v=0\r?\n|<\?xml|<!--)|<MPD\b|CompositionPlaylist", re.IGNORECASE)


class RefusedPath(ValueError):
    """A path that leads out of the allowed folders, or to nothing that may be read."""


class AllowedPaths:
    """Folders, and all that is in them; what symbolic links and `..` make of a path is what counts."""

    def __init__(self, roots: Sequence[str | os.PathLike[str]]) -> None:
        """OSError for what is no folder."""
        self.roots = tuple(Path(root).resolve(strict=True) for root in roots)
        for root in self.roots:
            if not root.is_dir():
                raise NotADirectoryError(f"{root} is no folder")

    def file(self, path: str) -> Path:
        """The regular file that `path` names, without links; relative to the first root. RefusedPath if it may not be read."""
        try:
            found = (self.roots[0] / path).resolve(strict=True)
        except (OSError, RuntimeError, ValueError):
            found = None
        # What lies outside is refused in the same words whether it is there or not.
        if found is None or not any(found.is_relative_to(root) for root in self.roots):
            folders = ", ".join(str(root) for root in self.roots)
            raise RefusedPath(f"{path!r}: no file in the folders that may be read ({folders})")
        if not found.is_file():
            raise RefusedPath(f"{path!r} is no regular file")
        return found

    def video(self, path: str) -> Path:
        """file() that is no list of other files, which libav would open wherever they are."""
        found = self.file(path)
        try:
            with open(found, "rb") as file:
                start = file.read(_PROBED_BYTES)
        except OSError as error:
            raise RefusedPath(f"{path!r}: {error.strerror}") from error
        if _LIST.search(start):
            raise RefusedPath(f"{path!r} is a list of other files")
        return found
