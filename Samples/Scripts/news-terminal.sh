#!/bin/bash
# Drives news in a real terminal, which tmux provides, in each of its forms: compares screens at several sizes, and checks
# that the terminal is restored however the program ends.
# Usage: news-terminal.sh [PROGRAM]; builds the program when none is given. Ends with code 1 at the first difference.
set -u
program_name=news
. "$(dirname "$0")/shared/checks.bash"
find_program "$@"
. "$samples/Scripts/shared/terminal.bash"

for number in $(seq 1 30); do
  printf '2026-01-%02d\tp%02d\t1.%d\tunstable\tlow\n' "$number" "$number" "$number"
done >"$work/small.tsv"
printf '2026-01-31\t柴犬\t2.0\tsecurity\thigh\n' >>"$work/small.tsv"

for form in combined separate nested; do
  open_shell 80 10
  run --form "$form" --file "$work/small.tsv"
  blank 5
  sees "$form: nobody" "News  User: nobody
User:
  A name, and perhaps a word to follow: ada security
$blank
Type a name  Enter opens the news  Esc clears  Ctrl-Q quits"
  keys ada Space p2 Enter
  sees "$form: a user and news" "News for ada, who follows p2  10 of 31
> 2026-01-20 p20 1.20 in unstable
  2026-01-21 p21 1.21 in unstable
  2026-01-22 p22 1.22 in unstable
  2026-01-23 p23 1.23 in unstable
  2026-01-24 p24 1.24 in unstable
  2026-01-25 p25 1.25 in unstable
  2026-01-26 p26 1.26 in unstable
  2026-01-27 p27 1.27 in unstable
Esc closes  Ctrl-R reloads  Ctrl-Q quits"
  keys End
  sees_line "$form: End" '> 2026-01-29 p29 1.29 in unstable'
  keys Escape
  sees_line "$form: closed" 'News  User: ada, who follows p2'
  keys Enter
  sees_line "$form: open again" 'News for ada, who follows p2  10 of 31'
  keys Escape
  sees_line "$form: closed again" 'User:'
  # In one write: another user, and the way down the list.
  keys -H 62 6f 62 20 78 7f 73 65 63 0d
  sees_line "$form: another user" 'News for bob, who follows sec  1 of 31'
  sees_line "$form: wide characters" '> 2026-01-31 柴犬 2.0 in security, high'
  passed "$form: keys sign in, move, close and open"
  keys C-q
  ended "$form: Ctrl-Q" 0

  # A file that disappears.
  cp "$work/small.tsv" "$work/gone.tsv"
  open_shell 120 10
  run --form "$form" --file "$work/gone.tsv"
  sees_line "$form: nobody" 'News  User: nobody'
  rm "$work/gone.tsv"
  keys eve Enter
  sees_line "$form: a file that disappears" \
    "  $work/gone.tsv: there is no such file; check the path, or leave --file out"
  cp "$work/small.tsv" "$work/gone.tsv"
  keys C-r
  sees_line "$form: a file that is back" 'News for eve  31'
  passed "$form: a file that disappears is told, and one that is back is read"
  keys C-q
  ended "$form: Ctrl-Q after a file disappeared" 0

  # Loading, and another user meanwhile.
  open_shell 80 10
  run --form "$form" --file "$work/small.tsv" --delay 3
  sees_line "$form: nobody" 'News  User: nobody'
  keys ada Enter
  sees_line "$form: the wheel" '  / Loading...'
  sees_line "$form: the wheel turns" '  - Loading...'
  keys Escape
  sees_line "$form: closed while it loads" 'News  User: ada'
  keys bob Space p30 Enter
  sees_line "$form: only the last one's news come" 'News for bob, who follows p30  1 of 31'
  passed "$form: closing ends the loading, and another begins"
  keys C-q
  ended "$form: Ctrl-Q after loading" 0
done

# --- sizes

open_shell 80 24
run
sees_line "nobody" 'News  User: nobody'
keys ada Enter
sees_pattern "the built-in news" '^News for ada  3[0-9]*$'
resize 20 5
sees_line "20x5: the window became small" 'Esc back  ^Q quits'
shows_3() { [ "$(screen | grep -c '^[> ] 20[0-9-]* [a-z].*…$')" = 3 ]; }
wait_for shows_3 || lacks "20x5" "three rows"
passed "20x5: the window became small"
resize 300 100
sees_line "300x100: the window became large" 'Esc closes  Ctrl-R reloads  Ctrl-Q quits'
shows_98() { [ "$(screen | grep -c '^[> ] 20[0-9-]* ')" = 98 ]; }
wait_for shows_98 || lacks "300x100" "98 rows"
passed "300x100: the window became large"
bytes "300x100: a step down" 200 '^> 20[0-9-]* ' Down
keys Escape
sees_line "300x100: closed" 'User:'
resize 20 5
sees "20x5: nobody types" "News  User: ada
User:
  A name, and perha…

^Q quits"
sizes 'News  User: ada'
keys C-q
ended_resized "Ctrl-Q after resizing" 80 24

# --- every way to end

open_shell 80 24
run --file "$work/none"
ended "a missing file" 1
is_told "a missing file is told on a terminal, too" \
  "news: $work/none: there is no such file; check the path, or leave --file out"
ends_by_signals 'News  User: nobody' --file "$work/small.tsv"

open_shell 80 24
run --delay 60
sees_line "nobody" 'News  User: nobody'
keys ada Enter
sees_pattern "loading" 'Loading...'
keys C-c
ended "Ctrl-C while it loads" 130

open_shell 80 24
run --file "$work/small.tsv"
sees_line "nobody" 'News  User: nobody'
keys ad
sees_line "before Ctrl-Z" 'User: ad'
keys C-z
ended "Ctrl-Z gives the terminal back" 148
keys "fg" Enter
sees_line "fg brings it back" 'User: ad'
keys a Enter
sees_line "keys after fg" 'News for ada  31'
passed "fg brings it back"
forget_end
keys C-q
ended "Ctrl-Q after fg" 0

echo "news on a terminal: $checks checks passed"
