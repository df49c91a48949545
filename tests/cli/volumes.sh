#!/usr/bin/env bash
# Volumes: labels, and what is told of regions, are scipy's and scikit-image's, for any number of ranks,
# decomposition and method, from any format and to any format; what cannot be is said.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python scipy PIL
scripts=$(dirname "$0") out=$work/out
"$python" "$scripts/compare_volumes.py" make "$work" || exit 1

labelled 1 "$work/cells.npy"
labelled 3 "$work/cells.tif" -c 18
labelled 2 "$work/cells.npy" -c 26 --threshold 140
labelled 4 "$work/cells.npy" -c 26 --threshold 40% --decomposition 1x2x2 --min-area 3
labelled 4 "$work/cells.tif" -c 6 --invert --decomposition blocks --largest 4 --method settle
labelled 3 "$work/cells.npy" -c 18 --threshold 62%,72% --method sweep --clear-border
labelled 2 "$work/cells.tif" -c 6 --threshold 55% --fill-holes --max-area 500 --method async
labelled 1 "$work/cells.npy" -c 26 --threshold 100..140 --names skimage
labelled 2 "$work/cells.tif" -c 6 --threshold 60% --spacing 2.5,.5,.25
labelled 3 "$work/cells.npy" -c 6 --threshold local:3:2
labelled 2 "$work/cells.tif" -c 26 --threshold local:6 --invert
labelled 4 "$work/cells.npy" -c 18 --threshold local:2:-.5 --decomposition 1x2x2
labelled 5 "$work/wide.npy" -c 26
labelled 2 "$work/flat.npy" -c 6
labelled 2 "$work/narrow.npy" -c 26
holds 'the results differ from those of scipy' "$python" "$scripts/compare_volumes.py" compare "$work/runs"

# Files of all formats have the same labels in them.
run_well 1 label "$work/cells.npy" -q -o "$work/should.npy" --periodic-axes z,x -c 18
for name in is.npy is.tif is.tiff is.mha is.mhd is.raw; do
    for ranks in 1 3; do
        run_well $ranks label "$work/cells.tif" -q -o "$out/$name" --periodic-axes x,z -c 18
        cksum <"$out/$name" >"$work/sum.$ranks"
        holds "other labels in $name" "$python" "$scripts/compare_volumes.py" same "$work/should.npy" \
            "$out/$name"
    done
    holds "other bytes on 3 ranks, $name" cmp -s "$work/sum.1" "$work/sum.3"
    rm -f "$out"/*
done
for type in uint16 uint32 uint64; do
    run_well 2 label "$work/cells.tif" -q -o "$out/is.tif" --periodic-axes x,z -c 18 --out-dtype $type
    holds "other labels in $type" "$python" "$scripts/compare_volumes.py" same "$work/should.npy" \
        "$out/is.tif" $type
done
# Labels are a volume again, and MetaImage keeps the distances.
run_well 2 label "$work/cells.tif" -q -o "$out/spaced.mha" --spacing 2.5,.5,.25
run_well 1 label "$out/spaced.mha" -t otsu -q -o "$out/again.mhd"
for file in spaced.mha again.mhd; do
    holds "the distances are not in $file" grep -qa '^ElementSpacing = 0.25 0.5 2.5$' "$out/$file"
done
if has_python 'MetaImage in VTK' vtk; then
    run_well 3 label "$work/cells.tif" -q -o "$out/spaced.npy"
    what='labels in MetaImage, read by VTK'
    holds 'they are not what was computed' "$python" "$scripts/read_meta_by_vtk.py" \
        "$out/spaced.mha" "$out/spaced.npy"
fi
run_well 1 label "$out/is.tif" -q -t 1 -c 26 -o "$out/again.npy"
rm -f "$out"/*
run_well 2 label "$work/page.npy" -q -o "$out/is.pgm"
run_well 1 label "$work/page.npy" -q -o "$out/is.png"
holds 'other labels in PGM' "$python" "$scripts/compare_volumes.py" same "$out/is.png" "$out/is.pgm"
rm -f "$out"/*

# The summary says along which axes edges are neighbours; an axis z makes a volume of an array with three
# columns, which otherwise are colours.
run_well 2 label "$work/page.npy" --periodic
holds 'no word of periodic axes' grep -q '4-connected, periodic along y, x$' "$work/stdout"
run_well 3 label "$work/narrow.npy" --periodic-axes z,x --json "$out/run.json"
holds 'no word of periodic axes' grep -q '6-connected, periodic along z, x$' "$work/stdout"
holds 'other axes in JSON' [ "$(told periodic) $(told image planes)" = 'True 20' ]
rm -f "$out"/*

# The same bytes, whoever computes it.
run_well 1 label "$work/wide.npy" -q -c 18 -o "$work/should.tif" --regions "$work/should.csv"
while read -r ranks options; do
    # shellcheck disable=SC2086 # the options' words
    run_well "$ranks" label "$work/wide.npy" -q -c 18 $options -o "$out/is.tif" --regions "$out/is.csv"
    holds "other bytes: $options" cmp -s "$out/is.tif" "$work/should.tif"
    holds "other regions: $options" cmp -s "$out/is.csv" "$work/should.csv"
    rm -f "$out"/*
done <<TABLE
1 --instructions plain
1 --instructions avx2
2 --method settle
3 --method sweep --vote tree
4 --decomposition 2x2x1
4 --decomposition 1x2x2 --method settle
6 --decomposition 1x3x2
8 --decomposition 2x2x2 --method async
3 --balance random --method settle --balance-every 1
2 --balance chain
TABLE

fails 2 'connectivity 8 is not possible in 3 axes; use 6, 18 or 26' 2 label "$work/cells.npy" -c 8
fails 2 'connectivity 26 is not possible in 2 axes; use 4 or 8' 1 label "$work/page.npy" -c 26
fails 2 'is a volume, whose labels are no picture' 2 label "$work/cells.npy" -o "$out/a.png"
fails 2 'is a volume, whose labels are no picture' 1 label "$work/cells.npy" --colour "$out/a.png"
fails 2 'use a radius from 1 to 12' 1 label "$work/cells.npy" -t local:13
fails 2 'needs two planes' 2 label "$work/flat.npy" -t local:1
# Strips of three ranks would have fewer planes than the radius: one owns nothing.
run_well 1 label "$work/cells.npy" -t local:5 -q -o "$work/one.npy"
run_well 3 label "$work/cells.npy" -t local:5 -q -o "$work/three.npy"
holds 'other labels on three ranks' cmp -s "$work/one.npy" "$work/three.npy"
fails 2 'without an axis z' 1 label "$work/page.npy" --periodic-axes z
fails 2 'takes some of z, y, x' 1 label "$work/cells.npy" --periodic-axes z,z
fails 2 'takes one to three numbers' 1 label "$work/cells.npy" --spacing 1,1,1,1 --regions "$out/a.csv"
fails 2 'takes one to three numbers' 1 label "$work/cells.npy" --spacing 1,0,1 --regions "$out/a.csv"
fails 2 'has no distance between its planes' 3 label "$work/cells.npy" --spacing 2,1 --regions "$out/a.csv"
fails 2 'needs --regions' 1 label "$work/cells.npy" --names skimage
fails 2 '--out-dtype needs --output FILE$' 1 label "$work/cells.npy" --out-dtype uint16
fails 2 '--compress needs --output FILE$' 1 label "$work/cells.npy" --compress deflate
fails 2 '--min-area 5 and --max-area 3 leave no region' 2 label "$work/cells.npy" --dust 5 --max-area 3
fails 2 'no sample of type uint[0-9]* is from 5.2 to 5.7, .*more between' 1 label "$work/cells.npy" -t 5.2..5.7
fails 2 'pictures hold labels of 16 bits' 1 label "$work/page.npy" --out-dtype uint32 -o "$out/a.png"
fails 2 '--numbering seed needs' 1 label "$work/cells.npy" --numbering seed -o "$out/a.tif"
fails 1 'is a volume\|a volume of 13 planes' 2 cluster "$work/cells.npy" -k 3
finish
