# What the scripts that drive a program in a real terminal have in common. tmux provides the terminal. Sourced after
# checks.bash and `find_program`.

command -v tmux >/dev/null || {
  echo "$program_name-terminal.sh: needs tmux; install it" >&2
  exit 1
}
socket=$program_name-$$

# A server of its own, with nobody's settings.
tm() { env -u TMUX LC_ALL=C.UTF-8 tmux -L "$socket" -f /dev/null "$@"; }

clean_up() {
  tm kill-server 2>/dev/null
  rm -rf "$work"
}

# A second session, so that the server does not end between two windows.
tm new-session -d -s keep cat || exit 1

screen() { tm capture-pane -p -t window 2>/dev/null; }
keys() { tm send-keys -t window "$@"; }
resize() { tm resize-window -t window -x "$1" -y "$2"; }

shows() { [ "$(screen)" = "$1" ]; }
shows_line() { screen | grep -qxF -- "$1"; }
shows_pattern() { screen | grep -q -- "$1"; }

# sees_line WHAT LINE and sees_pattern WHAT PATTERN: wait until a line is on the screen; no check of their own.
sees_line() { wait_for shows_line "$2" || lacks "$1" "$2"; }
sees_pattern() { wait_for shows_pattern "$2" || lacks "$1" "$2"; }
lacks() {
  screen >&2
  fail "$1: there is no \"$2\" on the screen above"
}

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
  tm kill-session -t window 2>/dev/null
  rm -f "$work"/{before,after,code,pid}
  printf '%s\n' "PS1='ready '" "PROMPT_COMMAND='echo \$? >$work/code; stty -a >$work/after'" \
    "export SWIFT_BACKTRACE=enable=no" "ulimit -c 0" "stty -a >$work/before" >"$work/rc"
  tm new-session -d -s window -x "$1" -y "$2" "exec bash --noprofile --rcfile $work/rc -i"
  wait_for shows_pattern '^ready' || fail "no shell in the terminal"
}

# run OPTION...: starts the program in the window. Its process number is in $work/pid.
run() {
  printf '#!/bin/bash\nrm -f %q/{after,code}\necho $$ >%q/pid\nexec' "$work" "$work" >"$work/start"
  printf ' %q' "$program" "$@" >>"$work/start"
  printf '\n' >>"$work/start"
  keys "clear; bash $work/start 2>$work/errors" Enter
  wait_for test -s "$work/pid" || fail "the program does not start"
}

# forget_end: the next `ended` is about what comes now, for a program that was stopped and is back.
forget_end() { rm -f "$work"/{after,code}; }

# ended WHAT CODE: the program has ended with CODE, and left the terminal as it was.
ended() {
  wait_for test -s "$work/after" || fail "$1: the program does not end"
  [ "$(cat "$work/code")" = "$2" ] || fail "$1: code $(cat "$work/code") instead of $2"
  diff "$work/before" "$work/after" >&2 || fail "$1: the settings of the terminal are others (< before, > after)"
  wait_for shows_pattern '^ready $\|^ready$' || fail "$1: the shell's page is not back"
  [ "$(tm display -p -t window '#{alternate_on} #{cursor_flag} #{wrap_flag}')" = "0 1 1" ] ||
    fail "$1: page, cursor or wrapping are not as before"
  passed "$1"
}

# ended_resized WHAT COLUMNS ROWS: the program has ended; the window gets its first size back, which is a part of the
# settings.
ended_resized() {
  wait_for test -s "$work/after" || fail "$1: the program does not end"
  [ "$(cat "$work/code")" = 0 ] || fail "$1: code $(cat "$work/code") instead of 0"
  resize "$2" "$3"
  passed "$1"
}

# sizes LINE: many sizes one after the other, the last of them 20 × 5, where LINE is on the screen.
sizes() {
  local size
  for size in "1 1" "2 2" "3 3" "10 4" "300 100" "20 5"; do
    # shellcheck disable=SC2086 # two numbers
    resize $size
    # Not to wait for anything: so that the program sees some of them, however many.
    sleep 0.05
  done
  wait_for shows_line "$1" || lacks "sizes one after the other" "$1"
  passed "sizes one after the other"
}

# bytes WHAT LIMIT PATTERN KEY...: what is written for the keys, until PATTERN is shown, is at most LIMIT bytes.
bytes() {
  local what=$1 limit=$2 pattern=$3 count
  shift 3
  : >"$work/written"
  tm pipe-pane -t window "cat >>$work/written"
  keys "$@"
  sees_pattern "$what" "$pattern"
  wait_for test -s "$work/written" || fail "$what: nothing was written"
  # What belongs to the same picture is there when nothing more comes.
  wait_for stands_still "$work/written" || fail "$what: it does not end"
  tm pipe-pane -t window
  count=$(wc -c <"$work/written" | tr -d ' ')
  [ "$count" -le "$limit" ] || fail "$what: $count bytes"
  passed "$what: $count bytes"
}

stands_still() {
  local before
  before=$(wc -c <"$1")
  sleep 0.2
  [ "$before" = "$(wc -c <"$1")" ]
}

# ends_by_signals LINE OPTION...: Ctrl-C and some signals end the program, which shows LINE when it is ready; the terminal
# is restored by each.
ends_by_signals() {
  local line=$1 signal
  shift
  open_shell 80 24
  run "$@"
  sees_line "before Ctrl-C" "$line"
  keys C-c
  ended "Ctrl-C" 130
  for signal in TERM:143 HUP:129 SEGV:139; do
    open_shell 80 24
    run "$@"
    sees_line "before SIG${signal%:*}" "$line"
    kill -s "${signal%:*}" "$(cat "$work/pid")"
    ended "SIG${signal%:*}" "${signal#*:}"
  done
}
