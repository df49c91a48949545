#!/usr/bin/env bash
# Labels that are compressed: the same bytes for every number of ranks, opened by other programs and read
# again; what cannot be compressed is refused with what can.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python numpy scipy
out=$work/out files=$work/files
mkdir "$files"

# Smooth regions, and noise that runs do not serve; rows longer than deflate looks back, strips of one row,
# planes of several strips and of one.
"$python" - "$files" <<'PYTHON' || exit 1
import sys
import numpy
from scipy import ndimage

folder = sys.argv[1]
random = numpy.random.RandomState(3)


def smooth(*shape):
    image = ndimage.gaussian_filter(random.rand(*shape), 2)
    return (image > numpy.median(image)).astype("u1")


numpy.save(folder + "/volume.npy", smooth(9, 301, 270))
numpy.save(folder + "/noise.npy", (random.rand(5, 200, 150) < 0.3).astype("u1"))
numpy.save(folder + "/image.npy", smooth(700, 613))
numpy.save(folder + "/wide.npy", smooth(11, 90001))
numpy.save(folder + "/narrow.npy", smooth(400, 2))
numpy.save(folder + "/pixel.npy", numpy.ones((1, 1), "u1"))
numpy.save(folder + "/black.npy", numpy.zeros((4, 100, 300), "u1"))
PYTHON

lz4=yes
run_well 1 --version
if grep -q 'zarr with blosc' "$work/stdout"; then
    lz4=no
    echo 'skipped: labels compressed with lz4, not installed: libblosc-dev'
fi

# written NAME TYPE RANKS...: its labels in all formats that are compressed, by one rank and by so many.
written() {
    local name=$1 type=$2 ranks packing ending
    run_well 1 label "$files/$name.npy" -q --out-dtype "$type" -o "$files/$name.$type.raw"
    for packing in deflate:tif deflate:zarr $([ $lz4 = no ] || echo lz4:zarr); do
        ending=${packing#*:}
        for ranks in 1 "${@:3}"; do
            run_well "$ranks" label "$files/$name.npy" -q --out-dtype "$type" --compress "${packing%:*}" \
                -o "$out/is-$ranks.$ending"
            if [ "$ranks" != 1 ]; then
                holds 'other bytes than on one rank' diff -r "$out/is-1.$ending" "$out/is-$ranks.$ending"
            fi
            run_well $((ranks % 3 + 1)) label "$out/is-$ranks.$ending" --values -q --out-dtype uint64 -o "$work/again.raw"
            if [ "$ranks" = 1 ]; then cp "$work/again.raw" "$work/first.raw"; fi
            holds 'labels of labels differ' cmp -s "$work/again.raw" "$work/first.raw"
        done
        mv "$out/is-1.$ending" "$files/$name.$type.${packing%:*}.$ending"
        rm -rf "${out:?}"/*
    done
}
written volume uint16 3
# shellcheck disable=SC2046 # words
written volume uint32 $(some 3 2 3 4 5)
written volume uint64 2
written noise uint32 3
# shellcheck disable=SC2046 # words
written image uint32 $(some 2 4 2)
# shellcheck disable=SC2046 # words
written wide uint32 $(some 2 3 5)
written narrow uint16 4
written pixel uint32 2
written black uint64 3

# blocks: the same file of blocks of planes, rows and columns.
for method in union settle; do
    run_well 4 label "$files/image.npy" --method $method --decomposition 2x2 -q --out-dtype uint32 --compress deflate -o "$out/is.tif"
    holds 'other bytes of blocks' cmp -s "$out/is.tif" "$files/image.uint32.deflate.tif"
    rm -f "$out"/*
done

# Other programs read the same from the files. TIFF's strips are one stream of zlib's each.
what='compressed labels'
cat >"$work/check.py" <<'PYTHON'
import glob
import sys
import numpy

folder, opened_by = sys.argv[1:]
count = 0
for path in sorted(glob.glob(folder + ("/*.zarr" if opened_by == "zarr" else "/*.tif"))):
    name, kind = path.split("/")[-1].split(".")[:2]
    shape = numpy.load(f"{folder}/{name}.npy").shape
    should = numpy.fromfile(f"{folder}/{name}.{kind}.raw", kind).reshape(shape)
    if opened_by == "zarr":
        import zarr
        array = zarr.open(path, mode="r")
        assert array.compressor.codec_id == ("blosc" if ".lz4." in path else "zlib"), path
        found = array[:]
    elif opened_by == "tifffile":
        import tifffile
        with tifffile.TiffFile(path) as file:
            assert not file.is_bigtiff and int(file.pages[0].compression) == 8, path
            found = file.asarray().reshape(shape)
    else:
        from PIL import Image
        if kind != "uint16":  # PIL has no pixels of 32 bits without a sign
            continue
        picture = Image.open(path)
        planes = []
        for i in range(picture.n_frames):
            picture.seek(i)
            planes.append(numpy.array(picture))
        found = numpy.stack(planes).reshape(shape)
    assert found.dtype == should.dtype and (found == should).all(), path
    count += 1
assert count >= 2, opened_by
PYTHON
for module in tifffile zarr PIL; do
    if has_python "compressed labels by $module" "$module"; then
        holds "$module finds other labels" "$python" "$work/check.py" "$files" "$module"
    fi
done
if has tiffcmp libtiff-tools 'compressed labels by libtiff'; then
    for name in volume.uint32 image.uint32 wide.uint32 noise.uint32; do
        tiffcp -c none "$files/$name.deflate.tif" "$work/plain.tif" 2>"$work/stderr"
        holds "libtiff cannot read $name" tiffcmp "$files/$name.deflate.tif" "$work/plain.tif" >/dev/null
    done
fi
"$python" - "$files" <<'PYTHON' || wrong 'files are not smaller'
import os
import sys

for name in "volume.uint32", "image.uint32", "wide.uint32", "black.uint64":
    path = f"{sys.argv[1]}/{name}"
    assert 8 * os.path.getsize(path + ".deflate.tif") < os.path.getsize(path + ".raw"), name
PYTHON

# A file a plane.
run_well 3 label "$files/volume.npy" -q --out-dtype uint16 --compress deflate -o "$out/z%02d.tif"
run_well 2 label "$out/z%02d.tif" --values -q -o "$work/planes.npy"
run_well 1 label "$files/volume.uint16.deflate.tif" --values -q -o "$work/should.npy"
holds 'other labels of planes' cmp -s "$work/planes.npy" "$work/should.npy"
rm -f "$out"/*

# ---- what is refused ------------------------------------------------------------------------------
for name in is.npy is.mhd is.nii is.raw is.pgm is.png is.h5 is.h5:/labels; do
    fails 2 'compress deflate is for names ending in .tif, .mha, .nii.gz, .nrrd, .ome.zarr or .zarr, and not for ' 1 \
        label "$files/volume.npy" -o "$out/$name" --compress deflate
done
for name in $(some 4 is.npy is.mhd is.nii is.raw is.h5:/labels is.pgm is.png is.h5); do
    fails 2 'compress lz4 is for names ending in .ome.zarr or .zarr, and not for ' 2 label "$files/volume.npy" -o "$out/$name" --compress lz4
done
fails 2 'compress lz4 is for names ending in .ome.zarr or .zarr, and not for .*; use --compress deflate' 1 \
    label "$files/volume.npy" -o "$out/is.tif" --compress lz4
if [ $lz4 = no ]; then
    fails 2 'has no libblosc.*--compress deflate' 1 label "$files/volume.npy" -o "$out/is.zarr" --compress lz4
fi
# A full disk: one sentence, and nothing but what was there. Noise does not get small enough for it.
mkdir "$work/small"
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=64k tmpfs "$work/small" 2>/dev/null; then
    trap 'umount "$work/small"; clean_up' EXIT
    for ranks in $(some 2 1 2 5); do
        echo before >"$work/small/is.tif"
        for name in is.tif is.zarr; do
            fails 1 "$name.*no space" "$ranks" label "$files/noise.npy" --out-dtype uint32 --compress deflate \
                -o "$work/small/$name"
        done
        holds 'the old file has changed' [ "$(cat "$work/small/is.tif")" = before ]
        holds "$(ls -A "$work/small")" [ "$(ls -A "$work/small")" = is.tif ]
    done
else
    echo 'skipped: a full disk, which only root can make'
fi
fails 1 'cannot write .*No such file' 3 label "$files/volume.npy" -o "$out/none/is.tif" --compress deflate
finish
