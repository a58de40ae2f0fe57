#!/bin/bash
# A trial of the benchmarks: that every workload runs, that the file can be read again, and what wrong options do.
# Usage: trial.sh PROGRAM
set -euo pipefail
bench=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
  echo "bench: $1" >&2
  exit 1
}

"$bench" --trial --json "$folder/readings.json" >"$folder/table"
for number in 1 2 3 4 5 6 7 8 9 10; do
  grep -q "^W$number " "$folder/table" || fail "the table has no line of W$number"
  grep -q "\"workload\" : \"W$number\"" "$folder/readings.json" || fail "the file has no reading of W$number"
done
[ "$("$bench" --list | grep -c '^W')" -eq 10 ] || fail "--list does not show ten workloads"

"$bench" w1 --trial --compare "$folder/readings.json" >"$folder/comparison"
grep -q "^W1 .*was [0-9.]* ×" "$folder/comparison" || fail "--compare does not show what was"
if grep -q '^W2' "$folder/comparison"; then fail "a workload was run that was not named"; fi

"$bench" --trial --scale >"$folder/scale"
grep -q "should be flat" "$folder/scale" || fail "--scale shows nothing"
grep -q "█" "$folder/scale" || fail "--scale has no chart"

# Wrong: one line on standard error, and code 1.
wrong() {
  local code=0
  "$bench" "$@" >"$folder/out" 2>"$folder/error" || code=$?
  [ $code -eq 1 ] || fail "\"$*\" ends with $code instead of 1"
  [ "$(wc -l <"$folder/error")" -eq 1 ] || fail "\"$*\" says more or less than one line"
  [ ! -s "$folder/out" ] || fail "\"$*\" was begun"
}
wrong W99
wrong --unknown
wrong --repeats 0
wrong --compare "$folder/none.json"
wrong --compare "$folder/table"
wrong --json "$folder"
grep -q "it is a folder" "$folder/error" || fail "--json with a folder does not say what is wrong"

# An output that takes nothing.
silent() {
  [ "$1" -eq 1 ] || fail "$2 ends with $1 instead of 1"
  [ "$(grep -v 'debug build' "$folder/error")" = "bench: cannot write to standard output" ] || fail "$2: $(cat "$folder/error")"
}
code=0
"$bench" w2 --trial >&- 2>"$folder/error" || code=$?
silent $code "a closed output"
if [ -w /dev/full ]; then
  code=0
  "$bench" w2 --trial >/dev/full 2>"$folder/error" || code=$?
  silent $code "a full output"
fi
echo "bench: trial passed"
