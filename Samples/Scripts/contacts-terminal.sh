#!/bin/bash
# Drives contacts in a real terminal, which tmux provides: compares screens at several sizes, and checks that the terminal
# is restored however the program ends.
# Usage: contacts-terminal.sh [PROGRAM]; builds the program when none is given. Ends with code 1 at the first difference.
set -u
program_name=contacts
. "$(dirname "$0")/shared/checks.bash"
find_program "$@"
. "$samples/Scripts/shared/terminal.bash"

printf '%s\t%s\t%s\n' 'KDE Team' kde@example.org 1 'Games Team' games@example.org 817 柴犬 shiba@example.org 3 \
  >"$work/small.tsv"
footer='Enter signs in  ^R contacts  ^S stream  ^Q quits'

# --- screens

open_shell 80 8
run --file "$work/small.tsv" --account ada
blank 4
sees "80x8: nothing yet" "Contacts  User: nobody
Find:
  There are no contacts yet.
$blank$footer"
keys Enter
sees_line "Enter signs in" 'Contacts  User: ada'
keys C-r
blank 2
sees "80x8: both parts" "Contacts  3  User: ada
Find:
> Games Team <games@example.org>  817 packages
  KDE Team <kde@example.org>  1 package
  柴犬 <shiba@example.org>  3 packages
$blank$footer"
keys team Down
sees_line "finding" 'Contacts  2 of 3  User: ada'
sees_line "moving" '> KDE Team <kde@example.org>  1 package'
keys Escape
sees_line "all again" 'Contacts  3  User: ada'
keys zebra
sees_line "nothing found" '  No contact matches.'
keys C-u
keys C-f
sees_line "forgotten" 'Contacts  User: nobody'
passed "80x8: keys find, load and forget"

keys C-q
ended "Ctrl-Q" 0

# --- a stream of actions: the user after a while, the contacts after another

open_shell 80 8
run --file "$work/small.tsv" --account ada --delay 3
sees_line "nothing yet" 'Contacts  User: nobody'
keys C-s
sees_pattern "a stream" '^Find:  *1 stream$'
keys C-s
sees_pattern "two streams" '^Find:  *2 streams$'
sees_line "the first of their actions" 'Contacts  User: ada'
sees_line "the second of them" 'Contacts  3  User: ada'
sees_line "their end" 'Find:'
passed "streams bring their actions later"
keys C-q
ended "Ctrl-Q after the streams" 0

# --- sizes

open_shell 80 24
run
sees_line "nothing yet" 'Contacts  User: nobody'
keys C-r
sees_line "the built-in contacts" 'Contacts  60  User: nobody'
resize 20 5
sees_line "20x5: the footer" '^Q quits'
sees_line "20x5: the head" 'Contacts  60  User:…'
shows_2() { [ "$(screen | grep -c '^[> ] Debian.*…$')" = 2 ]; }
wait_for shows_2 || lacks "20x5" "two rows"
passed "20x5: the window became small"
resize 300 100
sees_pattern "300x100: the window became large" '^Type to find  Enter signs in'
shows_60() { [ "$(screen | grep -c '^[> ] .* packages$')" = 60 ]; }
wait_for shows_60 || lacks "300x100" "60 rows"
passed "300x100: the window became large"
bytes "300x100: a step down" 200 '^> .* packages$' Down
sizes '^Q quits'
keys C-q
ended_resized "Ctrl-Q after resizing" 80 24

# --- a file that disappears, and loading

cp "$work/small.tsv" "$work/gone.tsv"
open_shell 120 8
run --file "$work/gone.tsv"
sees_line "nothing yet" 'Contacts  User: nobody'
rm "$work/gone.tsv"
keys C-r
sees_line "a file that disappears" "  $work/gone.tsv: there is no such file; check the path, or leave --file out"
cp "$work/small.tsv" "$work/gone.tsv"
keys C-r
sees_line "a file that is back" 'Contacts  3  User: nobody'
passed "a file that disappears is told, and one that is back is read"
keys C-q
ended "Ctrl-Q after a file disappeared" 0

open_shell 80 8
run --file "$work/small.tsv" --delay 3
sees_line "nothing yet" 'Contacts  User: nobody'
keys Enter C-r
sees_line "loading" 'Contacts  User: loading'
sees_line "the wheel" '  / Loading...'
sees_line "the wheel turns" '  - Loading...'
sees_line "both are there" 'Contacts  3  User: guest'
passed "loading is shown"
keys C-q
ended "Ctrl-Q after loading" 0

# --- every way to end

open_shell 80 24
run --file "$work/none"
ended "a missing file" 1
is_told "a missing file is told on a terminal, too" \
  "contacts: $work/none: there is no such file; check the path, or leave --file out"
ends_by_signals 'Contacts  User: nobody' --file "$work/small.tsv"

open_shell 80 24
run --file "$work/small.tsv" --delay 60
sees_line "nothing yet" 'Contacts  User: nobody'
keys Enter C-r C-s
sees_pattern "loading" 'Loading...'
keys C-c
ended "Ctrl-C while it loads" 130

open_shell 80 24
run --file "$work/small.tsv"
sees_line "nothing yet" 'Contacts  User: nobody'
keys ga
sees_line "before Ctrl-Z" 'Find: ga'
keys C-z
ended "Ctrl-Z gives the terminal back" 148
keys "fg" Enter
sees_line "fg brings it back" 'Find: ga'
keys C-r
sees_line "keys after fg" 'Contacts  1 of 3  User: nobody'
passed "fg brings it back"
forget_end
keys C-q
ended "Ctrl-Q after fg" 0

echo "contacts on a terminal: $checks checks passed"
