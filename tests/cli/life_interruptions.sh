#!/usr/bin/env bash
# Runs of Life that are cut in two by a checkpoint or a signal.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/interrupt.sh
source "$(dirname "$0")/interrupt.sh"
needs_python sys

# cut GENERATION RANKS RANKS SPEC...: 200 generations in two parts are those in one.
cut_at() {
    local at=$1 first=$2 second=$3
    shift 3
    run_well 1 life "$@" -g 200 --quiet --population "$whole/table.csv" --every 11 \
        -o "$whole/cells.npy" --checkpoint "$whole/checkpoint"
    run_well "$first" life "$@" -g "$at" --quiet --checkpoint "$work/part" --checkpoint-every 13
    run_well "$second" life --restore "$work/part" -g $((200 - at)) --quiet \
        --population "$out/table.csv" --every 11 -o "$out/cells.npy" \
        --checkpoint "$out/checkpoint"
    same cells.npy checkpoint
    # The second table begins at the cut, with no births or deaths of that generation.
    holds "another table" [ "$(awk -F , -v at="$at" 'NR > 1 && $1 > at' "$whole/table.csv")" = \
        "$(awk -F , -v at="$at" 'NR > 1 && $1 > at' "$out/table.csv")" ]
}
cut_at 0 1 3 soup:100x80:30%
cut_at 1 3 2 soup:100x80:30%
cut_at 77 2 1 soup:65x50:40%:9 --rule 345/2/4
cut_at 121 3 8 soup:64x40:40% --rule B36/S23:T64,0
cut_at 199 1 5 "$data/patterns/acorn.rle"
cut_at 200 2 3 "$data/patterns/diehard.rle"

# A checkpoint goes where the last one came from.
run_well 2 life --restore "$work/part" --checkpoint "$work/part" -g 10 --quiet

# stopped SIGNAL RANKS: it leaves with all that was asked for, and the state it stopped in can be
# gone on from.
stopped() {
    local at
    rm -f "${out:?}"/*
    stop_once shows computing "$1" "$2" life soup:1000x800:30% -g 2000000000 \
        --json "$out/run.json" --checkpoint "$out/state" -o "$out/cells.npy" \
        --population "$out/table.csv" --every 100 --progress always
    at=$(told state generation)
    holds "no generation" [ "$at" -gt 0 ]
    run_well 2 life --restore "$out/state" -g 0 --quiet -o "$work/again.npy"
    holds "other cells in the checkpoint" cmp -s "$out/cells.npy" "$work/again.npy"
    run_well 1 life soup:1000x800:30% -g "$at" --quiet -o "$work/again.npy"
    holds "not the cells of generation $at" cmp -s "$out/cells.npy" "$work/again.npy"
    holds "no table" [ "$(tail -n 1 "$out/table.csv" | cut -d , -f 1)" = $((at / 100 * 100)) ]
}
stopped TERM 1
stopped INT 1
if [ -n "$ranks_hear_signals" ]; then
    stopped TERM 2
    stopped INT 5
fi

# short_of_memory RANKS ARGUMENT...: a plane that cannot grow is saved where it was asked for, or
# beside where the program was started, and can be gone on from with more memory.
short_of_memory() {
    local ranks=$1 saved at
    shift
    rm -rf "$work/here" && mkdir "$work/here"
    cd "$work/here" || exit
    HALOBEAT_MEMORY=1200K run "$ranks" life "$data/patterns/glider.rle" -g 100000 --quiet "$@"
    [ "$status" = 1 ] || wrong "exit status $status, not 1"
    saved=$(messages | sed -n 's/^halobeat life: .*out of memory: .* is saved in //p')
    holds "no state ($saved)" [ -s "$saved" ]
    run_well 2 life --restore "$saved" -g 8 --quiet --json "$out/run.json" -o "$work/cells.rle"
    at=$(told state generation)
    holds "stopped at once" [ "$at" -gt 1000 ]
    run_well 1 life "$data/patterns/glider.rle" -g "$at" --quiet -o "$work/whole.rle"
    holds "other cells at $at" cmp -s "$work/cells.rle" "$work/whole.rle"
    cd "$OLDPWD" || exit
}
short_of_memory 1
short_of_memory 3
short_of_memory 2 --checkpoint asked.halo
HALOBEAT_MEMORY=lots fails 2 'HALOBEAT_MEMORY' 2 life soup:10x10:30%

# Damage is found, and nothing is written then.
run_well 1 life soup:100x80:30% -g 5 --quiet --checkpoint "$work/state"
damage "$work/state" 4200
fails 1 'damaged' 2 life --restore "$work/damaged" -o "$out/new.rle"
head -c 4500 "$work/state" >"$work/short"
fails 1 'short' 3 life --restore "$work/short" -o "$out/new.rle"
finish
