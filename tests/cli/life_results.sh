#!/usr/bin/env bash
# Known populations, and the same bytes of everything on any number of ranks, in strips or blocks, and
# from files of any format.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys

out=$work/out patterns=$data/patterns one=$work/one
mkdir "$one"

# state KEY...: what the JSON says about the last generation.
state() {
    local key values=()
    for key in "$@"; do
        values+=("$(sed -n "/^  \"state\": {/,/^  }/s/^    \"$key\": \"*\([^\",]*\).*/\1/p" "$out/run.json")")
    done
    echo "${values[*]}"
}

# lives PATTERN GENERATIONS POPULATION RANKS ARGUMENT...
lives() {
    run_well "$4" life "$1" -n "$2" --quiet --json "$out/run.json" "${@:5}"
    holds "generation and population $(state generation population), not $2 $3" \
        [ "$(state generation population)" = "$2 $3" ]
}

# One row a file; the library's test knows more of their futures.
lives "$patterns/r-pentomino.rle" 1103 116 3 --halo-depth 7
lives "$patterns/acorn.rle" 5206 633 2
lives "$patterns/diehard.rle" 130 0 3
if more; then lives "$patterns/rabbits.rle" 17331 1744 2; fi
lives "$patterns/glider-gun.rle" 300 86 1

# A glider comes home on a torus, leaves nothing but a block against a wall, and is not alone when
# only left and right are joined.
run_well 1 life "$patterns/glider.rle" --topology torus --size 64x64 -n 0 --quiet -o "$one/0.npy"
run_well 3 life "$patterns/glider.rle" --topology torus --size 64x64 -n 256 --quiet -o "$one/256.npy"
holds "the glider is not at home" cmp -s "$one/0.npy" "$one/256.npy"
lives "$patterns/glider.rle" 300 4 2 --topology dead --size 64x64
lives "$patterns/glider.rle" 300 4 2 --topology cylinder --size 64x64
lives "$patterns/glider.rle" 300 5 2 --rule B3/S23:T64,0

# ends PATTERN GENERATION RANKS ARGUMENT...: it stops there, before it must.
ends() {
    run_well "$3" life "$1" -n 100000 --quiet --json "$out/run.json" "${@:4}"
    holds "stopped at generation $(state generation), not $2" [ "$(state generation)" = "$2" ]
}
for ranks in 1 3; do
    for depth in 1 6 auto; do
        ends "$patterns/diehard.rle" 131 "$ranks" --until steady --halo-depth "$depth"
    done
    ends "$patterns/pulsar.rle" 3 "$ranks" --until cycle:3
    ends "$patterns/glider.rle" 256 "$ranks" --until cycle:256 --rule B3/S23:T64,64
done

# same SPEC...: all results on 1 rank, and then on others, in strips and in blocks. That cells are the
# same by any way is what the library's test of the same bytes is about.
same() {
    local folder ranks how
    rm -rf "${one:?}"/*
    folder=$one
    for how in "1 --quiet" "${ways[@]}"; do
        ranks=${how%% *}
        # shellcheck disable=SC2206
        local -a way=(${how#* } --quiet -n 137)
        run_well "$ranks" life "$@" "${way[@]}" --every 9 --population "$folder/table.csv" \
            -o "$folder/cells.rle" --frames "$folder/frames" --checkpoint "$folder/checkpoint"
        run_well "$ranks" life "$@" "${way[@]}" --every 9 --population "$folder/table.json" \
            -o "$folder/cells.npy"
        run_well "$ranks" life "$@" "${way[@]}" -o "$folder/cells.png"
        holds "$(diff -rq "$one" "$folder" | head -n 3)" diff -rq "$one" "$folder"
        folder=$out
        rm -rf "${out:?}"/*
    done
}
strips=("2 --halo-depth 1" "3 --decomposition 1x3 --vote tree" "5 --instructions plain --wait sleep")
blocks=("4 --decomposition 2x2 --halo-depth 20 --exchange neighbour" "8 --decomposition 2x4 --exchange shared")
ways=("${strips[@]}" "${blocks[@]}")
same soup:600x200:30%:7
more || ways=("${strips[1]}" "${blocks[0]}")
same soup:333x190:0.4 --topology plane
same soup:345x170:35% --rule 345/2/4 --topology dead
same "$patterns/glider-gun.rle"

# Pictures of a pattern that has flown far show the same cells of strips and blocks.
rm -rf "${one:?}"/*
run_well 1 life "$patterns/glider-gun.rle" -n 1500 --every 750 --quiet --frames "$one/frames"
run_well 4 life "$patterns/glider-gun.rle" -n 1500 --every 750 --quiet --frames "$out/frames" \
    --decomposition 1x4
holds "other frames" diff -rq "$one" "$out"

# Written patterns are read again, whatever the format; a table of every generation agrees with one
# of every ninth.
run_well 2 life soup:200x90:30%:3 -n 50 --quiet --json "$out/run.json" --population "$out/all.csv"
hash=$(state hash)
for ending in rle cells png npy pgm pnm tif nrrd nii.gz mhd h5 zarr; do
    run_well 3 life soup:200x90:30%:3 -n 50 --quiet -o "$work/again.$ending" \
        --population "$out/ninth.csv" --every 10
    run_well 2 life "$work/again.$ending" --topology torus --size 200x90 -n 0 --quiet \
        --json "$out/run.json"
    holds ".$ending: other cells" [ "$(state hash)" = "$hash" ]
done
gzip "$work/again.pnm"
run_well 3 life "$work/again.pnm.gz" --topology torus --size 200x90 -n 0 --quiet --json "$out/run.json"
holds "packed: other cells" [ "$(state hash)" = "$hash" ]
for input in again.rle again.png again.pgm again.tif; do
    what="life - <$input"
    rm -f "$out/run.json"
    "$program" life - --topology torus --size 200x90 -n 0 --quiet --json "$out/run.json" \
        < <(cat "$work/$input")
    holds "other cells through a pipe" [ "$(state hash)" = "$hash" ]
done
holds "the tables differ" \
    [ "$(awk -F , 'NR == 1 || $1 % 10 == 0' "$out/all.csv")" = "$(cat "$out/ninth.csv")" ]
# shellcheck disable=SC2016
holds "births and deaths do not add up" awk -F , 'NR > 2 && $2 != before + $3 - $4 { bad = 1 }
    { before = $2 } END { exit bad || NR != 52 }' "$out/all.csv"

# Bounded grids lie as Golly has them, with and without a place in the file.
if has bgolly golly "Golly's bounded grids"; then
    for grid in T30,20 P30,20 T31,0 P0,15 P60 T17,9 P7,3 T8,4; do
        for place in '' '#CXRLE Pos=-3,-1\n'; do
            # shellcheck disable=SC2059
            printf "${place}x = 7, y = 3, rule = B3/S23:$grid\nbo\$3bo\$2o2b3o!\n" >"$work/in.rle"
            bgolly -a QuickLife -m 150 -i 1 -o "$work/golly.rle" "$work/in.rle" >/dev/null 2>&1
            run_well 2 life "$work/in.rle" -n 150 --quiet -o "$out/cells.rle"
            holds "not as Golly's" cmp -s "$work/golly.rle" <(tail -n +2 "$out/cells.rle")
        done
    done
fi
# Pictures of the end at a scale: the same bytes on any number of ranks, as NumPy makes them of the cells.
if has_python "scaled pictures" numpy PIL; then
    for states in 2 4; do
        rule=B3/S23
        if [ $states = 4 ]; then rule=345/2/4; fi
        life=(life soup:131x77:35%:9 --rule "$rule" -n 20 --quiet)
        run_well 1 "${life[@]}" -o "$work/cells-$states.npy"
        for scale in 3 1/4 1/200; do
            picture=$work/picture-$states-${scale#1/}.png
            run_well 1 "${life[@]}" --scale "$scale" -o "$picture"
            run_well 4 "${life[@]}" --scale "$scale" -o "$work/four.png"
            holds "another picture by ranks" cmp -s "$picture" "$work/four.png"
        done
    done
    what='pictures at a scale'
    holds "not the cells" "$python" - "$work" <<'PYTHON'
import sys
import numpy
from PIL import Image


def scaled(bright, scale):
    if scale == 3:
        return numpy.kron(bright, numpy.ones((scale, scale), int))
    rows, columns = -(-bright.shape[0] // scale), -(-bright.shape[1] // scale)
    parts = [[bright[y * scale:(y + 1) * scale, x * scale:(x + 1) * scale] for x in range(columns)] for y in range(rows)]
    return numpy.array([[numpy.floor(part.mean() + 1e-9) for part in row] for row in parts])


work = sys.argv[1]
for states in 2, 4:
    cells = numpy.load(f"{work}/cells-{states}.npy").astype(int)
    bright = numpy.where(cells <= 1, 255 * cells, 127 * (states - cells) // (states - 1))
    for scale in 3, 4, 200:
        picture, wanted = numpy.array(Image.open(f"{work}/picture-{states}-{scale}.png")), scaled(bright, scale)
        assert picture.shape == wanted.shape and (picture == wanted).all() and picture.any(), (states, scale)
PYTHON
    run_well 3 life "$data/patterns/glider-gun.rle" -n 30 --quiet --scale 2 -o "$work/gun.pgm"
    holds "no picture in another format" grep -q -a '^P5' "$work/gun.pgm"
fi

# A generation that is too large to count on from is kept as text, by checkpoints too.
late=123456789012345678901234567890
# shellcheck disable=SC2016
printf '#CXRLE Pos=0,0 Gen=%s\nx = 3, y = 3, rule = B3/S23\nbob$2bo$3o!\n' $late >"$work/late.rle"
run 3 life "$work/late.rle" -n 4 -o "$work/later.rle" --checkpoint "$work/late.halo"
holds 'no word about a late generation' grep -q "is at generation $late: generations are counted from 0" "$work/stderr"
holds 'no generation in the summary' grep -q "^generation 4 after $late" <(unbroken)
holds "$(head -n 1 "$work/later.rle")" grep -q '^#CXRLE Pos=1,1 Gen=123456789012345678901234567894$' "$work/later.rle"
run_well 1 life --restore "$work/late.halo" -n 10 -q -o "$work/latest.rle"
holds "$(head -n 1 "$work/latest.rle")" grep -q 'Gen=123456789012345678901234567904$' "$work/latest.rle"
printf '#CXRLE Gen=9223372036854775807\no!\n' >"$work/late.rle"
run 2 life "$work/late.rle" -n 4 -q -o "$work/later.rle"
holds "$(head -n 1 "$work/later.rle")" grep -q 'Gen=9223372036854775811$' "$work/later.rle"
finish
