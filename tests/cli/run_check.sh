#!/usr/bin/env bash
# `halobeat run KERNEL --check` finds kernels that do not keep to what their tables say, and names the
# cell and the neighbour; it finds nothing wrong with others.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
faulty=$tools/faulty.so

# Most runs have one rank, which the check gives threads, and some have two or three; some grids are small.
ranks=(1 1 2 1 1 3) small=(--size 10x9) solid=5x6x4
if more; then ranks=(1 2 3) small=() solid=9x8x7; fi
# right KERNEL ARGUMENT...: on $by ranks, if that is set.
right() {
    run_well "${by:-${ranks[runs++ % ${#ranks[@]}]}}" run "$@" --check
    holds 'no word about it' grep -q '^check .* reads and writes what its table says: [1-9][0-9]* decompositions of ' \
        <(unbroken)
}
# wrong_with FAULT PATTERN: on any number of ranks by the same sentence.
wrong_with() {
    fails 2 "kernel \"faulty\" $2" "${ranks[runs++ % ${#ranks[@]}]}" run "$faulty" --fault "$1" --check "${@:3}"
}

right heat
right heat3d --size $solid
right heat --edge held --tolerance .001
right heat --dtype float32 --periodic x --size 20x10
right "$tools/steer.so" "${small[@]}"
right "$tools/stripes.so"
right "$tools/rise.so" "${small[@]}"
for fault in none corners far-for-nothing bits two in-place sum advance; do
    right "$faulty" --fault "$fault" "${small[@]}"
done

beyond='reads beyond its depth of 1: after beat [1-4] the cell at'
wrong_with far "$beyond row [0-9]*, column [0-9]* depends on its neighbour at distance row 0, column 2; set .depth = 2"
wrong_with far-rarely "$beyond row [0-9]*, column [0-9]* depends on its neighbour at distance row -3, column 0; set .depth = 3"
wrong_with diagonal 'reads diagonally, and its table does not say so: after beat 1 the cell at row [0-9]*, column [0-9]* depends on its neighbour at distance row -1, column 1; set .corners = true'
wrong_with bits-far "$beyond row [0-9]*, column [0-9]* depends on its neighbour at distance row -2, column 0; set .depth = 2"
wrong_with two-far "$beyond row [0-9]*, column [0-9]* depends on its neighbour at distance row 0, column 2; set .depth = 2"
wrong_with in-place-far "$beyond row [0-9]*, column [0-9]* depends on its neighbour at distance row 0, column -2; set .depth = 2"
wrong_with advance-far "$beyond row [0-9]*, column [0-9]* depends on its neighbour at distance row 2, column 0; set .depth = 2"
wrong_with place 'computes the cell at row [0-9]*, column [0-9]* differently in a part of the grid than in all of it'
wrong_with inside 'computes the cell at .* with a halo for two beats, where .todo. has cells of the halo'
wrong_with random 'computes a cell differently each time'
wrong_with unwritten 'does not write every cell of .todo.: the cell at row 0, column '
wrong_with outside 'writes a cell that is not in .todo.: the cell at row '
wrong_with start 'starts with other cells in a part of the grid than in all of it: the cell at row '
wrong_with count 'counts [0-9]* changed cells in 3 parts at beat 1, and [0-9]* in one'
# Also where an axis is periodic, or narrow.
wrong_with far "$beyond" --periodic y
wrong_with diagonal 'reads diagonally' --size 5x9

# Variables that threads share: each thread of `halobeat run` has its own, and a program has one for all.
shared='kernel "buffer" computes the cell at row [0-9]*, column [0-9]* differently, at beat [1-4], while other threads compute'
run 1 run "$tools/buffer.so" --check
holds "exit status $status" [ "$status" = 0 ]
holds "$(cat "$work/stderr")" [ "$(grep -c "$shared.*halobeat run. gives each thread a copy" "$work/stderr")" = 1 ]
holds 'no word of threads' grep -q 'and 3 threads at a time' <(unbroken)
by=3 right "$tools/buffer_unsafe.so" --size 20x10
right "$faulty" --fault in-place "${small[@]}"

# A fault that it names is one of runs, too: another result in other decompositions.
for fault in far diagonal; do
    common=("$faulty" --fault "$fault" --size 12x10 -n 4 -q)
    run_well 1 run "${common[@]}" -o "$work/one.npy"
    run_well 4 run "${common[@]}" -o "$work/four.npy" --decomposition 2x2
    if cmp -s "$work/one.npy" "$work/four.npy"; then wrong "$fault makes no difference"; fi
done

# It is no run.
refusing=run
refuse 'check cannot be given with --output' heat --check -o x.npy
refuse 'check cannot be given with --beats' heat --check -n 3
refuse '2 axes.*size has 3' heat --check --size 9x9x9
run_well 2 run heat --check --json "$work/out/run.json"
holds 'no facts' [ "$(told kernel)" = heat ]
# Programs of one kernel have it, too.
program=$6
run_well 1 --check
run_well 2 --check --size 9x30
# program_fails PATTERN RANKS ARGUMENT...: status 2 and one line.
program_fails() {
    run "${@:2}"
    holds "exit status $status" [ "$status" = 2 ]
    holds "$(messages)" [ "$(messages | grep -c .),$(messages | grep -c -e "$1")" = 1,1 ]
}
program=$tools/buffer
program_fails "$shared.*keep them in its state or declare them _Thread_local" 1 --check
program_fails "$shared" 2 --check
program_fails "$shared" 1 --check -j 3 --size 300x40
# A program that says so has one rank, or processes.
run_well 1 -j 1 --size 200x100 -n 50 -q -o "$work/right.npy"
program=$tools/buffer_unsafe
run 1 --size 200x100 -n 50 -q -o "$work/next.npy"
holds "exit status $status" [ "$status" = 0 ]
holds 'another result' cmp -s "$work/right.npy" "$work/next.npy"
if [ "$(nproc)" -gt 1 ]; then
    holds "$(cat "$work/stderr")" grep -q 'not thread-safe, as its table says: there is one rank; for one on each core, start processes with mpiexec -n' "$work/stderr"
fi
run_well 3 --size 200x100 -n 50 -q -o "$work/next.npy"
holds 'another result of processes' cmp -s "$work/right.npy" "$work/next.npy"
program_fails 'ranks 3 makes threads of one process, and kernel "buffer" is not thread-safe' 1 -j 3 --size 9x9
run_well 1 -j 1 --check
finish
