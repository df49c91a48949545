#!/usr/bin/env bash
# The table on the first screen of README.md: every line's command works as it stands there, and leaves
# the files it names; every command that is not for measuring has a line.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
readme=$(readlink -f "$(dirname "$0")/../../README.md")
program=$(readlink -f "$program") data=$(readlink -f "$data")
cd "$work/out" || exit
ln -s "$data" data
cp data/grass.png before.png
cp data/gravel.png after.png
printf 'true\n' >jobs.txt
run_well 1 label data/brick.png --invert -o labels.png --quiet

rows=$(sed -n '/^| You have /,/^$/p' "$readme")
what='the table'
holds 'it is not on the first screen' [ "$(grep -n '^| You have ' "$readme" | cut -d : -f 1)" -lt 25 ]
# These lines cannot run as they stand: a kernel is to be written first.
# shellcheck disable=SC2016 # the backquotes are the table's
commands=$(sed -n 's/.*| `\.\/run \(.*\)` |$/\1/p' <<<"$rows")
for name in $("$program" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p'); do
    case $name in bench | synthetic) continue ;; esac
    holds "no line for $name" grep -q "^$name " <<<"$commands"
done
while read -r line; do
    case $line in *--plot*) has gnuplot gnuplot-nox 'plots' || continue ;; esac
    words=()
    eval "words=($line)"
    # A wildcard in quotes is the program's to expand.
    run_well 2 "${words[@]}"
    for ((i = 1; i < ${#words[@]}; i++)); do
        case ${words[i - 1]} in
            -o | --regions | --mosaic | --overlay | --plot | --table)
                holds "no ${words[i]}" [ -s "${words[i]}" ]
                rm -f "${words[i]}"
                ;;
        esac
    done
done <<<"$commands"
finish
