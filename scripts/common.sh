# shellcheck shell=bash disable=SC2034
# Helpers that the other scripts source; not run by itself.

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
jobs=$(nproc)

say() { printf '\n==> %s\n' "$*"; }

die() {
    printf '%s: %s\n' "$(basename -- "$0")" "$*" >&2
    exit 1
}

# configure DIR [OPTION...]: makes the build directory, or brings an existing one up to the same options.
configure() {
    local dir=$1
    shift
    if [[ -f $dir/build.ninja ]]; then
        meson configure "$dir" "$@"
    else
        meson setup "$dir" "$root" "$@"
    fi
}

has_nvcc() { command -v nvcc >/dev/null || [[ -x /usr/local/cuda/bin/nvcc ]]; }
