#!/usr/bin/env python3
"""Lists the metrics: the folders beside this file that have a meson.build.

list_metrics.py                        prints them
list_metrics.py STAMP DEPFILE NAME...  fails if they are not the NAMEs that this build was configured with
"""
import pathlib
import sys

folders = sorted(path for path in pathlib.Path(__file__).resolve().parent.iterdir() if path.is_dir())
metrics = [path.name for path in folders if (path / "meson.build").exists()]
if len(sys.argv) == 1:
    print(*metrics)
else:
    stamp, depfile, *configured = sys.argv[1:]
    if metrics != configured:
        changed = ", ".join(sorted(set(metrics) ^ set(configured)))
        sys.exit(f"src/feature has other metrics than this build ({changed}): run meson setup --reconfigure")
    pathlib.Path(stamp).touch()
    watched = [pathlib.Path(__file__).resolve().parent, *folders]
    pathlib.Path(depfile).write_text(f"{stamp}: " + " ".join(path.as_posix().replace(" ", "\\ ") for path in watched), "utf-8")
