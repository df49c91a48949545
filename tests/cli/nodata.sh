#!/usr/bin/env bash
# Samples that stand for no data (GDAL_NODATA, NaN, --nodata and others): no foreground, no part of
# thresholds and means, solid for walkers, barriers of paths; as NumPy and SciPy have it, on any number
# of ranks. Commands that need all samples refuse such images.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python scipy tifffile h5py PIL
check=$(dirname "$0")/nodata_check.py
"$python" "$check" make "$work" || exit 1

# source NAME: prints a free cell of an image of costs.
source_of() {
    "$python" -c 'import numpy, sys
y, x = numpy.argwhere(~numpy.load(sys.argv[1] + ".missing.npy"))[0]
print("%d,%d" % (x, y))' "$1"
}
while read -r ranks command name options; do
    # shellcheck disable=SC2206 # the options' words
    words=($options)
    case $command in
        paths) words+=(--from "$(source_of "$name")") ;;
    esac
    add_run "$command" "$name" "${words[@]}"
    case $command in
        label) words+=(-o "$folder/labels.npy" --regions "$folder/regions.csv") ;;
        paths) words+=(-o "$folder/distances.npy") ;;
        walk) words+=(--walkers 100 --steps 10) ;;
    esac
    run_well "$ranks" "$command" "$name" -q --json "$folder/run.json" "${words[@]}"
done <"$work/list"
what='what came of it'
holds 'the results differ' "$python" "$check" compare "$work"

# Through a pipe, in one of many, and what is told.
words=(label - --nodata 100 -t 90 -q)
what="halobeat ${words[*]}"
run_well 1 label "$work/other.tif" --nodata 100 -t 90 -q -o "$work/should.npy"
holds 'it fails' "$program" "${words[@]}" -o "$work/is.npy" < <(cat "$work/t0-u1.tif")
holds 'other labels through a pipe' cmp -s "$work/should.npy" "$work/is.npy"
run_well 3 label "$work/t0-u1.tif" "$work/t4-i2.tif" "$work/none.tif" -q -o "$work/out/{name}.npy" --json "$work/all.json"
for name in t0-u1 t4-i2; do
    run_well 1 label "$work/$name.tif" -q -o "$work/should.npy"
    holds "other labels of $name.tif among others" cmp -s "$work/should.npy" "$work/out/$name.npy"
done
rm -f "$work/out"/*
run_well 2 label "$work/t4-i2.tif"
holds 'no share is told' grep -q '% of the samples are nodata (-32768, GDAL_NODATA)' <(unbroken)
run_well 1 label "$work/none.tif"
holds 'a share of nothing is told' [ -z "$(grep nodata "$work/stdout")" ]
run_well 2 run heat --input "$work/costs-f4.tif" -n 1 -o "$work/out/warm.npy"
holds 'no share is told of the input' grep -q 'samples of the input are nodata (-9999, GDAL_NODATA' <(unbroken)
rm -f "$work/out"/*

# Slices of a volume have one value; so have pages.
mkdir "$work/z" "$work/other"
cp "$work/t0-u1.tif" "$work/z/z0.tif"
cp "$work/t0-u1.tif" "$work/z/z1.tif"
run_well 3 label "$work/z/z%d.tif" -t 90 -q -o "$work/out/two.npy"
run_well 1 label "$work/t0-u1.tif" -t 90 -q -o "$work/out/one.npy"
"$python" -c 'import numpy, sys
two, one = (numpy.load(sys.argv[1] + name) for name in ("/two.npy", "/one.npy"))
assert ((two > 0) == (one > 0)).all()' "$work/out"
holds 'other foreground in slices' [ $? = 0 ]
rm -f "$work/out"/*
"$python" "$check" unlike "$work"
fails 1 '0.tif says that 255 .*1.tif that 7 does.*--nodata' 2 label "$work/unlike/%d.tif" -t 90
fails 1 'page 1 says that 7 .*--nodata' 3 label "$work/unlike.tif" -t 90
run_well 2 label "$work/unlike/%d.tif" -t 90 --nodata 255 -q
run_well 1 label "$work/unlike.tif" -t 90 --nodata none -q

# Commands that need all samples, and values that are none.
for command in 'cluster @ -k 3' 'snake @ --init grid:2x2' 'chan-vese @' "motion @ $work/none.tif"; do
    # shellcheck disable=SC2086 # the words of the command
    fails 1 'of its samples are nodata (255, GDAL_NODATA), and [a-z-]* needs all of them' 2 ${command/@/$work/t0-u1.tif}
done
run_well 2 cluster "$work/t0-u1.tif" -k 3 --nodata none -q
fails 2 'nodata 256 is no value of its samples, which have the type uint8' 2 label "$work/t0-u1.tif" --nodata 256
fails 2 'nodata nan is no value' 1 label "$work/t0-u1.tif" --nodata nan
fails 2 'nodata takes a number, nan, or none, not "no"' 2 label "$work/t0-u1.tif" --nodata no

fails 2 'nodata nan is no value' 2 label "$data/brick.png" --nodata nan

# A picture's cells without data are dead; those of a PNG picture in colours are black ones only.
run 2 life "$work/life.tif" -n 0 -o -
holds 'other cells live' grep -q '^3o!$' "$work/stdout"
run_well 3 label "$data/astronaut.png" --nodata 0 --json "$work/colours.json"
holds 'other pixels are missing' "$python" -c 'import json, sys
from PIL import Image
black = sum(pixel == (0, 0, 0) for pixel in Image.open(sys.argv[1]).convert("RGB").getdata())
told = json.load(open(sys.argv[2]))["image"]["nodata"]["samples"]
assert told == black > 0, (told, black)' "$data/astronaut.png" "$work/colours.json"

# ASCII grids that are none.
grid() { # WORDS TEXT
    printf '%b' "$2" >"$work/bad.asc"
    fails 1 "$1" 2 label "$work/bad.asc" -t 1
}
grid 'lacks NCOLS or NROWS' 'ncols 2\ncellsize 1\n1 2\n'
grid 'ncols is "x"' 'ncols x\nnrows 2\n'
grid 'nrows is "1.5"' 'ncols 2\nnrows 1.5\n1 2\n'
grid 'NODATA_value is "none"' 'ncols 2\nnrows 1\nNODATA_value none\n1 2\n'
grid 'cut off: 1 of 2 rows' 'ncols 2\nnrows 2\n1 2 3\n'
grid '"5" follows the last of 2 x 2' 'ncols 2\nnrows 2\n1 2 3 4 5\n'
grid '"x" in row 1 is no sample' 'ncols 2\nnrows 2\n1 2 x 4\n'
grid 'claims 4000000000 samples' 'ncols 2000000000\nnrows 2\n1 2\n'
finish
