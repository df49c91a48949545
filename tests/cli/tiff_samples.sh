#!/usr/bin/env bash
# TIFF files with samples of all kinds, and what libtiff makes of them: the same pixels; damage that decoders
# only warn of is told, or refused where pixels are lost.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python numpy
scripts=$(cd "$(dirname "$0")" && pwd) files=$work/files
mkdir "$files"
what='files made byte by byte'
holds 'other pixels' "$python" "$scripts/compare_tiff.py" "$tools/read_pixels" "$files"
rm -f "$files"/*

cat >"$work/make.py" <<'PYTHON'
import sys

folder, scripts = sys.argv[1:]
sys.path.insert(0, scripts)
import numpy
from write_tiff import write

random = numpy.random.RandomState(2)
ramp = numpy.add.outer(numpy.arange(45) * 3, numpy.arange(67) * 2)
noise = random.randint(0, 9, ramp.shape)
images = {"u1": (ramp + noise).astype("u1"), "u2": (ramp * 99 + noise).astype("u2"), "i2": (ramp * 99 - 9999 + noise).astype("i2"),
          "i4": ramp * 9999999 - noise, "u8": (ramp + noise).astype("u8") << 40, "f4": (ramp / 7 + noise).astype("f4"),
          "f8": ramp / 7 + noise, "rgb": numpy.stack([ramp, ramp // 2, 255 - ramp // 2 + noise], -1).astype("u1")}
images["i4"] = images["i4"].astype("i4")
for name, image in images.items():
    numpy.save(f"{folder}/{name}.npy", image)
    write(f"{folder}/{name}.tif", image, rows=45, tail=0)
write(f"{folder}/long.tif", random.randint(0, 256, (150, 100)).astype("u1"), tile=64, deflated=True)
with open(f"{folder}/long.tif", "r+b") as file:
    data = file.read()
    bits = bytes([2, 1, 3, 0, 1, 0, 0, 0])
    file.seek(data.index(bits + b"\x08") + len(bits))
    file.write(b"\x07")
write(f"{folder}/fax.tif", (ramp // 9 % 2).astype("u1"), rows=45, bits=1, tail=0)
PYTHON
"$python" "$work/make.py" "$files" "$scripts" || exit 1

# A bit less a sample, so that tiles are longer than there is room for: the first bytes of each, as zlib gives them, or,
# of libdeflate, which gives none, a refusal; never samples of another tile.
run 1 filter "$files/long.tif" clip:0,255 -q -o "$work/out/long1.npy"
first=$status
[ "$status" != 0 ] || run 3 filter "$files/long.tif" clip:0,255 -q -o "$work/out/long3.npy"
case $first in
    0) holds 'other samples on 3 ranks' cmp -s "$work/out/long1.npy" "$work/out/long3.npy" ;;
    *) fails 1 'cannot be decoded: it has more samples than the header says' 3 filter "$files/long.tif" clip:0,255 \
        -o "$work/out/long3.npy" ;;
esac

if command -v tiffcp >/dev/null; then
    cd "$files" || exit 1
    number=0
    while IFS='|' read -r kinds options; do
        for name in $kinds; do
            number=$((number + 1))
            # shellcheck disable=SC2086 # options' words
            tiffcp $options "$name.tif" "$name-$number.copy.tif" 2>"$work/stderr" || wrong "tiffcp $options $name.tif"
        done
    done <<'TABLE'
u1 u2 i2 i4 u8 f4 f8 rgb | -c lzw -B
u1 u2 i2 i4 u8 rgb | -c lzw:2 -r 7
u1 u2 i2 i4 rgb | -c zip:2 -B -t -w 16 -l 32
u1 u2 i4 f4 f8 rgb | -c packbits -8 -r 1
f4 f8 | -c zip:3 -t -w 48 -l 16
u1 u2 rgb | -c none -f lsb2msb
u1 rgb | -c lzw -f lsb2msb -B
u1 rgb | -p separate -c lzw:2
u1 rgb | -p separate -c none -B -t -w 32 -l 16
u2 i4 f8 rgb | -c none -B -t -w 64 -l 64
u1 u2 f4 rgb | -r 4294967295 -c zip
TABLE
    what='files of tiffcp'
    holds 'other pixels' "$python" "$scripts/compare_tiff.py" "$tools/read_pixels" "$files" .copy.tif

    # Parts of JPEG and of a fax that end too early; a line of a fax that is damaged.
    cat >"$work/cut.py" <<'PYTHON'
import struct
import sys

# The first strip loses so many bytes, or a bit of one of them changes.
path, bytes, change = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "change"
with open(path, "r+b") as file:
    data = bytearray(file.read())
    at = struct.unpack_from("<I", data, 4)[0]
    tags = {}
    for i in range(struct.unpack_from("<H", data, at)[0]):
        tag, kind, count = struct.unpack_from("<HHI", data, at + 2 + 12 * i)
        size, place = (4 if kind == 4 else 2), at + 2 + 12 * i + 8
        tags[tag] = place if size * count <= 4 else struct.unpack_from("<I", data, place)[0], "<I" if size == 4 else "<H"
    if change:
        data[struct.unpack_from(tags[273][1], data, tags[273][0])[0] + bytes] ^= 64
    else:
        length = struct.unpack_from(tags[279][1], data, tags[279][0])[0]
        struct.pack_into(tags[279][1], data, tags[279][0], length - bytes)
    file.seek(0)
    file.write(data)
PYTHON
    cut() { # cut OPTIONS NAME BYTES HOW: cut.tif
        # shellcheck disable=SC2086 # options' words
        tiffcp $1 "$2.tif" cut.tif 2>"$work/stderr" && "$python" "$work/cut.py" cut.tif "$3" "$4" || exit 1
    }
    cut '-c jpeg -r 16' u1 30 cut
    fails 1 'strip 0 (counted from 0) cannot be decoded: Premature end of JPEG' 3 label "$files/cut.tif" -o "$work/out/is.npy"
    cut '-c jpeg -r 16' rgb 60 cut
    fails 1 'strip 0 (counted from 0) cannot be decoded: Premature end of JPEG' 2 label "$files/cut.tif" -o "$work/out/is.npy"
    cut '-c g4 -r 20' fax 20 cut
    fails 1 'strip 0 (counted from 0) cannot be decoded: ' 2 label "$files/cut.tif" -o "$work/out/is.npy"
    cut '-c g3 -r 45' fax 40 change
    run 2 label "$files/cut.tif" -q -o "$work/out/is.npy"
    holds "exit status $status" [ "$status" = 0 ]
    holds 'no warning of a damaged line' grep -q 'libtiff warns: .* at line ' "$work/stderr"
else
    echo "skipped: TIFF files by tiffcp, not installed: libtiff-tools"
fi
finish
