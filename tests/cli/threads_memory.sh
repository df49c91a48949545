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

# shellcheck disable=SC2317 # is_right calls it
# result FILE: what of it is the same in each run.
result() { if [ -n "${key:-}" ]; then sed -n "/$key/p; \$p" "$1"; else cat "$1"; fi; }
# shellcheck disable=SC2317 # `holds` calls it
is_right() { cmp -s <(result "$work/right.$ending") <(result "$work/out/result.$ending"); }

shopt -s nullglob dotglob
touch "$work/known"
declare -A tried=([bench]='it writes only what it measures')

# try_all RANKS COMMAND... OPTION: each place of the run fails once, but, without `more`, for those that the run before
# has in common with it. Its output comes behind OPTION: a picture, or a file of $kind, or with $key JSON in which only that key counts.
try_all() {
    local point points lines left ending=${key:+json}
    ending=${kind:-${ending:-png}}
    tried[$2]=yes
    what="$* without memory at one call"
    rm -f "$work/sites"
    with_calls 0 "$work/right.$ending" "$@"
    mapfile -t points < <(awk '$1 == "memory" && !seen[$3]++ { if (FILENAME != ARGV[1]) print $2 }' \
        "$work/known" "$work/sites")
    holds "${#points[@]} places: $(cat "$work/stderr")" [ "${#points[@]}" -gt 20 ]
    more || cp "$work/sites" "$work/known"
    for point in "${points[@]}"; do
        with_calls "0 memory $point" "$work/out/result.$ending" "$@"
        status=$?
        mapfile -t lines <"$work/stderr"
        left=("$work/out"/*)
        if [ "$status" = 0 ]; then
            holds "call $point: another result" is_right
        else
            holds "call $point: exit status $status" [ "$status" = 1 ]
            holds "call $point: lines: ${lines[*]}" [ ${#lines[@]} = 1 ]
            if [ ${#left[@]} -gt 0 ]; then # what was left to do was the summary
                holds "call $point: half a file" is_right
            fi
        fi
        [ ${#left[@]} = 0 ] || rm -rf "${left[@]}"
    done
}
try_all 2 label -q "$work/in.png" -o
try_all 3 snake -q "$work/in.png" --init grid:2x4 -n 3 --overlay
if more; then
    try_all 3 life -q soup:60x40:40% -n 9 -o
    try_all 2 cluster -q "$work/in.png" -k 5 -n 3 --mosaic
    try_all 3 chan-vese -q "$work/in.png" -n 5 --overlay
    try_all 2 motion -q "$work/in.png" "$work/in.png" -k 4 --radius 3 --arrows
    run_well 1 label -q "$work/in.png" --out-dtype uint16 -o "$work/labels.png"
    try_all 2 measure -q "$work/labels.png" -i "$work/in.png" --facts --outline
    try_all 3 filter -q "$work/in.png" gaussian:1 threshold:9 fill_holes skeletonize -o
    kind=tif try_all 2 distance -q "$work/in.png" -o
    kind=npy try_all 3 watershed -q "$work/in.png" --markers minima:9 -o
    try_all 3 paths -q "$work/in.png" --from 1,1 --to 50,30 --overlay
    try_all 2 walk -q "$work/in.png" --walkers 90 --steps 30 --trajectories
    try_all 3 trace -q "$data/scenes/five-balls.nff" --size 40x30 -o
    try_all 3 run heat -q --size 40x30 -n 9 -o
    try_all 2 tasks -q cp "$work/in.png" '{}' :::
    key='"digest"' try_all 3 synthetic -q --size 40x30 -n 9 --work 9 --json
    list_commands
    for command in "${all_commands[@]}"; do
        what=$command
        holds 'it is not tried' [ -n "${tried[$command]:-}" ]
    done
fi
finish
