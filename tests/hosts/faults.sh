#!/usr/bin/env bash
# shellcheck disable=SC2317  # wait_until calls what it is given
# A host, or a rank, of which nothing is heard any more: it is named within 10 seconds, and a job with
# --patience is over on every host 5 seconds after that, with its last checkpoint intact.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/../cli/lib.sh"

patience=8
state=$work/out/state
pattern=soup:1500x1500:35%

# ranks_left: processes of the job on hosts that are there, all but those that stand still.
ranks_left() {
    local pid count=0
    for pid in $(pgrep -x -f "$program life $pattern .*"); do
        if ! grep -q '^State:.T' "/proc/$pid/status" 2>/dev/null; then count=$((count + 1)); fi
    done
    echo "$count"
}

# wait_until SECONDS COMMAND...: until it succeeds; leaves in $took how many tenths of a second it took.
wait_until() {
    local limit=$((10 * $1))
    for ((took = 0; took < limit; took++)); do
        "${@:2}" && return
        sleep 0.1
    done
    false
}

saved() { [ -e "$state" ]; }
named() { grep -q "no sign of .*$1" "$work/stderr"; }
nobody_left() { [ "$(ranks_left)" = 0 ]; }

# start: a job on all hosts that has saved a checkpoint.
start() {
    rm -f "$state"
    start_on_hosts 8
    "${starter[@]}" "$program" life "$pattern" -n 1000000000 --patience $patience --quiet \
        --checkpoint "$state" --checkpoint-every 500 </dev/null >"$work/stdout" 2>"$work/stderr" &
    job=$!
    holds 'no checkpoint' wait_until "$limit" saved
}

# check_end HOST: it is named, and all ranks end.
check_end() {
    holds "$1 was not named" wait_until 10 named "$1"
    holds 'ranks are left' wait_until $((patience + 5)) nobody_left
    kill -KILL "$job" 2>/dev/null
    wait "$job" 2>/dev/null
    cp "$state" "$work/kept"
}

# check_checkpoint: one rank can go on with it.
check_checkpoint() {
    timeout "$limit" "$program" life --restore "$work/kept" -n 1 --quiet -o "$work/after.npy" ||
        wrong 'the checkpoint is damaged'
    good
}

what='a host stands still'
start
stop_host host2
check_end host2
check_checkpoint
on host2 sh -c 'kill -KILL -1' 2>/dev/null

what='a host is cut off'
kill_host host2
start_host 2
start
cut_host host2
check_end host2
check_checkpoint

what='a host loses power'
kill_host host2
start_host 2
start
kill_host host1
check_end host1
check_checkpoint

what='one rank stands still, and the job is asked to stop'
start_host 1
start
kill -STOP "$(pgrep -x -f "$program life $pattern .*" | tail -n 1)"
kill -TERM "$job"
holds 'it did not end' wait_until 11 nobody_left
kill -KILL "$job" 2>/dev/null
finish
