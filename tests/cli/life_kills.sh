#!/usr/bin/env bash
# A run that is killed at any moment leaves its last complete checkpoint. A hundred are killed, each
# of which goes on from where the one before was saved.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys

kills=100
state=$work/out/state
exec 2>"$work/shell" # it has a word for everything that was killed
RANDOM=7 # delays of a run of this test are those of the next

# start RANKS: a run that does little else than writing checkpoints.
start() {
    local -a from=(soup:700x500:30% --checkpoint-every 3)
    start_with "$1"
    if [ -e "$state" ]; then from=(--restore "$state" --checkpoint-every 3); fi
    "${starter[@]}" "$program" life "${from[@]}" -g 1000000000 --checkpoint "$state" --quiet \
        </dev/null >"$work/stdout" 2>"$work/stderr" &
    process=$!
}

# running: the processes that write the checkpoint, launchers included. Not every machine has pgrep.
running() {
    local -a files=(/proc/[0-9]*/cmdline) # before there is a grep, which would find itself
    grep -lsF -- "$state" "${files[@]}" | tr -dc '0-9\n'
}

# kill_all: every rank and its launcher at once, and nobody is asked.
kill_all() {
    local -a all
    mapfile -t all < <(running)
    while [ "${#all[@]}" -gt 0 ]; do
        kill -KILL "${all[@]}"
        sleep 0.01
        mapfile -t all < <(running)
    done
    wait "$process"
}

# writing: until the run has a checkpoint under way, or a few seconds.
writing() {
    local tries
    for ((tries = 0; tries < 500; tries++)); do
        if compgen -G "$work/out/.state.partial*" >/dev/null; then return; fi
        sleep 0.01
    done
}

# check_state RANKS: it can be read, and is the soup's generation that it says it is. Comparing
# with a run without interruptions takes longer, so only every tenth time.
last=0 saved=0
check_state() {
    local at
    [ -e "$state" ] || return 0
    run_well "$1" life --restore "$state" -g 0 --quiet --json "$work/out/run.json" -o "$work/cells.npy"
    at=$(told state generation)
    holds "generation $at after $last" [ "$at" -ge "$last" ]
    if [ "$at" -gt "$last" ]; then saved=$((saved + 1)); fi
    last=$at
    if [ $((count % 10)) = 0 ]; then
        run_well 1 life soup:700x500:30% -g "$at" --quiet -o "$work/whole.npy"
        holds "not generation $at" cmp -s "$work/cells.npy" "$work/whole.npy"
    fi
}

for ((count = 1; count <= kills; count++)); do
    # Half of them while it starts or soon after, half between two checkpoints or in one.
    start $((1 + count % 3))
    if [ $((count % 2)) = 0 ]; then writing; fi
    sleep "0.$(printf '%03d' $((RANDOM % 200)))"
    kill_all
    check_state 1
done
# Or it has been killed too early each time, and nothing was tested.
holds "only $saved checkpoints in $kills runs" [ "$saved" -ge $((kills / 10)) ]
# The next checkpoint takes away what the killed ones left, once nobody has them as zombies any more.
for ((tries = 0; tries < 50; tries++)); do
    run_well 1 life --restore "$state" -g 1 --checkpoint "$state" --quiet
    left=$(find "$work/out" -name '.*partial*' | wc -l)
    if [ "$left" = 0 ]; then break; fi
    sleep 0.2
done
holds "$left unfinished files are left" [ "$left" = 0 ]
finish
