#!/bin/bash
# Runs stress through pipes, and compares what it prints and how it ends with what is expected. The numbers of a machine are
# compared by patterns.
# Usage: stress-lines.sh [PROGRAM]; builds the program when none is given. Ends with code 1 at the first difference.
set -u
program_name=stress
. "$(dirname "$0")/shared/checks.bash"
find_program "$@"

# plain: the output with every number of this machine taken out of it.
plain() {
  sed -E 's/ in [0-9.]+ s, [0-9]+ a second/ in TIME/; s/[0-9.]+ MB/MEMORY/' "$work/output"
}

timeout 120 "$program" --actions 2000 --senders 4 --seed 7 </dev/null >"$work/output" 2>"$work/errors"
same "a clean round: code" 0 $?
same "a clean round" 'sync: 2000 actions a round from 4 threads and one sender on the queue, seed 7
round 1: 2000 actions in TIME; lost 0, duplicated 0, reordered 0; memory MEMORY
peak memory MEMORY' "$(plain)"
same "a clean round: standard error" "" "$(cat "$work/errors")"
passed "a clean round"

timeout 120 "$program" --actions 2000 --senders 4 --seed 7 --plant lost >"$work/output" 2>"$work/errors"
same "a planted fault: code" 1 $?
plain | grep -q '^round 1: 1999 actions in TIME; lost 1, duplicated 0, reordered 0; memory MEMORY$' ||
  fail "a planted fault: $(cat "$work/output")"
passed "a planted fault is found, and is code 1"

# --- a reader that goes away, and a signal

# It would go on for an hour.
timeout 120 "$program" --actions 1000 --minutes 60 2>"$work/errors" | head -1 >"$work/output"
code=${PIPESTATUS[0]}
case $code in
0 | 1 | 141) ;;
*) fail "stress | head -1: code $code" ;;
esac
same "stress | head -1: standard error" "" "$(cat "$work/errors")"
grep -q '^sync: 1000 actions a round ' "$work/output" || fail "stress | head -1: $(cat "$work/output")"
passed "a closed pipe ends it quietly"

# --- an output that takes nothing

if [ -e /dev/full ]; then
  timeout 120 "$program" --actions 1000 >/dev/full 2>"$work/errors"
  same "a full output: code" 1 $?
  same "a full output" "stress: standard output: No space left on device" "$(cat "$work/errors")"
  passed "a full output"
fi

timeout 120 "$program" --actions 1000 >&- 2>"$work/errors"
same "a closed output: code" 1 $?
same "a closed output" "stress: standard output: Bad file descriptor" "$(cat "$work/errors")"
passed "a closed output"

timeout 120 "$program" --actions 1000 --minutes 60 >"$work/output" 2>"$work/errors" &
job=$!
says_round() { grep -q '^round 2: ' "$work/output"; }
wait_for says_round || fail "a signal: it does not run"
# `timeout` hands it on, and ends as it does.
kill -s TERM "$job"
wait "$job"
code=$?
[ "$code" = 143 ] || [ "$code" = 124 ] || fail "a signal: code $code"
passed "a signal ends it"

# --- options

refused "an unknown option" 'stress: unknown option "--what"; see stress --help' --what
found=$(timeout 120 "$program" --help 2>&1) || fail "--help: code"
case $found in
"usage: stress "*) passed "--help" ;;
*) fail "--help" ;;
esac

echo "stress through pipes: $checks checks passed"
