#!/usr/bin/env bash
# Compressed samples, and samples as text, under headers of NRRD and MetaImage.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python numpy
scripts=$(dirname "$0") out=$work/out
"$python" "$scripts/make_packed.py" "$work" || exit 1
run_well 1 --version
if grep -q 'NRRD with bzip2' "$work/stdout"; then
    echo 'skipped: NRRD with bzip2, not installed: libbz2-dev'
    sed -i '/bzip2\|streams/d' "$work/GOOD" "$work/BAD"
fi

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
    # shellcheck disable=SC2016 # eval expands it
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

# Outputs: one stream, the same bytes for any number of ranks, which Python's zlib and gzip unpack.
run_well 1 label "$work/volume.npy" -q -t 30000 -o "$work/should.npy"
for ending in mha nrrd nii.gz; do
    for ranks in 1 2 3 5; do
        run_well $ranks label "$work/volume.npy" -q -t 30000 --compress deflate -o "$out/is-$ranks.$ending"
        holds "other bytes on $ranks ranks" cmp -s "$out/is-$ranks.$ending" "$out/is-1.$ending"
    done
    what="compressed labels in .$ending"
    holds 'they are others, or not compressed' "$python" "$scripts/make_packed.py" "$work" check \
        "$out/is-1.$ending"
    run_well 2 label "$out/is-1.$ending" -q --values -o "$out/again.npy"
    holds 'they are others when read' cmp -s "$out/again.npy" "$work/should.npy"
    rm -f "$out"/*
done
run_well 3 label "$work/volume.npy" -q -t 30000 -o "$out/is-1.nii.gz"
what='.nii.gz without --compress'
holds 'it is not compressed' "$python" "$scripts/make_packed.py" "$work" check "$out/is-1.nii.gz"

finish
