#!/usr/bin/env bash
# The same command line again goes on where it was (--resume), ends at the same beat, and writes what a
# run without an interruption does; another command line is refused.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
state=$work/state

# resumed RESULT PART WHOLE COMMAND ARGUMENT...: PART and WHOLE are numbers of beats.
resumed() {
    local result=$1 part=$2 whole=$3
    shift 3
    rm -f "$state"
    run_well 2 "$@" -n "$whole" --quiet -o "$work/whole$result"
    run_well 3 "$@" -n "$part" --quiet --checkpoint "$state" --resume
    run_well 1 "$@" -n "$whole" --quiet --checkpoint "$state" --resume -o "$work/part$result"
    holds 'another result' cmp -s "$work/whole$result" "$work/part$result"
    cp "$state" "$work/before"
    run_well 2 "$@" -n "$whole" --quiet --checkpoint "$state" --resume -o "$work/part$result"
    holds 'another result of a run that was done' cmp -s "$work/whole$result" "$work/part$result"
    holds 'another checkpoint of a run that was done' cmp -s "$work/before" "$state"
    run_well 2 "${@:1:1}" "${again[@]}" --restore "$state" --until-beat "$whole" --quiet \
        -o "$work/part$result"
    holds 'another result of --until-beat' cmp -s "$work/whole$result" "$work/part$result"
}

again=()
resumed .npy 70 200 life soup:150x90:35% --rule B36/S23
resumed .rle 70 200 life "$data/patterns/glider-gun.rle"
again=(heat)
resumed .npy 20 50 run heat --size 60x40 --shape linear
again=("$data/coffee.png")
resumed .npy 3 8 cluster "$data/coffee.png" -k 30 --weight 2
again=("$data/camera.png")
resumed .npy 5 12 chan-vese "$data/camera.png" --init "$data/camera.png"
again=("$data/cell.png")
resumed .csv 5 12 snake "$data/cell.png" --init grid:3x3

# Another beginning, and a checkpoint of another run.
run_well 1 life soup:40x30:35% -n 5 --quiet --checkpoint "$state"
fails 2 'soup:40x30:36%.*begun with.*soup:40x30:35%' 2 life soup:40x30:36% -n 9 --checkpoint "$state" \
    --resume
fails 2 '--rule B3/S234.*begun with none' 1 life soup:40x30:35% --rule B3/S234 -n 9 \
    --checkpoint "$state" --resume
fails 1 'cannot be restored by .halobeat run' 2 run heat --size 40x30 --checkpoint "$state" --resume
fails 2 '--resume needs --checkpoint' 1 life soup:40x30:35% --resume
fails 2 'cannot be given with' 1 life --restore "$state" --checkpoint "$state" --resume
fails 2 'cannot be given with' 1 life soup:40x30:35% -n 3 --until-beat 3

# A generation of the pattern's own counts from there.
printf '#CXRLE Gen=40\nx = 3, y = 1, rule = B3/S23\n3o!\n' >"$work/late.rle"
rm -f "$state"
run_well 1 life "$work/late.rle" -n 3 --quiet --checkpoint "$state" --resume
run_well 2 life "$work/late.rle" -n 7 --quiet --checkpoint "$state" --resume --json "$work/out/run.json"
holds 'not at generation 47' [ "$(told state generation)" = 47 ]
finish
