#!/usr/bin/env bash
# Labels in TIFF as other programs open them: a classic file with ImageJ's description below 4 GiB, a stack
# of planes with their spacing, compressed or not.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python numpy tifffile
out=$work/out

# The last one has several strips a plane where it is compressed.
"$python" - "$work" <<'PYTHON' || exit 1
import sys
import numpy

random = numpy.random.RandomState(5)
for name, shape in [("volume", (11, 30, 41)), ("page", (30, 41)), ("tall", (3, 40000, 7))]:
    numpy.save(f"{sys.argv[1]}/{name}.npy", (random.rand(*shape) < (0.05 if name == "tall" else 0.3)).astype("u1"))
PYTHON

cat >"$work/check.py" <<'PYTHON'
import sys
import numpy
import tifffile

path, labels, dtype, spacing = sys.argv[1:]
should = numpy.load(labels)
with tifffile.TiffFile(path) as file:
    about = file.imagej_metadata
    assert file.is_imagej and not file.is_bigtiff, "not ImageJ's"
    assert len(file.series) == 1 and file.series[0].axes == ("ZYX" if should.ndim == 3 else "YX")
    found = file.asarray()
    if file.pages[0].compression == 1:
        found = tifffile.memmap(path)
    assert found.dtype == dtype and (found == should).all(), "other labels"
    planes = len(should) if should.ndim == 3 else 1
    assert about["images"] == planes and about.get("slices", 1) == planes, about
    tags = file.pages[0].tags
    if spacing == "none":
        assert 282 not in tags and "spacing" not in about
    else:
        spacing = [float(length) for length in spacing.split(",")]
        down, across = (tags[tag].value for tag in (283, 282))
        assert abs(down[1] / down[0] - spacing[-2]) < 1e-9, down
        assert abs(across[1] / across[0] - spacing[-1]) < 1e-9, across
        assert about.get("spacing") == (spacing[0] if should.ndim == 3 else None), about
PYTHON

while read -r name spacing; do
    options=()
    if [ "$spacing" != none ]; then options=(--spacing "$spacing"); fi
    run_well 1 label "$work/$name.npy" -q -o "$work/should.npy"
    for type in uint16 uint32; do
        for packing in none deflate; do
            for ranks in 1 2 5; do
                run_well $ranks label "$work/$name.npy" -q --out-dtype $type "${options[@]}" \
                    --compress $packing -o "$out/is-$ranks.tif"
                holds "other bytes on $ranks ranks" cmp -s "$out/is-$ranks.tif" "$out/is-1.tif"
            done
            holds "tifffile finds another stack" "$python" "$work/check.py" "$out/is-1.tif" \
                "$work/should.npy" $type "$spacing"
            run_well 2 label "$out/is-1.tif" --values -q -o "$out/again.npy"
            rm -f "$out"/*
        done
    done
done <<'TABLE'
volume none
volume 2.5,0.65,0.3333
page 0.65,1000000
tall 1e-3,3,0.125
TABLE
finish
