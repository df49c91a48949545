#!/usr/bin/env bash
# Measures of existing labels (halobeat measure), also in other images and for `halobeat label --measure`: figures are
# those of scikit-image's regionprops_table, for labels of any type and format; the same bytes for any number of
# ranks; what cannot be measured is refused.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python scipy PIL
script=$(dirname "$0")/measure_check.py out=$work/out
"$python" "$script" make "$work" || exit 1
skimage=no
has_python "scikit-image's own figures" skimage && skimage=yes

# A line a run: numbers of ranks, labels, and options, of which FOLDER is the folder of all images.
while read -r ranks name options; do
    options=${options//FOLDER/$work}
    # shellcheck disable=SC2086 # the options' words
    add_run "$work/$name" $options
    for count in ${ranks//,/ }; do
        # shellcheck disable=SC2086
        run_well "$count" measure "$work/$name" -q --regions "$out/is.csv" $options
        [ -e "$folder/regions.csv" ] || cp "$out/is.csv" "$folder/regions.csv"
        holds "other bytes on $count" cmp -s "$folder/regions.csv" "$out/is.csv"
        rm -f "$out"/*
    done
done < <(rows <<TABLE
1,2,3 flat-uint8.npy --properties all -i FOLDER/flat-0.npy
1,3,8 flat-int32.npy --properties all -i FOLDER/flat-0.npy -i FOLDER/flat-1.npy,FOLDER/flat-2.npy
+ 1,2 flat-uint64.npy --properties all --intensity FOLDER/flat-3.npy
1,2 flat-uint8.png --properties all -i FOLDER/flat-0.png
1,5 flat-int64.npy
1,2,4 solid-uint16.npy --properties all -i FOLDER/solid-0.npy,FOLDER/solid-1.npy
+ 1,3 solid-int16.npy --properties all -i FOLDER/solid-1.npy --spacing 2,.5,.7
1,9 tiny-uint32.npy --properties all
TABLE
)
holds 'other measures' "$python" "$script" compare "$work/runs" $skimage

# Names of columns.
run_well 2 measure "$work/flat-int32.npy" -q -i "$work/flat-0.npy,$work/flat-1.npy" --names halobeat \
    --properties mean,weighted_centroid --regions "$out/own.csv"
holds 'other own names' [ "$(head -n 1 "$out/own.csv")" = \
    label,mean_grey-0,mean_grey-1,weighted_x-0,weighted_x-1,weighted_y-0,weighted_y-1 ]
run_well 2 measure "$work/flat-int32.npy" -q --regions "$out/is.csv"
holds 'other standard columns' [ "$(head -n 1 "$out/is.csv")" = \
    label,area,bbox-0,bbox-1,bbox-2,bbox-3,centroid-0,centroid-1 ]
rm -f "$out"/*

# `halobeat label` measures other images as `halobeat measure` does with the labels that it writes.
properties=area,mean,min,max,median,std,weighted_centroid
images=$work/flat-0.npy,$work/flat-1.npy
while read -r ranks options; do
    # shellcheck disable=SC2086 # the options' words
    run_well "$ranks" label "$work/flat-0.npy" -q -o "$out/labels.npy" --regions "$out/label.csv" --names skimage \
        --measure "$images" --properties $properties $options
    run_well 2 measure "$out/labels.npy" -q -i "$images" --regions "$out/measure.csv" --properties $properties
    holds "other measures of $options" cmp -s "$out/label.csv" "$out/measure.csv"
    rm -f "$out"/*
done < <(rows <<TABLE
3 -t 100
4 -t 100 --decomposition 2x2
+ 2 -t 100 --method settle
2 --values --background none
+ 3 -t 100 --balance chain
TABLE
)
run_well 1 label "$work/flat-1.npy" -q -t .5 --regions "$out/own.csv" --measure "$work/flat-0.npy"
holds 'a number behind the name of a single image' [ "$(head -n 1 "$out/own.csv" | cut -d , -f 9-)" = \
    mean_grey,min_grey,max_grey ]
rm -f "$out"/*

# Facts and tables of all regions together, of labels and of a threshold.
while read -r ranks command name options; do
    # shellcheck disable=SC2086 # the options' words
    run_well "$ranks" "$command" "$work/$name.npy" -q --facts --chords "$out/chords.csv" \
        --correlation "$out/pairs.csv" --json "$out/run.json" $options
    holds 'other facts of the whole' "$python" "$script" whole "$work/porous-${name#*-}.npy" "$out" $skimage
    rm -f "$out"/*
done < <(rows <<TABLE
1 measure porous-flat
3 measure porous-flat
2 measure porous-solid
+ 5 measure porous-solid
3 label grey-solid -t 0
4 label grey-flat -t 0 --numbering seed --method settle --decomposition 2x2
TABLE
)
run_well 2 measure "$work/porous-solid.npy" --facts
holds 'no summary of the whole' grep -q 'porosity 0.[0-9]*, [0-9.]* % of it in the largest region; specific surface' \
    <(unbroken)
holds 'no shares of what percolates' grep -q '% along z, [0-9.]* % along y, [0-9.]* % along x, of' <(unbroken)

# Samples that are missing are left out, and labels that are missing are of no region.
run_well 2 measure "$work/flat-int32.npy" -q -i "$work/nodata.asc" --regions "$out/is.csv" \
    --properties area,mean,min,max,median
holds 'other figures of samples that are not missing' "$python" "$script" nodata "$work" "$out/is.csv"
run_well 2 measure "$work/below.npy" -q --nodata -7 --regions "$out/is.csv"
holds 'labels that are missing are regions' [ "$(cut -d , -f 1 "$out/is.csv" | tr '\n' ' ')" = 'label 3 5 ' ]
rm -f "$out"/*

# Many images of labels have one table, each with its own image of samples; some have no regions.
run_well 2 measure "$work/many/a.npy" "$work/many/b.npy" "$work/many/none.npy" -q -i "$work/grey/{name}.npy" \
    --regions "$out/all.csv" --properties area,mean
holds 'other tables of many' [ "$(cut -d , -f 2- "$out/all.csv" | tr '\n' ' ')" = \
    'label,area,intensity_mean 1,4,2.500000 2,2,7.500000 9,3,1.000000 ' ]
rm -f "$out"/*
run 1 measure "$work/many/none.npy" --regions "$out/none.csv"
# shellcheck disable=SC2154 # of run
holds "exit status $status" [ "$status" = 0 ]
holds 'no warning of no regions' grep -q 'has no regions: all of its pixels are 0; ' "$work/stderr"
holds 'lines without regions' [ "$(wc -l <"$out/none.csv")" = 1 ]
rm -f "$out"/*
run_well 2 measure "$work/flat-int32.npy" -i "$work/flat-0.npy" --json "$out/run.json"
holds 'other facts' "$python" -c 'import json, sys
facts = json.load(open(sys.argv[1]))
assert facts["regions"] > 9 and 0 < facts["labelled_share"] < 1, facts
assert [image["kind"] for image in facts["intensity"]] == ["array of uint8"], facts["intensity"]' "$out/run.json"
rm -f "$out"/*

refusing=measure besides=("$work/flat-int32.npy" --regions "$out/a.csv")
refuse 'names a second\|which labels' --regions "$out/a.csv"
refuse 'takes names of images, 16 at most' "${besides[@]}" -i "$work/flat-0.npy,,"
refuse 'is of intensities; name the image that has them with --intensity FILE' "${besides[@]}" --properties median
# shellcheck disable=SC2016 # the backquotes are the message's
refuse 'is of `halobeat label`; ask for intensity_mean' "${besides[@]}" --properties channels
refuse 'is for images of two axes' "$work/solid-uint16.npy" --regions "$out/a.csv" --properties perimeter
refuse 'is for pixels that are as large along all axes' "$work/solid-uint16.npy" --regions "$out/a.csv" \
    --properties thickness_mean --spacing '1,2,2'
refuse 'has 9 rows of 8 pixels, and .* has 90 rows of 130; measure images of the same shape' "${besides[@]}" \
    -i "$work/tiny-uint32.npy"
refuse 'has 18 planes of 30 rows of 26 pixels, and .* has 90 rows' "${besides[@]}" -i "$work/solid-0.npy"
refuse 'samples of type float64, and labels are whole numbers; save it as int32' "$work/real.npy"
refuse 'pixels of one bit, which are no labels; number its regions first' "$work/bits.npy"
refuse 'is a picture in colours, and labels are whole numbers; ' "$work/colours.png"
refuse 'is a volume, and --spacing 1,2 has no distance' "$work/solid-uint16.npy" --regions "$out/a.csv" --spacing 1,2
refuse '{name} and {dir}, not {number}' "$work/many/a.npy" "$work/many/b.npy" --regions "$out/a.csv" \
    -i "$work/grey/{number}.npy"
fails 1 'has labels below 0, the lowest is -7, .*use --nodata -7' 3 measure "$work/below.npy"
fails 1 'no/such' 2 measure "$work/flat-int32.npy" -i "$work/no/such.npy"
finish
