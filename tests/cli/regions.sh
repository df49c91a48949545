#!/usr/bin/env bash
# Shapes of regions are measured on demand. They are scikit-image's, for any number of ranks and
# decomposition, also across edges that touch; a measure that is impossible is refused.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python scipy PIL
scripts=$(dirname "$0") out=$work/out
"$python" "$scripts/compare_regions.py" make "$work" || exit 1
skimage=no
has_python "scikit-image's own figures" skimage && skimage=yes

# Medians, of all, would take columns as they are.
shapes=axis_major_length,axis_minor_length,eccentricity,orientation,perimeter
many=2,5
if more; then many=2,3,4,5; fi
# The table of each run is compared with its labels, and its bytes with those on other ranks.
while read -r name others options; do
    image=$work/$name
    [ -e "$image" ] || image=$image.npy
    # shellcheck disable=SC2086 # the options' words
    add_run "$image" $options
    for ranks in 1 ${others//,/ }; do
        # shellcheck disable=SC2086 # the options' words
        run_well $ranks label "$image" -q -o "$folder/labels.npy" --regions "$out/is.csv" $options
        [ "$ranks" != 1 ] || cp "$out/is.csv" "$folder/regions.csv"
        holds "other bytes on $ranks ranks" cmp -s "$folder/regions.csv" "$out/is.csv"
    done
    rm -f "$out"/*
done < <(rows <<TABLE
noise $many --properties all
+ noise 3 --properties all -c 8 --names skimage
blobs $many --properties all -c 8 -t 120
blobs 4 --properties all --invert --min-area 9 --largest 4 --clear-border
things $many --properties all -c 8
+ things 2 --properties orientation,perimeter -t 1
things 5 --properties all -c 8 --spacing 2,2
blobs 2 --properties all --spacing .5,2.5
+ row 2 --properties $shapes,solidity -t 1
column $many --properties standard,$shapes,solidity -t 1
full 2 --properties all -t 1
volume $many --properties all -c 26 -t 140
volume 2 --properties axis_minor_length -c 6
volume 3 --properties all --spacing 3,.5,2 -t 55%
parts $many --values --properties all
parts 3 --values --delta 1 --properties eccentricity,perimeter -c 8
blobs 2,3 --properties solidity -t 50%
colours $many --properties all
wide 3 --properties channels -c 8 --names skimage
colours.png 2,5 --properties channels --names skimage
palette.png 3 --properties channels
alpha.png 2 --properties all
alpha.png 3 --properties channels --background white
alpha.png 2 --properties channels --background 40% --names skimage
pages.tif $many --properties all -c 26
noise $many --properties all --periodic
+ noise 3 --properties all --periodic -c 8 --names skimage
noise 5 --properties all --periodic-axes x
+ noise 2 --properties all --periodic-axes y -c 8
+ things $many --properties all --periodic -c 8
+ blobs 4 --properties all --periodic -c 8 -t 50% --max-area 900
+ row 2 --properties $shapes -t 1 --periodic-axes x
+ column 5 --properties $shapes -t 1 --periodic-axes y
full 3 --properties all -t 1 --periodic
parts $many --values --properties all --periodic
volume $many --properties all --periodic -c 26 -t 60%
+ volume 3 --properties all --periodic-axes z,x -c 6 -t 50%
+ volume 5 --properties all --periodic-axes y -c 18 --spacing 2,1,1 -t 60%
TABLE
)
holds 'other shapes' "$python" "$scripts/compare_regions.py" compare "$work/runs" $skimage

# One number is the distance along all axes.
run_well 1 label "$work/blobs.npy" -q -t 45% --spacing .5,.5 --regions "$out/pair.csv" --properties all
run_well 1 label "$work/blobs.npy" -q -t 45% --spacing .5 --regions "$out/side.csv" --properties all
run_well 1 label "$work/volume.npy" -q -t 45% --spacing 2,2,2 --regions "$out/three.csv"
run_well 1 label "$work/volume.npy" -q -t 45% --spacing 2 --regions "$out/sides.csv"
holds 'another table for one number' cmp -s "$out/pair.csv" "$out/side.csv"
holds 'another table for one number of a volume' cmp -s "$out/three.csv" "$out/sides.csv"
rm -f "$out"/*

# Blocks, methods and instruction sets.
run_well 1 label "$work/blobs.npy" -q -t 45% -c 8 --regions "$work/should.csv" --properties all
run_well 1 label "$work/volume.npy" -q -t 45% -c 18 --regions "$work/solid.csv" --properties all
run_well 1 label "$work/pages.tif" -q -t 45% -c 6 --regions "$work/pages.csv" --properties all
run_well 1 label "$work/colours.png" -q -t 45% --regions "$work/colours.csv" --properties all
run_well 1 label "$work/volume.npy" -q -t 45% -c 18 --regions "$work/round.csv" --properties all --periodic
run_well 1 label "$work/blobs.npy" -q -t 45% -c 8 --regions "$work/around.csv" --properties all --periodic
while read -r ranks name should options; do
    image=$work/$name
    [ -e "$image" ] || image=$image.npy
    # shellcheck disable=SC2086 # the options' words
    run_well "$ranks" label "$image" -q -t 45% $options --regions "$out/is.csv" --properties all
    holds "other bytes: $options" cmp -s "$out/is.csv" "$work/$should.csv"
    rm -f "$out"/*
done < <(rows <<TABLE
4 blobs should -c 8 --decomposition 2x2
+ 3 blobs should -c 8 --decomposition 1x3
6 blobs should -c 8 --decomposition 3x2 --method settle
3 blobs should -c 8 --method async
2 blobs should -c 8 --balance chain
2 blobs should -c 8 --instructions plain
8 volume solid -c 18 --decomposition 2x2x2
4 volume solid -c 18 --decomposition 1x2x2 --method sweep
8 volume round -c 18 --decomposition 2x2x2 --periodic
+ 2 volume round -c 18 --decomposition 1x2x1 --periodic --method settle
+ 4 volume round -c 18 --periodic --balance chain
3 blobs around -c 8 --decomposition 1x3 --periodic
4 pages.tif pages -c 6 --decomposition 1x2x2
+ 3 colours.png colours --decomposition 1x3
2 volume solid -c 18 --instructions avx2
TABLE
)

# As JSON.
run_well 2 label "$work/things.npy" -q -c 8 --regions "$out/is.json" --properties perimeter,orientation
holds 'no JSON with shapes' "$python" -c 'import json, sys
rows = json.load(open(sys.argv[1]))
assert rows[0]["perimeter"] == 0 and {"perimeter", "orientation"} < set(rows[0]) and "eccentricity" not in rows[0]' "$out/is.json"
run_well 2 label "$work/full.npy" -q -t 1 --periodic --regions "$out/round.json" --properties orientation
holds 'no null in JSON' "$python" -c 'import json, sys
assert json.load(open(sys.argv[1]))[0]["orientation"] is None' "$out/round.json"
rm -f "$out"/*

# A table of images with colours and of others has all columns.
for ranks in 1 3; do
    run_well $ranks label "$work/noise.npy" "$work/colours.png" "$work/pages.tif" -q \
        --regions "$out/all.$ranks.csv" --properties all
done
holds 'other bytes on 3 ranks' cmp -s "$out/all.1.csv" "$out/all.3.csv"
holds 'columns of other images' "$python" -c 'import csv, sys
rows = list(csv.DictReader(open(sys.argv[1], newline="")))
has = {row["image"].rsplit("/")[-1]: {name for name in row if row[name] not in ("", None)} for row in rows}
assert all(None not in row and None not in row.values() for row in rows)
assert "mean_red" in has["colours.png"] & has["pages.tif"] and "mean_red" not in has["noise.npy"], has
assert "z" in has["pages.tif"] and "z" not in has["colours.png"] | has["noise.npy"], has
assert "perimeter" in has["noise.npy"] and "perimeter" not in has["pages.tif"], has
' "$out/all.1.csv"
rm -f "$out"/*

fails 2 '--properties takes some of' 1 label "$work/noise.npy" --regions "$out/a.csv" --properties roundness
fails 2 '--properties takes some of' 1 label "$work/noise.npy" --regions "$out/a.csv" \
    --properties perimeter,perimeter
fails 2 'needs --regions' 1 label "$work/noise.npy" --properties all
fails 2 'without periodic axes' 2 label "$work/noise.npy" --regions "$out/a.csv" --properties solidity \
    --periodic
fails 2 'has no colours' 2 label "$work/noise.npy" --regions "$out/a.csv" --properties channels
fails 2 'is for images of two axes' 2 label "$work/volume.npy" --regions "$out/a.csv" --properties perimeter
fails 2 'pixels that are as high as wide' 2 label "$work/noise.npy" --regions "$out/a.csv" \
    --properties perimeter --spacing 1,2
finish
