#!/usr/bin/env bash
# Arrays of zarr: read by one to three ranks they give the labels of the same samples in .npy; what is
# written has the same bytes for every number of ranks; what is wrong with an array is said.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python numpy
scripts=$(dirname "$0") files=$work/files out=$work/out
has_python 'arrays by zarr-python' zarr numcodecs
by_zarr=$?
mkdir "$files"
"$python" "$scripts/make_shards.py" "$files" || exit 1

# Without its library a compressor is refused.
for library in blosc zstd lz4 bz2 lzma; do
    run_well 1 --version
    if grep -q "zarr with $library" "$work/stdout"; then
        echo "skipped: arrays compressed with $library, not installed: lib$library-dev"
        for array in "$files"/*-"$library"*; do
            if [ -e "$array" ]; then
                fails 1 "this build has no lib$library; save it with zlib" 1 label "$array" -o "$out/is.npy"
                rm -r "$array"
            fi
        done
        rm -rf "$files"/bad/"$library"*
    fi
done

# One file of each group is the measure of all.
ranks=1
for measure in "$files"/*.npy; do
    name=$(basename "${measure%.npy}") command=(label)
    case $name in
        costs) command=(paths --from '1,1' --to '25,15') asked=(--path) ending=csv ;;
        *) asked=(-o) ending=npy ;;
    esac
    run_well 1 "${command[0]}" "$measure" "${command[@]:1}" -q "${asked[@]}" "$work/should.$ending"
    for array in "$files/$name"-*; do
        ranks=$((ranks % 3 + 1))
        run_well "$ranks" "${command[0]}" "$array" "${command[@]:1}" -q "${asked[@]}" "$out/is.$ending"
        holds "other results of $array" cmp -s "$out/is.$ending" "$work/should.$ending"
        rm -f "$out"/*
    done
done
for ranks in 1 2 3; do # cuts inside of chunks, and twice for the threshold
    run_well 1 label "$files/volume.npy" -t otsu -q -o "$work/should.npy"
    run_well "$ranks" label "$files/volume-v3both" -t otsu -q -o "$out/is.npy"
    holds 'other labels with a threshold that is found' cmp -s "$out/is.npy" "$work/should.npy"
    rm -f "$out"/*
done

# A group of OME: one of the other images by its name.
run_well 2 label "$files/volume-ome/1" -q -o "$out/is.npy"
run_well 1 label "$files/volume-ome3/1" -q -o "$work/should.npy"
holds 'other labels of the smaller image' cmp -s "$out/is.npy" "$work/should.npy"
rm -f "$out"/*

# Images of bioformats2raw: one of the others by its number.
for name in volume-series volume-series3 volume-series2list; do
    run_well 1 label "$files/bad/other.npy" -q -o "$work/should.npy"
    run_well 2 label "$files/$name" --series 1 -q -o "$out/is.npy"
    holds "other labels of series 1 of $name" cmp -s "$out/is.npy" "$work/should.npy"
    rm -f "$out"/*
    run_well 1 label "$files/$name"
    holds "no word of the series of $name" grep -q 'series 0 of 2' "$work/stdout"
    fails 2 'has 2 series, and no series is "2"' 3 label "$files/$name" --series 2
done
for ranks in 1 2 3 5; do # bands of chunks in several shards
    run_well 1 label "$files/volume.npy" -t otsu -q -o "$work/should.npy"
    run_well "$ranks" label "$files/volume-shardsmissing" -t otsu -q -o "$out/is.npy"
    holds 'other labels of shards' cmp -s "$out/is.npy" "$work/should.npy"
    rm -f "$out"/*
done

# ---- writing --------------------------------------------------------------------------------------
"$python" - "$files" <<'PYTHON' || exit 1
import sys
import numpy

random = numpy.random.RandomState(2)
folder = sys.argv[1]
numpy.save(folder + "/planes.npy", (random.rand(23, 500, 450) < 0.004).astype("u1"))
numpy.save(folder + "/image.npy", (random.rand(3500, 1500) < 0.004).astype("u1"))
numpy.save(folder + "/rows.npy", (random.rand(2, 70, 90000) < 0.002).astype("u1"))
PYTHON
# written NAME CHUNKS OPTION...: its labels as a folder, the same for one to five ranks.
written() {
    local name=$1 chunks=$2 ranks
    shift 2
    run_well 1 label "$files/$name.npy" "${@:1:2}" -q --out-dtype uint32 -o "$work/should.npy"
    for ranks in 1 2 5; do
        run_well "$ranks" label "$files/$name.npy" "$@" -q --out-dtype uint32 -o "$out/is.zarr"
        if [ "$ranks" = 1 ]; then
            cp -r "$out/is.zarr" "$work/one.zarr"
            holds "not $chunks chunks" [ "$(find "$out/is.zarr" -type f ! -name ".z*" | wc -l)" = "$chunks" ]
        fi
        holds 'other chunks with more ranks' diff -r "$out/is.zarr" "$work/one.zarr"
        holds 'something was left' [ "$(find "$out" -mindepth 1 -maxdepth 1)" = "$out/is.zarr" ]
    done
    if [ "$by_zarr" = 0 ]; then
        what="zarr.open_array($name)"
        holds 'zarr-python reads something else' "$python" -c 'import numpy, sys, zarr
array, should = zarr.open_array(sys.argv[1], mode="r"), numpy.load(sys.argv[2])
same = array.shape == should.shape and array.dtype == should.dtype and (array[:] == should).all()
sys.exit(0 if same else 1)' \
            "$out/is.zarr" "$work/should.npy"
    fi
    # The written array is read: the labels are foreground.
    run_well 1 label "$files/$name.npy" "${@:1:2}" -q -o "$work/should.npy"
    run_well 3 label "$out/is.zarr" "${@:1:2}" -t 1 -q -o "$work/is.npy" --min-area 1
    holds 'other regions of what was written' cmp -s "$work/is.npy" "$work/should.npy"
    rm -r "$work/one.zarr" "$out/is.zarr"
}
written planes 3 -c 26 --compress deflate
written image 3 -c 8
# Sanitizers take long for millions of samples.
if [ -z "${HALOBEAT_TEST_LIMIT:-}" ]; then
    written planes 3 -c 26
    written rows 8 -c 26
fi

run_well 1 label "$files/planes.npy" -q -o "$out/is.zarr"
run_well 1 label "$files/planes.npy" -q -o "$out/small.zarr" --compress deflate
holds 'nothing was compressed' [ "$(du -s "$out/small.zarr" | cut -f 1)" -lt "$(du -s "$out/is.zarr" | cut -f 1)" ]
rm -r "$out/is.zarr" "$out/small.zarr"
fails 2 'compress deflate is for names ending in .tif, ' 1 label "$files/planes.npy" -o "$out/is.npy" --compress deflate

# Only an array is replaced, and by nothing that is not whole.
run_well 1 label "$files/volume.npy" -q -o "$out/is.zarr"
run_well 2 label "$files/bits.npy" -q -o "$out/is.zarr"
holds 'old chunks were left' [ "$(find "$out/is.zarr" -type f ! -name ".z*" | wc -l)" = 1 ]
fails 2 'the same file' 1 label "$out/is.zarr" -o "$out/is.zarr"
fails 1 'is damaged' 2 label "$files/bad/cut-deflate" -o "$out/is.zarr"
echo notes >"$out/is.zarr/notes"
fails 1 'is.zarr/notes is no part of one' 2 label "$files/volume.npy" -o "$out/is.zarr"
mkdir "$out/folder.zarr"
fails 1 'something else than an array of zarr is there' 2 label "$files/volume.npy" -o "$out/folder.zarr"
echo text >"$out/file.zarr"
fails 1 'something else than an array of zarr is there' 1 label "$files/volume.npy" -o "$out/file.zarr"
fails 1 'cannot write .*No such file' 2 label "$files/volume.npy" -o "$out/none/is.zarr"
# Files of a killed run disturb nobody; those that another run writes stay.
left=.new.zarr.partial-0123456789abcdef
mkdir "$out/$left"
echo half >"$out/$left/0.0.0"
if has flock util-linux 'two runs that write one array'; then
    exec {lock}<"$out/$left"
    flock -n "$lock"
    run_well 2 label "$files/volume.npy" -q -o "$out/new.zarr"
    holds 'what another run writes is gone' [ -e "$out/$left/0.0.0" ]
    exec {lock}<&-
fi
run_well 2 label "$files/volume.npy" -q -o "$out/new.zarr"
holds 'what a killed run left is still there' [ ! -e "$out/$left" ]

# ---- what cannot be read --------------------------------------------------------------------------
count=0
while IFS='|' read -r array message; do
    [ -e "$files/bad/$array" ] || continue
    ranks=$((count++ % 4 == 0 ? 3 : 1))
    fails 1 "$message" "$ranks" label "$files/bad/$array" -o "$out/labels.npy"
done <"$files/bad/list.txt"
finish
