#!/usr/bin/env bash
# Ranks that are threads have no memory at one call, of each place in the program that asks for some: the run is
# done all the same, or it fails with one message, and leaves no file or a whole one. (fail_nth.c counts the calls.)
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
run_well 1 life soup:60x40:40% -q -n 5 -o "$work/in.png"

# with_calls FAIL_NTH OUTPUT RANKS ARGUMENT...: the run, with what fail_nth.c is to do; a list of calls if it is 0.
with_calls() {
    local sites=()
    [ "$1" != 0 ] || sites=("FAIL_SITES=$work/sites")
    env FAIL_NTH="$1" "${sites[@]}" LD_PRELOAD="$tools/fail_nth.so" FAIL_FOLDER="$work/out" HALOBEAT_RANKS="$3" \
        timeout -k 5 "$limit" "$program" "${@:4}" "$2" >"$work/stdout" 2>"$work/stderr" </dev/null
}

# try_all RANKS COMMAND... OPTION: each place of the run fails once; its output comes behind OPTION.
try_all() {
    local point points lines
    what="$* without memory at one call"
    rm -f "$work/sites"
    with_calls 0 "$work/right.png" "$@"
    mapfile -t points < <(awk '$1 == "memory" && !seen[$3]++ { print $2 }' "$work/sites")
    holds "${#points[@]} places: $(cat "$work/stderr")" [ "${#points[@]}" -gt 20 ]
    for point in "${points[@]}"; do
        with_calls "0 memory $point" "$work/out/result.png" "$@"
        status=$?
        lines=$(grep -c . "$work/stderr")
        if [ "$status" = 0 ]; then
            holds "call $point: another result" cmp -s "$work/right.png" "$work/out/result.png"
        else
            holds "call $point: exit status $status" [ "$status" = 1 ]
            holds "call $point: $lines lines: $(cat "$work/stderr")" [ "$lines" = 1 ]
            if [ -n "$(ls -A "$work/out")" ]; then # what was left to do was the summary
                holds "call $point: half a file" cmp -s "$work/right.png" "$work/out/result.png"
            fi
        fi
        rm -rf "$work/out" && mkdir "$work/out"
    done
}
try_all 2 label -q "$work/in.png" -o
try_all 3 snake -q "$work/in.png" --init grid:2x4 -n 3 --overlay
finish
