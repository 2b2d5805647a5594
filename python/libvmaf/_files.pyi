from collections.abc import Callable, Mapping, Sequence
from typing import Any, final

from ._result import Result

class VideoError(ValueError):
    result: Result | None
    results: Sequence[Result]

class PartsDoNotFit(Exception): ...

@final
class Clips:
    @staticmethod
    def open(
        reference: str,
        distorted: Sequence[str],
        models: Sequence[str],
        features: Sequence[str],
        reading: Mapping[str, Any],
    ) -> Clips: ...
    def read(
        self, handles: Sequence[int], on_gpu: bool, in_parts: bool, progress: Callable[[int], object] | None
    ) -> tuple[int, str | None, int, str | None]: ...
    @property
    def size(self) -> tuple[int, int]: ...
    @property
    def pix_fmt(self) -> str: ...
    @property
    def bpc(self) -> int: ...
    @property
    def frame_rate(self) -> float | None: ...
    @property
    def expected_frames(self) -> int | None: ...
    @property
    def warnings(self) -> list[str]: ...

def has_media_support() -> bool: ...
def version_for_height(height: int) -> str: ...
