#!/usr/bin/env bash
# A job that is asked to stop may take its time to save, as long as all ranks are there: it says so, and
# ends at once, without saving, when it is asked again. Ranks are threads and those of MPI, and all jobs are asked at
# the same time.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
# AddressSanitizer wants to be loaded first, unless told that it need not.
export ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0
said='halobeat life: asked to stop: the job ends when .* send the signal again'
kinds=(threads)
case $launcher in
    mpich) kinds+=(mpi) ;;
    openmpi) echo "skipped: ranks of Open MPI, whose launcher kills them two seconds after the signal" ;;
esac
declare -A jobs

# start KIND NAME: a small job whose second checkpoint, which is what a signal makes it save, is not done before there is a
# file `go`. It has the folder $work/KIND/NAME.
start() {
    local own=$work/$1/$2 point='0 sync 3 HOLD' # each syncs its file and its folder, and MPI syncs the data before
    local -a ranks=(--ranks 2)
    mkdir -p "$own/out"
    mkfifo "$own/told"
    starter=()
    if [ "$1" = mpi ]; then
        start_with 2
        point='0 sync 4 HOLD' ranks=()
    fi
    "${starter[@]}" env LD_PRELOAD="$tools/fail_nth.so" FAIL_NTH="$point" FAIL_FOLDER="$own/out" \
        HOLD_TOLD="$own/told" HOLD_UNTIL="$own/go" "$program" life soup:60x60:35% -n 100000000000 --quiet --wait sleep \
        "${ranks[@]}" --checkpoint "$own/out/state" --checkpoint-every 2000 \
        </dev/null >"$own/stdout" 2>"$own/stderr" &
    jobs[$1/$2]=$!
}

# of KIND NAME: what is said from now on is about this job.
of() {
    own=$work/$1/$2 job=${jobs[$1/$2]} what="a job of $1 that saves for long, $2"
    cp "$own/stderr" "$work/stderr"
}

# shellcheck disable=SC2317 # `wait_until` calls it
ended() { ! kill -0 "$job" 2>"$work/gone"; }

# asked_again KIND: the launcher of MPICH passes a signal on once, and ranks have to be asked themselves.
asked_again() {
    local -a files=(/proc/[0-9]*/cmdline) # before there is a grep, which would find itself
    if [ "$1" = mpi ]; then
        grep -lsF -- "$own/out/state" "${files[@]}" | tr -dc '0-9\n' | xargs kill -TERM
    else
        kill -TERM "$job"
    fi
}

for kind in "${kinds[@]}"; do
    for name in once again; do start "$kind" "$name"; done
done
for kind in "${kinds[@]}"; do
    for name in once again; do
        of "$kind" "$name"
        timeout "$limit" head -n 1 "$own/told" >"$own/line"
        holds 'it did not come to save' grep -q here "$own/line"
    done
done
kill -TERM "${jobs[@]}"

for kind in "${kinds[@]}"; do
    of "$kind" again
    holds 'no word about what it waits for' wait_until "$limit" grep -q "$said" "$own/stderr"
    asked_again "$kind"
    holds 'it does not end' wait_until "$limit" ended
    touch "$own/go"
    wait "$job"
    status=$?
    of "$kind" again
    holds "exit status $status" [ "$status" != 0 ]
    holds 'no word about the end' grep -q 'asked to stop again: ended without saving' "$own/stderr"
    run_well 1 life --restore "$own/out/state" -n 1 --quiet

    of "$kind" once
    holds 'no word about what it waits for' wait_until "$limit" grep -q "$said" "$own/stderr"
    holds 'it does not wait' kill -0 "$job"
    touch "$own/go"
    wait "$job"
    status=$?
    of "$kind" once
    [ "$kind" = mpi ] || holds "exit status $status" [ "$status" = 1 ] # MPICH's launcher has one of its own
    holds 'the word comes twice' [ "$(grep -c "$said" "$own/stderr")" = 1 ]
    holds 'no word of a signal' grep -q 'stopped by a signal at generation' "$own/stderr"
    run_well 1 life --restore "$own/out/state" -n 1 --quiet
done
finish
