#!/usr/bin/env bash
# Where an image lies in space: what the headers of all formats say is written into every output that can hold
# it, with the same bytes for any number of ranks, and is read back from there.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python numpy
scripts=$(dirname "$0") out=$work/out
"$python" "$scripts/check_geometry.py" make "$work" || exit 1
peers=0
if has_python 'NIfTI in nibabel' nibabel; then peers=1; fi

ranks=1
while read -r name axes; do
    rm -f "$out"/*
    for ending in mha mhd nii nrrd; do
        run_well 1 label "$work/$name" -t 50 -q -o "$out/one.$ending" --json "$out/of.json"
    done
    what="$name"
    holds 'an output lies elsewhere' "$python" "$scripts/check_geometry.py" check "$work" "$name" \
        "$out"/one.{mha,mhd,nii,nrrd} "$out/of.json"
    if [ $peers = 1 ]; then
        holds 'nibabel sees it elsewhere' "$python" "$scripts/check_geometry.py" peers "$work" "$name" "$out/one.nii"
    fi
    # From one format to the next, and the same on more ranks.
    ranks=$((ranks % 3 + 1))
    for ending in mha nii nrrd; do
        run_well $ranks label "$work/$name" -t 50 -q -o "$out/several.$ending"
        holds "other bytes on $ranks ranks in .$ending" cmp -s "$out/one.$ending" "$out/several.$ending"
    done
    run_well 1 label "$out/one.nrrd" -t 1 -q -o "$out/again.nii"
    run_well 1 label "$out/again.nii" -t 1 -q -o "$out/again.nrrd" --json "$out/again.json"
    what="$name, from format to format"
    holds 'it lies elsewhere' "$python" "$scripts/check_geometry.py" check "$work" "$name" \
        "$out"/again.{nii,nrrd,json}
    [ "$axes" != 0 ] || wrong 'no axes'
done <"$work/LIST"

# What a header cannot mean is left out with a warning, and the samples are read.
for file in "$work"/bad-*; do
    run 2 label "$file" -t 50 -q -o "$out/good.npy" --json "$out/bad.json"
    holds "exit status $status" [ "$status" = 0 ]
    holds 'no warning' grep -q 'where it lies in space.*is left out' "$work/stderr"
    if grep -q '"direction"' "$out/bad.json"; then wrong 'a direction is reported'; else good; fi
done

finish
