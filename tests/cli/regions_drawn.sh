#!/usr/bin/env bash
# Regions as polygons (GeoJSON, ImageJ's regions of interest) and their edges over a picture, of `halobeat label` and
# `halobeat measure`: they have the pixels of the regions, are valid, and are the same bytes for any number of ranks.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python scipy PIL tifffile
script=$(dirname "$0")/regions_drawn_check.py out=$work/out
"$python" "$script" make "$work" || exit 1

# The first number of ranks is that of the reference.
while read -r ranks name; do
    rm -rf "$work/one" && mkdir "$work/one"
    for count in ${ranks//,/ }; do
        for kind in geojson zip; do
            run_well "$count" measure "$work/$name.npy" -q --polygons "$out/is.$kind" --properties area,bbox
            [ -e "$work/one/is.$kind" ] || cp "$out/is.$kind" "$work/one"
            holds "other bytes of .$kind on $count" cmp -s "$work/one/is.$kind" "$out/is.$kind"
            rm -f "$out"/*
        done
    done
    holds 'other polygons' "$python" "$script" polygons "$work/$name.npy" "$work/one/is.geojson" "$work/one/is.zip"
done < <(rows <<TABLE
1,2,5 noise
1,3 dense
2 row
+ 2 column
1,4 many
TABLE
)
while read -r ranks options; do
    # shellcheck disable=SC2086 # the options' words
    run_well "$ranks" label "$work/grey.npy" -q -o "$out/labels.npy" --polygons "$out/is.geojson" $options
    holds "other polygons of $options" "$python" "$script" polygons "$out/labels.npy" "$out/is.geojson"
    rm -f "$out"/*
done < <(rows <<TABLE
3 -t 128 --properties area
2 -t 128 -c 8 --numbering seed
+ 4 -t 128 --decomposition 2x2
TABLE
)

run_well 1 measure "$work/noise.npy" -q --polygons "$out/plain.geojson" --properties area
run_well 3 measure "$work/map.tif" -q --spacing pixels --polygons "$out/map.geojson" --properties area
holds 'other places on a map' "$python" "$script" on_map "$out/plain.geojson" "$out/map.geojson"
rm -f "$out"/*

# Edges, over greys and colours, of images and planes.
while read -r ranks picture words; do
    files=is.png
    case $picture in solid-*) files=%04d.png ;; esac
    # shellcheck disable=SC2086 # the command's words
    run_well "$ranks" ${words//FOLDER/$work} -q --outline "$out/$files"
    case $words in
        label*)
            # shellcheck disable=SC2086
            run_well "$ranks" ${words//FOLDER/$work} -q -o "$work/labels.npy"
            labels=$work/labels.npy
            ;;
        *) labels=$work/${picture%-*}.npy ;;
    esac
    holds 'other edges' "$python" "$script" outline "$labels" "$work/$picture" "$out"
    rm -f "$out"/*
done < <(rows <<TABLE
1 noise-grey.npy measure FOLDER/noise.npy -i FOLDER/noise-grey.npy
5 noise-grey.npy measure FOLDER/noise.npy -i FOLDER/noise-grey.npy
3 solid-grey.npy measure FOLDER/solid.npy -i FOLDER/solid-grey.npy
2 noise-colour.png label FOLDER/noise-colour.png -t 128
2 noise-bits.png measure FOLDER/noise.npy -i FOLDER/noise-bits.png
+ 4 grey.npy label FOLDER/grey.npy -t 128 --numbering seed --decomposition 2x2
TABLE
)

refusing=measure besides=("$work/solid.npy")
refuse 'is a volume, and --polygons is for images of two axes; choose one of its planes' "${besides[@]}" \
    --polygons "$out/a.zip"
refuse 'is a volume, which is no picture; use a name such as --outline o%04d.png' "${besides[@]}" --outline "$out/a.png"
refuse 'is an image of one plane, and ".*" stands for a file a plane' "$work/noise.npy" --outline "$out/%d.png"
refuse 'pixels, and ImageJ.s regions of interest have coordinates up to 60000; use --polygons FILE.geojson' \
    "$work/wide.npy" --polygons "$out/a.zip"
refusing=label
refuse 'is a volume, and --polygons is for images' "${besides[@]}" -t 1 --polygons "$out/a.geojson"
fails 2 'regions are more than the 65535 files of an archive; use --polygons FILE.geojson' 2 measure "$work/most.npy" \
    --polygons "$out/a.zip"
finish
