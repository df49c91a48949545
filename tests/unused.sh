#!/usr/bin/env bash
# Names that a source of the libraries and programs shows to other files are used by another file:
#
#   tests/unused.sh BUILD_FOLDER
#
# Lists each function and each variable with external linkage that no other object of these uses, that no installed
# header declares, and no test names, with what to do. Tests may name what its own file uses besides: they try parts
# of a file by themselves. Sources that the build leaves out (SimGrid's, or MPI's) use the names that stand in them,
# and so does the Python package.
set -euo pipefail
export LC_ALL=C
build=$(readlink -f "$1")
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
folders=(src kernels io partition)

# Objects are those of commands, since a folder may have others, of sources that are no more.
sed -nE 's/^ *"command": .* -o ([^ ]+\.o) .*/\1/p' "$build/compile_commands.json" | grep -vE '^(tests|python)/' >"$work/objects"
while read -r object; do
    [ -e "$build/$object" ] || { echo "$build has no $object: build all of it before" && exit 1; }
done <"$work/objects"
(cd "$build" && xargs nm -A -g <"$work/objects") >"$work/symbols"

# Public names, as cmake/exports.cmake finds them, those in tests, and those in sources that are not compiled.
words() { tr -cs 'A-Za-z0-9_' '\n' | sort -u; }
source_of='s,^(.*/)?CMakeFiles/[^/]*\.dir/([^ ]*)\.o\>,\1\2,'
awk 'BEGIN { RS = "[*]/" } { sub(/\/[*].*/, " "); print }' "$build"/exports/headers/halobeat/*.h |
    words >"$work/public"
find tests -name '*.[ch]' -exec cat {} + | words >"$work/tests"
sed -E "$source_of" "$work/objects" | sort >"$work/compiled"
{
    find "${folders[@]}" -name '*.c' | sort | comm -23 - "$work/compiled"
    find python -name '*.c'
} | xargs cat /dev/null | words >"$work/elsewhere"

# SOURCE NAME of each that no other object uses.
sed -E "$source_of" "$work/symbols" | awk '
    { type = $(NF - 1); name = $NF; source = substr($1, 1, index($1, ":") - 1) }
    type ~ /^[Uvw]$/ { used[name]; next }
    type ~ /^[BCDGRST]$/ && name != "main" { place[name] = source }
    END {
        for (name in place)
            if (!(name in used)) print name, place[name]
    }' | sort >"$work/idle"
join -v 1 "$work/idle" "$work/public" | join -v 1 - "$work/elsewhere" >"$work/own"

# A name that only tests use stands nowhere but in its definition and its declaration. Macros make names of tables.
join -o 1.1 "$work/own" "$work/tests" >"$work/tested"
find "${folders[@]}" -name '*.[ch]' -exec grep -hvE '^ *(/\*|\* )' {} + | tr -cs 'A-Za-z0-9_' '\n' | sort |
    uniq -c | awk '$1 == 2 { print $2 }' | join - "$work/tested" >"$work/only_tests"
{
    join -v 1 "$work/own" "$work/tests" | while read -r name source; do
        echo "$source: no other file uses $name: make it static and take it out of its header, or delete it"
    done
    join "$work/own" "$work/only_tests" | while read -r name source; do
        echo "$source: only tests use $name: delete it, and test what programs use"
    done
} >"$work/faults"
cat "$work/faults"
echo "$(wc -l <"$work/objects") objects, $(wc -l <"$work/tested") names that only their own files and tests use," \
    "$(wc -l <"$work/faults") in vain"
[ ! -s "$work/faults" ] && [ "$(wc -l <"$work/objects")" -gt 500 ] && [ -s "$work/tested" ]
