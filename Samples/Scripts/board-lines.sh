#!/bin/bash
# Runs board without a terminal, and compares what it prints and how it ends with what is expected.
# Usage: board-lines.sh [PROGRAM]; builds the program when none is given. Ends with code 1 at the first difference.
set -u
program_name=board
. "$(dirname "$0")/shared/checks.bash"
find_program "$@"

cat >"$work/small.jsonl" <<'JSON'
{"number": 12, "title": "Write it down", "state": "open", "labels": [{"name": "docs"}], "assignee": {"login": "mona"}, "created_at": "2026-01-31T12:00:00Z"}
{"number": 7, "title": "Mend it", "state": "open", "labels": ["bug", "doing"], "assignee": null, "created_at": "2026-02-01T12:00:00Z"}
{"number": 9, "title": "題名", "state": "closed", "created_at": "2026-01-01T00:00:00Z"}
{"number": 3, "title": "Ask again", "state": "open", "labels": [{"name": "in review"}], "created_at": "2026-01-02T00:00:00Z"}
{"number": 4, "title": "Try it", "state": "open", "created_at": "2026-01-30T23:59:59Z"}
JSON
start='Board: 5 cards, worked 0:00 | Todo 2, 0:00 | Doing 1, 0:00 | Review 1, 0:00 | Done 1, 0:00'

# --- sessions

input='' expected=$start
session "no input at all" --file "$work/small.jsonl"

input='show
work 12
tick 5
work 7
tick 10
move 12 doing
tick 60
pause 7
tick 3600
move #12 DONE
tick 1
archive 12
tick 100
restore 12
show
quit
show
'
expected="$start
$start
Todo 2, 0:00
  #4 Try it 2026-01-30
  #12 Write it down [docs] @mona 2026-01-31
Doing 1, 0:00
  #7 Mend it [bug, doing] 2026-02-01
Review 1, 0:00
  #3 Ask again [in review] 2026-01-02
Done 1, 0:00
  #9 題名 2026-01-01
#12 is in Todo, working, worked 0:00
Board: 5 cards, worked 0:05, 1 working | Todo 2, 0:05 | Doing 1, 0:00 | Review 1, 0:00 | Done 1, 0:00
#7 is in Doing, working, worked 0:00
Board: 5 cards, worked 0:25, 2 working | Todo 2, 0:15 | Doing 1, 0:10 | Review 1, 0:00 | Done 1, 0:00
#12 is in Doing, working, worked 0:15
Board: 5 cards, worked 2:25, 2 working | Todo 1, 0:00 | Doing 2, 2:25 | Review 1, 0:00 | Done 1, 0:00
#7 is in Doing, paused, worked 1:10
Board: 5 cards, worked 1:02:25, 1 working | Todo 1, 0:00 | Doing 2, 1:02:25 | Review 1, 0:00 | Done 1, 0:00
#12 is in Done, working, worked 1:01:15
Board: 5 cards, worked 1:02:26, 1 working | Todo 1, 0:00 | Doing 1, 1:10 | Review 1, 0:00 | Done 2, 1:01:16
#12 is in the archive, worked 1:01:16
Board: 4 cards, worked 1:02:26, 1 archived | Todo 1, 0:00 | Doing 1, 1:10 | Review 1, 0:00 | Done 1, 0:00
#12 is in Done, paused, worked 1:01:16
Board: 5 cards, worked 1:02:26 | Todo 1, 0:00 | Doing 1, 1:10 | Review 1, 0:00 | Done 2, 1:01:16
Todo 1, 0:00
  #4 Try it 2026-01-30
Doing 1, 1:10
  #7 Mend it [bug, doing] 2026-02-01 1:10
Review 1, 0:00
  #3 Ask again [in review] 2026-01-02
Done 2, 1:01:16
  #9 題名 2026-01-01
  #12 Write it down [docs] @mona 2026-01-31 1:01:16"
session "work, moves, the archive and back" --file "$work/small.jsonl"
session "the same once more, and the same output" --file "$work/small.jsonl" --lines

input='archive 12
archive 7
show'
expected="$start
#12 is in the archive, worked 0:00
#7 is in the archive, worked 0:00
Board: 3 cards, worked 0:00, 2 archived | Todo 1, 0:00 | Doing 0, 0:00 | Review 1, 0:00 | Done 1, 0:00
Todo 1, 0:00
  #4 Try it 2026-01-30
Doing 0, 0:00
Review 1, 0:00
  #3 Ask again [in review] 2026-01-02
Done 1, 0:00
  #9 題名 2026-01-01
Archive 2, 0:00
  #12 Write it down [docs] @mona 2026-01-31
  #7 Mend it [bug, doing] 2026-02-01"
session "the archive is shown, and a last line needs no end" --file="$work/small.jsonl"

input=$'jump\n\nwork\nwork x\nwork 99\narchive 99\nrestore 99\nrestore 4\nmove 4\nmove 4 up\ntick\ntick -1\ntick 36001\nquit now\n\x1b[2J\n'
expected="$start
unknown command \"jump\"; there are: show, work, pause, move, archive, restore, tick, help, quit
work needs the number of a card: work 12
work needs the number of a card: work 12
there is no card #99
there is no card #99
there is no card #99
#4 is not in the archive
move needs the number of a card and a column: move 12 doing
there is no column \"up\"; there are: todo, doing, review, done
tick needs seconds from 1 to 36000: tick 5
tick needs seconds from 1 to 36000: tick 5
tick needs seconds from 1 to 36000: tick 5
quit stands alone: leave out \"now\"
unknown command \"?[2J\"; there are: show, work, pause, move, archive, restore, tick, help, quit"
session "mistakes, and nothing ends" --file "$work/small.jsonl"

input='archive 4
work 4
move 4 done
pause 4
'
expected="$start
#4 is in the archive, worked 0:00
#4 is in the archive; restore it first
#4 is in the archive; restore it first
#4 is in the archive; restore it first"
session "a card in the archive is left alone" --file "$work/small.jsonl"

input='help
'
expected="$start
show           shows the sums and every card
work N         begins or goes on to work on card N
pause N        pauses it
move N COLUMN  moves it to todo, doing, review or done; who works on it goes on
archive N      puts it away, paused
restore N      puts it back where it was
tick SECONDS   lets time pass
help           shows these lines
quit           ends the program, as the end of the input does"
session "help" --file "$work/small.jsonl"

input=$(for number in $(seq 1 40); do echo "work $number"; done; for column in todo doing review done; do
  echo 'tick 5'
  for number in $(seq 1 40); do echo "move $number $column"; done
done; echo 'tick 5')
found=$(printf '%s\n' "$input" | timeout 60 "$program" 2>"$work/errors") || fail "the built-in issues: code"
same "the built-in issues: standard error" "" "$(cat "$work/errors")"
same "the built-in issues" "Board: 40 cards, worked 0:00 | Todo 18, 0:00 | Doing 4, 0:00 | Review 4, 0:00 | Done 14, 0:00
Board: 40 cards, worked 16:40, 40 working | Todo 0, 0:00 | Doing 0, 0:00 | Review 0, 0:00 | Done 40, 16:40" \
  "$(printf '%s\n' "$found" | sed -n '1p;$p')"
passed "the built-in issues: forty cards tick, move and tick on"

# --- files with bad lines

cat >"$work/bad.jsonl" <<'JSON'
{"number": 1, "title": "Good", "state": "open", "created_at": "2026-01-01T00:00:00Z"}
<html>

[2]
{"number": "2"}
{"number": 0}
{"number": 2, "title": " "}
{"number": 2, "title": "B", "state": "merged"}
{"number": 2, "title": "B", "state": "open", "created_at": "yesterday"}
{"number": 1, "title": "Twice", "state": "open", "created_at": "2026-01-01T00:00:00Z"}
{"number": 2, "title": "B", "state": "open", "labels": 5, "created_at": "2026-01-01T00:00:00Z"}
JSON
printf '\xff\n{"number": 5, "title": "Last", "state": "closed", "created_at": "2026-01-01T00:00:00Z"}' >>"$work/bad.jsonl"
input='' expected='Board: 2 cards, worked 0:00 | Todo 1, 0:00 | Doing 0, 0:00 | Review 0, 0:00 | Done 1, 0:00'
complaints=$(
  while IFS='|' read -r line why; do
    echo "board: $work/bad.jsonl: line $line: $why; the line is left out"
  done <<'END'
2|it is not JSON
4|it is not a JSON object
5|number is of another kind
6|number is none from 1 to 999999999
7|title is blank
8|state is "merged", neither "open" nor "closed"
9|created_at is "yesterday", not a time like 2026-01-31T12:00:00Z
10|number 1 is on line 1 already
11|labels is of another kind
12|it is not UTF-8 text
END
)
session "bad lines are named, the others kept" --file "$work/bad.jsonl"
complaints=''

: >"$work/empty.jsonl"
input='show
work 1
' expected='Board: 0 cards, worked 0:00 | Todo 0, 0:00 | Doing 0, 0:00 | Review 0, 0:00 | Done 0, 0:00
Board: 0 cards, worked 0:00 | Todo 0, 0:00 | Doing 0, 0:00 | Review 0, 0:00 | Done 0, 0:00
Todo 0, 0:00
Doing 0, 0:00
Review 0, 0:00
Done 0, 0:00
there is no card #1'
session "an empty export is an empty board" --file "$work/empty.jsonl"

input='' expected=$start
found=$(timeout 60 "$program" --file <(cat "$work/small.jsonl") </dev/null) || fail "a pipe as a file: code"
same "a pipe as a file" "$start" "$found"
passed "a pipe as a file"

# --- files that cannot be read

other='give another file with --file PATH, or leave the option out for the built-in one'
refused "a missing file" "board: $work/none: No such file or directory; $other" --file "$work/none"
refused "a directory" "board: $work: Is a directory; $other" --file "$work"
if [ "$(id -u)" != 0 ]; then
  cp "$work/small.jsonl" "$work/secret.jsonl" && chmod 000 "$work/secret.jsonl"
  refused "an unreadable file" "board: $work/secret.jsonl: Permission denied; $other" --file "$work/secret.jsonl"
elif [ -e /proc/self/mem ]; then
  refused "an unreadable file" "board: /proc/self/mem: Input/output error; $other" --file /proc/self/mem
fi
if [ -e /dev/zero ]; then
  refused "a file without an end" "board: /dev/zero: more than 64 MB; $other" --file /dev/zero
fi
alone "board: the built-in issues: the folder they come in is not beside the program; $other"

# --- a file that disappears: it was read at the start, and the program goes on without it

cp "$work/small.jsonl" "$work/gone"
converse --file "$work/gone"
has_begun() { [ "$(cat "$work/output")" = "$start" ]; }
wait_for has_begun || fail "a file that disappears: it is not read"
rm "$work/gone"
printf 'work 99\n' >&3
conversed "a file that disappears" "$start
there is no card #99"
passed "a file that disappears"

# --- a reader that goes away, and no streams at all

closed_pipe show "Board: 40 cards, worked 0:00 | Todo 18, 0:00 | Doing 4, 0:00 | Review 4, 0:00 | Done 14, 0:00"
closed_streams "$start" --file "$work/small.jsonl"

# --- options

common_options 12

echo "board without a terminal: $checks checks passed"
