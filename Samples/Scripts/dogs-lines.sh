#!/bin/bash
# Runs dogs without a terminal, and compares what it prints and how it ends with what is expected.
# Usage: dogs-lines.sh [PROGRAM]; builds the program when none is given. Ends with code 1 at the first difference.
set -u
samples=$(cd "$(dirname "$0")/.." && pwd)
if [ $# -gt 0 ]; then
  dogs=$1
else
  swift build --package-path "$samples" --product dogs >&2 || exit 1
  dogs=$(swift build --package-path "$samples" --show-bin-path)/dogs
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
checks=0

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

# session WHAT OPTION...: the input comes in $input; compares all of standard output with $expected.
session() {
  local what=$1 found code
  shift
  found=$(printf '%s' "$input" | timeout 60 "$dogs" "$@" 2>"$work/errors")
  code=$?
  same "$what" "$expected" "$found"
  same "$what: nothing on standard error" "" "$(cat "$work/errors")"
  same "$what: code" 0 "$code"
  passed "$what"
}

# refused WHAT TEXT OPTION...: the program ends with code 1 and one line on standard error, which is TEXT.
refused() {
  local what=$1 text=$2 code
  shift 2
  printf 'filter hou\nquit\n' | timeout 60 "$dogs" "$@" >"$work/output" 2>"$work/errors"
  code=${PIPESTATUS[1]}
  same "$what: code" 1 "$code"
  same "$what: lines on standard error" 1 "$(wc -l <"$work/errors" | tr -d ' ')"
  # shellcheck disable=SC2254 # a pattern, where the system's own words are part of the line
  case $(cat "$work/errors") in
  $text) ;;
  *)
    echo "expected: $text" >&2
    echo "found:    $(cat "$work/errors")" >&2
    fail "$what: message"
    ;;
  esac
  passed "$what"
}

cat >"$work/small.json" <<'JSON'
{"message": {"hound": ["afghan", "basset"], "boxer": [], "corgi": ["cardigan"], "柴犬": []}, "status": "success"}
JSON
start='Dogs
  Loading...
Dogs (4)
  Boxer
  Corgi (1 sub-breed)
  Hound (2 sub-breeds)
  柴犬'

# --- sessions

input='' expected=$start
session "no input at all" --file "$work/small.json"

input='filter O
open HOUND
back
filter zebra
filter
open corgi
filter hou
quit
open boxer
'
expected="$start
Dogs (3 of 4), filter: O
  Boxer
  Corgi (1 sub-breed)
  Hound (2 sub-breeds)
Hound (2 sub-breeds)
  Afghan
  Basset
Dogs (3 of 4), filter: O
  Boxer
  Corgi (1 sub-breed)
  Hound (2 sub-breeds)
Dogs (0 of 4), filter: zebra
  No breed matches.
Dogs (4)
  Boxer
  Corgi (1 sub-breed)
  Hound (2 sub-breeds)
  柴犬
Corgi (1 sub-breed)
  Cardigan
Dogs (1 of 4), filter: hou
  Hound (2 sub-breeds)"
session "filter, open and back" --file "$work/small.json"
session "the same, while loading takes a second" --file "$work/small.json" --delay 1

input='jump

open
open cat
back
quit now'
expected="$start
unknown command \"jump\"; there are: filter, open, back, help, quit
open needs the name of a breed: open BREED
there is no breed \"cat\"
this is the list already
quit stands alone: leave out \"now\""
session "mistakes, and a last line without an end" --file="$work/small.json" --lines

input='help
'
expected="$start
filter TEXT   shows the breeds whose name contains TEXT; without TEXT all of them
open BREED    shows the sub-breeds of a breed
back          goes back to the list
help          shows these lines
quit          ends the program, as the end of the input does"
session "help" --file "$work/small.json"

input=$'\x1b[2J\nquit\n'
expected="$start
unknown command \"?[2J\"; there are: filter, open, back, help, quit"
session "control characters are shown, not obeyed" --file "$work/small.json"

found=$(printf 'filter HOU\nopen hound\n' | timeout 60 "$dogs") || fail "the built-in list: code"
same "the built-in list" 'Dogs (7 of 106), filter: HOU
  Coonhound
  Deerhound (1 sub-breed)
  Elkhound (1 sub-breed)
  Greyhound (2 sub-breeds)
  Hound (7 sub-breeds)
  Otterhound
  Wolfhound (1 sub-breed)
Hound (7 sub-breeds)
  Afghan
  Basset
  Blood
  English
  Ibizan
  Plott
  Walker' "$(printf '%s\n' "$found" | tail -n +110)"
same "the built-in list: lines" 125 "$(printf '%s\n' "$found" | wc -l | tr -d ' ')"
passed "the built-in list"

found=$(timeout 60 "$dogs" --file <(cat "$work/small.json") </dev/null) || fail "a pipe as a file: code"
same "a pipe as a file" "$start" "$found"
passed "a pipe as a file"

# --- a reader that goes away, and no streams at all

yes 'filter a' | head -2000 >"$work/many"
timeout 60 "$dogs" <"$work/many" 2>"$work/errors" | head -1 >"$work/output"
code=${PIPESTATUS[0]}
same "dogs | head -1: output" "Dogs" "$(cat "$work/output")"
same "dogs | head -1: standard error" "" "$(cat "$work/errors")"
same "dogs | head -1: code" 0 "$code"
passed "a closed pipe ends it quietly"

timeout 60 "$dogs" --file "$work/small.json" <&- >"$work/output" 2>&1 || fail "closed standard input: code"
same "closed standard input" "$start" "$(cat "$work/output")"
passed "a closed standard input is an empty one"

timeout 60 "$dogs" --file "$work/small.json" </dev/null >&- 2>"$work/errors"
same "closed standard output: code" 1 $?
same "closed standard output" "dogs: standard output: Bad file descriptor" "$(cat "$work/errors")"
passed "a closed standard output"

timeout 60 "$dogs" --file "$work/small.json" <"$work" >"$work/output" 2>"$work/errors"
same "a directory as standard input: code" 1 $?
same "a directory as standard input" "dogs: standard input: Is a directory" "$(cat "$work/errors")"
passed "a directory as standard input"

if [ -w /dev/full ]; then
  timeout 60 "$dogs" </dev/null >/dev/full 2>"$work/errors"
  same "a full disk: code" 1 $?
  same "a full disk" "dogs: standard output: No space left on device" "$(cat "$work/errors")"
  passed "a full disk"
fi

# --- files that are no list of breeds

other='give another file with --file PATH, or leave the option out for the built-in list'
refused "a missing file" \
  "dogs: $work/none: there is no such file; check the path, or leave --file out for the built-in list" \
  --file "$work/none"
refused "a directory" "dogs: $work: this is a directory; give the file in it that holds the breeds" --file "$work"
if [ "$(id -u)" != 0 ]; then
  cp "$work/small.json" "$work/secret.json" && chmod 000 "$work/secret.json"
  refused "an unreadable file" \
    "dogs: $work/secret.json: the file cannot be read (*); check its permissions, or $other" --file "$work/secret.json"
elif [ -e /proc/self/mem ]; then
  refused "an unreadable file" \
    "dogs: /proc/self/mem: the file cannot be read (*); check its permissions, or $other" --file /proc/self/mem
fi

# bad WHAT CONTENTS MESSAGE
bad() {
  printf '%b' "$2" >"$work/bad.json"
  refused "$1" "dogs: $work/bad.json: $3" --file "$work/bad.json"
}
needed='needed is {"status": "success", "message": {"BREED": ?"SUB-BREED", …?, …}}'
bad "an empty file" '' "the file is empty; download it again, or $other"
bad "a blank file" ' \n\n' "the file is empty; download it again, or $other"
bad "not UTF-8" '{"status": "\xff\xfe"}' "the file is not UTF-8 text; save it as UTF-8, or $other"
bad "not JSON" '<html></html>' "the file is not JSON (*); mend or download it again, or $other"
bad "half a file" '{"status": "success", "mess' "the file is not JSON (*); mend or download it again, or $other"
bad "a list" '["hound"]' "JSON of another shape (the whole is of another kind); $needed"
bad "no status" '{"message": {}}' "JSON of another shape (status is missing); $needed"
bad "no message" '{"status": "success"}' "JSON of another shape (message is missing); $needed"
bad "a number for sub-breeds" '{"status": "success", "message": {"hound": 7}}' \
  "JSON of another shape (message.hound is of another kind); $needed"
bad "a failure" '{"status": "error", "message": "not found"}' \
  "its status is \"error\", not \"success\"; it is a saved failure: download it again, or $other"
bad "no breeds" '{"status": "success", "message": {}}' "the list holds no breeds; $other"
if [ -e /dev/zero ]; then
  refused "a file without an end" "dogs: /dev/zero: more than 16 MB, which is no list of breeds; $other" \
    --file /dev/zero
fi

mkdir "$work/elsewhere" && cp "$dogs" "$work/elsewhere/dogs"
moved=$dogs dogs=$work/elsewhere/dogs
refused "a program without its list" "dogs: the built-in list: the folder it comes in is not beside the program; \
build the program again, or give a file with --file PATH"
dogs=$moved

# --- options

refused "an unknown option" 'dogs: unknown option "--what"; see dogs --help' --what
refused "a word" 'dogs: unknown option "hound"; see dogs --help' hound
refused "an option without its value" 'dogs: --file needs a value; see dogs --help' --file
refused "a delay that is none" 'dogs: --delay needs seconds from 0 to 3600, not "soon"; see dogs --help' --delay soon
found=$(timeout 60 "$dogs" --help 2>&1) || fail "--help: code"
case $found in
"usage: dogs "*) passed "--help" ;;
*) fail "--help" ;;
esac

echo "dogs without a terminal: $checks checks passed"
