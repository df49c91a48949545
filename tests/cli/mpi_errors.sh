#!/usr/bin/env bash
# A rank whose call of MPI fails says so itself, with rank, host and call, and ends the job: nobody
# waits for it, in no command, whichever call it is (fail_call.c). The exit status is 75.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys

# AddressSanitizer wants to be loaded first, unless told that it need not.
export ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0:detect_leaks=0
host=$(uname -n)
ends_within=10 runs=0

# started POINT: the command with a call that fails; leaves $status and $took, in seconds.
started() {
    local begun=$SECONDS
    status=0
    : >"$work/counts"
    what="halobeat ${given[*]} on 3 ranks, failing: $1"
    timeout -k 5 "$limit" "$mpiexec" "${flags[@]}" -n 3 env LD_PRELOAD="$tools/fail_call.so" \
        FAIL_POINT="$1" FAIL_COUNTS="$work/counts" "$program" "${given[@]}" \
        </dev/null >"$work/stdout" 2>"$work/stderr" || status=$?
    took=$((SECONDS - begun)) runs=$((runs + 1))
    if [ "$status" -gt 2 ] && [ "$status" != 75 ]; then check_sanitizers; fi
}

# one_fails RANK CALL NUMBER: the job ends at once, with one message of that rank.
one_fails() {
    local number=$3 said wanted="^halobeat [a-z-]*: rank $1 on $host ends the job: an MPI call failed: "
    started "$1 $2 $number"
    # How often a rank asks, and how many beats an exchange serves, depends on time.
    while [ "$status" = 0 ] && [ "$number" -gt 1 ] && ! reached "$2" "$number"; do
        number=$((number / 2))
        started "$1 $2 $number"
    done
    said=$(grep -c '^halobeat' "$work/stderr")
    [ "$took" -le "$ends_within" ] || wrong "it took $took s to end"
    [ "$status" = 75 ] || wrong "exit status $status, not 75"
    [ "$said" = 1 ] || wrong "$said messages, not one"
    grep -q "$wanted\\(MPI_$2: \\)\\?." "$work/stderr" || wrong 'no message of that rank'
    good
}

# reached CALL NUMBER: in the run just ended, which was a good one, the call was made so often.
reached() {
    local made
    made=$(sed -n "s/^$1 //p" "$work/counts")
    [ "${made:-0}" -ge "$2" ]
}

# count_calls RANK ARGUMENT...: leaves in $work/calls how often this rank calls what in a good run.
count_calls() {
    given=("${@:2}")
    started "$1 None 1"
    holds "exit status $status" [ "$status" = 0 ]
    holds 'calls were not counted' grep -q '^Iallreduce ' "$work/counts"
    mv "$work/counts" "$work/calls"
}

# each_call RANK ARGUMENT...: all calls that this rank makes fail in turn, the first time, and with `more` once again in
# the middle.
each_call() {
    local rank=$1 call number
    count_calls "$@"
    while read -r call number; do
        [ "$call" != Init_thread ] || continue
        one_fails "$rank" "$call" 1
        if more && [ "$number" -ge 4 ]; then one_fails "$rank" "$call" $((number / 2)); fi
        failed[$call]=yes
    done <"$work/calls"
}

# own_calls RANK ARGUMENT...: the same of what this command does between beginning and end; without `more`, of each
# fourth call and of those that have not failed in another command.
declare -A failed
own_calls() {
    local rank=$1 call number place=0
    count_calls "$@"
    while read -r call number; do
        case $call in Init_thread | Finalize | Comm_idup | Allreduce) continue ;; esac
        if more || [ -z "${failed[$call]:-}" ] || [ $((place % 4)) = 0 ]; then
            one_fails "$rank" "$call" $((number - number / 3))
        fi
        place=$((place + 1)) failed[$call]=yes
    done <"$work/calls"
}

image=$data/camera.png out=$work/out
# Each call fails with MPICH. With Open MPI, which starts more slowly, some do: how a job ends is what differs.
if [ "$launcher" = openmpi ]; then
    given=(life soup:300x200:35% -n 60 --quiet --checkpoint "$out/c")
    for call in Comm_idup Iallreduce Isend Finalize; do one_fails 1 "$call" 1; done
    one_fails 0 Irecv 9
else
    each_call 1 life soup:300x200:35% -n 60 --quiet --balance chain --checkpoint "$out/c" -o "$out/o.npy"
    own_calls 0 life soup:300x200:35% -n 60 --quiet --vote tree
    own_calls 2 run heat --size 90x70 --beats 20 --quiet --exchange persistent --decomposition blocks \
        -o "$out/heat.png"
    own_calls 1 run heat3d --size 20x20x20 --beats 20 --quiet --exchange neighbour -o "$out/heat.npy"
    own_calls 1 label "$image" -o "$out/labels.npy" --json "$out/l.json" --quiet
    own_calls 0 label "$image" --method settle --quiet
    own_calls 2 cluster "$image" -k 5 -n 4 --quiet -o "$out/clusters.png"
    own_calls 1 chan-vese "$image" -n 9 --quiet -o "$out/inside.png"
    own_calls 2 snake "$image" --init circle:255,255,120 -n 5 --quiet -o "$out/s.csv"
    own_calls 1 motion "$image" "$image" -k 20 --quiet -o "$out/m.flo"
    own_calls 0 synthetic --size 30x40 --beats 20 --quiet --balance chain
fi

# Before MPI has started there is no message to other ranks: the launcher ends them.
given=(life soup:20x20:30% -n 2 --quiet)
started '1 Init_thread 1'
holds "exit status $status" [ "$status" != 0 ]
holds "it took $took s to end" [ "$took" -le "$ends_within" ]

# A fault of the program ends the rank at once: no handler of a library below MPI, which could wait for
# ever, gets the signal. A job of the shell sends it to the rank that runs it.
for number in 4 6 7 8 11; do
    # shellcheck disable=SC2016 # what the job's shell is to expand
    for ranks in 1 2; do
        run "$ranks" tasks -- 'kill -{} $PPID; sleep 0.1' ::: "$number"
        holds "signal $number ends with status $status" [ "$status" != 0 ]
        holds "a library handles signal $number" [ "$(grep -c -i -e 'caught signal' -e backtrace "$work/stderr")" = 0 ]
    done
done
echo "$runs runs"
# MPI ends the process in place of returning, before there is a job.
for how in exit abort; do
    what="halobeat label, MPI ends by $how when it is started" status=0
    "$mpiexec" "${flags[@]}" -n 1 env FAIL_START="$how" LD_PRELOAD="$tools/fail_call.so" \
        "$program" label "$data/brick.png" >"$work/stdout" 2>"$work/stderr" || status=$?
    holds "exit status $status, not 75" [ "$status" = 75 ]
    holds 'not one message' [ "$(grep -c '^halobeat label: MPI could not be started, .*try again$' "$work/stderr")" = 1 ]
    # Another rank does not wait for it.
    what="halobeat label, MPI of the second rank ends by $how when it is started" status=0
    timeout -k 5 "$limit" "$mpiexec" "${flags[@]}" -n 1 "$program" label "$data/brick.png" : \
        -n 1 env FAIL_START="$how" LD_PRELOAD="$tools/fail_call.so" "$program" label "$data/brick.png" \
        </dev/null >"$work/stdout" 2>"$work/stderr" || status=$?
    holds "exit status $status, not 75" [ "$status" = 75 ]
    holds 'no message' grep -q 'halobeat label: MPI could not be started, .*try again$' "$work/stderr"
done
finish
