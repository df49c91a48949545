#!/usr/bin/env bash
# Every command of docs/recipes.md works as it stands there, without a message, and leaves the files that it names.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
page=$(readlink -f "$(dirname "$0")/../../docs/recipes.md")
program=$(readlink -f "$program") data=$(readlink -f "$data")
cd "$work/out" || exit
ln -s "$data" data

# Lines that end with a backslash go on.
# shellcheck disable=SC2016 # the backquotes are the page's
commands=$(sed -n '/^```/,/^```/p' "$page" | sed -e :a -e '/\\$/N; s/ *\\\n */ /; ta' | sed -n 's/^\.\/run //p')
holds 'too few commands' [ "$(wc -l <<<"$commands")" -ge 7 ]
while read -r line; do
    words=()
    eval "words=($line)"
    run_well 2 "${words[@]}"
    for ((i = 1; i < ${#words[@]}; i++)); do
        case ${words[i - 1]},${words[i]} in
            *,*'{name}'*) holds "no ${words[i]}" [ -s "${words[i]/\{name\}/brick}" ] ;;
            -o,* | --regions,* | --chords,* | --thickness,* | --table,*) holds "no ${words[i]}" [ -s "${words[i]}" ] ;;
        esac
    done
done <<<"$commands"

# The first recipe parts what touches; the second finds pores that span the rock.
holds 'no parts' [ "$(wc -l <grains.csv)" -gt 100 ]
holds 'not as many lines' [ "$(wc -l <grains.csv)" = "$(wc -l <other.csv)" ]
finish
