#!/bin/sh
# Installs the build tree into a temporary prefix and builds the documented example against it as a client would: by
# pkg-config, with either spelling of the include, with the shared and with the static library.
#
# usage: installed_client.sh MESON BUILD_DIR SOURCE_DIR
set -eu
meson=$1 build=$2 source=$3
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

DESTDIR="$stage" "$meson" install -C "$build" --no-rebuild --quiet
pc=$(find "$stage" -name libvmaf.pc)
libdir=${pc%/pkgconfig/libvmaf.pc}
PKG_CONFIG_LIBDIR=${pc%/libvmaf.pc} PKG_CONFIG_SYSROOT_DIR=$stage
export PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR

fail() { echo "installed_client: $*" >&2; exit 1; }

[ "$(pkg-config --modversion libvmaf)" = 3.2.0 ] || fail "version is $(pkg-config --modversion libvmaf)"
[ "$(readlink -f "$libdir/libvmaf.so")" = "$libdir/libvmaf.so.3.2.0" ] || fail "libvmaf.so is not libvmaf.so.3.2.0"
[ -e "$libdir/libvmaf.so.3" ] || fail "libvmaf.so.3 is missing"
for name in libvmaf picture feature model version libvmaf_ext; do
    find "$stage" -path "*/include/libvmaf/$name.h" | grep -q . || fail "$name.h is missing"
done
for file in share/bash-completion/completions/vmaf share/zsh/site-functions/_vmaf share/fish/vendor_completions.d/vmaf.fish share/man/man1/vmaf.1; do
    find "$stage" -path "*/$file" -size +0 | grep -q . || fail "$file is missing"
done

head -c 115200 /dev/zero | tr '\0' '\200' >"$stage/grey.yuv" # two frames of 160x240

run_example() { # NAME DEFINITION-OF-LD_LIBRARY_PATH
    score=$(LD_LIBRARY_PATH=$2 "$stage/$1" "$stage/grey.yuv" "$stage/grey.yuv" 160 240) || fail "$1 failed"
    case $score in [0-9]*.[0-9]*) ;; *) fail "$1 printed '$score'" ;; esac
}

# shellcheck disable=SC2046
cc "$source/docs/examples/score.c" $(pkg-config --cflags --libs libvmaf) -o "$stage/shared"
run_example shared "$libdir"

# Old clients spell it <libvmaf.h>.
sed 's,<libvmaf/libvmaf.h>,<libvmaf.h>,' "$source/docs/examples/score.c" >"$stage/old_spelling.c"
# shellcheck disable=SC2046
cc "$stage/old_spelling.c" $(pkg-config --cflags --libs libvmaf) -o "$stage/old_spelling"
run_example old_spelling "$libdir"

rm "$libdir"/libvmaf.so*
# shellcheck disable=SC2046
cc "$source/docs/examples/score.c" $(pkg-config --cflags --static --libs libvmaf) -o "$stage/static"
run_example static ''
