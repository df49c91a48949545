#!/usr/bin/env bash
# Label images, segmentations and masks that are given without a threshold: a warning for files that say
# that they have labels, and for those that look so; none for masks and pictures, and none with -t.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python numpy PIL tifffile
scripts=$(dirname "$0") given=$work/given
mkdir "$given"
"$python" "$scripts/make_labels.py" "$given" || exit 1

# warned RANKS WORDS ARGUMENT...: exactly one warning, in JSON, too.
warned() {
    local ranks=$1 words=$2
    run "$ranks" "${@:3}" -q --json "$work/out/run.json"
    [ "$status" = 0 ] && [ "$(messages | grep -c "$words.*-t 1 ")" = 1 ] && [ "$(messages | wc -l)" = 1 ] &&
        [[ $(told warnings 0) = *"$words"* ]]
    holds "no warning of $words, or another one" [ $? = 0 ]
    rm -f "$work/out/run.json"
}
walk=(--steps 64 -w 10)

# Files of our own; PNG and NumPy's have no place for it.
for ending in tif mha mhd nii nii.gz nrrd h5 zarr; do
    ours=$given/ours.$ending
    run_well 1 label "$data/brick.png" --invert -q -o "$ours"
    warned 2 'says that its samples are labels' label "$ours"
done
for ranks in 1 3 5; do warned $ranks 'says that its samples are labels' label "$given/ours.tif"; done
warned 2 'says that its samples are labels' walk "$given/ours.h5" "${walk[@]}"
run_well 2 label "$given/ours.h5" -q --values
run_well 3 label "$given/ours.h5" -q -t otsu
run_well 1 walk "$given/ours.h5" -t 1 -q "${walk[@]}"
run_well 1 label "$given/ours.tif" -q -t 1 --largest 1 -o "$given/one.tif" # which is a mask
run_well 2 label "$given/one.tif" -q
mkdir "$given/planes"
run_well 1 label "$data/grains.tif" -q -o "$given/planes/z%04d.tif"
warned 2 'says that its samples are labels' label "$given/planes/"

for path in "$given"/few* "$given"/looks*; do
    words='only 4 different values'
    case $path in */looks*) words='looks like' ;; esac
    ranks=1
    case $path in *few.png | *looks-i4.npy) ranks='1 2 3 5' ;; esac
    for ranks in $ranks; do warned "$ranks" "$words" label "$path"; done
    run_well 1 label "$path" -q -t otsu
done
warned 2 'only 4 different values' walk "$given/few.png" "${walk[@]}"
run_well 1 label "$given/few.tif" -q -t 1
run_well 1 label "$given/few.png" -q --values
run_well 1 walk "$given/few.png" -t 1 -q "${walk[@]}"

for path in "$given"/mask* "$given"/picture* "$data"/{brick,camera,cell,coffee,rock,text}.png "$data/grains.tif"; do
    run_well 1 label "$path" -q
done
run 1 label "$given"/{few,mask}.npy -q --table "$work/out/table.csv"
holds 'a batch that does not warn of one image' [ "$(messages | grep -c 'few.npy has only 4')" = 1 ]
holds 'a batch that ends' [ "$status" = 0 ]
finish
