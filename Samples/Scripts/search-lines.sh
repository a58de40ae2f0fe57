#!/bin/bash
# Runs search without a terminal, and compares what it prints and how it ends with what is expected.
# Usage: search-lines.sh [PROGRAM]; builds the program when none is given. Ends with code 1 at the first difference.
set -u
program_name=search
. "$(dirname "$0")/shared/checks.bash"
find_program "$@"

cat >"$work/small.txt" <<'END'
Package: apt
Version: 2.6.2
Section: admin
Installed-Size: 4232
Homepage: https://example.org/apt
Description: package manager
 It manages packages.

Package: aptitude
Version: 0.8.13
Description: text interface for apt

Version: 1
Description: an entry without a name

Package: bash
Description: shell

Package: libapt
Description: 柴犬
END
start="$work/small.txt: 4 packages, 1 broken entry left out"

# --- sessions

input='' expected=$start
session "no input at all" --file "$work/small.txt"

input='search APT
open apt
search manager package
search
history
again 2
search zebra
open BASH
quit
search shell
'
expected="$start
\"APT\": 3 packages
  apt 2.6.2: package manager
  aptitude 0.8.13: text interface for apt
  libapt: 柴犬
apt
  Version: 2.6.2
  Section: admin
  Size: 4232 kB
  Homepage: https://example.org/apt
  About: package manager
\"manager package\": 1 package
  apt 2.6.2: package manager
4 packages
  apt 2.6.2: package manager
  aptitude 0.8.13: text interface for apt
  bash: shell
  libapt: 柴犬
  1 manager package
  2 APT
\"APT\": 3 packages
  apt 2.6.2: package manager
  aptitude 0.8.13: text interface for apt
  libapt: 柴犬
\"zebra\": 0 packages
bash
  About: shell"
session "searches, details and the history" --file "$work/small.txt"
session "the same, while reading takes its time" --file "$work/small.txt" --delay 0.3

input='jump

open
open cat
again
history
next
search  犬
quit now'
expected="$start
unknown command \"jump\"; there are: search, next, previous, open, history, again, reload, help, quit
open needs the name of a package: open NAME
there is no package \"cat\"
again needs the number of a search in the history: again 1
nothing was searched for yet
there is no next page
\"犬\": 1 package
  libapt: 柴犬
quit stands alone: leave out \"now\""
session "mistakes, and a last line without an end" --file="$work/small.txt" --lines

input=$'\x1b[2J\nsearch \x1b]0;x\x07\n'
expected="$start
unknown command \"?[2J\"; there are: search, next, previous, open, history, again, reload, help, quit
\"?]0;x?\": 0 packages"
session "control characters are shown, not obeyed" --file "$work/small.txt"

for number in $(seq 1 25); do printf 'Package: p%02d\n\n' "$number"; done >"$work/many.txt"
input='search p
next
next
next
previous
'
page() { seq -f '  p%02.0f' "$1" "$2"; }
expected="$work/many.txt: 25 packages
\"p\": 25 packages, 1 to 10
$(page 1 10)
\"p\": 25 packages, 11 to 20
$(page 11 20)
\"p\": 25 packages, 21 to 25
$(page 21 25)
there is no next page
\"p\": 25 packages, 11 to 20
$(page 11 20)"
session "pages" --file "$work/many.txt"

found=$(printf 'search zsh\nopen zsh\n' | timeout 120 "$program" --built-in) || fail "the built-in list: code"
count=$(printf '%s\n' "$found" | sed -n '1s/^the built-in list: \([0-9]*\) packages$/\1/p')
[ "${count:-0}" -ge 2000 ] || fail "the built-in list: $(printf '%s\n' "$found" | head -1)"
printf '%s\n' "$found" | grep -qx '  Section: shells' || fail "the built-in list: no details"
passed "the built-in list: $count packages"

if [ -s /var/lib/dpkg/status ]; then
  found=$(timeout 120 "$program" </dev/null) || fail "the list of this machine: code"
  count=$(grep -c '^Package: ' /var/lib/dpkg/status)
  same "the list of this machine" "/var/lib/dpkg/status: $count packages" "$found"
  passed "the list of this machine: $count packages"
fi

found=$(timeout 120 "$program" --file <(cat "$work/small.txt") </dev/null) || fail "a pipe as a file: code"
case $found in
*": 4 packages, 1 broken entry left out") passed "a pipe as a file" ;;
*) fail "a pipe as a file: $found" ;;
esac

# --- a file that disappears

cp "$work/small.txt" "$work/gone.txt"
converse --file "$work/gone.txt"
wait_for answered 1 || fail "a file that disappears: it is not read"
rm "$work/gone.txt"
printf 'reload\nsearch bash\n' >&3
wait_for answered 4 || fail "a file that disappears: no answer"
cp "$work/many.txt" "$work/gone.txt"
printf 'reload\nsearch p25\n' >&3
conversed "a file that disappears" "$work/gone.txt: 4 packages, 1 broken entry left out
$work/gone.txt: there is no such file; check the path, or leave --file out
\"bash\": 1 package
  bash: shell
$work/gone.txt: 25 packages
\"p25\": 1 package
  p25"
passed "a file that disappears is told, and what was read stays"

# --- a reader that goes away, and no streams at all

closed_pipe 'search a' "$start" --file "$work/small.txt"
closed_streams "$start" --file "$work/small.txt"

# --- files that are no index

unreadable_files "$work/small.txt"
needed="needed is what \`apt-cache dumpavail\` prints: paragraphs of \`Package: NAME\`, \`Version: ...\` and so on"
unpack='unpack it first if it is compressed, or give another file with --file PATH'
bad "an empty file" '' "the file is empty; $other"
bad "a blank file" ' \n\n' "there is no package in it; $needed"
bad "another text" 'Dear reader,\nthis is a letter.\n' "there is no package in it; $needed"
bad "a compressed file" '\x1f\x8b\x08\x00\x00' "this is no text; $unpack"
bad "a program" 'Package: x\0\n' "this is no text; $unpack"
if [ -e /dev/zero ]; then
  refused "a file without an end" "search: /dev/zero: this is no text; $unpack" --file /dev/zero
fi
refused "a text without an end" "search: *: there is no package in it; $needed" --file <(yes 'no package')

alone "search: the built-in list: the folder it comes in is not beside the program; \
build the program again, or give a file with --file PATH" --built-in

# --- options

common_options apt
refused "a delay that is none" 'search: --delay needs seconds from 0 to 3600, not "soon"; see search --help' --delay soon
refused "two sources" 'search: --file and --built-in exclude each other; see search --help' --built-in --file x

# --- the benchmark

found=$(timeout 300 "$program" --benchmark --file "$work/many.txt") || fail "--benchmark: code"
printf '%s\n' "$found" | grep -q '^further keys  *37 keys' || fail "--benchmark: $found"
passed "--benchmark"

echo "search without a terminal: $checks checks passed"
