#!/bin/sh
# Scores two video files with GStreamer's element vmaf, of gst-plugins-bad 1.28 and later.
#
#   gstreamer_vmaf.sh REFERENCE ENCODE SCORES.json
#
# The element calls libvmaf 3 and so this library. Its model's column is named "self".
set -eu
[ $# -eq 3 ] || {
    sed -n '4p' "$0" >&2
    exit 2
}

gst-launch-1.0 -q \
    vmaf name=compare model-filename=vmaf_v0.6.1 results-format=json results-filename="$3" ! fakesink \
    filesrc location="$1" ! decodebin ! videoconvert ! video/x-raw,format=I420 ! compare.ref_sink \
    filesrc location="$2" ! decodebin ! videoconvert ! video/x-raw,format=I420 ! compare.dist_sink
