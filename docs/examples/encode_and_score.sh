#!/bin/sh
# Encodes a video and scores the encode in one run of ffmpeg: a loopback decoder (-dec) takes the
# packets from the encoder. The reference is decoded once. Needs ffmpeg 7.0 with libvmaf.
#
#   encode_and_score.sh REFERENCE ENCODE [ENCODER-OPTION...]    (default: -c:v libx264 -crf 28)
#
# FFMPEG names another ffmpeg.
set -eu
[ $# -ge 2 ] || {
    sed -n '5p' "$0" >&2
    exit 2
}
reference=$1 encode=$2
shift 2
[ $# -gt 0 ] || set -- -c:v libx264 -crf 28

# -dec 0:0 decodes the first stream of the first output. The filter's output needs a label and a
# second output, or it would be encoded itself.
log=$("${FFMPEG:-ffmpeg}" -nostdin -hide_banner -y -i "$reference" -map 0:v:0 "$@" "$encode" \
    -dec 0:0 -filter_complex "[dec:0][0:v:0]libvmaf=n_threads=4[scored]" -map "[scored]" \
    -f null - 2>&1) || {
    printf '%s\n' "$log" >&2
    exit 1
}
printf '%s\n' "$log" | sed -n 's/.*VMAF score: //p'
