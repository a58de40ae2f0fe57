#!/bin/bash
# Runs contacts without a terminal, and compares what it prints and how it ends with what is expected.
# Usage: contacts-lines.sh [PROGRAM]; builds the program when none is given. Ends with code 1 at the first difference.
set -u
program_name=contacts
. "$(dirname "$0")/shared/checks.bash"
find_program "$@"

printf '%s\t%s\t%s\n' 'KDE Team' kde@example.org 1 'Games Team' games@example.org 817 柴犬 shiba@example.org 3 \
  >"$work/small.tsv"
start='account: none, told once
contacts: none, told once'

# --- sessions

input='' expected=$start
session "no input at all" --file "$work/small.tsv"

input='load account
load account
load contacts
load contacts
rename bob
rename bob
forget account
rename eve
show
quit
show
'
expected="$start
account: ada, told 2 times
contacts: none, told once
account: ada, told 2 times
contacts: none, told once
account: ada, told 2 times
contacts: 3, told 2 times
account: ada, told 2 times
contacts: 3, told 2 times
account: bob, told 3 times
contacts: 3, told 2 times
account: bob, told 3 times
contacts: 3, told 2 times
account: none, told 4 times
contacts: 3, told 2 times
account: none, told 4 times
contacts: 3, told 2 times
account: none, told 4 times
contacts: 3, told 2 times"
session "who is told of what" --account ada --file "$work/small.tsv"
session "the same, while loading takes its time" --account=ada --file "$work/small.tsv" --delay 0.2

input='stream
show
emit load account
emit load contacts
emit forget account
finish
find TEAM
find 犬
find zebra
'
expected="$start
$start
a stream runs
$start
a stream runs
account: guest, told 2 times
contacts: none, told once
a stream runs
account: guest, told 2 times
contacts: 3, told 2 times
a stream runs
account: none, told 3 times
contacts: 3, told 2 times
a stream runs
account: none, told 3 times
contacts: 3, told 2 times
2 of 3 contacts
  Games Team <games@example.org>, 817 packages
  KDE Team <kde@example.org>, 1 package
1 of 3 contacts
  柴犬 <shiba@example.org>, 3 packages
0 of 3 contacts"
session "an action that is a stream of actions" --file "$work/small.tsv"

input='jump

load
forget all
emit load account
finish
find
stream now
help'
expected="$start
unknown command \"jump\"; there are: load, forget, rename, find, stream, emit, finish, show, help, quit
load needs a part: account or contacts
forget needs a part: account or contacts
there is no stream yet: stream
there is no stream yet: stream
there are no contacts yet: load contacts
stream stands alone: leave out \"now\"
load PART         loads the account or the contacts
forget PART       forgets them
rename NAME       gives the account another name, if there is one
find TEXT         shows the contacts with TEXT in name or address
stream            sends an action that is a stream of actions; it brings none yet
emit load PART    lets the stream bring an action, as does emit forget PART
finish            ends the stream
show              shows both parts, and how often their observers were told
help              shows these lines
quit              ends the program, as the end of the input does"
session "mistakes, and a last line without an end" --file="$work/small.tsv" --lines

input=$'\x1b[2J\nload account\nrename \x1b]0;x\x07\n'
expected="$start
unknown command \"?[2J\"; there are: load, forget, rename, find, stream, emit, finish, show, help, quit
account: guest, told 2 times
contacts: none, told once
account: ?]0;x?, told 3 times
contacts: none, told once"
session "control characters are shown, not obeyed" --file "$work/small.tsv"

input='load contacts
'
expected="$start
account: none, told once
contacts: 3, told 2 times"
session "a pipe as a file" --file <(cat "$work/small.tsv")
expected="$start
account: none, told once
contacts: 60, told 2 times"
session "the built-in contacts"

# --- a file that disappears

cp "$work/small.tsv" "$work/gone.tsv"
converse --file "$work/gone.tsv"
printf 'load contacts\n' >&3
wait_for answered 4 || fail "a file that disappears: it is not read"
rm "$work/gone.tsv"
printf 'load contacts\n' >&3
wait_for answered 7 || fail "a file that disappears: no answer"
cp "$work/small.tsv" "$work/gone.tsv"
printf 'load contacts\n' >&3
conversed "a file that disappears" "$start
account: none, told once
contacts: 3, told 2 times
account: none, told once
contacts: 3, told 2 times
$work/gone.tsv: there is no such file; check the path, or leave --file out
account: none, told once
contacts: 3, told 2 times"
passed "a file that disappears is told, and what was read stays"

# --- a reader that goes away, and no streams at all

closed_pipe show 'account: none, told once' --file "$work/small.tsv"
closed_streams "$start" --file "$work/small.tsv"

# --- files that are no contacts

unreadable_files "$work/small.tsv"
needed='needed are name, address and a number, with tabs between them'
bad "an empty file" '' "the file is empty; $other"
bad "a blank file" '\n \n' "there is no contact in it; $other"
bad "another text" 'A\ta@b\t1\nDear reader,\n' "line 2 is no contact; $needed"
bad "not UTF-8" '\xff\n' "line 1 is not UTF-8 text; $other"
if [ -e /dev/zero ]; then
  refused "a file without an end" "contacts: /dev/zero: more than 16 MB; $other" --file /dev/zero
fi
alone "contacts: the built-in contacts: the folder it comes in is not beside the program; \
build the program again, or give a file with --file PATH"

# --- options

common_options ada
refused "an account without a name" 'contacts: --account needs a value; see contacts --help' --account

echo "contacts without a terminal: $checks checks passed"
