#!/bin/bash
# Drives search in a real terminal, which tmux provides: compares screens at several sizes, types while the index is read,
# and checks that the terminal is restored however the program ends.
# Usage: search-terminal.sh [PROGRAM]; builds the program when none is given. Ends with code 1 at the first difference.
set -u
program_name=search
. "$(dirname "$0")/shared/checks.bash"
find_program "$@"
. "$samples/Scripts/shared/terminal.bash"

cat >"$work/small.txt" <<'END'
Package: apt
Version: 2.6.2
Section: admin
Installed-Size: 4232
Homepage: https://example.org/apt
Description: package manager

Package: aptitude
Version: 0.8.13
Description: text interface for apt

Description: an entry without a name

Package: bash
Description: shell

Package: libapt
Description: 柴犬
END
for number in $(seq 1 30); do printf '\nPackage: p%02d\nDescription: number %d\n' "$number" "$number"; done >>"$work/small.txt"

# --- screens

open_shell 80 12
run --file "$work/small.txt"
footer='Enter opens  ^P ^N history  ^R again  ^Q quits'
sees "80x12: the list" "Packages  34                                                      1 broken entry
Search:
> apt  2.6.2  package manager
  aptitude  0.8.13  text interface for apt
  bash  shell
  libapt  柴犬
  p01  number 1
  p02  number 2
  p03  number 3
  p04  number 4
  p05  number 5
$footer"
keys apt
blank 6
sees "80x12: typing searches" "Packages  3 of 34                                                 1 broken entry
Search: apt
> apt  2.6.2  package manager
  aptitude  0.8.13  text interface for apt
  libapt  柴犬
$blank$footer"
keys Down Down Up Enter
blank 8
sees "80x12: the details" "aptitude
Version   0.8.13
About     text interface for apt
${blank}Esc goes back  Ctrl-Q quits"
keys Escape
sees_line "Escape goes back" '> aptitude  0.8.13  text interface for apt'
keys Escape
sees_line "Escape clears" 'Search:'
keys number Space 2
sees_line "several words" 'Search: number 2'
sees_line "several words" '> p02  number 2'
passed "80x12: several words"
keys PageDown
sees_line "PageDown" '> p27  number 27'
keys End
sees_line "End" '> p29  number 29'
keys Home
sees_line "Home" '> p02  number 2'
passed "80x12: pages and ends"
keys Enter Escape
keys Escape
sees_line "cleared" 'Search:'
keys C-p
sees_line "history: older" 'Search: number 2'
keys C-p
sees_line "history: oldest" 'Search: apt'
keys C-n C-n
sees_line "history: newer" 'Search:'
passed "80x12: the history"
# In one write: a search, Enter, back, a sequence that nobody knows, and a letter more.
keys -H 62 61 0d
sees_line "Enter opens what is found" 'bash'
sees_line "Enter opens what is found" 'About     shell'
keys Escape
sees_line "back" 'Search: ba'
keys -H 1b 5b 39 39 7e 73
sees_line "many keys at once" 'Search: bas'
passed "80x12: many keys at once"

# --- sizes

keys Escape
keys apt
sees_line "before the sizes" 'Search: apt'
resize 20 5
sees "20x5: the window became small" "Packages  3 of 34
Search: apt
> apt  2.6.2  packa…
  aptitude  0.8.13 …
^Q quits"
keys Enter
sees "20x5: the details" "apt
Version 2.6.2
Section admin
Size  4232 kB
Esc back  ^Q quits"
resize 300 100
sees_line "300x100: the window became large" 'Esc goes back  Ctrl-Q quits'
keys Escape
sees_pattern "300x100: the list" '^Type to search  Enter opens'
passed "300x100: the window became large"
keys Escape
shows_34() { [ "$(screen | grep -c '^[> ] [a-z]')" = 34 ]; }
wait_for shows_34 || fail "300x100: not all packages in sight"
passed "300x100: all packages in sight"
sizes '> apt  2.6.2  packa…'
keys C-q
ended_resized "Ctrl-Q after resizing" 80 12

# --- bytes

open_shell 300 100
run --built-in
sees_pattern "300x100: the built-in list" '^Packages  2[0-9]*$'
keys zsh
sees_line "300x100: a search" 'Search: zsh'
bytes "300x100: a step down" 200 '^> zsh-' Down
keys Escape
sees_line "300x100: all" 'Search:'
keys zsh-
sees_line "300x100: another search" 'Search: zsh-'
keys C-q
ended "300x100: Ctrl-Q" 0

# --- typing while it is read: the file is a pipe, and this script decides when more comes

mkfifo "$work/pipe"
open_shell 80 12
run --file "$work/pipe"
exec 3>"$work/pipe"
sees_line "nothing yet" '  / Reading...'
sees_line "the wheel turns" '  - Reading...'
head -11 "$work/small.txt" >&3
sees_line "the first packages before the rest is there" '> apt  2.6.2  package manager'
sees_pattern "it still reads" '^Packages  2  .* reading$'
passed "results are there before the index is read"
keys a p t i t u d e
sees_line "what was typed meanwhile" 'Search: aptitude'
sees_pattern "what was typed is searched for" '^Packages  1 of 2  .* reading$'
keys BSpace BSpace BSpace BSpace BSpace
sees_line "what was typed meanwhile" 'Search: apt'
tail -n +12 "$work/small.txt" >&3
sees_line "the rest is searched for what was typed" '  libapt  柴犬'
passed "typing while it is read loses no key"
keys Escape
sees_line "the query is cleared" 'Search:'
keys Escape
sees_pattern "stopped" '^Packages  [0-9]*  .* stopped$'
passed "Escape stops the reading"
exec 3>&-
keys p10
sees_line "what was read is there" 'Search: p10'
keys C-q
ended "Ctrl-Q after stopping" 0

open_shell 80 12
run --built-in --delay 1
sees_pattern "a bar" '^Packages  [0-9]*  .*\[=* *\] [0-9]* %$'
passed "a bar shows the progress"
sees_pattern "the end of it" '^Packages  2[0-9]*$'
keys C-q
ended "Ctrl-Q" 0

open_shell 80 12
run --built-in --delay 60
sees_pattern "reading" 'Reading...'
keys C-c
ended "Ctrl-C while it reads" 130

# --- a file that disappears

cp "$work/small.txt" "$work/gone.txt"
open_shell 100 12
run --file "$work/gone.txt"
sees_line "before it disappears" '> apt  2.6.2  package manager'
rm "$work/gone.txt"
keys C-r
sees_pattern "a file that disappears" 'gone.txt: there is no such file$'
shows_line '> apt  2.6.2  package manager' || fail "what was read is gone"
cp "$work/small.txt" "$work/gone.txt"
keys C-r
sees_pattern "a file that is back" '^Packages  34 .* 1 broken entry$'
passed "a file that disappears is told, and what was read stays"
keys C-q
ended "Ctrl-Q after a file disappeared" 0

open_shell 80 12
run --file "$work/none"
ended "a missing file" 1
is_told "a missing file is told when the terminal is restored" \
  "search: $work/none: there is no such file; check the path, or leave --file out"

# --- every way to end

ends_by_signals '> apt  2.6.2  package manager' --file "$work/small.txt"

open_shell 80 12
run --file "$work/small.txt"
sees_line "before Ctrl-Z" '> apt  2.6.2  package manager'
keys ba
sees_line "before Ctrl-Z" 'Search: ba'
keys C-z
ended "Ctrl-Z gives the terminal back" 148
keys "fg" Enter
sees_line "fg brings it back" 'Search: ba'
keys s
sees_line "keys after fg" 'Search: bas'
passed "fg brings it back"
forget_end
keys C-q
ended "Ctrl-Q after fg" 0

echo "search on a terminal: $checks checks passed"
