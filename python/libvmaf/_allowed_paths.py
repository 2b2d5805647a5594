"""Which files a server may open for its clients."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

__all__ = ["AllowedPaths", "RefusedPath"]


_PROBED_BYTES = 1 << 16
#: The number in the name of numbered images.
_NUMBER = re.compile(r"%\d*d")
#: Playlists and manifests that ffmpeg's libraries know: HLS, concat, SDP, DASH, IMF.
_LIST = re.compile(rb"\A(\xef\xbb\xbf)?\s*(#EXTM3U|ffconcat|\[playlist\]|v=0\r?\n|<\?xml|<!--)|<MPD\b|CompositionPlaylist", re.IGNORECASE)


class RefusedPath(ValueError):
    """A path that leads out of the allowed folders, or to nothing that may be read."""


class AllowedPaths:
    """Allowed folders with all their contents. Symbolic links and `..` in a path are resolved first."""

    def __init__(self, roots: Sequence[str | os.PathLike[str]]) -> None:
        """Raises OSError if a root is not a folder."""
        self.roots = tuple(Path(root).resolve(strict=True) for root in roots)
        for root in self.roots:
            if not root.is_dir():
                raise NotADirectoryError(f"{root} is no folder")

    def file(self, path: str) -> Path:
        """The regular file that `path` names, without links; relative to the first root. RefusedPath if it may not be read."""
        found = self._resolved(path)
        if found is None:
            raise self._refusal(path)
        if not found.is_file():
            raise RefusedPath(f"{path!r} is no regular file")
        return found

    def video(self, path: str) -> Path:
        """file(), but not a list of other files, because libav would open these anywhere.

        The pattern of numbered images is allowed too if each of them is such a file.
        """
        folder, _, name = path.rpartition("/")
        if path.count("%") == 1 and _NUMBER.search(name) and not (self.roots[0] / path).exists():
            return self._numbered(path, folder, name)
        found = self.file(path)
        try:
            with open(found, "rb") as file:
                start = file.read(_PROBED_BYTES)
        except OSError as error:
            raise RefusedPath(f"{path!r}: {error.strerror}") from error
        if _LIST.search(start):
            raise RefusedPath(f"{path!r} is a list of other files")
        return found

    def _numbered(self, path: str, folder: str, name: str) -> Path:
        before, after = _NUMBER.split(name)
        numbered = re.compile(re.escape(before) + r"\d+" + re.escape(after))
        place = self._resolved(folder or ("/" if path.startswith("/") else "."))
        names = [] if place is None or not place.is_dir() else [found for found in os.listdir(place) if numbered.fullmatch(found)]
        if place is None or not names:
            raise self._refusal(path)
        for one in names:
            self.video(str(place / one))
        return place / name

    def _resolved(self, path: str) -> Path | None:
        """None: the path does not exist, or is outside the folders."""
        try:
            found = (self.roots[0] / path).resolve(strict=True)
        except (OSError, RuntimeError, ValueError):
            return None
        return found if any(found.is_relative_to(root) for root in self.roots) else None

    def _refusal(self, path: str) -> RefusedPath:
        """One message for both cases, so clients do not learn which files exist outside."""
        folders = ", ".join(str(root) for root in self.roots)
        return RefusedPath(f"{path!r}: no file in the folders that may be read ({folders})")
