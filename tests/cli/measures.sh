#!/usr/bin/env bash
# Measures of regions by name: figures are scikit-image's and numpy's, for any number of ranks and
# decomposition; what an image does not have is refused with its name.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python scipy PIL
script=$(dirname "$0")/measures_check.py out=$work/out
"$python" "$script" make "$work" || exit 1
skimage=no
has_python "scikit-image's own figures" skimage && skimage=yes

# A table of each image is compared with its labels, and its bytes with those of other ranks and blocks.
while read -r name others options; do
    # shellcheck disable=SC2086 # the options' words
    add_run "$work/$name.npy" $options
    # shellcheck disable=SC2086
    run_well 1 label "$work/$name.npy" -q -o "$folder/labels.npy" --regions "$folder/regions.csv" \
        --names skimage $options
    for ranks in ${others//,/ }; do
        parts=()
        [ "$ranks" = "${ranks%/*}" ] || parts=(--decomposition "${ranks#*/}")
        # shellcheck disable=SC2086
        run_well "${ranks%/*}" label "$work/$name.npy" -q --regions "$out/is.csv" --names skimage \
            $options "${parts[@]}"
        holds "other bytes on $ranks" cmp -s "$folder/regions.csv" "$out/is.csv"
        rm -f "$out"/*
    done
done < <(rows <<TABLE
blobs 2,3,8/2x4 --properties all -c 8 -t 50%
+ blobs 4/2x2,5 --properties all -c 8 -t 50%
+ blobs 3,6/3x2 --properties all -c 4 -t 45%
blobs 2 --properties all -t 50% --spacing .5,2.5
+ noise 2,3,4/1x4 --properties all -c 8 -t 128
noise 5 --properties all -c 4 -t 128 --min-area 3
column 3 --properties all -t 1
row 2 --properties all -t 1
volume 3,8/2x2x2 --properties all -c 26 -t 55%
+ volume 2,5 --properties all -c 26 -t 55%
+ volume 3,4/1x2x2 --properties all -c 18 -t 55%
+ volume 2 --properties all -c 6 -t 55% --spacing 3,.5,2
+ tall 2,3,8/4x2x1 --properties area,feret_diameter_max -c 26 -t 55%
tall 3/1x1x3,16 --properties feret_diameter_max -c 6 -t 45% --spacing .3,7,1
balls 2,4/1x2x2 --properties feret_diameter_max -c 6 -t 1
balls 2,3/1x1x3 --properties feret_diameter_min -c 6 -t 1 --spacing 2,.5,1
balls 2,3,4/1x2x2 --properties thickness_mean,thickness_max -c 6 -t 1 --spacing 2.5,2.5,2.5
blobs 2,3,4/2x2 --properties thickness_mean,thickness_max -c 4 -t 45%
grey16 2,3,4/2x2 --properties all -c 8 -t 50%
bits 2,3,4/2x2 --properties all -c 8 -t 1
bits 2,3 --properties all -c 8 -t local:3
int16 3 --properties all -c 4 -t local:3:2
int16 2,3,4/2x2,5 --properties all -c 8 -t -100
+ solid16 3,8/2x2x2 --properties all -c 6 -t -5000
float32 2,3,4/2x2 --properties all -c 8 -t .4
+ float64 2,5 --properties all -c 8 -t 50%
solid64 3 --properties all -c 26 -t 1e198
uint64 2,3 --properties all -t 50%
int64 3 --properties median,std,intensity_mean -t 50%
parts 2,3,4/2x2 --properties all --values
parts 3 --properties all --values --delta 100000 --background none
blobs 3 --properties all --method settle -t 50%
blobs 2 --properties all --balance chain -t 50%
TABLE
)
holds 'other measures' "$python" "$script" compare "$work/runs" $skimage

# The list says which columns there are, in the table's order; short names are the same measures.
run_well 2 label "$work/blobs.npy" -q -t 50% --regions "$out/some.csv" --properties centroid,extent,mean
holds 'other columns' [ "$(head -n 1 "$out/some.csv")" = label,x,y,mean_grey,extent ]
run_well 2 label "$work/volume.npy" -q -t 50% --regions "$out/spans.csv" --properties spans,box
holds 'other columns of volumes' \
    [ "$(head -n 1 "$out/spans.csv")" = label,left,top,front,right,bottom,back,spans_x,spans_y,spans_z ]
run_well 2 label "$work/blobs.npy" -q -t 50% --regions "$out/more.csv" --properties extent,standard,area
run_well 2 label "$work/blobs.npy" -q -t 50% --regions "$out/less.csv"
holds 'no column behind the standard ones' cmp -s <(cut -d , -f -11 "$out/more.csv") "$out/less.csv"
holds 'not the one that was named' [ "$(head -n 1 "$out/more.csv" | cut -d , -f 12-)" = extent ]
run_well 2 label "$work/parts.npy" -q --values --regions "$out/parts.csv" --properties standard
run_well 2 label "$work/parts.npy" -q --values --regions "$out/less.csv"
holds 'standard columns that are not the default' cmp -s "$out/parts.csv" "$out/less.csv"
run_well 2 label "$work/blobs.npy" -q -t 50% --regions "$out/all.csv" --properties all
run_well 2 label "$work/blobs.npy" -q -t 50% --regions "$out/both.csv" --properties standard,all,extent
holds 'words and names that exclude each other' cmp -s "$out/all.csv" "$out/both.csv"
run_well 2 label "$work/blobs.npy" -q -t 50% --regions "$out/is.json" --properties extent,spans
holds 'no JSON' "$python" -c 'import json, sys
assert list(json.load(open(sys.argv[1]))[0]) == ["label", "extent", "spans_x", "spans_y"]' "$out/is.json"
rm -f "$out"/*

# Measures do not depend on how regions are numbered.
while read -r ranks name options; do
    # shellcheck disable=SC2086 # the options' words
    run_well "$ranks" label "$work/$name.npy" -q -o "$out/scan.npy" --regions "$out/scan.csv" --properties all \
        $options
    # shellcheck disable=SC2086
    run_well "$ranks" label "$work/$name.npy" -q -o "$out/seeds.npy" --regions "$out/seeds.csv" --properties all \
        --numbering seed $options
    holds "other measures of seeds: $options" \
        cmp -s <(cut -d , -f 2- "$out/scan.csv") <(cut -d , -f 2- "$out/seeds.csv")
    holds 'a table with other seeds' "$python" -c 'import csv, sys, numpy
seeds = numpy.load(sys.argv[1])
rows = [int(row["label"]) for row in csv.DictReader(open(sys.argv[2]))]
assert set(rows) == set(seeds[seeds >= 0]) and len(rows) == len(set(rows))' "$out/seeds.npy" "$out/seeds.csv"
    rm -f "$out"/*
done < <(rows <<TABLE
1 blobs -c 8 -t 50%
3 blobs -t 45% --min-area 4
+ 4 noise -t 128 --decomposition 2x2
+ 2 volume -c 26 -t 55%
3 parts --values
+ 3 int16 -t -100
2 float32 -t .4 --balance chain
+ 1 solid64 -t 1e198 -c 18
TABLE
)

# No measure is added without a word about it.
what=docs/commands.md
measures=$(names_in kernels/label/measure/properties.h LABEL_PROPERTY_LIST)
holds 'no measures in the list' [ "$(wc -w <<<"$measures")" -gt 20 ]
for measure in $measures; do
    holds "nothing about $measure" grep -q "\`$measure\`" "$data/../docs/commands.md"
done

refusing=label besides=("$work/blobs.npy" --regions "$out/a.csv")
refuse 'not "area,centrid"; did you mean centroid?' "${besides[@]}" --properties area,centrid
refuse '; did you mean extent?' "${besides[@]}" --properties extend
refuse 'not "standart,area"; did you mean standard?' "${besides[@]}" --properties standart,area
refuse 'not "all,area,all"' "${besides[@]}" --properties all,area,all
refuse 'needs --regions' "$work/blobs.npy" --properties all
refuse 'is for regions of --values without --delta' "${besides[@]}" --properties value
refuse 'is for regions without --values' "${besides[@]}" --properties mean --values
refuse 'is for images of two axes' "$work/volume.npy" --regions "$out/a.csv" --properties area,eccentricity
finish
