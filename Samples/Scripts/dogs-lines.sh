#!/bin/bash
# Runs dogs without a terminal, and compares what it prints and how it ends with what is expected.
# Usage: dogs-lines.sh [PROGRAM]; builds the program when none is given. Ends with code 1 at the first difference.
set -u
program_name=dogs
. "$(dirname "$0")/shared/checks.bash"
find_program "$@"

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
Picture: https://dog.ceo/api/breed/hound/images/random
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
Picture: https://dog.ceo/api/breed/corgi/images/random
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

found=$(printf 'filter HOU\nopen hound\n' | timeout 60 "$program") || fail "the built-in list: code"
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
  Walker
Picture: https://dog.ceo/api/breed/hound/images/random' "$(printf '%s\n' "$found" | tail -n +110)"
same "the built-in list: lines" 126 "$(printf '%s\n' "$found" | wc -l | tr -d ' ')"
passed "the built-in list"

found=$(timeout 60 "$program" --file <(cat "$work/small.json") </dev/null) || fail "a pipe as a file: code"
same "a pipe as a file" "$start" "$found"
passed "a pipe as a file"

# --- a file that disappears: it was read at the start, and the program goes on without it

cp "$work/small.json" "$work/gone"
converse --file "$work/gone"
has_begun() { [ "$(cat "$work/output")" = "$start" ]; }
wait_for has_begun || fail "a file that disappears: it is not read"
rm "$work/gone"
printf 'filter hou\n' >&3
conversed "a file that disappears" "$start
Dogs (1 of 4), filter: hou
  Hound (2 sub-breeds)"
passed "a file that disappears"

# --- a reader that goes away, and no streams at all

closed_pipe 'filter a' Dogs
closed_streams "$start" --file "$work/small.json"

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

alone "dogs: the built-in list: the folder it comes in is not beside the program; \
build the program again, or give a file with --file PATH"

# --- options

common_options hound
refused "a delay that is none" 'dogs: --delay needs seconds from 0 to 3600, not "soon"; see dogs --help' --delay soon

echo "dogs without a terminal: $checks checks passed"
