#!/usr/bin/env bash
# A run that is killed leaves its last complete checkpoint, and the next goes on from there. Ranks
# are held at chosen calls that write a checkpoint (hold_call.c), and everything is killed then.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys

state=$work/out/state
every=3
told=$work/told
mkfifo "$told"
exec 2>"$work/shell" # it has a word for everything that was killed
# AddressSanitizer wants to be loaded first, unless told that it need not.
export ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0

# start RANKS POINT: a run that writes a checkpoint every few beats, from the last one on; it stops
# at that point, which is a call of MPI: one rank is started by mpiexec, too.
start() {
    local -a from=("${given[@]}")
    start_with "$1"
    [ ${#starter[@]} -gt 0 ] || starter=("$mpiexec" "${flags[@]}" -n 1)
    if [ -e "$state" ]; then from=(${again:+"${given[0]}"} --restore "$state"); fi
    what="halobeat $command on $1 ranks, killed at $2"
    "${starter[@]}" env LD_PRELOAD="$tools/hold_call.so" HOLD_POINT="$2" HOLD_TOLD="$told" \
        "$program" "$command" "${from[@]}" "$count" 1000000000 --checkpoint "$state" \
        --checkpoint-every "$every" --quiet </dev/null >"$work/killed" 2>&1 &
    process=$! # whose launcher may still have something to say when the next run writes
}

# running: the processes that write the checkpoint, launchers included. Not every machine has pgrep.
running() {
    local -a files=(/proc/[0-9]*/cmdline) # before there is a grep, which would find itself
    grep -lsF -- "$state" "${files[@]}" | tr -dc '0-9\n'
}

# is_over PROCESS: all of its threads have ended. Then its files are closed, although the system's first process
# may take seconds to hear of the end.
is_over() {
    local status tasks=(/proc/"$1"/task/*)
    [ "${#tasks[@]}" = 1 ] || return
    { status=$(<"/proc/$1/status"); } 2>/dev/null || return 0
    [[ $status =~ State:[[:space:]]*Z ]]
}

# kill_all: every rank and its launcher at once, and nobody is asked. Returns when the last of them is over.
kill_all() {
    local -a all killed=()
    local id tries
    mapfile -t all < <(running)
    while [ "${#all[@]}" -gt 0 ]; do
        kill -KILL "${all[@]}"
        killed+=("${all[@]}")
        sleep 0.01
        mapfile -t all < <(running)
    done
    wait "$process"
    for id in "${killed[@]}"; do
        for ((tries = 0; tries < 100 * limit; tries++)); do
            ! is_over "$id" || break
            sleep 0.01
        done
    done
}

# unfinished: how many files that a checkpoint was to become are left.
unfinished() { find "$work/out" -name '.*partial*' | wc -l; }

# as_without_interruptions: the checkpoint is that of a run that nobody has killed.
as_without_interruptions() {
    local interrupted=$what
    run_well 1 "$command" "${given[@]}" "$count" "$beats" --quiet --checkpoint "$work/whole"
    what=$interrupted
    holds "not beat $beats" cmp -s "$state" "$work/whole"
}

# kill_at RANKS POINT SAVED LEFT: a run is killed at that point, when it has saved so many
# checkpoints more; as many unfinished files are left.
kill_at() {
    local reached=''
    rm -f "$work/before"
    [ ! -e "$state" ] || cp "$state" "$work/before"
    start "$1" "$2"
    read -r -t "$limit" reached <>"$told"
    kill_all
    cp "$work/killed" "$work/stderr"
    holds 'it did not get there' [ "$reached" = here ]
    holds "$(unfinished) unfinished files, not $4" [ "$(unfinished)" = "$4" ]
    beats=$((beats + every * $3))
    if [ "$3" -gt 0 ]; then
        as_without_interruptions
    elif [ -e "$work/before" ]; then
        holds 'the checkpoint has changed' cmp -s "$state" "$work/before"
    else
        holds 'there is a checkpoint' [ ! -e "$state" ]
    fi
}

# killed COMMAND COUNT AGAIN ARGUMENT...: its table, of ranks, point, what is saved and left. COUNT
# is its option for the beats; AGAIN is not empty if its first argument is given again with a
# checkpoint.
killed() {
    local ranks point saved left
    command=$1 count=$2 again=$3 given=("${@:4}") beats=0
    rm -f "$state"
    while IFS='|' read -r ranks point saved left; do
        kill_at $((ranks)) "${point# }" $((saved)) $((left))
    done < <(rows)
    run_well 1 "$command" ${again:+"${given[0]}"} --restore "$state" "$count" 1 --quiet \
        --checkpoint "$state"
    holds "$(unfinished) unfinished files are left" [ "$(unfinished)" = 0 ]
}

# The file is there before MPI opens it. The first rank writes the head, its rows, checksums and the
# checksum of these, and renames; others have rows, and wait for it.
killed life -n '' soup:700x500:30% <<TABLE
1|0 1 rename 1 before|0|1
1|0 1 rename 1 after|1|0
+ 2|0 1 rename 1 before|0|1
+ 2|0 1 rename 1 after|1|0
+ 3|0 1 rename 1 before|0|1
3|0 1 rename 1 after|1|0
2|0 1 open 1 before|0|1
2|0 1 open 1 after|0|1
2|0 1 write 1 half|0|1
2|0 1 write 2 half|0|1
+ 2|0 1 write 3 half|0|1
2|0 1 write 4 half|0|1
2|0 1 write 4 after|0|1
2|0 2 sync 1 after|1|1
2|0 1 close 1 after|0|1
1|0 4 write 2 half|3|1
2|1 1 write 1 half|0|1
2|1 1 write 1 after|0|1
2|1 2 close 1 after|1|1
3|2 1 write 1 half|0|1
TABLE

# Others write by the same calls; what they keep besides cells goes on as well.
"$python" "$(dirname "$0")/snake_shapes.py" make star 128 0.1 "$work/star.png"
others() {
    killed "$@" <<TABLE
+ 2|0 1 write 2 half|0|1
3|0 2 rename 1 after|2|0
+ 1|0 1 rename 1 before|0|1
2|1 2 close 1 after|1|1
TABLE
}
others run --beats again "$tools/steer.so" --size 190x230 --seed 77
others cluster --beats again "$data/camera.png" -k 600 --weight 6
others chan-vese -n again "$data/camera.png" --smoothing 2
others snake --beats again "$work/star.png" --init grid:4x4 --spacing 3 --order jacobi \
    --until change:0 --beta 5 --window 7 --floor 0 --sigma 1

# A log has each beat once, in whatever order it and the checkpoint were written before the end: the process of
# one rank, or of three that are threads, is killed at its calls that write or rename a file. Two threads go on, with
# `more` two processes.
threads=1
if more; then threads=''; fi
rm -rf "${work:?}/out" && mkdir "$work/out"
logged=(run heat --size 20x30 --beats 12 --every 1 --quiet)
run_well 1 "${logged[@]}" --log "$work/log.csv"
mapfile -t calls < <(some 2 write\ {3..30..3} rename\ {1..6})
for call in "${calls[@]}"; do
    rm -f "$work/out"/*
    HALOBEAT_RANKS=$((4 - HALOBEAT_RANKS)) # 3, 1, 3, ...
    FAIL_NTH="0 $call KILL" FAIL_FOLDER=$work/out LD_PRELOAD=$tools/fail_nth.so "$program" "${logged[@]}" \
        --log "$work/out/log.csv" --checkpoint "$state" --checkpoint-every 1 --resume </dev/null >"$work/killed" 2>&1
    HALOBEAT_TEST_THREADS=$threads run_well 2 "${logged[@]}" --log "$work/out/log.csv" --checkpoint "$state" --checkpoint-every 1 --resume
    what="a log of a run that was killed at $call"
    holds 'another log' cmp -s "$work/log.csv" "$work/out/log.csv"
done
finish
