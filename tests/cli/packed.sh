#!/usr/bin/env bash
# Compressed samples, and samples as text, under headers of NRRD and MetaImage.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python numpy
scripts=$(dirname "$0") out=$work/out
"$python" "$scripts/make_packed.py" "$work" || exit 1

run_well 1 label "$work/volume.npy" -q -o "$work/otsu.npy" --regions "$work/otsu.csv" -c 6
ranks=1
while read -r name; do
    ranks=$((ranks % 3 + 1))
    run_well $ranks label "$work/$name" -q -o "$out/is.npy" --regions "$out/is.csv" -c 6
    holds "other labels" cmp -s "$out/is.npy" "$work/otsu.npy"
    holds "other regions" cmp -s "$out/is.csv" "$work/otsu.csv"
    rm -f "$out"/*
done <"$work/GOOD"
# A pipe, which nobody can read twice.
for name in behind.nrrd behind.mha text.nrrd; do
    what="a pipe of $name"
    holds 'it cannot be read' eval '"$program" label - -q -o "$out/is.npy" -c 6 <"$work/$name" 2>"$work/stderr"'
    holds "other labels" cmp -s "$out/is.npy" "$work/otsu.npy"
    rm -f "$out"/*
done
while IFS=$'\t' read -r name what_is_said; do
    for ranks in 1 2; do
        fails 1 "$what_is_said" $ranks label "$work/$name" -q -o "$out/is.npy"
    done
done <"$work/BAD"
holds 'a file is left' [ -z "$(ls "$out")" ]

finish
