#!/usr/bin/env bash
# A job that is asked to stop may take its time to save, as long as all ranks are there: it says so, and
# ends at once, without saving, when it is asked again.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
[ "$launcher" = mpich ] || skip "Open MPI's launcher kills its ranks two seconds after the signal"
# AddressSanitizer wants to be loaded first, unless told that it need not.
export ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0
state=$work/state told=$work/told said='halobeat life: asked to stop: the job ends when .* send the signal again'
mkfifo "$told"

# start SECONDS: a job whose second checkpoint takes so long, which is what a signal makes it save.
start() {
    rm -f "$state"
    start_with 2
    what="a checkpoint takes $1 seconds"
    "${starter[@]}" env LD_PRELOAD="$tools/hold_call.so" HOLD_POINT='0 2 sync 1 before' \
        HOLD_TOLD="$told" HOLD_SECONDS="$1" "$program" life soup:300x300:35% -n 100000000000 --quiet \
        --checkpoint "$state" --checkpoint-every 100000 </dev/null >"$work/stdout" 2>"$work/stderr" &
    job=$!
    timeout "$limit" head -n 1 "$told" >"$work/line"
    holds 'it did not come to save' grep -q here "$work/line"
    began=$SECONDS
    kill -TERM "$job"
}

start 13
wait "$job"
holds "it ended after $((SECONDS - began)) s" [ $((SECONDS - began)) -ge 12 ]
holds 'no word about what it waits for' grep -q "$said" "$work/stderr"
holds 'the word comes twice' [ "$(grep -c "$said" "$work/stderr")" = 1 ]
holds 'no word of a signal' grep -q 'stopped by a signal at generation' "$work/stderr"
run_well 1 life --restore "$state" -n 1 --quiet

start 100
holds 'no word about what it waits for' wait_until "$limit" grep -q "$said" "$work/stderr"
files=(/proc/[0-9]*/cmdline) # before there is a grep, which would find itself
# The ranks: MPICH's launcher passes a signal on once.
grep -lsF -- "$state" "${files[@]}" | tr -dc '0-9\n' | xargs kill -TERM
wait "$job"
holds "it ended after $((SECONDS - began)) s" [ $((SECONDS - began)) -le 14 ]
holds 'no word about the end' grep -q 'asked to stop again: ended without saving' "$work/stderr"
run_well 1 life --restore "$state" -n 1 --quiet
finish
