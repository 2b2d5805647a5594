"""Runs easyvmaf, ffmpeg-quality-metrics and ffvm on two clips, and compares scores of unchanged pictures with the vmaf tool's."""

import glob
import json
import math
import os
import re
import shutil
import subprocess
import sys

work = sys.argv[1]
os.chdir(work)
counts = {"passed": 0, "failed": 0}
SIX_DECIMALS = 0.51e-6  # two texts of the same number


def expect(what, is_so, shown=""):
    counts["passed" if is_so else "failed"] += 1
    print("  %s: %s" % (what, "as expected" if is_so else "DIFFERENT " + str(shown)[-1500:]))


def run(*arguments):
    return subprocess.run(arguments, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)


def by_tool(ref, dis, *more):
    done = run("vmaf", "-r", ref, "-d", dis, "-q", "--json", "-o", "tool.json", *more)
    assert done.returncode == 0, done.stderr
    with open("tool.json", encoding="utf-8") as file:
        return json.load(file)


def mean(scores, name):
    return scores["pooled_metrics"][name]["mean"]


def same_frames(frames, scores, name):
    expected = [frame["metrics"][name] for frame in scores["frames"]]
    return len(frames) == len(expected) and all(abs(a - b) <= SIX_DECIMALS for a, b in zip(frames, expected))


def check_ffmpeg_quality_metrics():
    scores = by_tool("ref.y4m", "dis.y4m", "--feature", "psnr")
    done = run("ffmpeg-quality-metrics", "dis.mp4", "ref.mp4", "--metrics", "vmaf", "--vmaf-features", "psnr")
    answer = json.loads(done.stdout) if done.returncode == 0 else {}
    frames = answer.get("vmaf", [])
    expect("ffmpeg-quality-metrics: vmaf", same_frames([frame["vmaf"] for frame in frames], scores, "vmaf"), done.stderr)
    expect("ffmpeg-quality-metrics: psnr as a feature",
           same_frames([frame.get("psnr_y", math.nan) for frame in frames], scores, "psnr_y"), done.stderr)
    average = answer.get("global", {}).get("vmaf", {}).get("vmaf", {}).get("average", math.nan)
    expect("ffmpeg-quality-metrics: average", abs(average - mean(scores, "vmaf")) < 0.001, average)


def check_ffvm():
    done = run("ffvm", "encode", "ref.mp4", "ffvm.mp4", "--vcodec", "libx264", "--crf", "35", "--compare", "--acodec", "copy")
    if not os.path.exists("ffvm.mp4"):
        return expect("ffvm: encode", False, done.stdout + done.stderr)
    run("ffmpeg", "-y", "-i", "ffvm.mp4", "-f", "yuv4mpegpipe", "ffvm.y4m")
    score = mean(by_tool("ref.y4m", "ffvm.y4m"), "vmaf")
    printed = re.findall(r"\d+\.\d+", done.stdout)
    expect("ffvm: score of what it encoded", "%.2f" % score in printed, (score, done.stdout, done.stderr))
    os.remove("ffvm.mp4")


def check_easyvmaf():
    shutil.rmtree("easy", ignore_errors=True)
    os.mkdir("easy")
    for side in ("ref", "dis"):
        shutil.copy(side + ".mp4", "easy")
    for version, model in (("1", "vmaf_v1.0.16_3d0h"), ("0.6", "vmaf_v0.6.1")):
        for old in glob.glob("easy/*.json"):
            os.remove(old)
        done = run("easyvmaf", "-r", "easy/ref.mp4", "-d", "easy/dis.mp4", "--vmaf-version", version)
        logs = [json.load(open(name, encoding="utf-8")) for name in glob.glob("easy/*.json")]
        logs = [log for log in logs if "frames" in log]
        expect("easyvmaf: VMAF %s" % version,
               done.returncode == 0 and len(logs) == 1 and len(logs[0]["frames"]) == 50 and
               all(math.isfinite(frame["metrics"][key]) for frame in logs[0]["frames"] for key in frame["metrics"]),
               (model, done.returncode, done.stdout, done.stderr))


check_ffmpeg_quality_metrics()
check_ffvm()
check_easyvmaf()
print("%d passed, %d failed, 0 skipped" % (counts["passed"], counts["failed"]))
sys.exit(0 if counts["failed"] == 0 and counts["passed"] > 0 else 1)
