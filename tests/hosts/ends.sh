#!/usr/bin/env bash
# Short jobs of every command on four hosts end, with the right status, when they have written their
# files, within 10 seconds even on a machine that is busy; how long it took is printed. A job that is
# done and does not end is what users of a cluster would meet first. The sixth argument is a program
# made with halo_main, the seventh how often each job is started.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/../cli/lib.sh"
own_program=$6 rounds=${7:-1}

# newest: the file that was written last.
newest() {
    find "$work/out" "$work/stderr" -type f -printf '%T@ %p\n' | sort -n | tail -n 1 | cut -d ' ' -f 2-
}

# ends STATUS RANKS PROGRAM ARGUMENT...: start it; what it writes is in $work/out.
slowest=0
ends() {
    local wanted=$1 ranks=$2 status=0 last after
    shift 2
    what="$(basename "$1") ${*:2} ($ranks ranks on ${#hosts[@]} hosts)"
    start_on_hosts "$ranks"
    timeout -k 5 "$limit" "${starter[@]}" "$@" </dev/null >"$work/stdout" 2>"$work/stderr" || status=$?
    last=$(newest)
    after=$(($(date +%s%3N) - $(date -r "$last" +%s%3N)))
    if [ "$status" = 124 ] || [ "$status" = 137 ]; then
        wrong "still there $after ms after it wrote $(basename "$last")"
    elif [ "$status" != "$wanted" ]; then
        wrong "exit status $status, not $wanted"
    elif [ "$after" -gt 10000 ]; then
        wrong "it ended $after ms after it wrote $(basename "$last")"
    else
        good
        if [ "$after" -gt "$slowest" ]; then slowest=$after; fi
    fi
    rm -rf "${work:?}/out"/*
}

brick=$data/brick.png out=$work/out
for ((round = 0; round < rounds; round++)); do
    ends 0 8 "$program" label "$brick" --quiet -o "$out/labels.png" --regions "$out/regions.csv"
    ends 0 5 "$program" life soup:200x200:35% -n 10 --quiet -o "$out/after.rle" --checkpoint "$out/state"
    ends 0 4 "$program" run heat --size 64x64 --beats 20 --quiet -o "$out/heat.npy"
    ends 0 6 "$program" cluster "$brick" -k 20 -n 3 --quiet -o "$out/labels.npy"
    ends 0 4 "$program" chan-vese "$brick" -n 5 --quiet -o "$out/inside.png"
    ends 0 3 "$program" snake "$data/coffee.png" --init circle:100,100,50 -n 5 --quiet -o "$out/contour.csv"
    ends 0 7 "$program" motion "$brick" "$brick" --quiet -o "$out/flow.npy"
    ends 0 4 "$program" synthetic --beats 20 --json "$out/run.json"
    ends 0 4 "$program" bench vote --repeat 1 --beats 10 --json "$out/bench.json"
    ends 0 8 "$own_program" --size 50x50 --beats 5 --quiet -o "$out/own.npy"
    ends 1 4 "$program" label "$work/none.png"
    ends 2 6 "$program" life --no-such-option
done
echo "a job was over at most $slowest ms after it had written its last file"
finish
