#!/usr/bin/env bash
# A long sequence that is stopped by a signal, and goes on from its checkpoint as if nothing had
# happened.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/interrupt.sh
source "$(dirname "$0")/interrupt.sh"
frames=400 # of which few are done, however late the signal comes
"$tools/flow_tool" make "$work/frame-%d.png" 4 5 -3 400 300 8 || wrong 'no frames'
# The same four again and again.
for ((i = 4; i < frames; i++)); do ln -s "frame-$((i % 4)).png" "$work/frame-$i.png"; done
sequence=(motion "$work/frame-%d.png" -k 24 --radius 64)

# stopped SIGNAL RANKS: what it has is what it would have had, and it can go on from there.
stopped() {
    local pairs
    rm -rf "${out:?}"/* "${whole:?}"/*
    stop_once exists "$out/1.flo" "$1" "$2" "${sequence[@]}" --checkpoint "$work/state" \
        --checkpoint-every 100 -o "$out/%d.flo" --balance lb2
    pairs=$(find "$out" -name '*.flo' | wc -l)
    holds "$pairs pairs in spite of the signal" [ "$pairs" -lt $((frames - 1)) ]
    run_well 3 "${sequence[@]:0:2}" --restore "$work/state" --frames $((pairs + 3)) -q \
        -o "$out/%d.flo"
    run_well 1 "${sequence[@]}" --frames $((pairs + 3)) -q -o "$whole/%d.flo"
    holds "flow differs from that of an uninterrupted sequence" diff -rq "$out" "$whole"
}
if [ -n "$ranks_hear_signals" ]; then stopped INT 2; fi
stopped TERM 1
finish
