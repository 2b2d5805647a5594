#!/bin/sh
# Builds the client in this folder with the source tree as its Meson subproject, links it with each
# kind of library, and runs it. Then configures it with a wrap file and an archive of the sources.
#
# usage: run.sh MESON SOURCE_DIR
set -eu
meson=$1 source=$2
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
cp "$source"/test/abi/subproject/meson.build "$source"/test/abi/subproject/client.c "$stage"
mkdir "$stage/subprojects"
ln -s "$source" "$stage/subprojects/libvmaf"

fail() { echo "subproject: $*" >&2; exit 1; }

# expect KIND yes|no: whether the client needs the shared library when it runs.
expect() {
    echo "default_library=$1"
    "$meson" configure "$stage/build" "-Dlibvmaf:default_library=$1"
    "$meson" compile -C "$stage/build" client
    version=$("$stage/build/client") || fail "the client of $1 failed"
    case $version in 3.2.0+*) ;; *) fail "the client of $1 printed '$version'" ;; esac
    needs=no
    if readelf -d "$stage/build/client" | grep -q 'NEEDED.*libvmaf'; then needs=yes; fi
    [ "$needs" = "$2" ] || fail "the client of $1 needs libvmaf.so: $needs"
}

# Optimisation does not matter here. Without precompiled headers, each file must include what it
# uses.
"$meson" setup "$stage/build" "$stage" -Doptimization=0 -Db_pch=false -Dlibvmaf:default_library=both
expect both yes
expect shared yes
expect static no

# The wrap's name is enough: the client's fallback is not needed.
wrapped=$stage/wrapped
mkdir -p "$wrapped/subprojects"
sed "s/fallback: 'libvmaf', //" "$stage/meson.build" >"$wrapped/meson.build"
cp "$stage/client.c" "$wrapped"
(cd "$source" && tar -c --transform 's,^,libvmaf/,' include src tools kernels meson.build meson_options.txt) >"$stage/libvmaf.tar"
hash=$(sha256sum "$stage/libvmaf.tar")
sed -e "s,@ARCHIVE@,$stage/libvmaf.tar," -e "s,@HASH@,${hash%% *}," "$source/test/abi/subproject/libvmaf.wrap.in" \
    >"$wrapped/subprojects/libvmaf.wrap"
"$meson" setup "$wrapped/build" "$wrapped" --force-fallback-for=libvmaf
"$meson" introspect "$wrapped/build" --projectinfo | grep -q '"name": "libvmaf"' || fail "the wrap's subproject is not used"
