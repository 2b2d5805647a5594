#!/usr/bin/env python3
"""The libvmaf in an ffmpeg beside the command vmaf, on the CPU. Prints a Markdown table.

usage: bench_ffmpeg.py FFMPEG VMAF REF.y4m DIS.y4m [--work NAME,...] [--threads N] [--rounds N]

With one thread: ms of CPU time a frame, without what a run takes that only reads the frames. With more: frames a second, with reading. The two
take turns. Shown are the medians of the rounds, and the least and the largest ratio of a round. The last column says how many scores are equal in
all printed digits. Exit status 1: not all.

What is left after reading is uncertain by 1 ms or so, since a picture that is scored is held for longer. It is too coarse for psnr, and motion is
near the limit: bench_peer measures these with two shared libraries.
"""

import argparse
import json
import pathlib
import resource
import statistics
import subprocess
import tempfile
import time

WORKS = "vmaf_v0.6.1,vmaf_v1.0.16_3d0h,vif,adm,motion,psnr_hvs,ciede,float_ms_ssim"


def run(command):
    """Seconds of CPU time and on the wall. The program's own messages say why it failed."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(list(map(str, command)), check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, time.monotonic() - start


class Side:
    """One of the two programs. No work: it only reads."""

    def __init__(self, options, output):
        self.options, self.output = options, output

    def scores(self):
        return [frame["metrics"] for frame in json.loads(self.output.read_text())["frames"]]


class Reference(Side):
    def run(self, work):
        what = f"model=version={work}" if work.startswith("vmaf_") else f"model=:feature=name={work}" if work else "model="
        graph = f"libvmaf={what}:n_threads={self.options.threads}:log_fmt=json:log_path={self.output}"
        return run([self.options.ffmpeg, "-v", "error", "-i", self.options.dis, "-i", self.options.ref, "-lavfi", graph, "-f", "null", "-"])


class Ours(Side):
    def run(self, work):
        what = ["--model", f"version={work}"] if work.startswith("vmaf_") else ["--no_prediction", *(["--feature", work] if work else [])]
        return run([self.options.vmaf, "-r", self.options.ref, "-d", self.options.dis, "--backend", "cpu", "--threads", self.options.threads,
                    "--quiet", "--json", "-o", self.output, *what])  # fmt: skip


def compared(ours, reference):
    """Scores that are equal, and all."""
    pairs = [(mine[name], value) for mine, other in zip(ours, reference, strict=True) for name, value in other.items()]
    return sum(a == b for a, b in pairs), len(pairs)


def row(work, samples, frames, one, equal):
    """A line of the table from the rounds' seconds of both."""
    ratios = sorted(reference / ours for reference, ours in samples)
    shown = [statistics.median(1000 * s / frames if one else frames / s for s in side) for side in zip(*samples)]
    ratio = f"{statistics.median(ratios):.2f} ({ratios[0]:.2f}..{ratios[-1]:.2f})"
    return f"| `{work}` | {shown[0]:.{2 * one}f} | {shown[1]:.{2 * one}f} | {ratio} | {equal[0]} of {equal[1]} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("ffmpeg", "vmaf", "ref", "dis"):
        parser.add_argument(name, type=pathlib.Path)
    parser.add_argument("--work", default=WORKS, help="models, whose names begin with vmaf_, and features")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    one = options.threads == 1
    differ = False
    with tempfile.TemporaryDirectory() as folder:
        sides = [Reference(options, pathlib.Path(folder, "reference.json")), Ours(options, pathlib.Path(folder, "ours.json"))]
        print(f"| work | reference, {'ms' if one else 'frames/s'} | ours | times as fast | equal scores |\n| --- | --- | --- | --- | --- |")
        for work in options.work.split(","):
            samples = []
            for _ in range(options.rounds):  # each reads anew, because the speed of a shared machine drifts
                reading = [side.run("")[0] if one else 0 for side in sides]
                samples.append([side.run(work)[0 if one else 1] - read for side, read in zip(sides, reading)])
            scores = [side.scores() for side in sides]
            equal = compared(scores[1], scores[0])
            differ |= equal[0] < equal[1]
            print(row(work, samples, len(scores[0]), one, equal), flush=True)
    return differ


if __name__ == "__main__":
    raise SystemExit(main())
