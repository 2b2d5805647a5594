"""VMAF as a metric of torchmetrics. It needs that package and torch: pip install 'libvmaf[torchmetrics]'."""

from typing import Any

try:
    import torch
    from torchmetrics import Metric
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(f"libvmaf.torchmetrics needs {missing.name}: pip install 'libvmaf[torchmetrics]'", name=missing.name) from missing

from ._frames import Matrix, Range, score_frames
from ._session import Gpu, ModelSource

__all__ = ["VMAF"]


class VMAF(Metric):
    """The mean VMAF of all frames, over clips of RGB.

    model     one model, as for score_frames(); "auto" is the built-in one for the height.
    bpc, matrix, range, gpu, threads
              as for score_frames(). "auto" is the first GPU if there is one. Frames on a GPU are copied to the host first.
    Other keywords are those of torchmetrics.Metric.

    VMAF measures the motion between frames: pass one or more whole clips to each update.
    """

    is_differentiable = False
    higher_is_better = True
    full_state_update = False
    plot_lower_bound = 0.0
    plot_upper_bound = 100.0

    total: torch.Tensor
    frames: torch.Tensor

    def __init__(
        self,
        *,
        model: ModelSource = "auto",
        bpc: int | None = None,
        matrix: Matrix = "bt709",
        range: Range = "limited",
        gpu: Gpu = "auto",
        threads: int | None = None,
        **metric: Any,
    ) -> None:
        super().__init__(**metric)
        self._scoring: dict[str, Any] = {
            "format": "rgb", "models": {"vmaf": model}, "bpc": bpc, "matrix": matrix, "range": range, "gpu": gpu, "threads": threads
        }  # fmt: skip
        self.add_state("total", default=torch.tensor(0.0, dtype=torch.float64), dist_reduce_fx="sum")
        self.add_state("frames", default=torch.tensor(0), dist_reduce_fx="sum")

    def update(self, preds: torch.Tensor, target: torch.Tensor) -> None:
        """Add clips: `preds` distorted, `target` their reference.

        The shape is (N, 3, H, W) for one clip of N frames, or (B, 3, N, H, W) for B clips. The type is uint8, uint16 with `bpc`, or
        floating point from 0 to 1.
        """
        if preds.shape != target.shape or preds.ndim not in (4, 5):
            raise ValueError(
                f"preds has the shape {tuple(preds.shape)}, target {tuple(target.shape)}: the same (N, 3, H, W) or (B, 3, N, H, W) is needed"
            )
        pairs = [(preds, target)] if preds.ndim == 4 else [(p.transpose(0, 1), t.transpose(0, 1)) for p, t in zip(preds, target)]
        for distorted, reference in pairs:
            scores = score_frames(_on_host(reference), _on_host(distorted), **self._scoring).frames["vmaf"]
            self.total += float(scores.sum())
            self.frames += len(scores)

    def compute(self) -> torch.Tensor:
        """The mean of all frames of all updates, in all processes."""
        return self.total / self.frames

    def plot(self, val: Any = None, ax: Any = None) -> Any:
        """Draw one or more values, by default that of compute(), on `ax` or on new axes. Returns figure and axes."""
        return self._plot(val, ax)


def _on_host(clip: torch.Tensor) -> torch.Tensor:
    clip = clip.detach().cpu()
    # numpy has no bfloat16, and VMAF no use for the few bits of a half.
    return clip.float() if clip.is_floating_point() and clip.dtype is not torch.float64 else clip
