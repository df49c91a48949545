#!/usr/bin/env bash
# Pixels a length in PNG (pHYs) and JPEG (JFIF): dots an inch measure nothing, and are kept in PNG and TIFF; what
# microscopes write is the size of a pixel; pixels that are not square are said to be taken for squares.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python numpy PIL tifffile
files=$work/files
mkdir "$files"
cd "$files" || exit 1
"$python" - <<'PYTHON' || exit 1
import struct
import zlib

import numpy
import tifffile
from PIL import Image

pixels = numpy.zeros((8, 8), "u1")
pixels[2:5, 1:7] = 200


def chunk(name, data, damage=0):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data) ^ damage)


def png(name, across, down, unit, interlaced=0, extra=b"", damage=0):
    """Interlaced ones have the seven passes of Adam7."""
    starts = [(0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2), (1, 0, 2, 1)]
    parts = [pixels[y::dy, x::dx] for y, x, dy, dx in starts] if interlaced else [pixels]
    rows = b"".join(b"\0" + row.tobytes() for part in parts for row in part)
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 8, 8, 8, 0, 0, 0, interlaced))
    density = chunk(b"pHYs", struct.pack(">IIB", across, down, unit) + extra, damage)
    data = head + density + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    open(name, "wb").write(b"\x89PNG\r\n\x1a\n" + data)


png("micro.png", 1538462, 1538462, 1)  # 0.65 um
png("woven.png", 1538462, 1538462, 1, interlaced=1)
png("apart.png", 4000000, 2000000, 1, interlaced=1)  # 0.25 and 0.5 um
png("dots.png", 11811, 11811, 1)  # 300 an inch
png("scan.png", 188976, 188976, 1)  # 4800
png("screen.png", 5669, 5669, 1, interlaced=1)  # 144
png("fax.png", 8031, 3858, 1)  # 204 and 98
png("ratio.png", 2, 1, 0)
for interlaced in 0, 1:
    png(f"none{interlaced}.png", 0, 1538462, 1, interlaced)
    png(f"long{interlaced}.png", 1538462, 1538462, 1, interlaced, extra=b"!")
    png(f"broken{interlaced}.png", 1538462, 1538462, 1, interlaced, damage=1)
for name, unit, across, down in ("micro.jpg", 2, 15385, 15385), ("dots.jpg", 1, 300, 300), ("ratio.jpg", 0, 1, 2):
    Image.fromarray(pixels).save(name, quality=95)
    data = bytearray(open(name, "rb").read())
    assert data[6:11] == b"JFIF\0"
    data[13:18] = struct.pack(">BHH", unit, across, down)
    open(name, "wb").write(data)
tifffile.imwrite("micro.tif", pixels, imagej=True, resolution=(1 / 0.65, 1 / 0.65), metadata={"unit": "um"})
tifffile.imwrite("far.tif", pixels, resolution=(1e-9, 1e-9), resolutionunit="CENTIMETER")
PYTHON
cat >"$work/holds.py" <<'PYTHON'
"""holds.py CLAIMS: lines of a folder, what it is if it does not hold, and an expression about files there."""

import json
import os
import struct
import sys

import tifffile


def density(path):
    data = open(path, "rb").read()
    at = data.find(b"pHYs")
    return struct.unpack_from(">IIB", data, at + 4) if at >= 0 else None


def resolution(path):
    tags = tifffile.TiffFile(path).pages[0].tags
    across, down = tags[282].value, tags[283].value
    return round(across[0] / across[1], 6), round(down[0] / down[1], 6), int(tags[296].value)


image = lambda path: json.load(open(path))["image"]
geometry = lambda path: image(path).get("geometry")
lines = [line.rstrip("\n").split("\t") for line in open(sys.argv[1])]
wrong = 0
for folder, words, expression in lines:
    os.chdir(folder)
    if not eval(expression):
        print(f"{words}: {expression}: {[eval(part) for part in expression.split(' == ')]}", file=sys.stderr)
        wrong += 1
sys.exit(1 if wrong or len(lines) < 40 else 0)
PYTHON
# is WORDS EXPRESSION: of files in the output folder; all are looked at in the end. fresh: a new folder for outputs.
is() { printf '%s\t%s\t%s\n' "$out" "$1" "$2" >>"$work/claims"; }
outputs=0
fresh() {
    outputs=$((outputs + 1))
    out=$work/out/$outputs
    mkdir "$out"
}

# read_as FILE RANKS GEOMETRY: what the report says, and the area of the 18 pixels in its units.
read_as() {
    fresh
    run_well "$2" label "$1" -q -t 100 --json "$out/run.json" --regions "$out/is.csv" -o "$out/is.png"
    is 'another geometry' "geometry('run.json') == $3"
}
for name in micro.png woven.png micro.tif; do
    for ranks in 1 2 3; do
        read_as $name $ranks "{'spacing': [0.65, 0.65], 'unit': 'um'}"
        is 'another density' "density('is.png') == (1538462, 1538462, 1)"
        holds 'the area is not in um' grep -q '^1,7.605' "$out/is.csv"
    done
done
read_as apart.png 2 "{'spacing': [0.25, 0.5], 'unit': 'um'}"
read_as micro.jpg 3 "{'spacing': [0.65, 0.65], 'unit': 'um'}"
for name in dots.png:300 dots.jpg:300 scan.png:4800 screen.png:144; do
    read_as "${name%:*}" 2 "{'spacing': [1/${name#*:}] * 2, 'unit': 'inch'}"
    is 'another density' "density('is.png') == (round(${name#*:}/.0254),) * 2 + (1,)"
    holds 'the area is not in pixels' grep -q '^1,18,' "$out/is.csv"
    run_well 1 label "${name%:*}" -q -t 100 --colour "$out/colour.png" -o "$out/is.tif"
    is 'another density of colours' "density('colour.png') == density('is.png')"
    is 'another resolution' "resolution('is.tif') == (${name#*:}, ${name#*:}, 2)"
done
run_well 1 label dots.png -q -t 100 --spacing 2,4 -o "$out/is.mha" --regions "$out/is.csv"
holds 'the area is not that of --spacing' grep -q '^1,144' "$out/is.csv"
run_well 1 label dots.png -q -t 100 -o "$out/is.mha"
if grep -qa Spacing "$out/is.mha"; then wrong 'dots became millimetres'; else good; fi
for name in none long broken; do
    for interlaced in 0 1; do
        fresh
        run 2 label $name$interlaced.png -q -t 100 --json "$out/run.json" -o "$out/is.png"
        is 'a geometry' "geometry('run.json') is None and density('is.png') is None"
    done
done
fresh
run_well 1 label far.tif -q -t 100 -o "$out/is.png" # kilometres a pixel
is 'a density' "density('is.png') is None"

for name in 'fax.png high as wide' 'ratio.png high as wide' 'ratio.jpg wide as high'; do
    fresh
    run_well 2 label "${name%% *}" -t 100 --json "$out/run.json"
    is 'nobody says that pixels are not square' "'times as ${name#* }, and counted as squares' in image('run.json')['taken']"
done
what='what the files hold'
holds 'it is something else' "$python" "$work/holds.py" "$work/claims" 2>"$work/stderr"
finish
