#!/usr/bin/env bash
# NumPy's arrays in C and in Fortran order, alone and in archives (.npz): read as numpy.load reads them, by
# any number of readers; commands give the same results, and what is wrong with a file is said.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python numpy
scripts=$(dirname "$0") out=$work/out
what='arrays in all their files'
holds 'other samples' "$python" "$scripts/compare_arrays.py" "$tools/read_pixels" "$work/many"
rm -rf "$work/many"
"$python" "$scripts/compare_arrays.py" make "$work" || exit 1

run_well 1 label "$work/grey.npy" -q -t 50 -o "$work/should.npy"
for name in grey-f.npy python2.npy grey.npz wide.npz grey.npz:/arr_0; do
    for ranks in 1 2 3 5; do
        run_well $ranks label "$work/$name" -q -t 50 -o "$out/is.npy"
        holds "other labels on $ranks ranks" cmp -s "$out/is.npy" "$work/should.npy"
        rm -f "$out"/*
    done
    case $name in *:*) continue ;; esac
    what="a pipe of $name"
    holds 'it cannot be read' "$program" label - -q -t 50 -o "$out/is.npy" < <(cat "$work/$name")
    holds 'other labels' cmp -s "$out/is.npy" "$work/should.npy"
    rm -f "$out"/*
done
# Numbers as of .npy: doubles, no greys.
run_well 1 run heat --input "$work/grey.npy" -n 2 -q -o "$work/heat.npy"
run_well 2 run heat --input "$work/grey.npz" -n 2 -q -o "$out/is.npy"
holds 'other cells' cmp -s "$out/is.npy" "$work/heat.npy"
rm -f "$out"/*
run_well 1 life "$work/cells.npy" -n 5 -q -o "$work/life.npy"
for ranks in 1 3; do
    run_well $ranks life "$work/cells-f.npy" -n 5 -q -o "$out/is.npy"
    holds 'other cells of life' cmp -s "$out/is.npy" "$work/life.npy"
    rm -f "$out"/*
done
# A batch of arrays in archives: outputs are named after these, and none of these is overwritten.
run_well 2 label "$work/grey.npz" "$work/two.npz:/cells" -q -t 50 -o "$out/{name}.npy"
holds 'other labels in a batch' cmp -s "$out/grey.npy" "$work/should.npy"
holds 'other labels of a named array in a batch' cmp -s "$out/two.npy" "$work/should.npy"
rm -f "$out"/*
fails 2 'is named twice' 1 label "$work/two.npz:/cells" -q -t 50 --json "$work/two.npz"

while IFS=$'\t' read -r name said; do
    for ranks in 1 3; do fails 1 "$said" $ranks label "$work/$name" -q -o "$out/is.npy"; done
done <"$work/BAD"
holds 'a file is left' [ -z "$(ls "$out")" ]
finish
