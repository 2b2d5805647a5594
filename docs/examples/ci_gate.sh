#!/bin/sh
# Fails if an encode is not good enough: scores every video of a folder against one reference.
#
#   ci_gate.sh REFERENCE FOLDER OPTION...     (options of vmaf: --fail_under 93, --gpu none, -m v1)
#
# Writes FOLDER/NAME.html for each encode. Exit status 1: an encode failed a gate, could not be
# scored, or gave a warning; 2: wrong usage, or nothing to score.
set -u
[ $# -ge 3 ] || {
    sed -n '4p' "$0" >&2
    exit 2
}
reference=$1 folder=$2
shift 2

scored=0 failed=0
for encode in "$folder"/*.mp4 "$folder"/*.mkv "$folder"/*.webm "$folder"/*.y4m; do
    [ -f "$encode" ] || continue
    scored=$((scored + 1))
    status=0
    vmaf --quiet --strict -r "$reference" -d "$encode" --html "${encode%.*}.html" "$@" || status=$?
    [ $status -eq 0 ] || {
        failed=$((failed + 1))
        echo "FAILED with exit code $status: $encode"
    }
done
echo "$scored encodes, $failed failed"
[ $scored -gt 0 ] || exit 2
[ $failed -eq 0 ]
