#!/bin/sh
# Code does not compile if it uses an option name that the feature's table lacks or has with another
# type. No header has a template over a table: GCC 14 merges what that makes in several files.
#
# usage: option_names.sh SOURCE-ROOT BUILD-ROOT COMPILER...
set -eu
root=$1
build=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/names.cpp" <<'CODE'
#include "feature/options.h"

constexpr std::array kOptions{
    vmaf::bool_option("flag", nullptr, false, vmaf::InName::no, "of another type"),
    vmaf::double_option("number", nullptr, 1, 0, 2, vmaf::InName::no, "read below"),
};

double number(const vmaf::OptionValues &values)
{
    return vmaf::OptionsOf<kOptions>(values).real(NAME);
}
CODE

compiles() {
    "$@" -std=c++20 -c -o "$work/names.o" -DNAME="\"$name\"" -I"$root/src" -I"$root/include" -I"$build/include" "$work/names.cpp" 2>"$work/log"
}

name=number
compiles "$@" || { cat "$work/log"; exit 1; }
for name in flag missing; do
    if compiles "$@"; then
        echo "real(\"$name\") compiles"
        exit 1
    fi
done
if grep -r --include='*.h' 'OptionsOf<' "$root/src" | grep -v '/feature/options\.h:'; then
    echo "a header uses a feature's table: see OptionsOf in src/feature/options.h"
    exit 1
fi
