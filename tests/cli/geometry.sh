#!/usr/bin/env bash
# The place of an image in space is read from the headers of all formats and written into every output that can
# hold it, with the same bytes for any number of ranks, and is read back from there.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python numpy
scripts=$(dirname "$0") out=$work/out
"$python" "$scripts/check_geometry.py" make "$work" || exit 1
endings=(mha mhd nii nrrd json zarr) tiff=''
if has_python 'HDF5 in h5py' h5py; then endings+=(h5); fi
if has_python 'TIFF in tifffile' tifffile; then tiff=yes endings+=(tif); fi

# label_all NAME RANKS: the image in files of all formats, and from one format to the next; the same on more ranks.
label_all() {
    local input=$work/$1 ranks=$2 ending
    out=$work/all/$1
    mkdir -p "$out"
    for ending in mha mhd nii nrrd tif h5 zarr; do
        run_well 1 label "$input" -t 50 -q -o "$out/one.$ending" --json "$out/one.json"
    done
    for ending in mha nii nrrd; do
        run_well "$ranks" label "$input" -t 50 -q -o "$out/several.$ending"
        holds "other bytes on $ranks ranks in .$ending" cmp -s "$out/one.$ending" "$out/several.$ending"
    done
    run_well "$ranks" label "$input" -t 50 -q -o "$out/several.zarr"
    holds "other bytes on $ranks ranks in .zarr" diff -r "$out/one.zarr" "$out/several.zarr"
    run_well 1 label "$out/one.nrrd" -t 1 -q -o "$out/again.nii"
    run_well 1 label "$out/again.nii" -t 1 -q -o "$out/again.zarr"
    run_well "$ranks" label "$out/again.zarr" -t 1 -q -o "$out/again.nrrd" --json "$out/again.json"
}
ranks=1
while read -r name axes; do
    ranks=$((ranks % 3 + 1))
    label_all "$name" $ranks
    [ "$axes" != 0 ] || wrong 'no axes'
done <"$work/LIST"
what='all images in all formats'
holds 'outputs lie elsewhere' "$python" "$scripts/check_geometry.py" check "$work" "$work/all" "${endings[@]}"
if has_python 'NIfTI in nibabel' nibabel; then
    holds 'nibabel sees them elsewhere' "$python" "$scripts/check_geometry.py" peers "$work" "$work/all"
fi
out=$work/out

# Tables are in the units of the file where these are known, and say so.
run_well 1 label "$work/cell.mrc" -t 50 -q -o "$work/plain.npy"
table() { table=(--regions "$work/is-$1.csv" --contacts "$work/touch-$1.csv" --values --background none); }
table plain
run_well 1 label "$work/plain.npy" -q "${table[@]}"
same=() places=()
for name in straight.mha sform.nii las.nrrd cell.mrc; do
    table "$name-should"
    run_well 1 label "$work/$name" -q "${table[@]}" --spacing 2,0.75,0.5
    for ranks in 1 3; do
        table "$name-$ranks"
        run_well $ranks label "$work/$name" "${table[@]}" --json "$out/is.json"
        holds 'the unit is not said' grep -q 'areas are in [a-z]*^3, centroids and lengths in' "$work/stdout"
        holds 'the unit is not in the report' grep -Eq '"unit": "(mm|nm|angstrom)"' "$out/is.json"
        same+=("$work"/{is,touch}-"$name-$ranks.csv")
    done
    table "$name-pixels"
    run_well 2 label "$work/$name" -q "${table[@]}" --spacing pixels
    places+=("$work/is-$name-pixels.csv")
done
# A float of a header is not the number that a user types.
what='tables by the spacing of headers'
holds 'they are others than by --spacing' "$python" "$scripts/check_geometry.py" same "${same[@]}"
what='tables in pixels'
holds 'they are others than of an array' "$python" "$scripts/check_geometry.py" places "$work/is-plain.csv" "${places[@]}"
run_well 2 label "$work/plain.nrrd" -t 50 --regions "$out/is.csv"
holds 'nobody says that there is no unit' grep -q 'in pixels: the spacing' "$work/stdout"
holds 'the area is not in pixels' grep -q '^1,6,' "$out/is.csv"
# Dots of prints and screens are no measure, and stay what they are in TIFF.
for name in inch print; do
    [ -n "$tiff" ] || continue
    run_well 2 label "$work/$name.tif" -t 50 -o "$work/again-$name.tif" --regions "$out/is.csv"
    holds 'the area is not in pixels' grep -q '^1,6,.*,2.000000,' "$out/is.csv"
    if grep -q '^lengths' "$work/stdout"; then wrong 'the summary speaks of lengths'; else good; fi
done
if [ -n "$tiff" ]; then
    run_well 2 label "$work/inch.tif" -t 50 -q -o "$out/is.mha"
    if grep -qa Spacing "$out/is.mha"; then wrong 'dots became millimetres'; else good; fi
    run_well 1 label "$work/inch.tif" -t 50 -q -o "$work/spaced.tif" --spacing 2,4
    # A description of all pages in one of them counts for each.
    for part in imagej.tif:p=2 micro.ome.tif:p=1; do
        run_well 2 label "$work/$part" -t 50 -q -o "$out/is.npy" --json "$out/run.json"
        holds 'a page without its place' [ "$(told image geometry spacing) $(told image geometry unit)" = '[0.5, 0.75] um' ]
    done
    run_well 3 label "$work/points.tif" -t 50 -q -o "$work/again-points.tif"
fi
# The standard spacing of programs that know none.
sed 's/^ElementSpacing.*/ElementSpacing = 1 1 1/' "$work/straight.mha" >"$work/ones.mha"
run_well 2 label "$work/ones.mha" -t 50 --regions "$out/is.csv"
holds 'the area is not in pixels' grep -q '^1,6,.*,2.000000,' "$out/is.csv"
fails 2 'flat.mha says 0.75 and 0.5; .*--spacing pixels' 1 label "$work/flat.mha" -t 50 --regions "$out/is.csv" \
    --properties perimeter
run_well 1 label "$work/flat.mha" -t 50 -q --regions "$out/is.csv" --properties perimeter --spacing pixels

# A table of several images says in which unit each of them is, unless all are in pixels.
cd "$work" || exit 1
names=(straight.mha oblique.mha cell.mrc plain.npy)
for ranks in 1 3; do
    run $ranks label "${names[@]}" -t 1 -q --regions "$out/is.csv"
    holds "exit status $status" [ "$status" = 0 ]
    holds 'nobody says that units differ' [ "$(messages | grep -c 'is.csv has images in several units')" = 1 ]
    if [ "$ranks" = 1 ]; then mv "$out/is.csv" "$work/should.csv"; fi
done
holds 'another table on 3 ranks' cmp -s "$out/is.csv" "$work/should.csv"
holds 'other units' [ "$(sed 's/,.*,/ /' "$out/is.csv")" = 'image unit
straight.mha mm
oblique.mha um
cell.mrc angstrom
plain.npy pixels' ]
run_well 2 label cell.mrc cell.mrc -t 1 -q --regions "$out/is.csv"
holds 'one unit of all is not said' [ "$(sed -n '2s/.*,//p' "$out/is.csv")" = angstrom ]
for unit in '2 um' 2um '2,2 micron'; do
    run_well 1 label "$data/brick.png" -q --json "$out/is.json" --regions "$out/is.csv" -o "$out/is.nrrd" --spacing "$unit"
    what="--spacing '$unit'"
    holds 'no unit in the header' grep -aq '"um" "um"' "$out/is.nrrd"
done
fails 2 '--spacing takes' 1 label "$data/brick.png" -q --regions "$out/is.csv" --spacing '2 apples'
run_well 2 label "${names[@]}" -t 1 -q --regions "$out/is.csv" --spacing pixels
holds 'a column without need' [ "$(sed -n '1s/.*,//p' "$out/is.csv")" = max_grey ]
run_well 2 label "${names[@]}" -t 1 -q --regions "$out/is.csv" --spacing 2
holds 'a column for what was asked for' [ "$(sed -n '1s/.*,//p' "$out/is.csv")" = max_grey ]
rm -rf "${out:?}"/*
cd - >/dev/null || exit 1

# Other outputs of commands lie there, too.
run_well 2 label "$work/flat.mha" -t 50 -q --colour "$work/colour.tif"
run_well 2 cluster "$work/flat.mha" -k 3 -q -o "$work/cluster.tif"
if [ -n "$tiff" ]; then
    what='resolutions and points on the ground in TIFF'
    holds 'they are lost' "$python" "$scripts/check_geometry.py" tags "$work"
fi

# Impossible values of a header are left out with a warning, and the samples are read.
for file in "$work"/bad-*; do
    run 2 label "$file" -t 50 -q -o "$out/good.npy" --json "$out/bad.json"
    holds "exit status $status" [ "$status" = 0 ]
    holds 'no warning' grep -q 'where it lies in space.*is left out' "$work/stderr"
    if grep -q '"direction"' "$out/bad.json"; then wrong 'a direction is reported'; else good; fi
done

finish
