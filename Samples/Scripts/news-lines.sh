#!/bin/bash
# Runs news without a terminal, in each of its forms, and compares what it prints and how it ends with what is expected.
# Usage: news-lines.sh [PROGRAM]; builds the program when none is given. Ends with code 1 at the first difference.
set -u
program_name=news
. "$(dirname "$0")/shared/checks.bash"
find_program "$@"

printf '%s\t%s\t%s\t%s\t%s\n' \
  2026-02-01 tmux 3.3 unstable medium \
  2026-01-02 bash 5.2 security high \
  2026-01-01 柴犬 1.0 unstable low >"$work/small.tsv"
start='User: nobody; news: closed'

# --- sessions

for form in combined separate nested; do
  input='' expected=$start
  session "$form: no input at all" --form "$form" --file "$work/small.tsv"
  input='open
user ada
open
open
user bob UNSTABLE
reload
user eve zebra
close
close
show
quit
open
'
  expected="$start
there is no user yet: user NAME
User: ada; news: closed
News for ada (3)
  2026-02-01 tmux 3.3 in unstable
  2026-01-02 bash 5.2 in security, high
  2026-01-01 柴犬 1.0 in unstable
the news are open already; reload loads them again
News for bob, who follows UNSTABLE (2 of 3)
  2026-02-01 tmux 3.3 in unstable
  2026-01-01 柴犬 1.0 in unstable
News for bob, who follows UNSTABLE (2 of 3)
  2026-02-01 tmux 3.3 in unstable
  2026-01-01 柴犬 1.0 in unstable
News for eve, who follows zebra (0 of 3)
  There are no such news.
User: eve, who follows zebra; news: closed
the news are closed
User: eve, who follows zebra; news: closed"
  session "$form: users, open, reload and close" --form "$form" --file "$work/small.tsv"
  session "$form: the same, while loading takes its time" --form="$form" --file "$work/small.tsv" --delay 0.3

  # A file that disappears: each load reads it again.
  cp "$work/small.tsv" "$work/gone.tsv"
  converse --form "$form" --file "$work/gone.tsv"
  printf 'user ada tmux\nopen\n' >&3
  wait_for answered 4 || fail "$form: a file that disappears: it is not read"
  rm "$work/gone.tsv"
  printf 'reload\n' >&3
  wait_for answered 6 || fail "$form: a file that disappears: no answer"
  cp "$work/small.tsv" "$work/gone.tsv"
  printf 'reload\n' >&3
  conversed "$form: a file that disappears" "$start
User: ada, who follows tmux; news: closed
News for ada, who follows tmux (1 of 3)
  2026-02-01 tmux 3.3 in unstable
News for ada, who follows tmux
  $work/gone.tsv: there is no such file; check the path, or leave --file out
News for ada, who follows tmux (1 of 3)
  2026-02-01 tmux 3.3 in unstable"
  passed "$form: a file that disappears is told, and one that is back is read"
done

input='jump

user
open now
help'
expected="$start
unknown command \"jump\"; there are: user, open, reload, close, show, help, quit
user needs a name: user NAME
open stands alone: leave out \"now\"
user NAME [WORD]  is another user, who follows what WORD is in, or all news
open              opens the news and loads them
reload            loads them again
close             closes them
show              shows where one is
help              shows these lines
quit              ends the program, as the end of the input does"
session "mistakes, and a last line without an end" --file="$work/small.tsv" --lines

input=$'\x1b[2J\nuser \x1b]0;x\x07\n'
expected="$start
unknown command \"?[2J\"; there are: user, open, reload, close, show, help, quit
User: ?]0;x?; news: closed"
session "control characters are shown, not obeyed" --file "$work/small.tsv"

printf 'x\n\xff\n2026-01-01\ta\t1\tb\tlow\n' >"$work/broken.tsv"
input='user ada
open
'
expected="$start
User: ada; news: closed
News for ada (1, 2 broken lines)
  2026-01-01 a 1 in b"
session "broken lines are counted, the others kept" --file "$work/broken.tsv"
expected="$start
User: ada; news: closed
News for ada (3)
  2026-02-01 tmux 3.3 in unstable
  2026-01-02 bash 5.2 in security, high
  2026-01-01 柴犬 1.0 in unstable"
session "a pipe as a file" --file <(cat "$work/small.tsv")

found=$(printf 'user ada\nopen\n' | timeout 120 "$program") || fail "the built-in news: code"
count=$(printf '%s\n' "$found" | sed -n 's/^News for ada (\([0-9]*\))$/\1/p')
[ "${count:-0}" -ge 300 ] || fail "the built-in news: $found"
same "the built-in news: lines" 14 "$(printf '%s\n' "$found" | wc -l | tr -d ' ')"
passed "the built-in news: $count uploads"

# --- a reader that goes away, and no streams at all

closed_pipe 'user ada' "$start" --file "$work/small.tsv"
closed_streams "$start" --file "$work/small.tsv"

# --- files that hold no news

unreadable_files "$work/small.tsv"
bad "an empty file" '' "the file is empty; $other"
bad "another text" 'Dear reader,\n' "there is no upload in it; needed are lines of date, package, version, suite and urgency, \
with tabs between them"
if [ -e /dev/zero ]; then
  refused "a file without an end" "news: /dev/zero: more than 16 MB; $other" --file /dev/zero
fi
alone "news: the built-in news: the folder it comes in is not beside the program; \
build the program again, or give a file with --file PATH"

# --- options

common_options ada
refused "a form that is none" 'news: --form knows only combined, separate, nested; see news --help' --form round

echo "news without a terminal: $checks checks passed"
