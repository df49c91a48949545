#!/usr/bin/env bash
# Distances and indices in files are those of scipy, on any number of ranks.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python numpy scipy

"$python" - "$work" <<'PYTHON' || wrong "images"
import sys
import numpy as np
from scipy import ndimage
rng = np.random.default_rng(4)
image = ndimage.gaussian_filter(rng.random((150, 203)), 5)
np.save(f"{sys.argv[1]}/image.npy", ((image - image.min()) * 1e4 % 256).astype("u1"))
volume = ndimage.gaussian_filter(rng.random((21, 30, 70)), 2)
volume[3, 4, 5] = np.nan
np.save(f"{sys.argv[1]}/volume.npy", volume.astype("f4"))
np.save(f"{sys.argv[1]}/full.npy", np.ones((9, 400), "u1"))
PYTHON

for ranks in 1 2 3; do
    out=$work/out/$ranks
    mkdir "$out"
    run_well $ranks distance "$work/image.npy" -t 99 --quiet -o "$out/d.npy" --indices "$out/i.npy"
    run_well $ranks distance "$work/image.npy" -t 99 --signed --squared --quiet -o "$out/signed.npy"
    run_well $ranks distance "$work/image.npy" -t 99 --invert --edge 0 --quiet -o "$out/edge.tif"
    run_well $ranks distance "$work/volume.npy" -t .5..9 --quiet -o "$out/v.npy" --indices "$out/vi.npy" \
        --out-dtype float64
    run_well $ranks distance "$work/volume.npy" -t .5..9 --spacing '2,.5,.7 um' --quiet -o "$out/um.npy" \
        --out-dtype float64
    run_well $ranks distance "$work/image.npy" -t 99 --quiet --thickness "$out/t.npy" --spacing .5
    run_well $ranks distance "$work/volume.npy" -t .5..9 --quiet --thickness "$out/vt.npy"
    for file in d i signed v vi um t vt; do
        holds "$file.npy on $ranks ranks" cmp "$work/out/1/$file.npy" "$out/$file.npy"
    done
    holds "edge.tif on $ranks ranks" cmp "$work/out/1/edge.tif" "$out/edge.tif"
done
run_well 2 distance "$work/image.npy" -t 99 --squared --quiet -o "$work/out/s.npy" --json "$work/out/s.json"
run_well 2 distance "$work/full.npy" -t 1 --edge 0 --quiet -o "$work/out/e.npy"

"$python" - "$work" <<'PYTHON' || wrong "distances are not scipy's"
import json, sys
import numpy as np
from scipy.ndimage import distance_transform_edt as edt
work = sys.argv[1]
load = lambda name: np.load(f"{work}/out/{name}.npy")
image = np.load(f"{work}/image.npy") >= 99
distances, indices = edt(image, return_indices=True)
np.testing.assert_array_equal(load("1/d"), distances.astype("f4"))
np.testing.assert_array_equal(np.unravel_index(load("1/i"), image.shape), indices)
squares = np.rint(distances**2)
np.testing.assert_array_equal(load("s"), squares)
np.testing.assert_array_equal(load("1/signed"), squares - np.rint(edt(~image)**2))
assert (load("1/d").dtype, load("1/i").dtype, load("s").dtype, load("1/signed").dtype) == ("f4", "i4", "u4", "i4")
with np.errstate(invalid="ignore"):
    volume = np.load(f"{work}/volume.npy") >= .5
distances, indices = edt(volume, return_indices=True)
np.testing.assert_array_equal(load("1/v"), distances)
np.testing.assert_array_equal(np.unravel_index(load("1/vi"), volume.shape), indices)
np.testing.assert_array_max_ulp(load("1/um"), edt(volume, (2, .5, .7)), 2)
thickness, distances = load("1/vt"), load("1/v")
assert thickness.dtype == "f4" and (thickness[volume] >= 2 * distances[volume].astype("f4")).all()
assert not thickness[~volume].any() and thickness.max() == 2 * distances.max().astype("f4")
assert load("1/t").max() == load("1/d").max()
full = np.pad(np.ones((9, 400), bool), 1)
np.testing.assert_array_equal(load("e"), edt(full)[1:-1, 1:-1].astype("f4"))
report = json.load(open(f"{work}/out/s.json"))
assert report["command"] == "distance" and report["max_distance"] == edt(image).max() and not report["infinite"]
assert report["foreground_pixels"] == image.sum() and report["pixels"] == image.size and report["squared"]
PYTHON

# All foreground: infinite, with a warning; squares have the largest number.
run 3 distance "$work/full.npy" -t 1 -o "$work/out/f.npy" --json "$work/out/f.json"
holds "no warning" grep -q 'no pixel is background, so that distances are infinite; another threshold' "$work/stderr"
run 1 distance "$work/full.npy" -t 1 --squared --quiet -o "$work/out/fs.npy"
"$python" - "$work/out" <<'PYTHON' || wrong "infinite distances"
import json, sys
import numpy as np
assert np.isposinf(np.load(f"{sys.argv[1]}/f.npy")).all() and (np.load(f"{sys.argv[1]}/fs.npy") == 2**32 - 1).all()
report = json.load(open(f"{sys.argv[1]}/f.json"))
assert report["infinite"] and report["max_distance"] is None and len(report["warnings"]) == 1
PYTHON

# Many images.
run_well 2 distance "$work/image.npy" "$work/full.npy" -t 50 -o "$work/out/{name}-d.tif"
holds "no second result" test -s "$work/out/full-d.tif"
finish
