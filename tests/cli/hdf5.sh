#!/usr/bin/env bash
# HDF5: the same samples give the same labels, however a data set is laid out, through the library or
# past it; what is written opens in other programs; what is wrong is said with its remedy.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python numpy h5py
scripts=$(dirname "$0") files=$work/files out=$work/out
needs_format HDF5 libhdf5-dev
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

# ---- writing ---------------------------------------------------------------------------------------
# written RANKS MEASURE OUTPUT OPTION...: labels of MEASURE.npy, for the comparison below.
written() {
    local ranks=$1 measure=$2 output=$3
    run_well 1 label "$files/$measure.npy" -q -o "$work/$measure.npy"
    run_well "$ranks" label "$files/$measure.npy" -q -o "$out/$output" "${@:4}"
    echo "$measure $out/$output" >>"$work/written"
}
written 1 volume one.h5
written 3 volume three.h5
written 2 volume Spaced.HDF5 --regions "$work/regions.csv" --spacing 2,1,.5 --out-dtype uint64
written 2 volume named.h5:/a/group/labels
written 3 image image.h5
written 1 image "deep.h5:/$(printf 'n%.0s' {1..300})/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17"
written 1 bits named-wide.h5:/wide --out-dtype uint32
holds 'other bytes on three ranks' cmp -s "$out/one.h5" "$out/three.h5"
"$python" "$scripts/check_hdf5.py" "$work/written" >"$work/stdout" 2>"$work/stderr"
what='labels in HDF5' status=$?
holds 'they are not what was computed' [ "$status" = 0 ]
if has_python 'HDF5 in VTK' vtk; then
    "$python" "$scripts/check_hdf5.py" "$work/written" vtk >"$work/stdout" 2>"$work/stderr"
    what='labels in HDF5, read by VTK' status=$?
    holds 'they are not what was computed' [ "$status" = 0 ]
fi
# Written files are read again, and one file is not written while it is read.
run_well 2 label "$out/one.h5" -t 1 -q -o "$work/again.npy"
run_well 1 label "$work/volume.npy" -t 1 -q -o "$work/again-should.npy"
holds 'other labels of labels' cmp -s "$work/again.npy" "$work/again-should.npy"
cp "$files/plain.h5" "$out/in.h5"
fails 2 'are the same file' 2 label "$out/in.h5:/data" -o "$out/in.h5"
fails 2 'are the same file' 2 label "$out/in.h5" -o "$out/in.h5:/labels"
for path in / // /a/ /a//b; do
    fails 2 'takes a name ending in' 1 label "$files/plain.h5" -o "$out/labels.h5:$path"
done
fails 1 'No such file or directory; create the folder' 2 label "$files/plain.h5" -o "$out/none/labels.h5:/a/b"
rm -f "$out"/*

# Many files: an image is called as its file, and no folder is made of a data set's path.
run_well 1 label "$files/image-plain.h5:/data" "$files/image-chunks.h5:/data" -q -o "$out/{name}.h5:/a/labels"
holds 'files of other names' [ "$(ls "$out")" = $'image-chunks.h5\nimage-plain.h5' ]
holds 'other labels of the same image' cmp -s "$out/image-plain.h5" "$out/image-chunks.h5"
rm -rf "${out:?}"/*

# ---- what cannot be read ---------------------------------------------------------------------------
while IFS='|' read -r file message; do
    fails 1 "$message" $((ranks = ranks % 3 + 1)) label "$files/bad/$file" -o "$out/labels.npy"
done <"$files/bad/list"
# The processor time of one second is enough for 1000 groups in each other; a path of 1000 names is not
# one that can be given.
what='groups in each other'
holds 'they take long' eval "(ulimit -t 2; \"\$program\" label \"\$files/deep.h5\" -q 2>\"\$work/stderr\")
    [ \$? = 1 ] && grep -q 'of the 1001 data sets name one.*: /g/g/g/' \"\$work/stderr\""

# ---- the process that reads them -------------------------------------------------------------------
# It is found beside the program, or where HALOBEAT_LIBEXEC says; any end of it is one message.
helper=$(find "$(dirname "$program")/.." -path '*/halobeat/halobeat-hdf5' -print -quit)
# as_helper STATUS MESSAGE SCRIPT: with a helper that does this instead.
as_helper() {
    mkdir -p "$work/libexec"
    printf '#!/bin/bash\n%s\n' "$3" >"$work/libexec/halobeat-hdf5"
    chmod +x "$work/libexec/halobeat-hdf5"
    HALOBEAT_LIBEXEC=$work/libexec fails "$1" "$2" 2 label "$files/chunks.h5" -o "$out/labels.npy"
}
as_helper 1 'libhdf5 crashed on it (signal 11' 'kill -SEGV $$'
as_helper 1 'libhdf5 crashed on it (signal 6' 'kill -ABRT $$'
as_helper 1 'libhdf5 came to nothing in 10 seconds' 'kill -XCPU $$'
as_helper 1 'was killed, perhaps for want of memory' 'kill -KILL $$'
as_helper 1 'HDF5 files need libhdf5' 'exit 127'
as_helper 1 'the process that reads HDF5 has ended' 'exit 0'
as_helper 1 'the process that reads HDF5 did not answer as it should' 'head -c 100 /dev/zero >&3; exec sleep 60'
chmod -x "$work/libexec/halobeat-hdf5"
HALOBEAT_LIBEXEC=$work/libexec fails 1 'the program halobeat-hdf5 is not found in .*libexec; install halobeat whole' \
    2 label "$files/chunks.h5" -o "$out/labels.npy"
"$python" "$scripts/check_hdf5_helper.py" "$helper" "$files/chunks.h5" >"$work/stdout" 2>"$work/stderr"
what='halobeat-hdf5' status=$?
holds 'it is not as io/hdf5/protocol.h says' [ "$status" = 0 ]
what='halobeat-hdf5 by hand' status=0
"$helper" >"$work/stdout" 2>"$work/stderr" || status=$?
holds 'it does not say what it is for' grep -q 'started by halobeat' "$work/stderr"
holds 'another status' [ "$status" = 2 ]

if [ "$(id -u)" != 0 ]; then
    chmod 0 "$files/plain.h5"
    fails 1 'Permission denied' 2 label "$files/plain.h5" -o "$out/labels.npy"
    fails 1 'Permission denied' 2 label "$files/plain.h5:/data" -o "$out/labels.npy"
else
    echo 'skipped: a file without permission: root may read all'
fi
finish
