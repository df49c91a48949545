#!/usr/bin/env bash
# TIFF files without some of their strips or tiles, as GDAL writes them: those are 0, or GDAL's value for
# that; short ones, and those beyond the end of the file, are refused by their number.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python numpy
scripts=$(dirname "$0")
mkdir "$work/good" "$work/bad"
"$python" "$scripts/make_sparse_tiff.py" "$work" || exit 1

cat >"$work/compare.py" <<'PYTHON'
import glob
import sys
import numpy

folder, tool, scripts = sys.argv[1:]
sys.path.insert(0, scripts)
from read_pixels import read_pixels

paths = sorted(glob.glob(folder + "/good/*.tif"))
should = {path: numpy.load(path.replace(".tif", ".npy")) for path in paths}
assert len(paths) > 80
for want, axes in ("samples", 2), ("colours", 3):
    some = [path for path in paths if should[path].ndim == axes]
    for readers in (1, 3):
        for path, found in zip(some, read_pixels(tool, want, readers, some)):
            assert not isinstance(found, str), found
            real = found.dtype.kind == "f"
            assert numpy.array_equal(found, should[path], equal_nan=real), (path, found, should[path])
PYTHON
holds 'other pixels' "$python" "$work/compare.py" "$work" "$tools/read_pixels" "$scripts"

# Labels of ranks that read their own rows.
for name in 1 5 47; do
    run_well 1 label "$work/good/$name.npy" -q --values -o "$work/should.npy"
    for ranks in 1 2 3 5; do
        run_well $ranks label "$work/good/$name.tif" -q --values --nodata none -o "$work/out/is.npy"
        holds "other labels of $name.tif on $ranks ranks" cmp -s "$work/out/is.npy" "$work/should.npy"
        rm -f "$work/out"/*
    done
done
ranks=0
while read -r name words; do
    ranks=$((ranks % 3 + 1))
    fails 1 "$words" $ranks label "$work/bad/$name" -o "$work/out/is.npy"
done <"$work/bad.txt"
finish
