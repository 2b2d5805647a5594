"""Facts about features that a job needs before it divides its work."""

from __future__ import annotations

import functools
from typing import Any

import libvmaf as vm

__all__ = ["differ_by_device"]


@functools.cache
def _same_on_gpu() -> frozenset[str]:
    return frozenset(name for name, feature in vm.features().items() if feature.gpu_tolerance == 0)


def differ_by_device(features: Any) -> bool:
    """Whether scores on a GPU may differ from the CPU's (docs/cuda.md). True for features that this build does not know."""
    names = {features} if isinstance(features, str) else set(features)
    return not {name.removesuffix("_cuda") for name in names} <= _same_on_gpu()
