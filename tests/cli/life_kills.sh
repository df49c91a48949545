#!/usr/bin/env bash
# A run that is killed at any moment leaves its last complete checkpoint, and the next goes on from
# there. Ranks are held at each call that writes a checkpoint (hold_call.c), and everything is killed
# then; some more runs are killed after random times.
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

# start RANKS POINT: a run that does little else than writing checkpoints, from the last one on; it
# stops at that point if there is one.
start() {
    local -a from=(soup:700x500:30%) held=()
    start_with "$1"
    if [ -e "$state" ]; then from=(--restore "$state"); fi
    if [ -n "$2" ]; then
        held=(env LD_PRELOAD="$tools/hold_call.so" HOLD_POINT="$2" HOLD_TOLD="$told")
    fi
    what="halobeat life on $1 ranks, killed at ${2:-any moment}"
    "${starter[@]}" "${held[@]}" "$program" life "${from[@]}" -g 1000000000 --checkpoint "$state" \
        --checkpoint-every "$every" --quiet </dev/null >"$work/killed" 2>&1 &
    process=$! # whose launcher may still have something to say when the next run writes
}

# running: the processes that write the checkpoint, launchers included. Not every machine has pgrep.
running() {
    local -a files=(/proc/[0-9]*/cmdline) # before there is a grep, which would find itself
    grep -lsF -- "$state" "${files[@]}" | tr -dc '0-9\n'
}

# kill_all: every rank and its launcher at once, and nobody is asked. Returns when the last of them is
# gone: what a zombie has left is not taken away.
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
            [ -e "/proc/$id" ] || break
            sleep 0.01
        done
    done
}

# unfinished: how many files that a checkpoint was to become are left.
unfinished() { find "$work/out" -name '.*partial*' | wc -l; }

# as_without_interruptions: the checkpoint is that of a run that nobody has killed.
as_without_interruptions() {
    local interrupted=$what
    run_well 1 life soup:700x500:30% -g "$generation" --quiet --checkpoint "$work/whole"
    what=$interrupted
    holds "not generation $generation" cmp -s "$state" "$work/whole"
}

# kill_at RANKS POINT SAVED LEFT: a run is killed at that point, when it has saved so many checkpoints
# more; as many unfinished files are left.
generation=0
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
    generation=$((generation + every * $3))
    if [ "$3" -gt 0 ]; then
        as_without_interruptions
    elif [ -e "$work/before" ]; then
        holds 'the checkpoint has changed' cmp -s "$state" "$work/before"
    else
        holds 'there is a checkpoint' [ ! -e "$state" ]
    fi
}

# The first rank writes the head, its rows, checksums and the checksum of these, and renames.
for ranks in 1 2 3; do
    kill_at $ranks '0 1 rename 1 before' 0 1
    kill_at $ranks '0 1 rename 1 after' 1 0
done
kill_at 2 '0 1 open 1 before' 0 0
kill_at 2 '0 1 open 1 after' 0 1
for number in 1 2 3 4; do
    kill_at 2 "0 1 write $number half" 0 1
done
kill_at 2 '0 1 write 4 after' 0 1
kill_at 2 '0 2 sync 1 after' 1 1
kill_at 2 '0 1 close 1 after' 0 1
kill_at 1 '0 4 write 2 half' 3 1
# Others have rows, and wait for the first rank to rename.
kill_at 2 '1 1 write 1 half' 0 1
kill_at 2 '1 1 write 1 after' 0 1
kill_at 2 '1 2 close 1 after' 1 1
kill_at 3 '2 1 write 1 half' 0 1

# At any moment, mostly while it starts or soon after. How far it had come is the machine's affair.
RANDOM=7
for ((count = 0; count < 4; count++)); do
    start $((1 + count % 3)) ''
    sleep "0.$(printf '%03d' $((RANDOM % 200)))"
    kill_all
    last=$generation
    run_well 1 life --restore "$state" -g 0 --quiet --json "$work/out/run.json"
    generation=$(told state generation)
    holds "generation $generation after $last" [ "$generation" -ge "$last" ]
    as_without_interruptions
done
run_well 1 life --restore "$state" -g 1 --checkpoint "$state" --quiet
holds "$(unfinished) unfinished files are left" [ "$(unfinished)" = 0 ]
finish
