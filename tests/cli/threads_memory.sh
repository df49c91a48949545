#!/usr/bin/env bash
# Ranks that are threads have no memory at one call, of each place in the program that asks for some: the run is
# done all the same, or it fails with one message, and leaves no file or a whole one. (fail_nth.c counts the calls.)
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
run_well 1 life soup:60x40:40% -q -n 5 -o "$work/in.png"

# with_calls FAIL_NTH OUTPUT RANKS ARGUMENT...: the run, with what fail_nth.c is to do; a list of calls if it is 0.
with_calls() {
    local -x FAIL_NTH=$1 LD_PRELOAD=$tools/fail_nth.so FAIL_FOLDER=$work/out HALOBEAT_RANKS=$3
    [ "$1" != 0 ] || local -x FAIL_SITES=$work/sites
    timeout -k 5 "$limit" "$program" "${@:4}" "$2" >"$work/stdout" 2>"$work/stderr" </dev/null
}

shopt -s nullglob dotglob
touch "$work/known"

# try_all RANKS COMMAND... OPTION: each place of the run fails once, but, without `more`, for those that the run before
# has in common with it. Its output comes behind OPTION.
try_all() {
    local point points lines left
    what="$* without memory at one call"
    rm -f "$work/sites"
    with_calls 0 "$work/right.png" "$@"
    mapfile -t points < <(awk '$1 == "memory" && !seen[$3]++ { if (FILENAME != ARGV[1]) print $2 }' \
        "$work/known" "$work/sites")
    holds "${#points[@]} places: $(cat "$work/stderr")" [ "${#points[@]}" -gt 20 ]
    more || cp "$work/sites" "$work/known"
    for point in "${points[@]}"; do
        with_calls "0 memory $point" "$work/out/result.png" "$@"
        status=$?
        mapfile -t lines <"$work/stderr"
        left=("$work/out"/*)
        if [ "$status" = 0 ]; then
            holds "call $point: another result" cmp -s "$work/right.png" "$work/out/result.png"
        else
            holds "call $point: exit status $status" [ "$status" = 1 ]
            holds "call $point: lines: ${lines[*]}" [ ${#lines[@]} = 1 ]
            if [ ${#left[@]} -gt 0 ]; then # what was left to do was the summary
                holds "call $point: half a file" cmp -s "$work/right.png" "$work/out/result.png"
            fi
        fi
        [ ${#left[@]} = 0 ] || rm -rf "${left[@]}"
    done
}
try_all 2 label -q "$work/in.png" -o
try_all 3 snake -q "$work/in.png" --init grid:2x4 -n 3 --overlay
finish
