"""Maps: where in a picture a feature sees a difference."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._lists import features as features_by_name
from ._session import OptionValue, did_you_mean, option_texts

__all__ = ["map"]


def map(
    feature: str,
    ref: Any,
    dis: Any,
    options: Mapping[str, OptionValue] | None = None,
    *,
    bpc: int | None = None,
) -> NDArray[np.float32]:
    """The map of a feature: one value for each place of the picture, as an array of float32, rows first.

    `features()[feature].map` describes the values; None: the feature has no map. Pass `ref` and `dis` as to Session.read(). Frames on
    a CUDA device are copied to host memory. You may write to them when the function returns. `bpc` is the bits of uint16 planes that
    come without a Frame. docs/maps.md lists the features.
    """
    if feature not in (known := features_by_name()):
        raise ValueError(f"there is no feature {feature!r}{did_you_mean(feature, known)}")
    return _core.map(feature, option_texts(options or {}), ref, dis, bpc or 0)
