#!/usr/bin/env bash
# A job that is asked to stop may take its time to save, as long as all ranks are there: it says so, and
# ends at once, without saving, when it is asked again. All jobs are asked at the same time: ranks that are threads,
# and those of MPI.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
# AddressSanitizer wants to be loaded first, unless told that it need not.
export ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0
said='halobeat life: asked to stop: the job ends when .* send the signal again' kinds=(threads)
case $launcher in
    mpich) kinds+=(mpi) ;;
    openmpi) echo "skipped: ranks of Open MPI, whose launcher kills them two seconds after the signal" ;;
esac
declare -A jobs

# start KIND SECONDS: a job whose second checkpoint takes so long, which is what a signal makes it save. It has the
# folder $work/KIND/SECONDS.
start() {
    local own=$work/$1/$2 syncs
    mkdir -p "$own/out"
    mkfifo "$own/told"
    # Each checkpoint syncs its data, its file and its folder, and MPI its data once more.
    starter=() syncs=3 at=(--ranks 2)
    if [ "$1" = mpi ]; then
        start_with 2
        syncs=4 at=()
    fi
    "${starter[@]}" env LD_PRELOAD="$tools/fail_nth.so" FAIL_NTH="0 sync $syncs HOLD" FAIL_FOLDER="$own/out" \
        HOLD_TOLD="$own/told" HOLD_SECONDS="$2" "$program" life soup:300x300:35% -n 100000000000 --quiet \
        "${at[@]}" --checkpoint "$own/out/state" --checkpoint-every 100000 \
        </dev/null >"$own/stdout" 2>"$own/stderr" &
    jobs[$1/$2]=$!
}

# of KIND SECONDS: what is said from now on is about this job.
of() {
    job=${jobs[$1/$2]} what="a checkpoint of ranks by $1 takes $2 seconds"
    own=$work/$1/$2
    cp "$own/stderr" "$work/stderr"
}

for kind in "${kinds[@]}"; do
    start "$kind" 13
    start "$kind" 100
done
for kind in "${kinds[@]}"; do
    for seconds in 13 100; do
        of "$kind" "$seconds"
        timeout "$limit" head -n 1 "$own/told" >"$own/line"
        holds 'it did not come to save' grep -q here "$own/line"
    done
done
began=$SECONDS
kill -TERM "${jobs[@]}"

for kind in "${kinds[@]}"; do
    of "$kind" 100
    holds 'no word about what it waits for' wait_until "$limit" grep -q "$said" "$own/stderr"
    if [ "$kind" = threads ]; then
        kill -TERM "$job"
    else # the ranks: MPICH's launcher passes a signal on once
        files=(/proc/[0-9]*/cmdline) # before there is a grep, which would find itself
        grep -lsF -- "$own/out/state" "${files[@]}" | tr -dc '0-9\n' | xargs kill -TERM
    fi
    wait "$job"
    of "$kind" 100
    holds "it ended after $((SECONDS - began)) s" [ $((SECONDS - began)) -le 50 ]
    holds 'no word about the end' grep -q 'asked to stop again: ended without saving' "$own/stderr"
    run_well 1 life --restore "$own/out/state" -n 1 --quiet
done

for kind in "${kinds[@]}"; do
    wait "${jobs[$kind/13]}"
    of "$kind" 13
    holds "it ended after $((SECONDS - began)) s" [ $((SECONDS - began)) -ge 12 ]
    holds 'no word about what it waits for' grep -q "$said" "$own/stderr"
    holds 'the word comes twice' [ "$(grep -c "$said" "$own/stderr")" = 1 ]
    holds 'no word of a signal' grep -q 'stopped by a signal at generation' "$own/stderr"
    run_well 1 life --restore "$own/out/state" -n 1 --quiet
done
finish
