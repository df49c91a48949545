#!/usr/bin/env bash
# `halobeat run`: arrays to begin with and to end with, movies, and what is told.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys
out=$work/out one=$work/one
mkdir "$one"
rise=$tools/rise.so stripes=$tools/stripes.so

# one_rank NAME ARGUMENT...: the file NAME that one rank writes is what all others must write.
one_rank() {
    wanted=$one/$1 made=$out/$1
    run_well 1 run "${@:2}" --quiet -o "$wanted"
}

# same RANKS ARGUMENT...
same() {
    rm -f "$made"
    run_well "$1" run "${@:2}" --quiet -o "$made"
    holds "another result" cmp -s "$wanted" "$made"
}

plate=(heat --size 53x37 --beats 33 --shape square --source .5)
block=(heat3d --size 11x14x9 --beats 12)

holds "no word about the end" grep -q 'beat .*: nothing changes any more' \
    <("$program" run "$rise" --size 9x7 --until steady --beats 1000)
fails 2 'axis 1, which cannot be cut' 2 run "$stripes" --size 70x30 --decomposition 1x2

# An array to begin with: as many beats in two runs are those of one.
one_rank both.npy heat --size 34x21 --beats 20
run_well 1 run heat --size 34x21 --beats 12 --quiet -o "$work/first.npy"
same 3 heat --input "$work/first.npy" --beats 8
same 4 heat --input "$work/first.npy" --beats 8 --decomposition blocks
run_well 1 run "$stripes" --size 70x30 --beats 4 --quiet -o "$work/bits.npy"
one_rank stripes.npy "$stripes" --size 70x30 --beats 9
same 3 "$stripes" --input "$work/bits.npy" --beats 5

# Grids are read and written in the formats of arrays, volumes too; numbers of any type become cells.
run_well 1 run heat3d --size 9x8x7 --beats 6 --quiet -o "$work/block.npy"
one_rank six.npy heat3d --input "$work/block.npy" --beats 3
for ending in tif mha mhd h5 zarr deflate.tif deflate.zarr; do
    packing=()
    if [[ $ending == deflate* ]]; then packing=(--compress deflate); fi
    run_well 3 run heat3d --size 9x8x7 --beats 6 --quiet -o "$work/block.$ending" "${packing[@]}" \
        --decomposition blocks
    same 2 heat3d --input "$work/block.$ending" --beats 3
    same 4 heat3d --input "$work/block.$ending" --beats 3 --decomposition blocks
done
run_well 2 run "$rise" --size 5x6 --beats 1 --quiet -o "$work/u2.tif"
one_rank warm.npy heat --input "$work/u2.tif" --beats 5
same 3 heat --input "$work/u2.tif" --beats 5
one_rank bits.npy "$stripes" --input "$data/horse.png" --beats 3
same 3 "$stripes" --input "$data/horse.png" --beats 3

# Options of every type reach the kernel, and come back from a checkpoint: also whether a number was given.
kinds=$tools/kinds.so
# cells_are FILE VALUES
cells_are() {
    holds "$(od -A n -t f8 -j 128 -N 56 "$1" | xargs)" [ "$(od -A n -t f8 -j 128 -N 56 "$1" | xargs)" = "$2" ]
}
given=(--deep --count 5 --share 25% --order up --word abc --reach 0 --level=-2)
run_well 2 run "$kinds" --size 8x8 --beats 1 --quiet -o "$work/kinds.npy"
cells_are "$work/kinds.npy" '0 0 0.01 1 -1 -1 -1'
run_well 2 run "$kinds" --size 8x8 --beats 1 --quiet "${given[@]}" --checkpoint "$work/kinds.halo" \
    -o "$work/kinds.npy"
cells_are "$work/kinds.npy" '1 5 0.25 0 3 0 -2'
run_well 1 run "$kinds" --restore "$work/kinds.halo" --beats 1 --quiet -o "$work/kinds.npy"
cells_are "$work/kinds.npy" '1 5 0.25 0 3 0 -2'
run_well 1 run "$kinds" --restore "$work/kinds.halo" --beats 1 --quiet "${given[@]}"
run_well 1 run "$kinds" --size 8x8 --beats 1 --quiet -o "$work/kinds.npy" --deep --reach 3 --count auto
cells_are "$work/kinds.npy" '1 0 0.01 1 -1 3 -1'
fails 2 'reach' 1 run "$kinds" --restore "$work/kinds.halo" --beats 1 --reach 1
fails 2 '--count takes auto or a whole number from 2 on, not "1"' 1 run "$kinds" --count 1

fails 2 'deflate is for names ending in .tif, .mha, .nii.gz, .nrrd, .ome.zarr or .zarr, and not for .*a.npy' 1 run heat --size 9x9 -o "$work/out/a.npy" --compress deflate
# Distances between cells are kept.
printf '%s\n' 'NDims = 3' 'DimSize = 4 3 2' 'ElementType = MET_DOUBLE' 'ElementSpacing = 1 2 .5' \
    'ElementDataFile = LOCAL' >"$work/spaced.mha"
head -c 192 /dev/zero >>"$work/spaced.mha"
run_well 2 run heat3d --input "$work/spaced.mha" --beats 1 --quiet -o "$work/spaced.mhd"
holds 'other distances' grep -q '^ElementSpacing = 1 2 0.5$' "$work/spaced.mhd"

# The first cells, and the arrays, as NumPy sees them.
if has_python "NumPy's arrays" numpy; then
    holds "not what NumPy has" "$python" - "$program" "$work" "$rise" "$stripes" <<'PYTHON'
import subprocess, sys
import numpy

program, work, rise, stripes = sys.argv[1:]

def run(*arguments):
    subprocess.run([program, "run", *arguments, "-q", "-o", work + "/a.npy"], check=True)
    return numpy.load(work + "/a.npy")

random = numpy.random.default_rng(1)
for order in "<>":
    cells = random.random((12, 17))
    numpy.save(work + "/in.npy", cells.astype(order + "f8"))
    wide = numpy.pad(cells, 1)
    mean = .25 * ((wide[:-2, 1:-1] + wide[2:, 1:-1]) + (wide[1:-1, :-2] + wide[1:-1, 2:]))
    assert (run("heat", "--input", work + "/in.npy", "--beats", "1") == mean).all()
block = run("heat3d", "--size", "5x4x3", "--shape", "linear", "--beats", "7")
z, y, x = numpy.mgrid[:3, :4, :5]
assert block.dtype == numpy.float64 and (block == z + 2 * y + 3 * x).all(), block

# Cells of whole numbers take samples of every type that they can be, and of bits whether they are 0.
cells = random.integers(0, 2048, (12, 170))
cells[3, 100:] = 0
wide = numpy.pad(cells, 1)
risen = numpy.max([cells, wide[:-2, 1:-1], wide[2:, 1:-1], wide[1:-1, :-2], wide[1:-1, 2:]], axis=0)
numpy.save(work + "/bits.npy", cells != 0)
striped = run(stripes, "--input", work + "/bits.npy", "--beats", "1")
for kind in "u2 i2 >i4 u4 i8 >u8 f2 f4 >f8".split():
    numpy.save(work + "/in.npy", cells.astype(kind))
    assert (run(rise, "--input", work + "/in.npy", "--beats", "1") == risen).all(), kind
    assert (run(stripes, "--input", work + "/in.npy", "--beats", "1") == striped).all(), kind
for value, kind in ((-1, "i2"), (65536, "u4"), (2.5, "f8"), (2**64 - 1, "u8"), (numpy.inf, "f4")):
    numpy.save(work + "/in.npy", numpy.array([[0, 0, 1], [0, value, 1]], kind))
    ran = subprocess.run([program, "run", rise, "--input", work + "/in.npy"], capture_output=True, text=True)
    assert ran.returncode == 1 and f"row 1, column 1 (from 0) is {value}, and cells" in ran.stderr, ran.stderr
PYTHON
fi

# Movies.
if has ffmpeg ffmpeg movies; then
    movie() { run_well "$1" run "${plate[@]}" --every 7 --quiet --movie "$2" "${@:3}"; }
    movie 1 "$one/plate.gif"
    movie 4 "$out/plate.gif" --decomposition blocks
    holds "another movie" cmp -s "$one/plate.gif" "$out/plate.gif"
    run_well 2 run "${block[@]}" --quiet --movie "$out/block.png" --plane 0 --fps 5
fi

# The summary, for people and for programs. Threads with a core each read the memory of others.
exchange=p2p
! uses_threads run || [ "$(nproc)" -lt 4 ] || exchange=shared
run_well 4 run "${plate[@]}" --decomposition 2x2 --halo-depth 3 --verbose --periodic y \
    --json "$out/run.json"
for word in 'kernel     heat: heat on a plate' 'options    shape=square,source=.5' \
    'grid       53 x 37 cells of float64, periodic along y, in 2 x 2 blocks' 'beat       33: all that were' \
    'ns a cell and beat' "exchange   $exchange, halo depth 3" '% is computing, .* % exchanging' \
    'load imbalance .* %' 'messages' 'vote' 'written .*run.json' 'rank ' 'waiting'; do
    holds "nothing about $word" grep -q -e "$word" <(unbroken)
done
holds "the JSON is not as it should be" "$python" - "$out/run.json" "$exchange" <<'PYTHON'
import json, sys

with open(sys.argv[1]) as file:
    run = json.load(file)
wanted = {
    "command": "run", "kernel": "heat", "cell_type": "float64", "options": "shape=square,source=.5", "size": [37, 53],
    "periodic": "y", "parts": [2, 2], "decomposition": "2 x 2 blocks", "beat": 33, "beats": 33,
    "beats_computed": 33, "ended": "all that were asked for", "halo_depth": 3,
    "exchange_mode": sys.argv[2], "ranks": 4,
}
assert {key: run[key] for key in wanted} == wanted, run
assert run["nanoseconds_per_cell_and_beat"] > 0 and run["beats_seconds"] > 0
for share in "computing_share", "exchanging_share", "waiting_share":
    assert 0 <= run[share] <= 1.01, run
boxes = [line["box"] for line in run["rank_table"]]
assert boxes == [[19, 27], [19, 26], [18, 27], [18, 26]], boxes
assert [line["rows"] for line in run["rank_table"]] == [box[0] for box in boxes], run
PYTHON
fits() {
    holds "lines beyond 80 columns" [ "$(grep -c '.\{81\}' "$work/stdout")" = 0 ]
}
holds "ranks without their blocks" [ "$(grep -c '^ *[0-3]  *1[89] x 2[67] ' "$work/stdout")" = 4 ]
fits
run_well 4 run "${block[@]}" --decomposition 1x2x2 --json "$out/run.json" -v
holds "no planes" grep -q '^ *rank  planes x rows x columns  ' "$work/stdout"
holds "ranks without their boxes" [ "$(grep -c '^ *[0-3]  *9 x 7 x [56] ' "$work/stdout")" = 4 ]
fits
holds "boxes in JSON" "$python" - "$out/run.json" <<'PYTHON'
import json, sys

with open(sys.argv[1]) as file:
    table = json.load(file)["rank_table"]
assert sorted(line["box"] for line in table) == [[9, 7, 5]] * 2 + [[9, 7, 6]] * 2, table
assert [line["rows"] for line in table] == [9] * 4, table
PYTHON
run_well 3 run "${block[@]}" --json "$out/run.json" -v
holds "strips of more than rows" grep -q '^ *rank  *rows  *computing ' "$work/stdout"
holds "boxes of strips" [ "$(grep -c '"box"' "$out/run.json")" = 0 ]
run_well 2 run "${plate[@]}" --quiet
holds "quiet is not quiet" [ ! -s "$work/stdout" ]
run 2 run "${plate[@]}" --quiet --progress always
holds "no progress" grep -q 'computing' "$work/stderr"
finish
