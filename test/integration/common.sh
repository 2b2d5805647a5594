# shellcheck shell=bash disable=SC2154
# Functions and options of the tests with ffmpeg. They source this file; it is not run by itself.

# shellcheck disable=SC2034,SC2054
# Options of every ffmpeg here: it reads two Y4M files, writes nothing, and has no other parts.
ffmpeg_options=(--disable-everything --disable-autodetect --disable-doc --disable-debug --disable-x86asm
    --disable-network --disable-ffplay --disable-ffprobe --enable-libvmaf --enable-protocol=file,pipe
    --enable-demuxer=yuv4mpegpipe --enable-decoder=rawvideo --enable-encoder=wrapped_avframe --enable-muxer=null)

# Fetches and builds what ffmpeg with the CUDA API needs. The client has set $work and $prefix.

skip() {
    echo "Skipped: $*"
    echo "0 passed, 0 failed, 1 skipped"
    exit 77
}

need_cuda_build() {
    "$root/scripts/setup" build ffmpeg || skip "what a build needs could not be installed."
    has_nvcc || skip "there is no nvcc."
    pkg-config --exists ffnvcodec || skip "there are no headers of the NVIDIA driver's interface (libffmpeg-nvenc-dev)."
}

install_cuda_library() { # [MESON_OPTION...]
    say "Installing the library and the tool in $prefix"
    configure "$work/libvmaf" -Dbuildtype=release -Dcuda=enabled -Dtools=true --prefix="$prefix" --libdir=lib "$@"
    nice meson install -C "$work/libvmaf" --quiet
}

# Debian 12's headers are too old for ffmpeg 7.1. Upstream's archive has everything: headers and a
# makefile.
get_headers() {
    compgen -G "$work/nv-codec-headers_*.orig.tar.*" >/dev/null || get_source "$work" trixie --tar-only nv-codec-headers
}

install_headers() {
    say "Installing the headers of the NVIDIA driver's interface in $prefix"
    mkdir -p "$work/nv-codec-headers"
    tar -x -f "$work"/nv-codec-headers_*.orig.tar.* -C "$work/nv-codec-headers" --strip-components=1
    make -C "$work/nv-codec-headers" --silent install PREFIX="$prefix"
}

passed=0
failed=0
expect_same() { # WHAT FILE FILE
    local difference
    if difference=$(diff "$2" "$3"); then
        passed=$((passed + 1))
        echo "  $1: equal"
    else
        failed=$((failed + 1))
        echo "  $1: DIFFERENT"
        head -n 10 <<<"$difference"
    fi
}

# Two logs may differ only in the line with the speed.
without_speed() { grep -v -E '^ *("fps":|<fyi fps=)' "$1"; }

# Compares the logs of both: LOG.ffmpeg and LOG.tool.
expect_same_log() { # LOG
    touch "$1.ffmpeg" "$1.tool"
    without_speed "$1.ffmpeg" >"$1.ffmpeg_log" || true
    without_speed "$1.tool" >"$1.tool_log" || true
    [[ -s $1.tool_log ]] || echo "no log" >"$1.tool_log"
    expect_same "log" "$1.ffmpeg_log" "$1.tool_log"
}

# Compares the pooled scores that both printed: LOG.ffmpeg_stderr and LOG.tool_report.
expect_same_score() { # LOG
    sed -n 's/^[^ ]*: \([0-9.]*\)$/\1/p' "$1.tool_report" >"$1.tool_score"
    sed -n 's/.*VMAF score: \([0-9.]*\)$/\1/p' "$1.ffmpeg_stderr" >"$1.ffmpeg_score"
    [[ -s $1.tool_score ]] || echo "no score" >"$1.tool_score"
    expect_same "pooled score $(paste -s -d' ' "$1.tool_score")" "$1.ffmpeg_score" "$1.tool_score"
}
