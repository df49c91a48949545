#!/usr/bin/env bash
# HDF5: the same samples give the same labels, however a data set is laid out, through the library or
# past it; what is written opens in other programs; what is wrong is said with its remedy.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python numpy h5py
scripts=$(dirname "$0") files=$work/files out=$work/out
run_well 1 --version
grep -q '^reads images as .*HDF5' "$work/stdout" || skip 'built without HDF5: libhdf5-dev'
mkdir "$files"
"$python" "$scripts/make_hdf5.py" "$files" || exit 1

# ---- reading ---------------------------------------------------------------------------------------
ranks=1 last=
while IFS='|' read -r measure file; do
    if [ "$measure" != "$last" ]; then
        run_well 1 label "$files/$measure.npy" -q -o "$work/should.npy" --regions "$work/should.csv"
        last=$measure
    fi
    ranks=$((ranks % 3 + 1))
    run_well "$ranks" label "$files/$file" -q -o "$out/is.npy" --regions "$out/is.csv"
    holds "other labels" cmp -s "$out/is.npy" "$work/should.npy"
    holds "other regions" cmp -s "$out/is.csv" "$work/should.csv"
    rm -f "$out"/*
done <"$files/list"

# Through a pipe, and by standard input.
run_well 1 label "$files/volume.npy" -q -o "$work/should.npy"
for file in plain chunks; do
    what="halobeat label - <$file.h5"
    holds "it fails" "$program" label - -q -o "$out/pipe.npy" < <(cat "$files/$file.h5")
    holds "other labels through a pipe" cmp -s "$out/pipe.npy" "$work/should.npy"
    holds "standard input fails" "$program" label - -q -o "$out/file.npy" <"$files/$file.h5"
    holds "other labels of standard input" cmp -s "$out/file.npy" "$work/should.npy"
    rm -f "$out"/*
done

while IFS='|' read -r measure file; do
    run_well 1 paths "$files/$measure.npy" --from 1,1 --to 20,30 -q --path "$work/should.csv"
    run_well $((ranks = ranks % 3 + 1)) paths "$files/$file" --from 1,1 --to 20,30 -q --path "$out/is.csv"
    holds "another path" cmp -s "$out/is.csv" "$work/should.csv"
    rm -f "$out"/*
done <"$files/costs"

# ---- what cannot be read, on one rank and on three -------------------------------------------------
while IFS='|' read -r file message; do
    fails 1 "$message" 1 label "$files/bad/$file" -o "$out/labels.npy"
    fails 1 "$message" 3 label "$files/bad/$file" -o "$out/labels.npy"
done <"$files/bad/list"
if [ "$(id -u)" != 0 ]; then
    chmod 0 "$files/plain.h5"
    fails 1 'Permission denied' 2 label "$files/plain.h5" -o "$out/labels.npy"
    fails 1 'Permission denied' 2 label "$files/plain.h5:/data" -o "$out/labels.npy"
else
    echo 'skipped: a file without permission: root may read all'
fi
finish
