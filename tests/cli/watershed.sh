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
# Missing pixels are outside of the mask.
"$python" - "$work" <<'PYTHON'
import sys, numpy as np
work = sys.argv[1]
random = np.random.default_rng(8)
relief = random.permutation(70 * 90).reshape(70, 90).astype(np.float32)
hole = random.random((70, 90)) < .3
hole[30:50, 20:70] = True
other = random.random((70, 90)) > .1
np.save(work + "/nan.npy", np.where(hole, np.nan, relief))
np.save(work + "/seven.npy", np.where(hole, 7000, relief).astype(np.uint16))
np.save(work + "/relief.npy", relief)
np.save(work + "/hole.npy", ~hole)
np.save(work + "/other.npy", other)
np.save(work + "/both.npy", ~hole & other)
np.save(work + "/above.npy", ~hole & (relief >= 900))
PYTHON
# as_masked MASK WORD...: the same with the image and a mask as with missing pixels.
as_masked() {
    local mask=$1
    shift
    run_well 1 watershed "$work/relief.npy" --markers minima:300 --mask "$work/$mask" -q -o "$work/want.npy"
    for ranks in 1 3; do
        run_well "$ranks" watershed "$work/nan.npy" --markers minima:300 "$@" -q -o "$out/nan.npy"
        holds "other basins around NaN" cmp -s "$work/want.npy" "$out/nan.npy"
        run_well "$ranks" watershed "$work/seven.npy" --nodata 7000 --markers minima:300 "$@" -q -o "$out/seven.npy"
        holds "other basins around missing pixels" cmp -s "$work/want.npy" "$out/seven.npy"
    done
}
as_masked hole.npy
as_masked both.npy --mask "$work/other.npy"
as_masked above.npy -t 900
fails 2 'no pixel is in the mask' 2 watershed "$work/nan.npy" --markers minima -t 1e9 -o "$out/a.npy"

holds "no minima in the summary" grep -q '"minima": [1-9]' "$out/run.json"
finish
