"""What a job must know of features before it divides its work."""

from __future__ import annotations

import functools
from typing import Any

from libvmaf import _core

__all__ = ["are_scored_whole", "differ_by_device"]

#: Whose values of the whole clip come of what segments tell (_aggregates).
_PUT_TOGETHER = {"psnr"}


@functools.cache
def _facts() -> dict[str, tuple[bool, bool]]:
    """Whether they have values of the whole clip, and whether a GPU's scores differ from a CPU's."""
    return {name: (has_clip_values, differs) for name, _, _, _, has_clip_values, differs in _core.features()}


#: Of a feature that this build tells nothing of. Such a clip is scored in one way, whatever it costs.
_UNKNOWN = (True, True)


def _names_of(features: Any) -> set[str]:
    """Of what score() takes as features."""
    return {features} if isinstance(features, str) else set(features)


def _without_device(names: set[str]) -> set[str]:
    return {name.removesuffix("_cuda") for name in names}


def are_scored_whole(features: Any) -> bool:
    """Values of the whole clip do not come of those of segments (spec xpsnr 3.7)."""
    return any(_facts().get(name, _UNKNOWN)[0] for name in _without_device(_names_of(features) - _PUT_TOGETHER))


def differ_by_device(features: Any) -> bool:
    """Scores on a GPU are not the CPU's to the last bit (docs/cuda.md)."""
    return any(_facts().get(name, _UNKNOWN)[1] for name in _without_device(_names_of(features)))
