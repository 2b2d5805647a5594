#!/usr/bin/env python3
"""How fast the report of many encodes opens and zooms, in headless Chromium without a GPU.

bench_report.py VMAF [--encodes N] [--frames N]

VMAF is the tool. It makes the page from made-up scores. Needs chromium and chromium-driver (scripts/setup browser).
"""
import argparse
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "test" / "report"))
from page_test import Browser

ZOOMS = 40


def scores(encode, frames):
    """As ffmpeg's filter and libvmaf write them."""
    base = 95 - 3 * encode
    values = [round(base + 3 * math.sin(i / (40 + encode)) + (i * 7919 + encode * 104729) % 1000 / 250, 4) for i in range(frames)]
    return {"version": "3.2.0", "frames": [{"frameNum": i, "metrics": {"vmaf": value, "psnr_y": value / 2}} for i, value in enumerate(values)]}


def zoom_ms(browser):
    """Milliseconds from one drawn frame to the next while the wheel turns, one notch a frame."""
    return browser.call("POST", "/execute/async", {"args": [ZOOMS], "script": """const [count, done] = arguments;
        const canvas = document.getElementById('canvas');
        canvas.focus();
        const box = canvas.getBoundingClientRect();
        const times = [];
        const turn = (time) => {
            times.push(time);
            if (times.length > count) return done(times.slice(1).map((at, i) => at - times[i]));
            canvas.dispatchEvent(new WheelEvent('wheel', {deltaY: times.length <= count / 2 ? -30 : 30, clientX: box.left + box.width * 0.6,
                                                          clientY: box.top + 60, bubbles: true, cancelable: true}));
            requestAnimationFrame(turn);
        };
        requestAnimationFrame(turn);"""})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vmaf", type=pathlib.Path)
    parser.add_argument("--encodes", type=int, default=20)
    parser.add_argument("--frames", type=int, default=20_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = pathlib.Path(name)
        saved = []
        for encode in range(options.encodes):
            saved.append(folder / f"encode{encode:02}.json")
            saved[-1].write_text(json.dumps(scores(encode, options.frames)))
        page = folder / "page.html"
        subprocess.run([options.vmaf.resolve(), "--report", *saved, "--html", page], check=True, stdout=subprocess.DEVNULL)
        browser = Browser(shutil.which("chromedriver"), shutil.which("chromium"), folder / "profile")
        try:
            for _ in range(3):
                browser.open(page)
                browser.settle()
                opened = browser.script("return performance.getEntriesByType('navigation')[0].loadEventEnd")
                times = sorted(zoom_ms(browser))
                print(f"{options.encodes} encodes of {options.frames} frames, {os.path.getsize(page) / 1e6:.1f} MB: open in {opened:.0f} ms; "
                      f"zoom, ms a frame: median {times[len(times) // 2]:.1f}, 90 % {times[len(times) * 9 // 10]:.1f}", flush=True)
        finally:
            browser.close()


if __name__ == "__main__":
    main()
