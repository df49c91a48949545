#!/usr/bin/env bash
# Runs of kernels that are cut in two by a checkpoint or a signal.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/interrupt.sh
source "$(dirname "$0")/interrupt.sh"
needs_python sys
steer=$tools/steer.so

# whole_run KERNEL ARGUMENT...: 60 beats without an end in between.
whole_run() {
    run_well 1 run "$@" --beats 60 --quiet -o "$whole/cells.npy" --checkpoint "$whole/state"
}

# cut_at BEAT; first and second are ranks and more arguments of both parts, kernel what computes.
cut_at() {
    run_well "${first[@]:0:1}" run "${kernel[@]}" "${first[@]:1}" --beats "$1" --quiet \
        --checkpoint "$work/part" --checkpoint-every 7
    run_well "${second[@]:0:1}" run "${kernel[@]:0:1}" --restore "$work/part" \
        "${second[@]:1}" --beats $((60 - $1)) --quiet -o "$out/cells.npy" \
        --checkpoint "$out/state"
    same cells.npy state
}

kernel=(heat --size 33x40 --periodic y --options "shape=square,source=.25")
whole_run "${kernel[@]}"
first=(3 --decomposition 1x3) second=(2)
cut_at 25
first=(2 --halo-depth 3) second=(4 --decomposition 2x2 --halo-depth 2)
cut_at 59
first=(4 --decomposition blocks --balance random --balance-every 1) second=(1)
cut_at 1
# What is asked for besides may be what the checkpoint has.
run_well 2 run heat --restore "$work/part" --size 33x40 --periodic y \
    --options shape=square,source=.25 --beats 3 --quiet

kernel=(heat3d --size 9x11x8 --periodic all)
whole_run "${kernel[@]}"
first=(4 --decomposition 1x2x2) second=(3)
cut_at 30
first=(5) second=(4 --decomposition 2x1x2)
cut_at 31

# A state besides cells, two fields, the beat's number; of a shared object.
kernel=("$steer" --size 19x23 --options 77)
whole_run "${kernel[@]}"
first=(3) second=(4 --decomposition 2x2)
cut_at 20
first=(4 --decomposition 2x2) second=(2)
cut_at 41

# A checkpoint goes where the last one came from.
run_well 2 run "$steer" --restore "$work/part" --checkpoint "$work/part" --beats 10 --quiet

# What it cannot be restored with.
run_well 2 run heat --size 20x30 --beats 5 --options source=1 --quiet --checkpoint "$out/state"
fails 1 'cannot be restored by `halobeat run heat3d`' 2 run heat3d --restore "$out/state"
fails 1 'cannot be restored by `halobeat run steer`' 3 run "$steer" --restore "$out/state"
fails 2 'size is 30x20.*20x30' 2 run heat --restore "$out/state" --size 30x20
fails 2 'periodic y.*leave it out' 1 run heat --restore "$out/state" --periodic y
fails 2 'options source=2.*source=1' 5 run heat --restore "$out/state" --options source=2
fails 2 'options source=2.*source=1' 5 run heat --restore "$out/state" --source 2
run_well 2 run heat --restore "$out/state" --source 1 --beats 2 --quiet
fails 1 'not a checkpoint' 2 run heat --restore "$0"
fails 1 'no/such' 2 run heat --restore no/such
damage "$out/state" 5000
fails 1 'damaged' 3 run heat --restore "$work/damaged" --decomposition 1x3

# stopped SIGNAL RANKS ARGUMENT...: it leaves with all that was asked for, and can go on from there.
stopped() {
    rm -f "${out:?}"/*
    stop_once shows computing "$1" "$2" run heat --size 400x500 --beats 2000000000 \
        --json "$out/run.json" --checkpoint "$out/state" -o "$out/cells.npy" --progress always \
        "${@:3}"
    holds "no beats" [ "$(told beat)" -gt 0 ]
    run_well 1 run heat --restore "$out/state" --beats 1 --quiet --checkpoint "$work/part"
    run_well 1 run heat --input "$out/cells.npy" --beats 1 --quiet -o "$work/array.npy"
    run_well 2 run heat --restore "$out/state" --beats 1 --quiet -o "$work/state.npy"
    holds "array and checkpoint differ" cmp -s "$work/array.npy" "$work/state.npy"
}
if [ -n "$ranks_hear_signals" ]; then
    stopped INT 3 --decomposition 1x3
    stopped TERM 2
fi
stopped INT 1
stopped TERM 1
finish
