"""The metric of torchmetrics, compared with sessions that get planes made here."""

from __future__ import annotations

import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")
torchmetrics = pytest.importorskip("torchmetrics", reason="torchmetrics is not installed")

import libvmaf as vm
from libvmaf.torchmetrics import VMAF
from made_videos import rgb_video, yuv_of

ROWS, COLUMNS = 48, 64
TIES = 1e-3  # samples in the middle of two codes may be rounded either way
CPU = {"model": "vmaf_v0.6.1", "gpu": None, "threads": 0}


def clip(seed, frames=3):
    """Blurred noise (N, H, W, 3) and a distorted version of it."""
    ref = rgb_video(seed, frames, ROWS, COLUMNS).astype(np.float64)
    ref = sum(np.roll(ref, (dy, dx), (1, 2)) for dy in range(4) for dx in range(4)) / 16
    dis = ref + np.random.default_rng(seed + 100).normal(0, 6, ref.shape)
    return [np.clip(video, 0, 255).astype(np.uint8) for video in (ref, dis)]


def tensor(video):
    """(N, 3, H, W)"""
    return torch.from_numpy(np.ascontiguousarray(np.moveaxis(video, -1, 1)))


def scores_of(ref, dis, bits=8, matrix="bt709", is_full=False):
    """Scores of each frame, from planes."""
    with vm.Session(models="vmaf_v0.6.1", threads=0, bpc=bits) as session:
        for pair in zip(ref, dis):
            session.read(*(yuv_of(frame / 255, bits, matrix, is_full) for frame in pair))
        return session.finish().frames["vmaf"].tolist()


def test_the_mean_of_all_frames():
    metric = VMAF(**CPU)
    expected = []
    for seed, frames in ((1, 3), (2, 5)):
        ref, dis = clip(seed, frames)
        metric.update(tensor(dis), tensor(ref))
        expected += scores_of(ref, dis)
    value = metric.compute()
    assert value.item() == pytest.approx(np.mean(expected), abs=TIES)
    assert 1 < value.item() < 99  # in these clips preds differ from target
    assert metric.higher_is_better and not metric.is_differentiable
    metric.reset()
    metric.update(tensor(dis), tensor(ref))
    assert metric.compute().item() == pytest.approx(np.mean(expected[3:]), abs=TIES)


@pytest.mark.parametrize("form", ["float32", "float64", "requires grad", "clips", "forward"])
def test_forms_of_clips(form):
    pairs = [clip(seed) for seed in (3, 4)]
    expected = np.mean([scores_of(*pair) for pair in pairs])
    metric = VMAF(**CPU)
    if form == "clips":  # (B, 3, N, H, W)
        dis, ref = (torch.stack([tensor(pair[side]).transpose(0, 1) for pair in pairs]) for side in (1, 0))
        metric.update(dis, ref)
    elif form == "forward":
        values = [metric(tensor(dis), tensor(ref)).item() for ref, dis in pairs]
        assert values == pytest.approx([np.mean(scores_of(*pair)) for pair in pairs], abs=TIES)
    else:
        for ref, dis in pairs:
            preds, target = (tensor(video).to(torch.float64 if form == "float64" else torch.float32) / 255 for video in (dis, ref))
            metric.update(preds.requires_grad_() if form == "requires grad" else preds, target)
    assert metric.compute().item() == pytest.approx(expected, abs=TIES)


def test_options():
    ref, dis = clip(5)
    metric = VMAF(**CPU, bpc=10, matrix="bt601", range="full")
    metric.update(tensor(dis).double() / 255, tensor(ref).double() / 255)
    assert metric.compute().item() == pytest.approx(np.mean(scores_of(ref, dis, 10, "bt601", True)), abs=TIES)


def test_half_precision():
    ref, dis = clip(6)
    metric = VMAF(**CPU)
    metric.update((tensor(dis) / 255).half(), (tensor(ref) / 255).bfloat16().half())
    assert metric.compute().item() == pytest.approx(np.mean(scores_of(ref, dis)), abs=1)
    metric.update((tensor(dis) / 255).bfloat16(), (tensor(ref) / 255).bfloat16())


def test_it_is_copied_pickled_and_collected():
    ref, dis = clip(7)
    pair = (tensor(dis), tensor(ref))
    metric = VMAF(**CPU)
    metric.update(*pair)
    value = metric.compute()
    assert pickle.loads(pickle.dumps(metric)).compute() == value
    copy = metric.clone()
    copy.update(*(tensor(video) for video in reversed(clip(8))))
    assert copy.compute() != value and metric.compute() == value
    collection = torchmetrics.MetricCollection([VMAF(**CPU)])
    assert collection(*pair)["VMAF"] == value


def test_it_behaves_as_metrics_do():
    """The checks of torchmetrics' own tests for every metric."""
    pairs = [[tensor(video) for video in reversed(clip(seed))] for seed in (12, 13)]
    both, first, second = (VMAF(**CPU) for _ in range(3))
    for metric, seen in ((both, pairs), (first, pairs[:1]), (second, pairs[1:])):
        assert not metric.state_dict() and hash(metric)
        for pair in seen:
            metric.update(*pair)
    first.merge_state(second)
    assert first.compute().item() == pytest.approx(both.compute().item(), abs=1e-9)
    for name in ("is_differentiable", "higher_is_better", "full_state_update", "plot_lower_bound", "plot_upper_bound"):
        with pytest.raises(RuntimeError, match="const"):
            setattr(both, name, None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch has deprecated script
        torch.jit.script(both)
    pytest.importorskip("matplotlib").use("agg")
    _, axes = both.plot()
    assert axes.get_ylim()[0] <= 0 and axes.get_ylim()[1] >= 100


def test_what_is_refused():
    metric = VMAF(**CPU)
    with pytest.raises(ValueError, match=r"preds has the shape \(3, 3, 48, 64\), target \(2, 3, 48, 64\)"):
        metric.update(torch.zeros(3, 3, ROWS, COLUMNS), torch.zeros(2, 3, ROWS, COLUMNS))
    with pytest.raises(ValueError, match=r"\(N, 3, H, W\) or \(B, 3, N, H, W\) is needed"):
        metric.update(*2 * [torch.zeros(3, ROWS, COLUMNS)])
    with pytest.raises(TypeError, match="int64"):
        metric.update(*2 * [torch.zeros(3, 3, ROWS, COLUMNS, dtype=torch.int64)])


PROCESS = """
import sys
import numpy as np, torch
import torch.distributed as dist
from libvmaf.torchmetrics import VMAF

rank, folder = int(sys.argv[1]), sys.argv[2]
dist.init_process_group("gloo", init_method=f"file://{folder}/meeting", rank=rank, world_size=2)
metric = VMAF(model="vmaf_v0.6.1", gpu=None, threads=0)
for ref, dis in np.load(f"{folder}/{rank}.npy"):
    metric.update(torch.from_numpy(dis), torch.from_numpy(ref))
each = VMAF(model="vmaf_v0.6.1", gpu=None, threads=0, dist_sync_on_step=True)
ref, dis = np.load(f"{folder}/{rank}.npy")[0]
of_both = each(torch.from_numpy(dis), torch.from_numpy(ref))
print(repr(metric.compute().item()), int(metric.frames), repr(of_both.item()))
dist.destroy_process_group()
"""


def test_processes_have_the_mean_of_all(tmp_path):
    """One clip in one process, two in the other."""
    if not torch.distributed.is_available() or not torch.distributed.is_gloo_available():
        pytest.skip("torch has no gloo")
    shares = [[clip(9)], [clip(10), clip(11)]]
    for rank, pairs in enumerate(shares):
        np.save(tmp_path / f"{rank}.npy", np.stack([np.moveaxis(np.stack(pair), -1, 2) for pair in pairs]))
    processes = [
        subprocess.Popen([sys.executable, "-c", PROCESS, str(rank), str(tmp_path)], stdout=subprocess.PIPE, text=True) for rank in range(2)
    ]
    said = [process.communicate(timeout=300)[0].split() for process in processes]
    expected = np.mean([score for pairs in shares for pair in pairs for score in scores_of(*pair)])
    of_both = np.mean([score for pairs in shares for score in scores_of(*pairs[0])])
    for (value, frames, of_step), own in zip(said, (3, 6)):
        assert float(value) == pytest.approx(expected, abs=TIES)
        assert int(frames) == own  # gathered tensors are released
        assert float(of_step) == pytest.approx(of_both, abs=TIES)
