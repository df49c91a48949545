#!/usr/bin/env bash
# Images of OME-Zarr, and label layers in them, have the same bytes for any number of ranks; what fails leaves
# nothing under its name. tests/python/ome_zarr.py has what is in them.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python numpy

files=$work/files out=$work/out
mkdir "$files"
"$python" - "$files" <<'PYTHON' || exit 1
import sys
import numpy

random = numpy.random.RandomState(2)
folder = sys.argv[1]
numpy.save(folder + "/volume.npy", random.rand(37, 300, 290) < 0.01)
numpy.save(folder + "/planes.npy", random.rand(3, 1100, 1000) < 0.004)
numpy.save(folder + "/image.npy", random.rand(2500, 1100) < 0.004)
numpy.save(folder + "/small.npy", random.rand(9, 11) < 0.4)
PYTHON

# written NAME CHOICE OPTION...: bands of chunks that lie in the strips of several ranks.
written() {
    local name=$1 choice=$2 ranks
    shift 2
    for ranks in 1 2 3 4 5; do
        run_well "$ranks" label "$files/$name.npy" "$@" -q --out-dtype uint32 -o "$out/is.ome.zarr$choice"
        [ "$ranks" != 1 ] || mv "$out/is.ome.zarr" "$work/one.ome.zarr"
        holds 'something was left' [ "$(ls -A "$out")" = "$([ "$ranks" = 1 ] || echo is.ome.zarr)" ]
        [ "$ranks" = 1 ] || holds 'other bytes with more ranks' diff -r "$out/is.ome.zarr" "$work/one.ome.zarr"
    done
    rm -r "$out/is.ome.zarr" "$work/one.ome.zarr"
}
written volume '' -c 26 --compress deflate
written image :version=0.5
written planes :version=0.5,shards=no -c 26 --compress deflate

# A layer in the folder of the image that was read, by any number of ranks; both are read again.
for choice in '' :version=0.5; do
    run_well 1 label "$files/volume.npy" -q -o "$out/v.ome.zarr$choice"
    mv "$out/v.ome.zarr" "$work"
    for ranks in 1 3 5; do
        cp -r "$work/v.ome.zarr" "$out"
        run_well "$ranks" label "$out/v.ome.zarr" -t 1 -c 26 -q -o "$out/v.ome.zarr/labels/cells"
        [ "$ranks" != 1 ] || cp -r "$out/v.ome.zarr" "$work/layered"
        holds 'other bytes of a layer' diff -r "$out/v.ome.zarr" "$work/layered"
        [ "$ranks" = 5 ] || rm -r "$out/v.ome.zarr"
    done
    run_well 2 label "$out/v.ome.zarr/labels/cells" --values -c 26 -q -o "$work/is.npy"
    run_well 1 label "$files/volume.npy" -c 26 -q -o "$work/should.npy"
    holds 'other labels of a layer' cmp -s "$work/is.npy" "$work/should.npy"

    # Outputs of a run are not where it reads or writes, but for layers of what it reads.
    layer=$out/v.ome.zarr/labels/cells
    fails 2 'the same file' 2 label "$layer" -q -o "$layer"
    fails 2 'lies in the folder' 1 label "$layer/0" -q -o "$layer"
    fails 2 'lies in the folder' 1 label "$out/v.ome.zarr" -q -o "$out/v.ome.zarr/labels/x.npy"
    fails 2 'lies in the folder' 1 label "$files/volume.npy" -q -o "$layer" --json "$layer/0/x.json"
    fails 2 'not float64' 2 run heat --size 9x9 -n 1 -q -o "$out/v.ome.zarr/labels/heat"
    fails 1 'labels is no part of one' 2 label "$files/volume.npy" -q -o "$out/v.ome.zarr"
    holds 'the image has changed' diff -r "$out/v.ome.zarr" "$work/layered"
    rm -r "$out/v.ome.zarr" "$work/v.ome.zarr" "$work/layered"
done
fails 1 'is no image of OME-Zarr' 3 label "$files/small.npy" -q -o "$out/none.zarr/labels/cells"
fails 2 'no choice of OME-Zarr' 2 label "$files/small.npy" -q -o "$out/x.ome.zarr:version=2"
fails 2 'standard output is one' 1 label "$files/small.npy" -q -o -.ome.zarr
holds "$(ls -A "$out")" [ -z "$(ls -A "$out")" ]

# ---- failures -------------------------------------------------------------------------------------
# full RANKS ARGUMENT...: no file can have more than 64 KiB; threads, since MPICH needs larger ones.
full() {
    what="no room: halobeat ${*:2} ($1 ranks)" status=0
    (
        trap '' XFSZ
        ulimit -f 64
        HALOBEAT_RANKS=$1 timeout -k 5 "$limit" "$program" "${@:2}"
    ) </dev/null >"$work/stdout" 2>"$work/stderr" || status=$?
    holds "exit status $status" [ "$status" = 1 ]
    holds 'no reason' grep -q 'cannot write .*' "$work/stderr"
}
run_well 1 label "$files/small.npy" -q -o "$out/a.ome.zarr"
before=$(listing)
for ranks in 1 3; do
    full "$ranks" label "$files/image.npy" -q -o "$out/a.ome.zarr"
    holds 'not as it was' [ "$before" = "$(listing)" ]
    full "$ranks" label "$files/image.npy" -q -o "$out/a.ome.zarr/labels/cells"
    holds "not as it was" [ "$before" = "$(listing)" ]
done
run_well 2 label "$files/small.npy" -q -o "$out/a.ome.zarr/labels/one"
before=$(listing)
full 3 label "$files/image.npy" -q -o "$out/a.ome.zarr/labels/one"
holds 'the earlier layer is lost' [ "$before" = "$(listing)" ]

# Layers that are added at the same time are all in the list.
for layer in two three four five; do
    "$program" label "$files/small.npy" -q -o "$out/a.ome.zarr/labels/$layer" &
done
wait
what='layers at the same time'
listed=$("$python" -c 'import json, sys; print(*sorted(json.load(open(sys.argv[1]))["labels"]))' "$out/a.ome.zarr/labels/.zattrs")
holds "$listed" [ "$listed" = 'five four one three two' ]
holds "$(ls -A "$out/a.ome.zarr/labels")" [ -z "$(find "$out" -name '.*.partial-*')" ]

# Remains of a killed run go.
left=$out/a.ome.zarr/labels/.one.partial-0123456789abcdef
mkdir -p "$left/0/0"
echo half >"$left/0/0/0"
run_well 2 label "$files/small.npy" -q -o "$out/a.ome.zarr/labels/one"
holds 'what a killed run left is still there' [ ! -e "$left" ]
rm -r "$out/a.ome.zarr"

# Many images, each of which has its own; and one file a plane, which are numbered.
cp "$files/small.npy" "$files/other.npy"
run_well 3 label "$files/small.npy" "$files/other.npy" -q -o "$out/{name}.ome.zarr:version=0.5"
holds 'others in a batch' diff -r "$out/small.ome.zarr" "$out/other.ome.zarr"
run_well 2 label "$files/planes.npy" -q -o "$out/z%02d.ome.zarr:version=0.5"
holds "$(ls -A "$out")" [ "$(cd "$out" && echo -- * .[!.]*)" = '-- other.ome.zarr small.ome.zarr z00.ome.zarr z01.ome.zarr z02.ome.zarr .[!.]*' ]
# A journal knows that layers are no part of the images that they are of.
for run in 1 2; do
    run_well 1 label "$out/small.ome.zarr" "$out/other.ome.zarr" -t 1 -o '{dir}/{name}.zarr/labels/cells' --journal "$work/journal"
    [ "$run" = 1 ] || holds 'an image was labelled again' [ "$made" = "$(stat -c %i "$out/small.ome.zarr/labels/cells")" ]
    made=$(stat -c %i "$out/small.ome.zarr/labels/cells")
done
holds 'no layer' [ -s "$out/other.ome.zarr/labels/cells/0/c/0/0" ]
holds 'an unlisted layer' grep -q cells "$out/small.ome.zarr/labels/zarr.json"
run_well 1 label "$files/small.npy" -q -o "$out/plain.zarr"
before=$(listing)
fails 1 'is no image of OME-Zarr' 1 label "$out/plain.zarr" "$out/small.ome.zarr" -q -o '{dir}/{name}.zarr/labels/cells'
holds 'an array has got a folder' [ "$before" = "$(listing)" ]
fails 2 'has the name of one of the files\|the same file' 1 label "$files/planes.npy" -q -o "$out/z%02d.ome.zarr:version=0.5" --json "$out/z01.ome.zarr"
finish
