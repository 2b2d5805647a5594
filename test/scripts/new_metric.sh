#!/bin/sh
# Runs scripts/new-metric in a copy of what it reads. Files have the metric's names, the feature
# gets the next rank, and nothing is overwritten. The tests new_metric and new_metric_emulated of
# the template show that such files compile and pass.
#
# usage: new_metric.sh SOURCE-ROOT
set -eu
root=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/scripts" "$work/docs/examples" "$work/src"
cp "$root/scripts/new-metric" "$work/scripts/"
cp -R "$root/docs/examples/new_metric" "$work/docs/examples/"
cp -R "$root/src/feature" "$work/src/"
cd "$work"

fail() {
    echo "new-metric: $*" >&2
    exit 1
}

scripts/new-metric two_words >made
[ "$(wc -l <made)" -eq 10 ] || fail "makes other files: $(cat made)"
# shellcheck disable=SC2046 # names without spaces
grep -iE 'new_?metric|no list' $(cat made) && fail "leaves names of the template"
grep -q 'TEST(TwoWords' test/feature/two_words_test.cpp || fail "does not name the tests"
grep -q "features = {'kTwoWords': $(cat src/feature/*/meson.build | grep -oE "'k[A-Z][A-Za-z0-9]*': [0-9]+" | wc -l | awk '{print $1 - 1}')}" \
    src/feature/two_words/meson.build || fail "does not give the next rank: $(head -n 1 src/feature/two_words/meson.build)"
[ "$(src/feature/list_metrics.py | tr ' ' '\n' | grep -c two_words)" -eq 1 ] || fail "the folder is no metric"

status=0
scripts/new-metric two_words >/dev/null 2>again || status=$?
{ [ "$status" -eq 1 ] && grep -q 'already$' again; } || fail "writes over a metric"
for name in Two two-words 2two _two two__words ''; do
    status=0
    scripts/new-metric "$name" >/dev/null 2>&1 || status=$?
    [ "$status" -eq 2 ] || fail "takes the name '$name'"
done
