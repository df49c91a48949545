#!/usr/bin/env bash
# A closed terminal ends what ./run has started as SIGTERM does: with a checkpoint, though MPICH's
# launcher itself would die of it.

# A shell that was started with SIGHUP ignored, by nohup, cannot stop to ignore it.
if [ -z "${HANGUPS_HEARD:-}" ]; then
    HANGUPS_HEARD=1 exec env --default-signal=HUP bash "$0" "$@"
fi
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
[ "$launcher" = mpich ] || skip "Open MPI's launcher outlives it"
root=$(readlink -f "$(dirname "$0")/../..") state=$work/state
# shellcheck source=tools/launch.sh
source "$root/tools/launch.sh"

# check SIGNAL: what ./run would start gets it.
check() {
    local status=0 job
    what="SIG$1"
    rm -f "$state"
    (
        trap - EXIT
        outlive_hangups "$mpiexec" -n 2 env --default-signal=HUP "$program" life soup:300x300:35% \
            -n 100000000000 --quiet --checkpoint "$state" --checkpoint-every 1000
    ) >"$work/stdout" 2>"$work/stderr" &
    job=$!
    holds 'no checkpoint' wait_until "$limit" [ -e "$state" ]
    kill "-$1" "$job"
    wait "$job" || status=$?
    # Of a job that was asked to end, MPICH's launcher says 1 or, as often, 0.
    holds "exit status $status" [ "$status" -le 1 ]
    holds 'no word of a signal' grep -q 'stopped by a signal at generation' "$work/stderr"
    run_well 1 life --restore "$state" -n 1 --quiet
}
check HUP
check TERM
finish
