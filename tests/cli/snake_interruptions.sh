#!/usr/bin/env bash
# Contours that are cut off on their way by a checkpoint or a signal.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/interrupt.sh
source "$(dirname "$0")/interrupt.sh"
needs_python sys
shapes=$(dirname "$0")/snake_shapes.py
"$python" "$shapes" make star 128 0.1 "$work/star.png"
picture=$work/star.png

# whole_run ARGUMENT...: 30 beats without an end in between.
whole_run() {
    run_well 1 snake "$picture" "$@" --max-beats 30 --quiet -o "$whole/contours.csv" \
        --overlay "$whole/overlay.png" --checkpoint "$whole/state"
}

# cut_at BEAT; first and second are ranks and more arguments of both parts, begun where it begins.
cut_at() {
    run_well "${first[@]:0:1}" snake "$picture" "${begun[@]}" "${first[@]:1}" --max-beats "$1" \
        --quiet --checkpoint "$work/part" --checkpoint-every 4
    run_well "${second[@]:0:1}" snake "$picture" --restore "$work/part" "${second[@]:1}" \
        --max-beats $((30 - $1)) --quiet -o "$out/contours.csv" --overlay "$out/overlay.png" \
        --checkpoint "$out/state"
    same contours.csv overlay.png state
}

begun=(--init 'circle:64,64,55' --init 'grid:2x3' --window 3 --sigma 1.25 --floor 2)
whole_run "${begun[@]}"
first=(3) second=(2 --balance random --balance-every 1)
cut_at 11
first=(2 --balance random --balance-every 1) second=(1)
cut_at 1
begun=(--init 'circle:64,64,55,51' --order jacobi --stop-moved 0)
whole_run "${begun[@]}"
first=(1) second=(5 --order jacobi --stop-moved 0%)
cut_at 29

# Nothing is left to do where contours have settled.
begun=(--init 'circle:64,64,45' --stop-moved 50%)
run_well 2 snake "$picture" "${begun[@]}" --checkpoint "$out/state" -o "$whole/contours.csv"
holds "not settled" grep -q '^beat .*settled' "$work/stdout"
grep '^beat' "$work/stdout" >"$work/beat"
run_well 3 snake "$picture" --restore "$out/state" --checkpoint "$out/state" -o "$out/contours.csv"
holds "it went on" cmp -s "$work/beat" <(grep '^beat' "$work/stdout")
same contours.csv

# What it cannot be restored with.
"$python" "$shapes" make disk 128 0 "$work/disk.png"
"$python" "$shapes" make disk 64 0 "$work/small.png"
fails 2 'another picture.*disk.png' 2 snake "$work/disk.png" --restore "$out/state"
fails 2 'another picture.*64 x 64' 1 snake "$work/small.png" --restore "$out/state"
fails 2 'window 7: .* has 5; leave --window out' 2 snake "$picture" \
    --restore "$out/state" --window 7
fails 2 'alpha 3: .* has 1.*leave --alpha out' 3 snake "$picture" --restore "$out/state" --alpha 3
fails 2 'order jacobi: .*two-colour' 1 snake "$picture" --restore "$out/state" --order jacobi
fails 2 'until change:5%: .* has 0.5; leave --until out' 2 snake "$picture" \
    --restore "$out/state" --until change:5%
fails 2 'stop-moved 5%: .* has 0.5; leave --stop-moved out' 1 snake "$picture" \
    --restore "$out/state" --stop-moved 5%
run_well 2 snake "$picture" --restore "$out/state" --until change:50% --quiet
fails 1 'not a checkpoint' 2 snake "$picture" --restore "$0"
fails 1 'no/such' 2 snake "$picture" --restore no/such
run_well 2 run heat --size 20x30 --beats 5 --quiet --checkpoint "$work/heat"
fails 1 'of .halobeat run heat' 2 snake "$picture" --restore "$work/heat"
damage "$out/state" 4200
fails 1 'damaged' 3 snake "$picture" --restore "$work/damaged"

# stopped SIGNAL RANKS: it leaves with all that was asked for, and can go on from there. Points
# all at once, near to each other and stiff, go to and fro on an edge for ever.
endless=(--order jacobi --stop-moved 0 --beta 5 --window 7 --floor 0 --sigma 1)
stopped() {
    rm -f "${out:?}"/*
    stop_once shows 'moving contours' "$1" "$2" snake "$picture" --init grid:4x4 --spacing 3 \
        "${endless[@]}" --max-beats 2000000000 --json "$out/run.json" \
        --checkpoint "$out/state" -o "$out/contours.csv" --progress always
    holds "no beats" [ "$(told beat)" -gt 0 ]
    run_well 2 snake "$picture" --restore "$out/state" --max-beats 3 --quiet -o "$work/a.csv"
    run_well 1 snake "$picture" --init "polygon:$out/contours.csv" "${endless[@]}" \
        --max-beats 3 --quiet -o "$work/b.csv"
    holds "contours and checkpoint differ" cmp -s "$work/a.csv" "$work/b.csv"
}
if [ -n "$ranks_hear_signals" ]; then stopped INT 3; fi
stopped TERM 1
finish
