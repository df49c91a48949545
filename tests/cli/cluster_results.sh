#!/usr/bin/env bash
# `halobeat cluster`: a picture small enough to be clustered by hand.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys
out=$work/out
mkdir "$work/pictures"
"$python" "$(dirname "$0")/pictures.py" cluster "$work/pictures" || exit 1

# Four black pixels and two white ones in a row. The rectangles have three pixels each, and centres
# (1, 0) and (4, 170); then pixel 3 goes to the first. Nothing changes after that.
line=$work/pictures/line.png
run_well 1 cluster "$line" -k 2 -o "$out/labels.npy" --mosaic "$out/mosaic.png" \
    --centres "$out/centres.csv" --outline "$out/outline.png" --json "$out/run.json" -v
for word in 'image      .*line.png: 6 x 1, grey, 8 bits' 'clusters   2 in (x, y, grey), weight 1' \
    'beats      2: nothing changes any more' 'inertia    5.5, .* 0.916667 a pixel' \
    'ns a pixel and beat' '% is computing' 'load imbalance' ' read [0-9]' 'written .*labels.npy.*json' \
    'rank ' 'waiting'; do
    holds "nothing about $word" grep -q -e "$word" <(unbroken)
done
holds "lines beyond 80 columns" [ "$(grep -v '^written' "$work/stdout" | grep -c '.\{81\}')" = 0 ]
holds "other centres" diff "$out/centres.csv" - <<'CSV'
cluster,pixels,x,y,grey
0,4,1.500000,0.000000,0.000000
1,2,4.500000,0.000000,255.000000
CSV
holds "other files than by hand" "$python" - "$out" "$line" <<'PYTHON'
import json, struct, sys, zlib

def rows(path):
    with open(path, "rb") as file:
        data = file.read()[8:]
    pixels, kinds = b"", {}
    while data:
        size, kind = struct.unpack(">I4s", data[:8])
        kinds[kind] = kinds.get(kind, b"") + data[8 : 8 + size]
        data = data[12 + size :]
    return zlib.decompress(kinds[b"IDAT"])

out, line = sys.argv[1:]
with open(out + "/labels.npy", "rb") as file:
    array = file.read()
assert b"'<i4'" in array[:128] and b"(1, 6)" in array[:128], array
assert struct.unpack("<6i", array[-24:]) == (0, 0, 0, 0, 1, 1), array
assert rows(out + "/mosaic.png")[1:] == bytes([0, 0, 0, 0, 255, 255])
outline = rows(out + "/outline.png")
pixels = [outline[1 + 3 * x : 4 + 3 * x] for x in range(6)]
filtered = outline[0]
if filtered == 1:  # each sample less the one of the pixel before
    for x in range(1, 6):
        pixels[x] = bytes((a + b) % 256 for a, b in zip(pixels[x], pixels[x - 1]))
assert filtered in (0, 1, 2), filtered
assert pixels[:3] == [b"\0\0\0"] * 3 and pixels[4:] == [b"\xff\xff\xff"] * 2, pixels
assert pixels[3] not in (b"\0\0\0", b"\xff\xff\xff"), pixels
run = json.load(open(out + "/run.json"))
wanted = {"command": "cluster", "clusters": 2, "empty_clusters": 0, "weight": 1, "colour": False,
          "beat": 2, "beats_computed": 2, "ended": "nothing changes any more",
          "changed_pixels": 0, "inertia": 5.5, "ranks": 1}
assert {key: run[key] for key in wanted} == wanted, run
assert run["image"]["width_pixels"] == 6 and run["image"]["height_pixels"] == 1
for share in "computing_share", "voting_share", "waiting_share", "imbalance":
    assert 0 <= run[share] <= 1.01, run
assert run["nanoseconds_per_pixel_and_beat"] > 0 and run["beats_seconds"] > 0
assert [line["rows"] for line in run["rank_table"]] == [1]
PYTHON
# By place alone the rectangles stay as they are.
run_well 1 cluster "$line" -k 2 --weight 0 --centres "$out/centres.json"
holds "other centres" diff "$out/centres.json" - <<'JSON'
[
{"cluster": 0, "pixels": 3, "x": 1.000000, "y": 0.000000, "grey": 0.000000},
{"cluster": 1, "pixels": 3, "x": 4.000000, "y": 0.000000, "grey": 170.000000}
]
JSON
holds "no word about the end" grep -q 'beats      1: nothing changes' "$work/stdout"
run_well 1 cluster "$line" -k 2 --beats 1
holds "no word about the end" \
    grep -q 'beats      1: all that were asked for; the last moved 1 of 6' <(unbroken)
run_well 1 cluster "$line" -k 2 --until change:17%
holds "no word about the end" \
    grep -q 'beats      1: few enough pixels changed; the last moved 1 of 6' <(unbroken)
run_well 1 cluster "$line" -k 2 --until change:.16
holds "it ended too early" grep -q 'beats      2: ' "$work/stdout"
run_well 2 cluster "$line" -k 6 --verbose
holds "nothing about messages" grep -q '^messages  ' "$work/stdout"
holds "nothing about the decoder" grep -q '^decoder  ' "$work/stdout"
run 2 cluster "$data/text.png" -k 200 --quiet --progress always --engine brute --beats 20
holds "no progress" grep -q 'clustering.*%' "$work/stderr"
holds "quiet is not quiet" [ ! -s "$work/stdout" ]
finish
