#!/bin/bash
# Drives dogs in a real terminal, which tmux provides: compares screens at several sizes, and checks that the terminal is
# restored however the program ends.
# Usage: dogs-terminal.sh [PROGRAM]; builds the program when none is given. Ends with code 1 at the first difference.
set -u
program_name=dogs
. "$(dirname "$0")/shared/checks.bash"
find_program "$@"
. "$samples/Scripts/shared/terminal.bash"

cat >"$work/small.json" <<'JSON'
{"message": {"hound": ["afghan", "basset"], "boxer": [], "corgi": ["cardigan"],
 "柴犬": ["豆柴"], "éte": [], "🐕 dog": []}, "status": "success"}
JSON

# --- screens

open_shell 80 24
run
rows=$(printf '  %s\n' African Airedale Akita Appenzeller 'Australian  2 sub-breeds' 'Bakharwal  1 sub-breed' \
  Basenji Beagle Bluetick Borzoi Bouvier Boxer Brabancon Briard 'Buhund  1 sub-breed' 'Bulldog  3 sub-breeds' \
  'Bullterrier  1 sub-breed' 'Cattledog  1 sub-breed' Cavapoo Chihuahua)
sees "80x24: the list" "Dogs  106
Filter:
> Affenpinscher
$rows
Type to filter  Enter opens  Esc clears  Ctrl-Q quits"

keys hou
hounds='Dogs  7 of 106
Filter: hou
> Coonhound
  Deerhound  1 sub-breed
  Elkhound  1 sub-breed
  Greyhound  2 sub-breeds
  Hound  7 sub-breeds
  Otterhound
  Wolfhound  1 sub-breed'
blank 14
sees "80x24: typing filters" "$hounds
${blank}Type to filter  Enter opens  Esc clears  Ctrl-Q quits"

keys Down Down Down Down Down Up Enter
blank 14
sees "80x24: keys choose and open" "Hound  7 sub-breeds
Picture: https://dog.ceo/api/breed/hound/images/random
> Afghan
  Basset
  Blood
  English
  Ibizan
  Plott
  Walker
${blank}Esc goes back  Ctrl-Q quits"

keys Escape
wait_for shows_line '> Hound  7 sub-breeds' || fail "80x24: Escape does not go back"
keys BSpace BSpace
wait_for shows_line 'Filter: h' || fail "80x24: backspace"
keys Escape
wait_for shows_line 'Dogs  106' || fail "80x24: Escape does not clear the filter"
passed "80x24: Escape goes back and clears, backspace takes back"

keys End
wait_for shows_line '> Wolfhound  1 sub-breed' || fail "80x24: End"
keys PageUp
wait_for shows_line '> Rottweiler' || fail "80x24: PageUp"
keys Home
wait_for shows_line '> Affenpinscher' || fail "80x24: Home"
keys PageDown
wait_for shows_line '> Chippiparai  1 sub-breed' || fail "80x24: PageDown"
passed "80x24: pages and ends"

# In one write: text, an arrow, and an escape sequence nobody knows.
keys Home
wait_for shows_line '> Affenpinscher' || fail "80x24: Home"
keys -H 62 75 1b 5b 39 39 7e 1b 5b 42 1b 4f 42 6c
wait_for shows_line 'Filter: bul' || fail "80x24: many keys at once"
wait_for shows_line '> Bulldog  3 sub-breeds' || fail "80x24: many keys at once"
passed "80x24: many keys at once"

# --- sizes

resize 20 5
sees "20x5: the window became small" "Dogs  3 of 106
Filter: bul
> Bulldog  3 sub-br…
  Bullterrier  1 su…
^Q quits"
keys Down Enter
sees "20x5: a breed" "Bullterrier  1 sub-…
> Staffordshire


Esc back  ^Q quits"
resize 300 100
wait_for shows_line 'Esc goes back  Ctrl-Q quits' || fail "300x100: the window became large"
keys Escape Escape
shows_97() { [ "$(screen | grep -c '^[> ] [A-Z]')" = 97 ]; }
wait_for shows_97 || fail "300x100: not 97 breeds in sight"
passed "300x100: the window became large"
sizes '> Affenpinscher'
keys C-q
ended_resized "Ctrl-Q after resizing" 80 24

# --- bytes

open_shell 300 100
run
wait_for shows_line '> Affenpinscher' || fail "300x100: no list"
bytes "300x100: a step down" 200 '^> African$' Down
keys wolfh
wait_for shows_line 'Filter: wolfh' || fail "300x100: filter"
bytes "300x100: a letter that leaves the list" 200 '^Filter: wolfho$' o
keys C-q
ended "300x100: Ctrl-Q" 0

# --- characters of other widths

open_shell 40 10
run --file "$work/small.json"
sees "wide characters" "Dogs  6
Filter:
> Boxer
  Corgi  1 sub-breed
  Hound  2 sub-breeds
  Éte
  柴犬  1 sub-breed
  🐕 dog

Enter opens  ^Q quits"
# It was read at the start: the program goes on without it.
rm "$work/small.json"
# Half of a character, and a moment later the other half.
keys -H e6 9f
keys -H b4
wait_for shows_line 'Filter: 柴' || fail "a character in two pieces"
wait_for shows_line '> 柴犬  1 sub-breed' || fail "a wide filter"
keys Enter
wait_for shows_line '> 豆柴' || fail "a wide breed"
passed "a character in two pieces, and a file that disappeared"
keys C-q
ended "40x10: Ctrl-Q" 0

# --- loading

open_shell 80 24
run --delay 3
wait_for shows_line '  / Loading...' || fail "no spinner"
wait_for shows_line '  - Loading...' || fail "the spinner does not turn"
passed "the spinner turns"
keys x Enter
wait_for shows_line '> Affenpinscher' || fail "the list after loading"
shows_line 'Filter:' || fail "keys while loading were kept"
passed "keys have no meaning while loading"
keys Enter
sees_line "a breed whose picture is waited for" '/ Looking for a picture...'
sees_line "the wheel turns" '- Looking for a picture...'
keys Escape Down Enter
sees_line "another breed" 'African  no sub-breeds'
sees_line "its picture" 'Picture: https://dog.ceo/api/breed/african/images/random'
passed "a picture comes later, and only to its own screen"
keys Escape
keys C-q
ended "Ctrl-Q" 0

open_shell 80 24
run --delay 60
wait_for shows_pattern 'Loading...' || fail "no spinner"
keys C-q
ended "Ctrl-Q while loading" 0

open_shell 80 24
run --file "$work/none"
ended "a missing file" 1
is_told "a missing file is told when the terminal is restored" \
  "dogs: $work/none: there is no such file; check the path, or leave --file out for the built-in list"

# --- every way to end

open_shell 80 24
run
wait_for shows_line '> Affenpinscher' || fail "no list"
keys C-c
ended "Ctrl-C" 130

for signal in TERM:143 HUP:129 INT:130 QUIT:131 ILL:132 TRAP:133 ABRT:134 FPE:136 SEGV:139; do
  open_shell 80 24
  run
  wait_for shows_line '> Affenpinscher' || fail "no list"
  kill -s "${signal%:*}" "$(cat "$work/pid")"
  ended "SIG${signal%:*}" "${signal#*:}"
done

open_shell 80 24
run --plant crash
wait_for shows_line '> Affenpinscher' || fail "no list"
keys C-x
wait_for test -s "$work/code" || fail "a crash: the program does not end"
case $(cat "$work/code") in
132 | 133) ended "a crash" "$(cat "$work/code")" ;;
*) fail "a crash: code $(cat "$work/code")" ;;
esac
grep -q "a crash as it was asked for" "$work/errors" || fail "a crash: its message is lost"
passed "a crash tells why"

# --- stopped and back

open_shell 80 24
run
wait_for shows_line '> Affenpinscher' || fail "no list"
keys h
wait_for shows_line 'Filter: h' || fail "no filter"
keys C-z
ended "Ctrl-Z gives the terminal back" 148
keys "fg" Enter
wait_for shows_line 'Filter: h' || fail "fg does not bring it back"
keys o
wait_for shows_line 'Filter: ho' || fail "no keys after fg"
passed "fg brings it back"
# By a signal that cannot be caught, which leaves everything to the shell.
forget_end
kill -s STOP "$(cat "$work/pid")"
wait_for test -s "$work/after" || fail "SIGSTOP does not stop it"
keys "fg" Enter
wait_for shows_line 'Filter: ho' || fail "fg after SIGSTOP does not bring it back"
keys u
wait_for shows_line 'Filter: hou' || fail "no keys after SIGSTOP"
passed "fg after SIGSTOP"
forget_end
keys C-q
ended "Ctrl-Q after fg" 0

echo "dogs on a terminal: $checks checks passed"
