#!/usr/bin/env bash
# Libraries of formats: a run opens those that its files need, and no others; one that is not there, though the
# program was built with it, is named together with its package.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
files=$work/files file=''
mkdir "$files"
run_well 1 --version
cp "$work/stdout" "$work/version"

# built_with LIBRARY: the name that the system has for the library of this build; false if there is none.
built_with() {
    case $1 in
        tiff | jpeg) grep -q "built without.*lib$1" "$work/version" && return 1 ;;
        *) grep -q "lib$1)" "$work/version" && return 1 ;;
    esac
    file=$(strings "$program" | grep "^lib$1\.so\.[0-9.]*$") && [ -n "$file" ]
}

# array COMPRESSOR: a folder of zarr that has no chunk, so that its samples are 0.
array() {
    mkdir "$files/$1.zarr"
    cat >"$files/$1.zarr/.zarray" <<END
{"zarr_format": 2, "shape": [2, 3], "chunks": [2, 3], "dtype": "|u1", "compressor": {"id": "$1"},
 "fill_value": 0, "order": "C", "filters": null}
END
}
for compressor in zlib blosc zstd lz4 bz2 lzma; do array $compressor; done
cp "$data/brick.png" "$data/grains.tif" "$files"
printf 'NRRD0004\ntype: uint8\ndimension: 2\nsizes: 3 2\nencoding: bzip2\n\n' >"$files/bzip2.nrrd"
printf '\377\330\377\340' >"$files/cut.jpg" # libjpeg finds that out

# ---- which are opened -----------------------------------------------------------------------------
if has strace strace 'which libraries are opened' && strace -qq true 2>/dev/null; then
    # opens LIBRARIES ARGUMENT...: of the libraries of formats, the program opens the first of these, which may
    # need the others, and no more.
    opens() {
        local wanted=$1 first=${1%% *} opened
        shift
        what="halobeat $*"
        strace -qq -f -e trace=openat -o "$work/trace" "$program" "$@" >/dev/null 2>"$work/stderr"
        opened=$(grep -v ENOENT "$work/trace" | sed -n "s#.*/lib\(blosc\|bz2\|jpeg\|lz4\|lzma\|tiff\|zstd\)\.so.*#\\1#p")
        if [ -n "$first" ] && built_with "$first"; then
            holds "not opened: $first" grep -q "^$first$" <<<"$opened"
        fi
        opened=$(grep -v -x -e "${wanted// /\\|}" <<<"${opened:-none}")
        holds "opened $opened" [ "${opened:-none}" = none ]
    }
    # Every run opens the files that MPI itself needs.
    if ldd "$program" | grep -q 'libmpi\|libmpich'; then
        echo 'skipped: which libraries are opened, in a program that is linked to MPI'
    else
        opens '' --help
        opens '' label --help
        opens '' label "$files/brick.png" -q -o "$work/out/labels.png"
        opens '' label "$files/zlib.zarr" -q -o "$work/out/labels.npy"
        opens 'blosc lz4 zstd' label "$files/brick.png" -q -o "$work/out/labels.zarr" --compress lz4
        opens 'blosc lz4 zstd' label "$files/blosc.zarr" -q
        opens 'tiff jpeg lzma zstd' label "$files/grains.tif" -q
        opens jpeg label "$files/cut.jpg" -q
        for compressor in zstd lz4 bz2 lzma; do opens $compressor label "$files/$compressor.zarr" -q; done
        opens bz2 label "$files/bzip2.nrrd" -q
        rm -rf "${work:?}"/out/*
    fi
fi

# ---- not there ------------------------------------------------------------------------------------
# lacks LIBRARY PACKAGE ARGUMENT...: the system finds a file by the library's name that is none.
lacks() {
    local library=$1 package=$2
    shift 2
    # The program cannot start without a library that it is linked to itself, as to MPI's.
    if built_with "$library" && ! ldd "$program" | grep -q "$file"; then
        mkdir -p "$work/empty"
        : >"$work/empty/$file"
        for ranks in 1 2; do
            LD_LIBRARY_PATH=$work/empty fails "$wanted" \
                "needs lib$library, which cannot be loaded (.*$file.*); install it (Debian: $package)" $ranks "$@"
        done
        rm "$work/empty/$file"
    fi
}
wanted=1
lacks tiff libtiff6 label "$files/grains.tif" -q
lacks jpeg libjpeg62-turbo label "$files/cut.jpg" -q
lacks blosc libblosc1 label "$files/blosc.zarr" -q
lacks zstd libzstd1 label "$files/zstd.zarr" -q
lacks lz4 liblz4-1 label "$files/lz4.zarr" -q
lacks bz2 libbz2-1.0 label "$files/bz2.zarr" -q
lacks bz2 libbz2-1.0 label "$files/bzip2.nrrd" -q
lacks lzma liblzma5 label "$files/lzma.zarr" -q
wanted=2 # which the arguments tell
lacks blosc libblosc1 label "$files/brick.png" -q -o "$work/out/labels.zarr" --compress lz4

# ---- no memory ------------------------------------------------------------------------------------
# memory_calls ARGUMENT...: how many calls for memory the program, and libraries for it, make.
memory_calls() {
    rm -f "$work/sites"
    FAIL_NTH=0 FAIL_SITES=$work/sites LD_PRELOAD=$tools/fail_nth.so "$program" "$@" >/dev/null 2>"$work/stderr"
    grep -c '^memory ' "$work/sites"
}

# lacks_memory ARGUMENT...: any of these calls may fail: one message, status 1. libtiff 4.5 crashes at four of
# them, which is one message, too.
lacks_memory() {
    local calls number
    calls=$(memory_calls "$@")
    for ((number = calls / 5; number < calls; number += calls / 11)); do
        what="FAIL_NTH='0 memory $number' halobeat $*" status=0
        FAIL_NTH="0 memory $number" LD_PRELOAD=$tools/fail_nth.so timeout -k 5 "$limit" "$program" "$@" \
            </dev/null >/dev/null 2>"$work/stderr" || status=$?
        case $status in
            0) holds "$(cat "$work/stderr")" [ ! -s "$work/stderr" ] ;;
            139) holds "$(cat "$work/stderr")" grep -q '^halobeat label: rank 0 crashed' "$work/stderr" ;;
            *) holds "exit status $status" [ "$status" = 1 ] ;;
        esac
        [ "$status" = 0 ] || holds 'not one message' [ "$(grep -c . "$work/stderr")" = 1 ]
    done
}
if built_with tiff; then
    png=$(memory_calls label "$files/brick.png" -q) tiff=$(memory_calls label "$files/grains.tif" -q)
    what='which calls for memory count'
    holds "$tiff calls with libtiff, $png without" [ "$tiff" -gt $((png + 300)) ]
    lacks_memory label "$files/grains.tif" -q
fi
if has_python 'compressed arrays without memory' numcodecs zarr; then
    "$python" -c 'import sys
import numcodecs, zarr
codecs = {"blosc": numcodecs.Blosc(), "bz2": numcodecs.BZ2(), "lz4": numcodecs.LZ4(), "lzma": numcodecs.LZMA(), "zstd": numcodecs.Zstd()}
for name, codec in codecs.items():
    array = zarr.open(f"{sys.argv[1]}/{name}.zarr", mode="w", shape=(60, 40), chunks=(30, 40), dtype="u1", compressor=codec)
    array[:] = 7' "$files/full"
    for compressor in blosc bz2 lz4 lzma zstd; do
        if built_with $compressor; then lacks_memory label "$files/full/$compressor.zarr" -q; fi
    done
fi
lacks_memory label "$files/brick.png" -q -o "$work/out/labels.png"
rm -f "$work"/out/*

# A run that needs none of them does without.
if built_with tiff; then : >"$work/empty/$file"; fi
LD_LIBRARY_PATH=$work/empty run_well 1 label "$files/brick.png" -q -o "$work/out/labels.npy"
finish
