#!/usr/bin/env bash
# A kernel that ends its process, crashes or does not return, on one of the ranks that are threads: all end, by one
# message that names the rank and the beat, and nothing is half written.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
ulimit -c 0
# Sanitizers leave these signals, and the stacks for them, to the program.
export ASAN_OPTIONS=$ASAN_OPTIONS:handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:use_sigaltstack=0
# With a deeper halo two ranks update the row.
kernel=(run "$tools/ends.so" --size 60x60 -n 30 -q --halo-depth 1) name='halobeat run'
run_well 1 "${kernel[@]}" -o "$work/right.npy"

# ended STATUS PATTERN: the last run of the program.
ended() {
    holds "exit status $status, not $1" [ "$status" = "$1" ]
    holds "$(cat "$work/stderr")" grep -q "^$name: $2" "$work/stderr"
    holds 'more than one message' [ "$(grep -c "^$name" "$work/stderr")" = 1 ]
    holds "files: $(ls -A "$work/out")" [ -z "$(ls -A "$work/out")" ]
}

# run_with_stack KIB ARGUMENT...: this kernel where stacks have so much.
run_with_stack() {
    local before
    before=$(ulimit -s)
    ulimit -S -s "$1"
    run 1 "${kernel[@]}" "${@:2}"
    ulimit -S -s "$before"
}

# ends STATUS HOW PATTERN: on the middle one of several ranks.
ends() {
    local ranks
    for ranks in "${counts[@]}"; do
        run 1 "${kernel[@]}" --how "$2" --ranks "$ranks" -o "$work/out/cells.npy" \
            --checkpoint "$work/out/state" --json "$work/out/run.json"
        ended "$1" "rank $((ranks / 2)) $3 in the update of beat 17"
    done
}

# deep RANKS KIB: a stack that is full is named; its size is the limit of the process, and at least 8 MiB for threads.
deep() {
    run_with_stack "$2" --how deep --ranks "$1" -o "$work/out/cells.npy"
    ended 139 "rank $(($1 / 2)) crashed in the update of beat 17: segmentation fault, since its stack of $2 KiB is full (ulimit -s)"
}

# in_all_ways: each end that takes no time.
in_all_ways() {
    ends 1 exit 'called exit'
    ends 1 leave 'called pthread_exit'
    ends 134 abort 'crashed'
    ends 139 crash 'crashed'
    ends 136 divide 'crashed'
}
counts=(1 3 5)
in_all_ways
for kib in 8192 16384 9001; do
    for ranks in 1 2 5; do deep "$ranks" "$kib"; done
done

# as_program: the same of a program of this kernel, made by halo_main.
as_program() {
    local program=$tools/ends kernel=("${kernel[@]:2}") name=ends counts=(3)
    run_well 1 "${kernel[@]}" --ranks 3 -o "$work/own.npy"
    holds 'another result' cmp -s "$work/right.npy" "$work/own.npy"
    in_all_ways
    deep 2 8192
}
as_program

# An output of an earlier run stays, and so does a checkpoint, from which the run goes on.
run_well 1 "${kernel[@]:0:4}" -n 10 -q --ranks 3 --checkpoint "$work/state"
cp "$work/right.npy" "$work/kept.npy"
run 1 "${kernel[@]:0:2}" --restore "$work/state" -n 20 -q --how crash --ranks 3 -o "$work/kept.npy" \
    --checkpoint "$work/state"
holds "exit status $status" [ "$status" = 2 ] # the options are those of the checkpoint
run 1 "${kernel[@]}" --how crash --at 9 --ranks 3 -o "$work/kept.npy" --checkpoint "$work/state"
holds "exit status $status" [ "$status" = 139 ]
holds 'the output is another one' cmp -s "$work/right.npy" "$work/kept.npy"
run_well 1 run "$tools/ends.so" --restore "$work/state" -n 20 -q --ranks 2 -o "$work/rest.npy"
holds 'another result after the crash' cmp -s "$work/right.npy" "$work/rest.npy"

# ---- a rank that does not return ------------------------------------------------------------------

# hang FILE ARGUMENT...: starts such a run; leaves its number in $job.
hang() {
    "${hanging[@]}" --how hang --ranks 3 "${@:2}" >"$1" 2>&1 </dev/null &
    job=$!
}
hanging=("$tools/ends" "${kernel[@]:2}")
hang "$work/own" --patience 5
own=$job
hanging=("$program" "${kernel[@]}")
stuck='rank 1 has been in the update of beat 17 for [0-9]* seconds, while the others wait: the job ends'
what='a rank that hangs, with --patience' began=$SECONDS
hang "$work/patient" --patience 5
patient=$job
hang "$work/asked" --checkpoint "$work/out/state"
asked=$job
hang "$work/interrupted"
for run in interrupted asked; do
    holds 'it does not hang' wait_until "$limit" grep -q '^ends: hangs' "$work/$run"
done
kill -TERM "$asked"

# A second Ctrl-C ends at once.
what='a rank that hangs, and Ctrl-C'
kill -INT "$job"
sleep .2
kill -INT "$job"
wait "$job"
status=$?
holds "exit status $status" [ "$status" = 130 ]

what='a rank that hangs, with --patience'
wait "$patient"
status=$?
holds "exit status $status" [ "$status" = 75 ]
holds "$(cat "$work/patient")" grep -q "^halobeat run: $stuck after 5 seconds" "$work/patient"
holds "$(cat "$work/patient")" grep -q "^halobeat run: $stuck, as --patience 5 says" "$work/patient"
holds "it took $((SECONDS - began)) s" [ $((SECONDS - began)) -le 30 ]
what='a program of its own that hangs, with --patience'
wait "$own"
status=$?
holds "exit status $status" [ "$status" = 75 ]
holds "$(cat "$work/own")" grep -q "^ends: $stuck, as --patience 5 says" "$work/own"

# A message says what a signal waits for, and another signal ends the job.
what='a rank that hangs, and a signal'
said='^halobeat run: asked to stop: the job ends when .* send the signal again to end it at once'
holds "$(cat "$work/asked")" wait_until "$limit" grep -q "$said" "$work/asked"
kill -TERM "$asked"
wait "$asked"
status=$?
holds "exit status $status" [ "$status" = 1 ]
holds "$(cat "$work/asked")" grep -q 'asked to stop again: ended without saving' "$work/asked"
holds "files: $(ls -A "$work/out")" [ -z "$(ls -A "$work/out")" ]
finish
