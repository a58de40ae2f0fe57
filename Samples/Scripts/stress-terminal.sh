#!/bin/bash
# Drives stress in a real terminal, which tmux provides: what it prints in windows of several sizes, and every way to end.
# Usage: stress-terminal.sh [PROGRAM]; builds the program when none is given. Ends with code 1 at the first difference.
set -u
program_name=stress
. "$(dirname "$0")/shared/checks.bash"
find_program "$@"
. "$samples/Scripts/shared/terminal.bash"

# Nothing is drawn: the shell's page stays, and what was printed on it. In this window the lines are not broken.
open_shell 300 100
run --actions 2000 --senders 4 --seed 7
wait_for test -s "$work/after" || fail "300x100: it does not end"
[ "$(cat "$work/code")" = 0 ] || fail "300x100: code $(cat "$work/code")"
sees_line "300x100" 'sync: 2000 actions a round from 4 threads and one sender on the queue, seed 7'
sees_pattern "300x100" '^round 1: 2000 actions in .* lost 0, duplicated 0, reordered 0; memory .* MB$'
sees_pattern "300x100" '^peak memory .* MB$'
passed "300x100: a round"

open_shell 20 5
run --actions 2000 --senders 4 --seed 7
wait_for test -s "$work/after" || fail "20x5: it does not end"
sees_pattern "20x5" '^peak memory .* MB$'
[ "$(cat "$work/code")" = 0 ] || fail "20x5: code $(cat "$work/code")"
passed "20x5: a round"

open_shell 100 24
run --actions 2000 --minutes 60
sees_pattern "Ctrl-C" '^round 2: '
keys C-c
wait_for test -s "$work/after" || fail "Ctrl-C: it does not end"
[ "$(cat "$work/code")" = 130 ] || fail "Ctrl-C: code $(cat "$work/code")"
diff "$work/before" "$work/after" >&2 || fail "Ctrl-C: the settings of the terminal are others"
passed "Ctrl-C"

open_shell 80 24
run --what
wait_for test -s "$work/after" || fail "an unknown option: it does not end"
[ "$(cat "$work/code")" = 1 ] || fail "an unknown option: code $(cat "$work/code")"
is_told "an unknown option" 'stress: unknown option "--what"; see stress --help'

echo "stress on a terminal: $checks checks passed"
