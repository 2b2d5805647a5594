#!/bin/sh
# Compares the interface of a library with debugging information with the snapshot in the tree:
# functions, types, members' offsets, values of enums. Additions are differences too. Renew the
# snapshot in the same commit (docs/development.md).
#
# usage: snapshot.sh LIBRARY SNAPSHOT [--renew]
set -eu
library=$1 snapshot=$2
if [ "${3:-}" = --renew ]; then
    exec abidw --no-show-locs --no-corpus-path --no-comp-dir-path --no-elf-needed --type-id-style hash --out-file "$snapshot" "$library"
fi
if ! abidiff "$snapshot" "$library"; then
    echo "The interface is not that of $snapshot. If that is wanted: ninja -C BUILD renew_abi_snapshot"
    exit 1
fi
