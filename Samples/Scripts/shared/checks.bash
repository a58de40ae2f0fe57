# What the scripts beside this folder have in common: they run a program, compare what it shows with what is expected,
# and stop with code 1 at the first difference. Sourced, not run:
#
#   program_name=dogs
#   . "$(dirname "$0")/shared/checks.bash"
#   find_program "$@"
#
# Nothing here waits for a fixed time: whatever is waited for is asked for again and again, for up to a minute.

samples=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
checks=0

# find_program [PROGRAM]: builds the program when none is given. Its path is in $program, an empty folder in $work.
find_program() {
  if [ $# -gt 0 ]; then
    program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
  else
    swift build --package-path "$samples" --product "$program_name" >&2 || exit 1
    program=$(swift build --package-path "$samples" --show-bin-path)/$program_name
  fi
  work=$(mktemp -d) || exit 1
  trap clean_up EXIT
}

clean_up() {
  rm -rf "$work"
}

fail() {
  echo "FAILED: $1" >&2
  exit 1
}

passed() {
  checks=$((checks + 1))
  echo "ok: $1"
}

# same WHAT EXPECTED FOUND: compares two texts.
same() {
  [ "$2" = "$3" ] && return
  diff <(printf '%s\n' "$2") <(printf '%s\n' "$3") >&2
  fail "$1 (< expected, > found)"
}

# Waits until the command succeeds, for up to a minute.
wait_for() {
  local end=$((SECONDS + 60))
  until "$@"; do
    [ $SECONDS -lt $end ] || return 1
    sleep 0.02
  done
}

# session WHAT OPTION...: the input comes in $input; compares all of standard output with $expected, and of standard error
# with $complaints.
complaints=''
session() {
  local what=$1 found code
  shift
  found=$(printf '%s' "$input" | timeout 120 "$program" "$@" 2>"$work/errors")
  code=$?
  same "$what" "$expected" "$found"
  same "$what: standard error" "$complaints" "$(cat "$work/errors")"
  same "$what: code" 0 "$code"
  passed "$what"
}

# refused WHAT PATTERN OPTION...: the program ends with code 1 and one line on standard error, which PATTERN describes as
# `case` does: only the system's own words need a star. It goes through $program, which a script may move.
refused() {
  local what=$1 pattern=$2 code
  shift 2
  printf 'help\nquit\n' | timeout 120 "$program" "$@" >"$work/output" 2>"$work/errors"
  code=${PIPESTATUS[1]}
  same "$what: code" 1 "$code"
  is_told "$what" "$pattern"
}

# is_told WHAT PATTERN: all of standard error is one line, which PATTERN describes.
is_told() {
  same "$1: lines on standard error" 1 "$(wc -l <"$work/errors" | tr -d ' ')"
  # shellcheck disable=SC2254 # a pattern on purpose
  case $(cat "$work/errors") in
  $2) passed "$1" ;;
  *)
    echo "expected: $2" >&2
    echo "found:    $(cat "$work/errors")" >&2
    fail "$1: message"
    ;;
  esac
}

# unreadable_files FILE: paths at which there is nothing to read, told alike by the programs that read with FileReader. FILE
# can be read.
other='give another file with --file PATH, or leave the option out'
unreadable_files() {
  refused "a missing file" "$program_name: $work/none: there is no such file; check the path, or leave --file out" \
    --file "$work/none"
  refused "a directory" "$program_name: $work: this is a directory; give a file in it" --file "$work"
  if [ "$(id -u)" != 0 ]; then
    cp "$1" "$work/secret" && chmod 000 "$work/secret"
    refused "an unreadable file" \
      "$program_name: $work/secret: permission denied; make it readable, or give another file" --file "$work/secret"
  elif [ -e /proc/self/mem ]; then
    refused "an unreadable file" "$program_name: /proc/self/mem: the file cannot be read (*); $other" \
      --file /proc/self/mem
  fi
}

# bad WHAT CONTENTS MESSAGE: a file with these contents, which may have escapes, is refused with the message.
bad() {
  printf '%b' "$2" >"$work/bad"
  refused "$1" "$program_name: $work/bad: $3" --file "$work/bad"
}

# converse OPTION...: starts the program and leaves it running; it reads what is written to descriptor 3. `answered COUNT`
# tells whether it has written so many lines.
converse() {
  mkfifo "$work/commands"
  timeout 120 "$program" "$@" <"$work/commands" >"$work/output" 2>"$work/errors" &
  conversing=$!
  exec 3>"$work/commands"
}

answered() { [ "$(wc -l <"$work/output")" -ge "$1" ]; }

# conversed WHAT EXPECTED: that program comes to the end of its input; compares all that it has written.
conversed() {
  exec 3>&-
  wait "$conversing" || fail "$1: code"
  rm "$work/commands"
  same "$1" "$2" "$(cat "$work/output")"
  same "$1: standard error" "" "$(cat "$work/errors")"
}

# closed_pipe COMMAND LINE OPTION...: a reader that goes away after the first line, which is LINE, while the program
# answers COMMAND again and again: it ends quietly.
closed_pipe() {
  local command=$1 line=$2 code
  shift 2
  # Not from `yes` itself: its write error would be told as well.
  yes "$command" | head -2000 >"$work/many"
  timeout 120 "$program" "$@" <"$work/many" 2>"$work/errors" | head -1 >"$work/output"
  code=${PIPESTATUS[0]}
  same "$program_name | head -1: output" "$line" "$(cat "$work/output")"
  same "$program_name | head -1: standard error" "" "$(cat "$work/errors")"
  same "$program_name | head -1: code" 0 "$code"
  passed "a closed pipe ends it quietly"
}

# closed_streams START OPTION...: standard streams that are closed, no streams, or full. START is what is shown without
# any input.
closed_streams() {
  local start=$1
  shift
  timeout 120 "$program" "$@" <&- >"$work/output" 2>&1 || fail "closed standard input: code"
  same "closed standard input" "$start" "$(cat "$work/output")"
  passed "a closed standard input is an empty one"
  timeout 120 "$program" "$@" </dev/null >&- 2>"$work/errors"
  same "closed standard output: code" 1 $?
  same "closed standard output" "$program_name: standard output: Bad file descriptor" "$(cat "$work/errors")"
  passed "a closed standard output"
  timeout 120 "$program" "$@" <"$work" >"$work/output" 2>"$work/errors"
  same "a directory as standard input: code" 1 $?
  same "a directory as standard input" "$program_name: standard input: Is a directory" "$(cat "$work/errors")"
  passed "a directory as standard input"
  if [ -w /dev/full ]; then
    timeout 120 "$program" "$@" </dev/null >/dev/full 2>"$work/errors"
    same "a full disk: code" 1 $?
    same "a full disk" "$program_name: standard output: No space left on device" "$(cat "$work/errors")"
    passed "a full disk"
  fi
}

# common_options WORD: mistakes that every program tells alike. WORD is a word that is no option.
common_options() {
  local found
  refused "an unknown option" "$program_name: unknown option \"--what\"; see $program_name --help" --what
  refused "a word" "$program_name: unknown option \"$1\"; see $program_name --help" "$1"
  refused "an option without its value" "$program_name: --file needs a value; see $program_name --help" --file
  found=$(timeout 120 "$program" --help 2>&1) || fail "--help: code"
  case $found in
  "usage: $program_name "*) passed "--help" ;;
  *) fail "--help" ;;
  esac
}

# alone PATTERN OPTION...: the program was moved away from the folder with its built-in file.
alone() {
  local pattern=$1 kept=$program
  shift
  mkdir "$work/elsewhere" && cp "$program" "$work/elsewhere/$program_name"
  program=$work/elsewhere/$program_name
  refused "a program without its built-in file" "$pattern" "$@"
  program=$kept
}
