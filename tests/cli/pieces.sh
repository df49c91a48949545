#!/usr/bin/env bash
# Volumes whose samples are in several files, as headers of MetaImage and NRRD list them or name them by a
# pattern with numbers: their labels are those of one file; files that are missing, short, too many or not to be
# overwritten are named.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python numpy
files=$work/files out=$work/out
mkdir -p "$files/planes" "$work/bad"
"$python" - "$files" "$work/bad" <<'PYTHON' || exit 1
import bz2
import gzip
import sys

import numpy

folder, bad = (path + "/" for path in sys.argv[1:])
random = numpy.random.default_rng(4)
volume = random.integers(0, 1000, (6, 12, 9)).astype("<u2")
numpy.save(folder + "should.npy", volume)
plane = lambda z: volume[z].tobytes()
put = lambda name, data: open(folder + name, "wb").write(data)
for z in range(6):
    put(f"planes/z{z + 1:03d}.raw", plane(z))
    put(f"planes/s{10 * z}.raw", b"head" + plane(z))
    put(f"planes/end{z}.raw", b"x" * z + plane(z))
    put(f"planes/z{z}.gz", gzip.compress(plane(z)))
    put(f"planes/z{z}.bz2", bz2.compress(plane(z)))
    put(f"planes/t{z}.txt", b"one line\n" + " ".join(map(str, volume[z].ravel())).encode())
    put(f"planes/a name {z}", plane(z))
for part in range(3):
    put(f"planes/slab{part}", b"a\nb\n" + plane(2 * part) + plane(2 * part + 1))
for z in range(6):
    for y in range(12):
        put(f"planes/row{12 * z + y}", volume[z, y].tobytes())


def meta(name, data, more="", folder=folder):
    text = f"ObjectType = Image\nNDims = 3\nDimSize = 9 12 6\nElementType = MET_USHORT\n{more}ElementDataFile = {data}"
    open(folder + name + ".mhd", "w").write(text + "\n")


def nrrd(name, data, more="encoding: raw\n", folder=folder, sizes="9 12 6"):
    text = f"NRRD0004\ntype: uint16\ndimension: 3\nsizes: {sizes}\nendian: little\n{more}data file: {data}"
    open(folder + name + ".nhdr", "w").write(text + "\n")


names = [f"planes/z{z + 1:03d}.raw" for z in range(6)]
meta("pattern", "planes/z%03d.raw 1 6 1")
meta("pattern-short", "planes/z%03d.raw 1 6")
meta("list", "LIST\n" + "\n".join(names))
meta("list-2d", "LIST 2D\r\n" + "\r\n".join(names) + "\r\n\r\n")
meta("list-rows", "LIST 1\n" + "\n".join(f"planes/row{i}" for i in range(72)))
meta("list-blanks", "LIST\n\n" + "\n".join(f"  planes/a name {z}  " for z in range(6)))
meta("steps", "planes/s%d.raw 0 50 10", "HeaderSize = 4\n")
meta("last", "planes/end%d.raw 0 5 1", "HeaderSize = -1\n")
nrrd("pattern", "planes/z%03d.raw 1 6 1")
nrrd("list", "LIST\n" + "\n".join(names))
nrrd("slabs", "planes/slab%d 0 2 1 3", "encoding: raw\nline skip: 2\n")
nrrd("slabs-list", "LIST 3\nplanes/slab0\nplanes/slab1\nplanes/slab2", "encoding: raw\nline skip: 1\nbyte skip: 2\n")
nrrd("steps", "planes/s%d.raw 0 50 10", "encoding: raw\nbyte skip: 4\n")
nrrd("packed", "planes/z%d.gz 0 5 1", "encoding: gzip\n")
nrrd("bzip2", "planes/z%d.bz2 0 5 1", "encoding: bzip2\n")
nrrd("text", "LIST 2\n" + "\n".join(f"planes/t{z}.txt" for z in range(6)), "encoding: text\nline skip: 1\n")
nrrd("rows", "planes/row%d 0 71 1 1")
numpy.save(folder + "down.npy", volume[::-1].copy())
nrrd("down", "planes/z%03d.raw 6 1 -1")
meta("up", "LIST\n" + "\n".join(names[::-1]))

put("planes/short", plane(0)[:-1])
put("planes/broken.gz", gzip.compress(plane(0))[:-60])
meta("missing", "../files/planes/z%03d.raw 2 7 1", folder=bad)
meta("short", "LIST\n" + "\n".join("../files/planes/" + name for name in ["z001.raw"] * 4 + ["short", "z001.raw"]), folder=bad)
meta("few", "../files/planes/z%03d.raw 1 5 1", folder=bad)
meta("many", "../files/planes/z%03d.raw 1 6000000 1", folder=bad)
meta("empty", "LIST", folder=bad)
meta("plain", "z%03d.raw", folder=bad)
meta("places", "z%03d-%d.raw 1 6 1", folder=bad)
meta("string", "z%s.raw 1 6 1", folder=bad)
meta("backwards", "z%d.raw 6 1 1", folder=bad)
meta("dims", "LIST 4D\nx", folder=bad)
meta("folder", "LIST\n" + "\n".join(["../files/planes"] * 6), folder=bad)
nrrd("slab", "../files/planes/slab%d 0 3 1 3", folder=bad)
nrrd("broken", "LIST\n" + "\n".join("../files/planes/" + name for name in ["z0.gz"] * 3 + ["broken.gz"] * 3), "encoding: gzip\n", folder=bad)
nrrd("large", "../files/planes/z%03d.raw 1 6 1", folder=bad, sizes="2000000000 2000000000 6")
PYTHON

run_well 1 label "$files/should.npy" -t 500 -c 26 -q -o "$work/should.npy"
run_well 1 label "$files/down.npy" -t 500 -c 26 -q -o "$work/down.npy"
if "$program" --version | grep -q 'NRRD with bzip2'; then rm "$files/bzip2.nhdr"; fi
turn=0
for file in "$files"/*.mhd "$files"/*.nhdr; do
    should=should
    case $file in *down.nhdr | *up.mhd) should=down ;; esac
    ranks=$((1 + turn % 3)) turn=$((turn + 1))
    case $file in */pattern.mhd | */slabs.nhdr | */packed.nhdr) ranks='1 2 3 5' ;; esac
    for ranks in $ranks; do
        run_well "$ranks" label "$file" -t 500 -c 26 -q -o "$out/is.npy"
        holds "other labels of $file" cmp -s "$out/is.npy" "$work/$should.npy"
        rm -f "$out"/*
    done
done
# For a threshold it is read twice, or kept.
run_well 1 label "$files/should.npy" -q -o "$work/otsu.npy"
for file in pattern.mhd packed.nhdr; do
    run_well 3 label "$files/$file" -q -o "$out/is.npy"
    holds "other labels of $file by Otsu" cmp -s "$out/is.npy" "$work/otsu.npy"
    rm -f "$out"/*
done
run_well 2 cluster "$files/pattern.mhd:z=3" -k 2 -q

while read -r name message; do
    for ranks in 1 3; do fails 1 "$message" $ranks label "$work/bad/$name" -t 500 -o "$out/is.npy"; done
done <<'TABLE'
missing.mhd samples 6 of 6 are to be in .*planes/z007.raw, which cannot be opened
short.mhd samples 5 of 6 are to be in .*planes/short, which has 215 bytes, and needs 216
few.mhd names 5 files of samples, and its sizes make 6 of 2 axes
many.mhd names more than 131072 files
empty.mhd ends before the names of the files
plain.mhd ElementDataFile is "z%03d.raw"; .*z%03d.raw 1 100 1
places.mhd ElementDataFile is "z%03d-%d.raw 1 6 1"
string.mhd ElementDataFile is "z%s.raw 1 6 1"
backwards.mhd ElementDataFile is "z%d.raw 6 1 1"
dims.mhd names 1 file of samples
folder.mhd samples 1 of 6 are to be in .*planes, which is no plain file
slab.nhdr names 4 files of samples, and its sizes make 1 of 3 axes
broken.nhdr broken.gz
large.nhdr .
TABLE
what='a header from standard input'
"$program" label - -t 500 <"$files/list.mhd" >"$work/stdout" 2>"$work/stderr"
holds 'files beside it are found' [ $? = 1 ]
holds 'it is not told that they are elsewhere' grep -q 'samples are in other files' "$work/stderr"

# Each of the files is an input.
cd "$files" || exit 1
cp planes/z001.raw planes/z006.raw "$work"
fails 2 'is read\|are the same file\|would replace' 1 label pattern.mhd -t 500 -o planes/z006.raw
fails 2 'is read\|are the same file\|would replace' 2 label list.nhdr -t 500 --json planes/z001.raw
fails 2 'is read\|are the same file\|would replace' 2 label packed.nhdr should.npy -t 500 --json planes/z3.gz
cmp -s planes/z001.raw "$work/z001.raw" && cmp -s planes/z006.raw "$work/z006.raw"
holds 'a file was overwritten' [ $? = 0 ]
# A journal knows them.
batch=(label list.mhd slabs.nhdr -t 500 -q -o "$out/{name}.npy" --journal "$out/journal")
run_well 2 "${batch[@]}"
run_well 2 "${batch[@]}"
head -c 216 /dev/zero >planes/z004.raw
run 2 "${batch[@]}"
holds 'a file that has changed is not seen' [ "$(messages | grep -c 'list.mhd: .*computed again')" = 1 ]
finish
