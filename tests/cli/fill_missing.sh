#!/usr/bin/env bash
# --fill-missing gives missing samples a value before anything else sees them: results are those of an image that has this
# value there, of all types, and in commands that need all samples.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys numpy scipy tifffile
out=$work/out
"$python" - "$work" <<'PYTHON'
import sys, numpy as np, tifffile
work = sys.argv[1]
random = np.random.default_rng(3)
shape = (53, 71)
hole = random.random(shape) < .2
grey = random.integers(20, 250, shape)
def pair(name, whole, missing, fill, **more):
    where = hole if whole.ndim == 2 else hole[..., None]
    tifffile.imwrite(f"{work}/{name}.tif", np.where(where, missing, whole).astype(whole.dtype), **more)
    tifffile.imwrite(f"{work}/{name}_filled.tif", np.where(where, fill, whole).astype(whole.dtype),
                     **{k: v for k, v in more.items() if k == "photometric"})
def tag(text):
    return [(42113, "s", 0, text, True)]
pair("f4", grey.astype("f4"), np.nan, 60)
pair("f8", grey.astype("f8"), -9999, 60, extratags=tag("-9999"))
pair("u1", grey.astype("u1"), 7, 60, extratags=tag("7"))
pair("u2", (grey * 200).astype("u2"), 9, 60)
pair("i2", (grey - 100).astype("i2"), -32768, 60, extratags=tag("-32768"))
pair("rgb", np.stack([grey, grey // 2, 250 - grey], -1).astype("u1"), 7, 60, photometric="rgb")
np.save(work + "/bits.npy", hole)
PYTHON

# alike NAME WORD...: the same of NAME with missing pixels as of NAME with 60 there.
alike() {
    local name=$1 ranks
    shift
    run_well 1 "$1" "$work/${name}_filled.tif" "${@:2}" -q -o "$work/want.npy"
    for ranks in 1 3; do
        run_well $ranks "$1" "$work/$name.tif" "${more[@]}" --fill-missing 60 "${@:2}" -q -o "$out/got.npy"
        holds "other results with missing samples" cmp -s "$work/want.npy" "$out/got.npy"
    done
}
more=()
for name in f4 f8 u1 i2; do
    alike $name filter gaussian:2
    alike $name label --filter 'median:1 gaussian:1' -t 70
done
alike f4 chan-vese -n 4
alike u1 chan-vese -n 4
alike i2 cluster -k 5
alike f8 watershed --markers minima:20
more=(--nodata 9)
alike u2 filter median:1
alike u2 cluster -k 5
more=(--nodata 7)
alike rgb filter gaussian:1
alike rgb cluster --colour -k 4 --filter gaussian:1
run_well 2 filter "$work/f4.tif" gaussian:2 --fill-missing 60 -o "$out/got.npy"
holds "not said" grep -q 'missing samples are taken for 60' <(tr '\n' ' ' <"$work/stdout" | tr -s ' ')

# Smoothing takes means of the samples that there are, where it is named which ones are not.
cat >"$work/means.py" <<'PYTHON'
import sys, numpy as np, tifffile
from scipy import ndimage as nd
name, missing, got, steps = sys.argv[1], float(sys.argv[2]), np.load(sys.argv[3]), sys.argv[4:]
image = tifffile.imread(name)
hole = np.isnan(image) if np.isnan(missing) else image == missing
def smooth(a):
    for step in steps:
        words = step.split(":")
        mode = "nearest" if "mode=nearest" in words else "reflect"
        a = (nd.gaussian_filter if words[0] == "gaussian" else nd.uniform_filter)(a, int(words[1]), mode=mode)
    return a
want = smooth(np.where(hole, 0, image).astype(float)) / smooth((~hole).astype(float))
real = got.dtype.kind == "f"
np.testing.assert_array_equal(np.isnan(got) if real else got == missing, hole)
np.testing.assert_allclose(got[~hole], want[~hole], rtol=1e-5 if real else 0, atol=1e-4 if real else .50001)
PYTHON
# means NAME VALUE STEP...
means() {
    local ranks
    run_well 1 filter "$work/$1.tif" "${more[@]}" "${@:3}" -q -o "$work/want.npy"
    holds "other means" "$python" "$work/means.py" "$work/$1.tif" "$2" "$work/want.npy" "${@:3}"
    for ranks in 2 5; do
        run_well $ranks filter "$work/$1.tif" "${more[@]}" "${@:3}" -q -o "$out/got.npy" --json "$out/run.json"
        holds "other bytes on $ranks ranks" cmp -s "$work/want.npy" "$out/got.npy"
    done
}
more=()
means f8 -9999 gaussian:2
means u1 7 gaussian:3:mode=nearest uniform:3
means i2 -32768 uniform:5:dtype=float32
means i2 -32768 gaussian:1
more=(--nodata 9)
means u2 9 gaussian:2
more=(--nodata nan)
means f4 nan uniform:7 gaussian:1
fails 1 'filter needs all of them' 2 filter "$work/f8.tif" gaussian:2 median:1 -o "$out/a.npy"
fails 1 'filter needs all of them' 2 filter "$work/u1.tif" gaussian:2:order=1 -o "$out/a.npy"

# Nothing is missing, or nothing can be.
run_well 2 filter "$work/u1_filled.tif" gaussian:2 --fill-missing 3 -q -o "$out/got.npy"
run_well 1 filter "$work/u1_filled.tif" gaussian:2 -q -o "$work/want.npy"
holds "another result" cmp -s "$work/want.npy" "$out/got.npy"
run_well 2 filter "$work/bits.npy" median:1 --nodata 1 --fill-missing 0 -q -o "$out/got.npy"
holds "a bit that was missing" "$python" -c 'import numpy, sys; assert not numpy.load(sys.argv[1]).any()' "$out/got.npy"

fails 2 'fill-missing 300 is no value of its samples, which have the type uint8' 2 filter "$work/u1.tif" invert \
    --fill-missing 300 -o "$out/a.npy"
fails 2 'fill-missing.* a number' 1 filter "$work/u1.tif" invert --fill-missing nan -o "$out/a.npy"
fails 1 'needs all of them.*--fill-missing' 2 filter "$work/f4.tif" gaussian:2 -o "$out/a.npy"
fails 1 'this filter cannot leave out; --fill-missing VALUE' 2 label "$work/u1.tif" --filter gaussian:2 -o "$out/a.npy"

finish
