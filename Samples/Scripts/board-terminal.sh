#!/bin/bash
# Drives board in a real terminal, which tmux provides: compares screens at several sizes, and checks that the terminal is
# restored however the program ends. The seconds are real ones: what ticks is compared by patterns.
# Usage: board-terminal.sh [PROGRAM]; builds the program when none is given. Ends with code 1 at the first difference.
set -u
program_name=board
. "$(dirname "$0")/shared/checks.bash"
find_program "$@"
. "$samples/Scripts/shared/terminal.bash"

cat >"$work/small.jsonl" <<'JSON'
{"number": 12, "title": "Write it down", "state": "open", "labels": [{"name": "docs"}], "assignee": {"login": "mona"}, "created_at": "2026-01-31T12:00:00Z"}
{"number": 7, "title": "Mend it", "state": "open", "labels": ["bug", "doing"], "assignee": null, "created_at": "2026-02-01T12:00:00Z"}
{"number": 9, "title": "題名", "state": "closed", "created_at": "2026-01-01T00:00:00Z"}
not an issue
{"number": 4, "title": "Try it", "state": "open", "created_at": "2026-01-30T23:59:59Z"}
JSON

# --- screens

open_shell 80 12
run --file "$work/small.jsonl"
blank 6
sees "80x12: the board" "Board  4 cards, worked 0:00
Todo 2, 0:00        Doing 1, 0:00       Review 0, 0:00      Done 1, 0:00
> #4 Try it           #7 Mend it                              #9 題名
  #12 Write it down
${blank}#4 Try it 2026-01-30
Space works  < > move  a archives  u restores  q quits"
[ "$(cat "$work/errors")" = "board: $work/small.jsonl: line 4: it is not JSON; the line is left out" ] ||
  fail "a bad line: $(cat "$work/errors")"
passed "a bad line is named on standard error, beside the screen"

keys Down
wait_for shows_line '#12 Write it down [docs] @mona 2026-01-31' || fail "80x12: Down"
shows_pattern '^> #12 Write it down' || fail "80x12: the chosen card"
keys Right Right
wait_for shows_pattern '^Todo 2, 0:00  ' || fail "80x12: Right"
keys Right
wait_for shows_line '#9 題名 2026-01-01' || fail "80x12: the last column"
shows_pattern '  > #9 題名$' || fail "80x12: the chosen card of the last column"
keys Left Left Left
wait_for shows_line '#12 Write it down [docs] @mona 2026-01-31' || fail "80x12: back in the first column"
passed "80x12: arrows choose columns and cards"

# It was read at the start: the program goes on without it.
rm "$work/small.jsonl"

# --- ticking and moving

keys Space
wait_for shows_pattern '^>\*#12 Write i.* 0:0[1-9]' || fail "a card does not tick"
wait_for shows_pattern '^Board  4 cards, worked 0:0[2-9], 1 working$' || fail "the sum does not tick"
passed "a card ticks while it is worked on"
keys '>'
wait_for shows_pattern '  >\*#12 ' || fail "the card is not in the second column"
wait_for shows_pattern '^Todo 1, 0:00        Doing 2, 0:0[3-9]' || fail "the time does not move with its card"
seconds() { screen | sed -n 's/.*Doing 2, 0:\([0-9]*\) .*/\1/p'; }
before=$(seconds)
later() { [ "$((10#$(seconds)))" -ge "$((10#$before + 2))" ]; }
wait_for later || fail "the card does not tick on"
passed "a card that moves ticks on"
keys Space
wait_for shows_pattern '^Board  4 cards, worked 0:[0-9]*$' || fail "the card is not paused"
paused=$(screen)
sleep 1.5
shows "$paused" || fail "a paused card ticks"
passed "a paused card stands still"
# All keys in one write: each meets the board as the one before has left it.
keys -H 20 3e 20 20 3e
wait_for shows_pattern 'Review 0, 0:00      Done 2, 0:' || fail "many keys at once"
wait_for shows_pattern '1 working$' || fail "many keys at once: the work"
passed "many keys at once"

# --- the archive

keys a
wait_for shows_pattern '^Board  3 cards, worked 0:[0-9]*, 1 archived$' || fail "the card is not in the archive"
wait_for shows_line '#9 題名 2026-01-01' || fail "the card before it is not chosen"
keys u
wait_for shows_pattern '^Board  4 cards, worked 0:[0-9]*$' || fail "the card is not back, or not paused"
passed "archived and restored"

# --- sizes

resize 20 5
wait_for shows_line 'Space < > a u q' || fail "20x5: no footer"
wait_for shows_pattern '^Done 2, 0:[0-9]*  4/4$' || fail "20x5: the chosen column"
wait_for shows_line '> #9 題名' || fail "20x5: the chosen card"
keys Left Left Left Up
wait_for shows_line 'Todo 1, 0:00  1/4' || fail "20x5: the first column"
wait_for shows_line '> #4 Try it' || fail "20x5: the chosen card of the first column"
passed "20x5: the window became small"
resize 300 100
wait_for shows_pattern '^Arrows choose  Space works' || fail "300x100: the window became large"
wait_for shows_line '#4 Try it 2026-01-30' || fail "300x100: the details"
sizes '> #4 Try it'
keys q
ended_resized "q after resizing" 80 24

# --- bytes

open_shell 300 100
run
wait_for shows_pattern '^> #1 ' || fail "300x100: no board"
# Two titles have wide characters, in the first two rows of the third column: the rows below are cheap.
keys Down Down Down
wait_for shows_pattern '^> #12 ' || fail "300x100: three steps"
bytes "300x100: a step down" 200 '^> #14 ' Down
bytes "300x100: work" 200 '^>\*#14 ' Space
# Several ticks and nothing else.
: >"$work/written"
tm pipe-pane -t window "cat >>$work/written"
wait_for shows_pattern '^>\*#14 .* 0:03' || fail "300x100: no third tick"
tm pipe-pane -t window
count=$(wc -c <"$work/written" | tr -d ' ')
[ "$count" -gt 0 ] && [ "$count" -le 800 ] || fail "300x100: $count bytes for three ticks"
passed "300x100: ticks: $count bytes"
keys q
ended "300x100: q" 0

# --- every way to end

open_shell 80 24
run --file "$work/none"
ended "a missing file" 1
[ "$(cat "$work/errors")" = "board: $work/none: No such file or directory; give another file with --file PATH, or leave \
the option out for the built-in one" ] || fail "a missing file: $(cat "$work/errors")"
passed "a missing file is told on a terminal, too"

open_shell 80 24
run
wait_for shows_pattern '^> #1 ' || fail "no board"
keys Space C-c
ended "Ctrl-C while a card ticks" 130

for signal in TERM:143 HUP:129 SEGV:139; do
  open_shell 80 24
  run
  wait_for shows_pattern '^> #1 ' || fail "no board"
  keys Space
  kill -s "${signal%:*}" "$(cat "$work/pid")"
  ended "SIG${signal%:*}" "${signal#*:}"
done

open_shell 80 24
run
wait_for shows_pattern '^> #1 ' || fail "no board"
keys Down Space
wait_for shows_pattern '1 working$' || fail "no work"
keys C-z
ended "Ctrl-Z gives the terminal back" 148
keys "fg" Enter
wait_for shows_pattern '^>\*#8 ' || fail "fg does not bring it back"
keys Space
wait_for shows_pattern '^> #8 ' || fail "no keys after fg"
passed "fg brings it back"
forget_end
keys q
ended "q after fg" 0

echo "board on a terminal: $checks checks passed"
