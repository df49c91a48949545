#!/usr/bin/env bash
# A long sequence that is stopped by a signal, and goes on from its checkpoint as if nothing had
# happened.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
frames=400
"$tools/flow_tool" make "$work/frame-%d.png" 4 5 -3 160 120 8 || wrong 'no frames'
# The same four again and again.
for ((i = 4; i < frames; i++)); do ln -s "frame-$((i % 4)).png" "$work/frame-$i.png"; done
sequence=(motion "$work/frame-%d.png" -k 24 --radius 16)

# stopped SIGNAL RANKS: launchers have their own ideas about the exit status after a signal.
stopped() {
    local process pairs
    local -a starter=()
    if [ "$2" != 1 ]; then starter=("$mpiexec" "${flags[@]}" -n "$2"); fi
    what="SIG$1 on $2 ranks"
    rm -rf "${work:?}/cut" "$work/whole"
    mkdir "$work/cut" "$work/whole"
    "${starter[@]}" "$program" "${sequence[@]}" --checkpoint "$work/state" --checkpoint-every 100 \
        -o "$work/cut/%d.flo" --balance lb2 </dev/null >"$work/stdout" 2>"$work/stderr" &
    process=$!
    for _ in $(seq 400); do
        if [ -f "$work/cut/1.flo" ]; then break; fi
        sleep 0.05
    done
    kill -s "$1" "$process"
    status=0
    wait "$process" || status=$?
    if [ "$2" = 1 ]; then holds "exit status $status, not 1" [ "$status" = 1 ]; fi
    holds "no word about the signal" grep -q 'stopped by a signal' <(unbroken)
    holds "no message" grep -q 'motion: stopped by a signal after pair .*--restore.*state' \
        "$work/stderr"
    pairs=$(find "$work/cut" -name '*.flo' | wc -l)
    holds "$pairs pairs in spite of the signal" [ "$pairs" -lt $((frames - 1)) ]
    run_well 3 "${sequence[@]:0:2}" --restore "$work/state" --frames $((pairs + 3)) -q \
        -o "$work/cut/%d.flo"
    run_well 1 "${sequence[@]}" --frames $((pairs + 3)) -q -o "$work/whole/%d.flo"
    holds "flow differs from that of an uninterrupted sequence" diff -rq "$work/cut" "$work/whole"
}
# Open MPI takes a second before it passes a signal on, and another before it kills.
if [ "$launcher" = mpich ]; then stopped INT 2; fi
stopped TERM 1
finish
