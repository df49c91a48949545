#!/usr/bin/env bash
# Files of HDF5 that refer to others: refused with the option that helps; with --follow-links, read by any
# number of ranks, and all files that are read are inputs of the run. What is no ordinary file, missing or
# too short is never opened for pixels.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python numpy h5py
scripts=$(dirname "$0") files=$work/files out=$work/out
needs_format HDF5 libhdf5-dev
mkdir "$files"
"$python" "$scripts/make_hdf5_links.py" "$files" || exit 1

for measure in volume partly; do run_well 1 label "$files/$measure.npy" -q -t 128 -o "$work/$measure.npy"; done
while IFS='|' read -r measure file; do
    fails 1 'say --follow-links' 2 label "$files/$file" -q -t 128 -o "$out/is.npy"
    for ranks in 1 2 3 5; do
        run_well $ranks label "$files/$file" --follow-links -q -t 128 -o "$out/is.npy"
        holds "other labels of $file on $ranks ranks" cmp -s "$out/is.npy" "$work/$measure.npy"
        rm -f "$out"/*
    done
done <"$files/list"
while IFS='|' read -r file message; do
    for ranks in 1 2; do
        fails 1 "$message" $ranks label "$files/$file" --follow-links -q -t 128 -o "$out/is.npy"
    done
done <"$files/bad"

# A file that is reached by links is an input: it is not overwritten, and a batch's journal knows it.
same='are the same file'
fails 2 "$same" 2 label "$files/virtual.h5" --follow-links -q -t 128 -o "$files/parts/2.h5"
fails 2 "$same" 1 label "$files/links.h5:/packed" --follow-links -q -t 128 -o "$files/elsewhere/packed.h5"
fails 2 "$same" 1 label "$files/external.h5:/whole" --follow-links -q -t 128 --json "$files/raw.bin"
fails 2 "$same" 3 label "$files/elsewhere/nested.h5" --follow-links -q -t 128 --json "$files/parts/0.h5"
batch=(label "$files/virtual.h5" "$files/links.h5:/plain" --follow-links -q -t 128 -o "$out/{name}.npy"
    --journal "$work/journal")
run_well 2 "${batch[@]}" --json "$work/first.json"
run_well 2 "${batch[@]}" --json "$work/again.json"
holds 'what is done was done again' cmp -s "$work/first.json" "$work/again.json"
"$python" -c 'import h5py, sys
with h5py.File(sys.argv[1], "r+") as file:
    file["data"][0] = 255' "$files/parts/3.h5"
run 2 "${batch[@]}" --json "$work/changed.json"
holds 'it fails' [ "$status" = 0 ]
holds 'it is not told' grep -q 'virtual.h5: its file is not what it was' "$work/stderr"
# With one source all white, there are other regions.
holds 'what was made of another source counts as done' "$python" -c 'import json, sys
first, changed = (json.load(open(name)) for name in sys.argv[1:])
pixels = lambda one: [image["foreground_pixels"] for image in one]
assert pixels(first)[0] < pixels(changed)[0] and pixels(first)[1] == pixels(changed)[1]' \
    "$work/first.json" "$work/changed.json"
finish
