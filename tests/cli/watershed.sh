#!/usr/bin/env bash
# Basins of images and volumes, with any number of ranks: scikit-image's, where no pixels are equal.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python numpy skimage
out=$work/out
check=$(dirname "$0")/watershed_check.py
"$python" "$check" make "$work"

for ranks in 1 2 5; do
    run_well "$ranks" watershed "$work/image.npy" --markers "$work/markers.npy" -q -o "$out/plain.npy"
    run_well "$ranks" watershed "$work/image.npy" --markers "$work/markers.npy" --mask "$work/mask.npy" -c 8 -q \
        -o "$out/mask.npy"
    run_well "$ranks" watershed "$work/image.npy" --markers "$work/markers.npy" -t 900 -q -o "$out/threshold.npy"
    run_well "$ranks" watershed "$work/image.npy" --markers minima -q -o "$out/minima.npy"
    run_well "$ranks" watershed "$work/volume.npy" --markers "$work/points.npy" -c 26 -q -o "$out/volume.npy"
    holds "other basins with $ranks ranks" "$python" "$check" compare "$work" "$out"
    run_well "$ranks" watershed "$work/flat.png" --markers minima:60 --line -q --json "$out/run.json" -o "$out/line.png"
    [ "$ranks" != 1 ] || cp "$out/line.png" "$work/line.png"
    holds "other lines with $ranks ranks" cmp -s "$out/line.png" "$work/line.png"
done
holds "no minima in the summary" grep -q '"minima": [1-9]' "$out/run.json"
finish
