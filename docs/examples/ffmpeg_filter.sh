#!/bin/sh
# Prints the VMAF score of an encode by ffmpeg's filter libvmaf, and keeps all scores.
#
#   ffmpeg_filter.sh REFERENCE ENCODE SCORES.json
#
# Both videos have one size and frame rate; the filter scales nothing. FFMPEG names another ffmpeg.
set -eu
[ $# -eq 3 ] || {
    sed -n '4p' "$0" >&2
    exit 2
}

# The encode comes first. The path of the log must not have the characters : ' and \.
log=$("${FFMPEG:-ffmpeg}" -nostdin -hide_banner -i "$2" -i "$1" \
    -lavfi "[0:v:0][1:v:0]libvmaf=model=version=vmaf_v0.6.1:n_threads=4:log_fmt=json:log_path=$3" \
    -f null - 2>&1) || {
    printf '%s\n' "$log" >&2
    exit 1
}
printf '%s\n' "$log" | sed -n 's/.*VMAF score: //p'
