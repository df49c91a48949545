#!/usr/bin/env bash
# `halobeat snake`: contours end up on edges, and the files are the same bytes however it is run.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys
out=$work/out one=$work/one
mkdir "$one"
shapes=$(dirname "$0")/snake_shapes.py

# A disk of radius 76.8 in 256 pixels.
"$python" "$shapes" make disk 256 0 "$work/disk.png"

# all_files FOLDER: options that write everything.
all_files() {
    files=(-o "$1/contours.csv" --overlay "$1/overlay.png" --gradient "$1/edges.png"
        --checkpoint "$1/state" --quiet)
}

# one_rank ARGUMENT...: what one rank writes is what all others must write.
one_rank() {
    all_files "$one"
    run_well 1 snake "$@" "${files[@]}"
}

# same RANKS ARGUMENT...
same() {
    local file
    all_files "$out"
    run_well "$1" snake "${@:2}" "${files[@]}"
    for file in contours.csv overlay.png edges.png state; do
        holds "another $file" cmp -s "$one/$file" "$out/$file"
    done
}

# area_is LEAST MOST: what the contours of one rank enclose.
area_is() {
    local area
    area=$("$python" "$shapes" area "$one/contours.csv")
    holds "area $area, not $1 to $2" "$python" -c \
        "import sys; sys.exit(not $1 <= $area <= $2)"
}

disk=("$work/disk.png" --init 'circle:128,128,115')
one_rank "${disk[@]}"
area_is 18159 18901 # 18530 within 2 %
# The library's test of the same bytes has contours of any kind; here all files are made of some.
same 3 "${disk[@]}" --balance random --balance-every 1
same 5 "${disk[@]}" --balance random:empty=0 --balance-every 2 --vote tree

# Real images: grey, colour, and colour with alpha; deep ones come from halobeat itself.
one_rank "$data/coffee.png" --init 'grid:2x3' --beats 15
same 3 "$data/coffee.png" --init 'grid:2x3' --beats 15 --balance chain
run_well 2 label "$data/brick.png" -o "$work/deep.png" --quiet
one_rank "$work/deep.png" --init 'grid:3x3' --beats 10
same 2 "$work/deep.png" --init 'grid:3x3' --beats 10

# Other formats of contours say the same, and an output begins another run where it ended.
what='formats'
run_well 1 snake "${disk[@]}" --quiet -o "$one/contours.svg"
run_well 1 snake "${disk[@]}" --quiet -o "$one/contours.json"
run_well 3 snake "${disk[@]}" --quiet -o "$out/contours.json"
cp "$work/disk.png" "$one"
run_well 2 snake "$one/disk.png" "${disk[@]:1}" --quiet -o "$out/contours.svg"
holds "no link to the picture" grep -q 'href="../one/disk.png"' "$out/contours.svg"
run_well 2 snake "$one/disk.png" "${disk[@]:1}" --quiet -o "$one/beside.svg"
holds "no link to the picture beside it" grep -q 'href="disk.png"' "$one/beside.svg"
holds "another JSON" cmp -s "$one/contours.json" "$out/contours.json"
run_well 1 snake "${disk[@]}" --quiet -o "$one/contours.csv"
holds "formats differ" "$python" - "$one" <<'PYTHON'
import csv, json, re, sys
import xml.etree.ElementTree as tree

folder = sys.argv[1]
with open(folder + "/contours.csv", newline="") as file:
    points = [[int(row["x"]), int(row["y"])] for row in csv.DictReader(file)]
with open(folder + "/contours.json") as file:
    told = json.load(file)
assert told["width"] == 256 and told["height"] == 256, told
assert [contour["points"] for contour in told["contours"]] == [points]
twice = sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(points, points[1:] + points[:1]))
assert told["contours"][0]["area"] == abs(twice) / 2
drawing = tree.parse(folder + "/contours.svg").getroot()
path = drawing.find(".//{http://www.w3.org/2000/svg}path").get("d")
assert path[0] == "M" and path[-1] == "Z", path
numbers = [int(number) for number in re.findall(r"\d+", path)]
assert numbers == [number for point in points for number in point], path
PYTHON
cp "$one/contours.csv" "$work/again.csv"
run_well 2 snake "$work/disk.png" --init "polygon:$work/again.csv" --beats 1 --quiet \
    -o "$out/contours.csv"
holds "settled contours move on" [ "$(join -t , <(awk -F, '{print $2","$3","$4}' "$work/again.csv" |
    sort) <(awk -F, '{print $2","$3","$4}' "$out/contours.csv" | sort) | wc -l)" -ge \
    $(($(wc -l <"$work/again.csv") * 9 / 10)) ]

# Contours of files, however they are written; --spacing puts points along them.
square='10,10\n90,10\n90,90\n10,90'
printf '%b' "$square\n\n$square\n10,10\n" >"$work/a.csv"
printf '%b' "# twice\r\nY;X;id;contour\r\n10;10;a;1\r\n10;90.4;b;1\r\n89.6;90;c;1\r\n90;10;d;1\r\n" \
    >"$work/b.csv"
printf '%b' "10;10;a;2\n10 ; 90;b;2\n90;90; c ; 2\n90;10;d;2\n" >>"$work/b.csv"
printf '%b' "10 10 3\n90 10 3\n90 90 3\n10 90 3\n10\t10\t4\n90 10 4\n90 90 4\n10 90 4" >"$work/c.csv"
for file in a b c; do
    run_well 1 snake "$work/disk.png" --init "polygon:$work/$file.csv" --beats 2 --quiet \
        -o "$out/$file.csv"
    holds "$file.csv reads differently" cmp -s "$out/a.csv" "$out/$file.csv"
    holds "$(wc -l <"$out/$file.csv") lines" [ "$(wc -l <"$out/$file.csv")" = 9 ]
done
run_well 2 snake "$work/disk.png" --init "polygon:$work/a.csv" --spacing 5 --beats 2 --quiet \
    -o "$out/more.csv"
holds "points along lines" [ "$(wc -l <"$out/more.csv")" = 129 ]

# A movie, where it can be made.
if has ffmpeg ffmpeg 'a movie'; then
    for ranks in 1 3; do
        run_well "$ranks" snake "${disk[@]}" --quiet --movie "$work/$ranks.png" --every 8
    done
    holds "another movie" cmp -s "$work/1.png" "$work/3.png"
fi

# Its summary names these.
run_well 3 snake "${disk[@]}" --json "$work/run.json" --verbose --balance chain
for word in 'image .*256 x 256' 'contours .* points' 'energy .*two-colour' 'beat .*settled' \
    'moved .*pixels from where they began' 'speed .*a point and beat' 'rank ' 'balance'; do
    holds "nothing about $word" grep -q "$word" <(unbroken)
done
holds "not what JSON should say" "$python" - "$work/run.json" <<'PYTHON'
import json, sys

run = json.load(open(sys.argv[1]))
assert run["command"] == "snake" and run["contours"] == 1 and run["settled"], run
assert run["ranks"] == 3 and sum(run["points_of_ranks"]) == run["points"], run
assert 18159 <= run["enclosed_area_pixels"] <= 18901, run["enclosed_area_pixels"]
assert run["parameters"]["order"] == "two-colour" and run["beat"] == run["beats_computed"] > 3
assert 25 < run["mean_displacement_pixels"] < 45, run
PYTHON
finish
