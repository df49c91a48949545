#!/usr/bin/env bash
# `halobeat cluster`: the same bytes in every file, however it is run; and a picture small enough to
# be clustered by hand.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys
out=$work/out one=$work/one
mkdir "$one" "$work/pictures"
"$python" "$(dirname "$0")/make_cluster_pngs.py" "$work/pictures" || exit 1

# ---- by hand --------------------------------------------------------------------------------

# Four black pixels and two white ones in a row. The rectangles have three pixels each, and centres
# (1, 0) and (4, 170); then pixel 3 goes to the first. Nothing changes after that.
line=$work/pictures/line.png
run_well 1 cluster "$line" -k 2 -o "$out/labels.npy" --mosaic "$out/mosaic.png" \
    --centres "$out/centres.csv" --outline "$out/outline.png" --json "$out/run.json"
for word in 'image      .*line.png: 6 x 1, grey, 8 bits' 'clusters   2 in (x, y, grey), weight 1' \
    'beats      2: nothing changes any more' 'inertia    5.5, .* 0.916667 a pixel' \
    'ns a pixel and beat' '% is computing' 'load imbalance' 'decode' 'written .*labels.npy.*json' \
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
run_well 1 cluster "$line" -k 2 --max-beats 1
holds "no word about the end" \
    grep -q 'beats      1: all that were asked for; the last moved 1 of 6' <(unbroken)
run_well 1 cluster "$line" -k 2 --stop-changed 17%
holds "no word about the end" \
    grep -q 'beats      1: few enough pixels changed; the last moved 1 of 6' <(unbroken)
run_well 1 cluster "$line" -k 2 --stop-changed .16
holds "it ended too early" grep -q 'beats      2: ' "$work/stdout"
run_well 2 cluster "$line" -k 6 --verbose
holds "nothing about messages" grep -q '^messages  ' "$work/stdout"
holds "nothing about the decoder" grep -q '^decoder  ' "$work/stdout"
run 2 cluster "$data/text.png" -k 200 --quiet --progress always --engine brute --max-beats 20
holds "no progress" grep -q 'clustering.*%' "$work/stderr"
holds "quiet is not quiet" [ ! -s "$work/stdout" ]
rm -f "${out:?}"/*

# ---- however it is run ----------------------------------------------------------------------

# What this machine has, so that a set it lacks is not an error.
fast=plain faster=plain
for set in avx2 avx512; do
    if "$program" cluster "$line" -k 2 --quiet --instructions "$set" 2>/dev/null; then
        if [ "$set" = avx2 ]; then fast=avx2; fi
        faster=$set
    else
        echo "skipped: $set, which this machine lacks"
    fi
done

files=(labels.png labels.npy mosaic.png outline.png centres.csv state)
# all_files FOLDER: options for all of them but one of the two for labels.
all_files() {
    results=(--mosaic "$1/mosaic.png" --outline "$1/outline.png" --centres "$1/centres.csv"
        --checkpoint "$1/state" --quiet)
}

# reference ARGUMENT...: all files from one rank that looks at all clusters.
reference() {
    given=("$@")
    all_files "$one"
    run_well 1 cluster "$@" --engine brute "${results[@]}" -o "$one/labels.png"
    run_well 1 cluster "$@" --engine brute --quiet -o "$one/labels.npy" \
        --centres "$one/centres.json"
    holds "PNG and .npy differ" "$tools/same_pixels" "$one/labels.png" "$one/labels.npy"
}

# same RANKS ARGUMENT...: this run of what the reference did gives the same.
turn=0
same() {
    local file labels=labels.png
    if [ $((turn % 2)) = 1 ]; then labels=labels.npy; fi
    turn=$((turn + 1))
    all_files "$out"
    run_well "$1" cluster "${given[@]}" "${@:2}" "${results[@]}" -o "$out/$labels"
    for file in "${files[@]}"; do
        [ -e "$out/$file" ] || [ "${file%.*}" = labels ] || wrong "no $file"
        if [ -e "$out/$file" ]; then
            holds "$file differs" cmp -s "$one/$file" "$out/$file"
        fi
    done
    holds "other files: $(ls -A "$out")" [ "$(find "$out" -type f | wc -l)" = 5 ]
    rm -f "${out:?}"/*
}

moving=(--balance random --balance-every 1)
reference "$work/pictures/noise.png" -k 37 --weight 2.5 --max-beats 12
same 1 --engine tiles --instructions plain
same 2 --engine leaves --instructions "$fast" --vote tree
same 3 --engine leaves "${moving[@]}" --instructions "$faster"
same 5 --engine tiles "${moving[@]}" --wait yield
same 4 --engine brute --instructions plain "${moving[@]}" --migrate direct
reference "$data/text.png" -k 9 --stop-changed 0.5% --weight .5
same 2 --engine tiles "${moving[@]}" --instructions plain
same 5 --engine leaves --balance chain --slow 1:3
reference "$work/pictures/grey16.png" -k 50 --max-beats 20
same 3 --engine auto "${moving[@]}"
same 2 --engine leaves --instructions "$faster"
reference "$work/pictures/rgb.png" -k 12 --weight 4
same 3 --engine tiles "${moving[@]}"
reference "$work/pictures/rgb.png" -k 12 --weight 4 --colour
same 2 --engine leaves "${moving[@]}" --instructions plain
same 3 --engine tiles --instructions "$faster"
reference "$work/pictures/rgb16.png" -k 7 --colour
same 2 "${moving[@]}"
reference "$work/pictures/bits.png" -k 8 --weight .1
same 3 "${moving[@]}"
reference "$work/pictures/bits.png" -k 8 --weight .1 --colour
same 5
# More ranks than rows, more beats than are needed, as many clusters as pixels.
reference "$line" -k 6
same 5 "${moving[@]}"

# A boundary between two strips is outlined as any other. Outlines of text go through all rows.
reference "$data/text.png" -k 4 --max-beats 2 --weight 9
same 5
finish
