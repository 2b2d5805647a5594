#!/bin/sh
# Every script prints the comment at its head for --help; one in Python prints its docstring. It
# refuses unknown arguments in one line, before it does anything.
#
# usage: arguments.sh SCRIPT...
set -u
failures=0
fail() {
    echo "$script: $*"
    failures=$((failures + 1))
}

for script in "$@"; do
    status=0
    answer=$(timeout 20 "$script" --help </dev/null 2>&1) || status=$?
    [ "$status" -eq 0 ] || fail "--help exits $status"
    first=$(sed -nE '2s/^(# |""")//p' "$script")
    [ "$(echo "$answer" | head -n 1)" = "$first" ] || fail "--help says: $(echo "$answer" | head -n 3)"
    [ "$(echo "$answer" | wc -l)" -le 30 ] || fail "--help says more than the head"

    status=0
    answer=$(timeout 20 "$script" --no-such-argument </dev/null 2>&1) || status=$?
    [ "$status" -eq 2 ] || fail "an unknown argument exits $status"
    [ "$(echo "$answer" | wc -l)" -eq 1 ] || fail "to an unknown argument says: $(echo "$answer" | head -n 3)"
done
[ "$failures" -eq 0 ]
