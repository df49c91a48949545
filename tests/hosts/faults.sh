#!/usr/bin/env bash
# shellcheck disable=SC2317  # wait_until calls what it is given
# A host, or a rank, of which nothing is heard any more: it is named within 10 seconds, and a job with
# --patience is over on every host within that and 5 seconds, with its last checkpoint intact. So is one
# that cannot start on all hosts.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/../cli/lib.sh"

patience=6
state=$work/out/state
# Two ranks a host, or one.
few=4
if more; then few=8; fi
pattern=soup:400x400:35%
# A place of its own, which a host may lack.
mkdir "$work/bin"
cp "$program" "$work/bin/halobeat"
cp "$(mpi_library)" "$work/bin" # found there as well
program=$work/bin/halobeat

# ranks_left: processes of the job on hosts that are there, all but those that stand still.
ranks_left() {
    local pid count=0
    for pid in $(pgrep -x -f "$program life $pattern .*"); do
        if ! grep -q '^State:.T' "/proc/$pid/status" 2>/dev/null; then count=$((count + 1)); fi
    done
    echo "$count"
}

# Prints how long what was waited for took.
took() { echo "$what: $* after $((took / 10)).$((took % 10)) s"; }

saved() { [ -e "$state" ]; }
named() { grep -q "no sign of .*$1" "$work/stderr"; }
nobody_left() { [ "$(ranks_left)" = 0 ]; }

# start RANKS: a job on all hosts that has saved a checkpoint.
start() {
    rm -f "$state"
    start_on_hosts "$1"
    "${starter[@]}" "$program" life "$pattern" -n 1000000000 --patience $patience --quiet --wait sleep \
        --checkpoint "$state" --checkpoint-every 500 </dev/null >"$work/stdout" 2>"$work/stderr" &
    job=$!
    holds 'no checkpoint' wait_until "$limit" saved
}

# check_end HOST: it is named, and all ranks end.
check_end() {
    holds "$1 was not named" wait_until 10 named "$1"
    took named
    holds 'ranks are left' wait_until $((patience + 5)) nobody_left
    took 'over, a further time'
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

# check_start PLACE RANKS: the job, on whose host2 something is mounted at PLACE, cannot begin, says so, and ends with
# its launcher.
check_start() {
    local status=0 began=$SECONDS
    start_on_hosts "$2"
    timeout -k 2 $((patience + 30)) "${starter[@]}" "$program" life "$pattern" -n 10 --quiet \
        --patience $patience </dev/null >"$work/stdout" 2>"$work/stderr" || status=$?
    echo "$what: over after $((SECONDS - began)) s"
    holds "exit status $status" [ "$status" = 75 ]
    holds 'it took too long' [ $((SECONDS - began)) -le $((patience + 5)) ]
    holds 'nothing was said' grep -q 'host0 has waited for .* s for all ranks to start' "$work/stderr"
    holds 'ranks are left' wait_until 5 nobody_left
    on host2 umount "$1"
}

what='the program is missing on a host'
on host2 mount -t tmpfs tmpfs "$work/bin"
check_start "$work/bin" 8

printf '#!/bin/sh\nexit 3\n' >"$work/fails"
printf '#!/bin/sh\nexec sleep 1000\n' >"$work/sleeps"
chmod +x "$work/fails" "$work/sleeps"
what='the program fails on a host before MPI has begun'
on host2 mount --bind "$work/fails" "$program"
check_start "$program" "$few"
what='the program does not come to begin on a host'
on host2 mount --bind "$work/sleeps" "$program"
check_start "$program" "$few"

what='a host stands still'
start 8
stop_host host2
check_end host2
check_checkpoint
on host2 sh -c 'kill -KILL -1' 2>/dev/null

what='a host is cut off'
kill_host host2
start_host 2
start "$few"
cut_host host2
check_end host2
check_checkpoint

what='a host loses power'
kill_host host2
start_host 2
start "$few"
kill_host host1
check_end host1
check_checkpoint

what='one rank stands still, and the job is asked to stop'
start_host 1
start "$few"
kill -STOP "$(pgrep -x -f "$program life $pattern .*" | tail -n 1)"
kill -TERM "$job"
holds 'it did not end' wait_until 11 nobody_left
took over
kill -KILL "$job" 2>/dev/null
finish
