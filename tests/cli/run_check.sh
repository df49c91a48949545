#!/usr/bin/env bash
# `halobeat run KERNEL --check` finds kernels that do not keep to what their tables say, and names the
# cell and the neighbour; it finds nothing wrong with others.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
faulty=$tools/faulty.so

# right KERNEL ARGUMENT...
right() {
    run_well $((1 + runs++ % 3)) run "$@" --check
    holds 'no word about it' grep -q '^check .* reads and writes what its table says: [1-9][0-9]* decompositions of ' \
        <(unbroken)
}
# wrong_with FAULT PATTERN: on any number of ranks by the same sentence.
wrong_with() {
    fails 2 "kernel \"faulty\" $2" $((1 + runs++ % 3)) run "$faulty" --fault "$1" --check "${@:3}"
}

right heat
right heat3d --size 9x8x7
right heat --edge held --tolerance .001
right heat --dtype float32 --periodic x --size 20x10
right "$tools/steer.so"
right "$tools/stripes.so"
right "$tools/rise.so"
for fault in none corners far-for-nothing bits two in-place sum advance; do
    right "$faulty" --fault "$fault"
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

# What it names is what a run does: another result in other decompositions.
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
finish
