#!/bin/bash
# Drives board in a real terminal, which tmux provides: compares screens at several sizes, and checks that the terminal is
# restored however the program ends. The seconds are real ones: what ticks is compared by patterns.
# Usage: board-terminal.sh [PROGRAM]; builds the program when none is given. Ends with code 1 at the first difference.
set -u
samples=$(cd "$(dirname "$0")/.." && pwd)
command -v tmux >/dev/null || {
  echo "board-terminal.sh: needs tmux; install it" >&2
  exit 1
}
if [ $# -gt 0 ]; then
  board=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
else
  swift build --package-path "$samples" --product board >&2 || exit 1
  board=$(swift build --package-path "$samples" --show-bin-path)/board
fi
work=$(mktemp -d) || exit 1
socket=board-$$
checks=0

# A server of its own, with nobody's settings.
tm() { env -u TMUX LC_ALL=C.UTF-8 tmux -L "$socket" -f /dev/null "$@"; }
trap 'tm kill-server 2>/dev/null; rm -rf "$work"' EXIT

# A second session, so that the server does not end between two windows.
tm new-session -d -s keep cat || exit 1

fail() {
  echo "FAILED: $1" >&2
  exit 1
}

passed() {
  checks=$((checks + 1))
  echo "ok: $1"
}

screen() { tm capture-pane -p -t board 2>/dev/null; }
keys() { tm send-keys -t board "$@"; }

# Waits until the command succeeds, up to ten seconds.
wait_for() {
  local end=$((SECONDS + 10))
  until "$@"; do
    [ $SECONDS -lt $end ] || return 1
    sleep 0.02
  done
}

shows() { [ "$(screen)" = "$1" ]; }
shows_line() { screen | grep -qxF -- "$1"; }
shows_pattern() { screen | grep -q -- "$1"; }

# blank COUNT: so many empty lines, in $blank.
blank() {
  printf -v blank '%*s' "$1" ''
  blank=${blank// /$'\n'}
}

# sees WHAT EXPECTED: waits until the whole screen is EXPECTED.
sees() {
  if ! wait_for shows "$2"; then
    diff <(printf '%s\n' "$2") <(screen) >&2
    fail "$1 (< expected, > on the screen)"
  fi
  passed "$1"
}

# open_shell COLUMNS ROWS: a window with a shell, whose settings are noted. Before each of its prompts the shell notes the
# code of the last command and the settings it left.
open_shell() {
  tm kill-session -t board 2>/dev/null
  rm -f "$work"/{before,after,code,pid}
  printf '%s\n' "PS1='ready '" "PROMPT_COMMAND='echo \$? >$work/code; stty -a >$work/after'" \
    "export SWIFT_BACKTRACE=enable=no" "ulimit -c 0" "stty -a >$work/before" >"$work/rc"
  tm new-session -d -s board -x "$1" -y "$2" "exec bash --noprofile --rcfile $work/rc -i"
  wait_for shows_pattern '^ready' || fail "no shell in the terminal"
}

# run OPTION...: starts the program in the window. Its process number is in $work/pid.
run() {
  printf '#!/bin/bash\nrm -f %q/{after,code}\necho $$ >%q/pid\nexec' "$work" "$work" >"$work/start"
  printf ' %q' "$board" "$@" >>"$work/start"
  printf '\n' >>"$work/start"
  keys "clear; bash $work/start 2>$work/errors" Enter
  wait_for test -s "$work/pid" || fail "the program does not start"
}

# ended WHAT CODE: the program has ended with CODE, and left the terminal as it was.
ended() {
  wait_for test -s "$work/after" || fail "$1: the program does not end"
  [ "$(cat "$work/code")" = "$2" ] || fail "$1: code $(cat "$work/code") instead of $2"
  diff "$work/before" "$work/after" >&2 || fail "$1: the settings of the terminal are others (< before, > after)"
  wait_for shows_pattern '^ready $\|^ready$' || fail "$1: the shell's page is not back"
  [ "$(tm display -p -t board '#{alternate_on} #{cursor_flag} #{wrap_flag}')" = "0 1 1" ] ||
    fail "$1: page, cursor or wrapping are not as before"
  passed "$1"
}

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

tm resize-window -t board -x 20 -y 5
wait_for shows_line 'Space < > a u q' || fail "20x5: no footer"
wait_for shows_pattern '^Done 2, 0:[0-9]*  4/4$' || fail "20x5: the chosen column"
wait_for shows_line '> #9 題名' || fail "20x5: the chosen card"
keys Left Left Left Up
wait_for shows_line 'Todo 1, 0:00  1/4' || fail "20x5: the first column"
wait_for shows_line '> #4 Try it' || fail "20x5: the chosen card of the first column"
passed "20x5: the window became small"
tm resize-window -t board -x 300 -y 100
wait_for shows_pattern '^Arrows choose  Space works' || fail "300x100: the window became large"
wait_for shows_line '#4 Try it 2026-01-30' || fail "300x100: the details"
for size in "1 1" "2 2" "3 3" "10 4" "300 100" "20 5"; do
  # shellcheck disable=SC2086 # two numbers
  set -- $size
  tm resize-window -t board -x "$1" -y "$2"
  sleep 0.05
done
wait_for shows_line '> #4 Try it' || fail "sizes one after the other"
passed "sizes one after the other"
keys q
# The size is part of the settings.
wait_for test -s "$work/after" || fail "q after resizing"
tm resize-window -t board -x 80 -y 24

# --- bytes

open_shell 300 100
run
wait_for shows_pattern '^> #1 ' || fail "300x100: no board"
# bytes WHAT LIMIT PATTERN KEY...: what is written for the keys, until PATTERN is shown, is at most LIMIT bytes.
bytes() {
  local what=$1 limit=$2 pattern=$3 count
  shift 3
  : >"$work/written"
  tm pipe-pane -t board "cat >>$work/written"
  keys "$@"
  wait_for shows_pattern "$pattern" || fail "$what"
  wait_for test -s "$work/written" || fail "$what: nothing was written"
  sleep 0.2
  tm pipe-pane -t board
  count=$(wc -c <"$work/written" | tr -d ' ')
  [ "$count" -le "$limit" ] || fail "$what: $count bytes"
  passed "$what: $count bytes"
}
# Two titles have wide characters, in the first two rows of the third column: the rows below are cheap.
keys Down Down Down
wait_for shows_pattern '^> #12 ' || fail "300x100: three steps"
bytes "300x100: a step down" 200 '^> #14 ' Down
bytes "300x100: work" 200 '^>\*#14 ' Space
# Several ticks and nothing else.
: >"$work/written"
tm pipe-pane -t board "cat >>$work/written"
wait_for shows_pattern '^>\*#14 .* 0:03' || fail "300x100: no third tick"
tm pipe-pane -t board
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
rm -f "$work"/{after,code}
keys q
ended "q after fg" 0

echo "board on a terminal: $checks checks passed"
