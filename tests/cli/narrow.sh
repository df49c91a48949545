#!/usr/bin/env bash
# Columns of a narrow image are labelled as rows: every file that is written is that of the image as it
# is, which a balancer takes, for any width, format, number of ranks and instruction set.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python numpy

"$python" - "$work" <<'PYTHON' || exit 1
import sys, numpy

random = numpy.random.default_rng(1)
folder = sys.argv[1]

# Pixels that stand below each other are often alike, so that regions have many rows.
def pixels(height, width, share):
    rows = numpy.repeat(random.random((height // 3 + 1, width)) < share, 3, axis=0)[:height]
    return rows ^ (random.random((height, width)) < .1)

for width in range(1, 36):
    height = 16 * width + int(random.integers(0, 300))
    bits = pixels(height, width, random.choice([.2, .4, .6, .9]))
    greys = (bits * random.integers(100, 256, bits.shape)).astype("u1")
    greys.tofile(f"{folder}/{width}.raw")
    with open(f"{folder}/{width}.pgm", "wb") as file:
        file.write(b"P5\n%d %d\n255\n" % (width, height) + greys.tobytes())
    with open(f"{folder}/{width}.pbm", "wb") as file:
        file.write(b"P4\n%d %d\n" % (width, height) + numpy.packbits(bits, axis=1).tobytes())
    numpy.save(f"{folder}/{width}.npy", greys)
    numpy.save(f"{folder}/{width}-short.npy", numpy.where(bits, 777, greys * 250.0).astype("u2"))
    numpy.save(f"{folder}/{width}-wide.npy", greys.astype("i4") * 1000)
    numpy.save(f"{folder}/{width}-real.npy", numpy.where(random.random(bits.shape) < .02, numpy.nan, greys))
    numpy.savez_compressed(f"{folder}/{width}-kept.npz", numpy.where(bits, greys, numpy.nan))
    values = numpy.repeat(random.integers(0, 4, (height // 3 + 1, width)), 3, axis=0)[:height]
    numpy.save(f"{folder}/{width}-values.npy", values.astype(["u1", "i2", "f4", "u8"][width % 4]))
    for name, shape in ("deep", (height, 1, width)), ("flat", (1, height, width)), ("thin", (height, width, 1)):
        numpy.save(f"{folder}/{width}-{name}.npy", greys.reshape(shape))
    height = 40000 // width # many chunks of what is painted at a time
    numpy.save(f"{folder}/{width}-long.npy", pixels(height, width, .5).astype("u1"))
pairs = random.integers(0, 256, 3000000, dtype="u1")
numpy.save(f"{folder}/pairs.npy", pairs.reshape(-1, 2))
numpy.save(f"{folder}/two-rows.npy", pairs.reshape(2, -1))
numpy.save(f"{folder}/column.npy", (random.random((3000000, 1)) < .5).astype("u1"))
PYTHON

# same RANKS OUTPUTS IMAGE OPTION...: what is written to the OUTPUTS (-o:labels.npy,...) with and without
# a balancer.
same() {
    local ranks=$1 outputs=$2 output option name way
    shift 2
    local -a given
    for way in plain balanced; do
        given=()
        mkdir -p "$work/$way"
        rm -f "$work/$way"/*
        for output in ${outputs//,/ }; do
            option=${output%%:*} name=${output#*:}
            given+=("$option" "$work/$way/$name")
        done
        if [ "$way" = plain ]; then
            run_well "$ranks" label -q "$work/$1" "${given[@]}" "${@:2}"
        else
            run_well 1 label -q "$work/$1" "${given[@]}" "${@:2}" --balance chain
        fi
    done
    for output in ${outputs//,/ }; do
        name=${output#*:}
        holds "$name differs from that of a balanced run" cmp -s "$work/plain/$name" "$work/balanced/$name"
    done
}

# Medians would take the columns as they are.
shapes=standard,axis_major_length,axis_minor_length,eccentricity,orientation,perimeter,solidity
kinds=(
    "1 -o:l.npy,--regions:r.csv NAME.npy -c 8 --properties $shapes"
    '2 -o:l.npy,--regions:r.csv NAME.npy --min-area 4 --periodic'
    '3 -o:l.tif,--colour:c.png NAME.pgm --largest 9 -t 150'
    '5 -o:l.png,--regions:r.json NAME.pbm -c 8 --periodic-axes y'
    '1 -o:l.npy,--regions:r.csv NAME.npy --periodic --properties standard,axis_major_length'
    '2 -o:l.pgm NAME.pgm --clear-border --invert'
    '3 -o:l.npy,--contacts:k.csv,--regions:r.csv NAME-values.npy --values --background 3'
    '1 -o:l.npy NAME-values.npy --values -c 8 --delta 1 --periodic'
    '5 -o:l.npy NAME-values.npy --values -c 8 --periodic-axes x'
    '2 -o:l.npy,--regions:r.csv NAME-wide.npy -t 120000..200000'
    '1 -o:l.npy,--regions:r.csv NAME-real.npy'
    '3 -o:l.npy NAME-real.npy -t 150 --invert -c 8'
    '2 -o:l.npy,--regions:r.csv NAME-deep.npy -c 18'
    '3 -o:l.npy NAME-deep.npy -c 6 --periodic'
    '1 -o:l.npy,--regions:r.csv NAME-flat.npy -c 26 --periodic-axes y'
    '5 -o:l.npy,--regions:r.csv NAME-thin.npy -c 26'
    '2 -o:l.npy,--regions:r.csv NAME-thin.npy -c 6 --periodic'
    '1 -o:l.npy NAME-long.npy -c 8 --instructions plain'
    '2 -o:l.npy NAME-long.npy --numbering seed'
    '3 -o:l.npy,--colour:c.png NAME-long.npy -c 8 --instructions avx2'
    '2 -o:l.npy,--regions:r.csv NAME.npy --nodata 0 --invert -t 150'
    '3 -o:l.npy,--regions:r.csv NAME-short.npy --nodata 777 -t otsu --fill-holes -c 8'
    '1 -o:l.npy,--contacts:k.csv NAME-values.npy --values --nodata 2'
    '2 -o:l.npy,--regions:r.csv NAME-kept.npz -t otsu'
    '3 -o:l.npy,--regions:r.csv NAME-kept.npz -t 40%,90% --invert --fill-holes'
    '5 -o:l.npy NAME-wide.npy --nodata 120000 -t otsu --periodic'
)
# Each width meets one of them, and a single column those that depend on the order of rows.
for width in {1..35}; do
    read -r -a words <<<"${kinds[width % ${#kinds[@]}]/NAME/$width}"
    same "${words[@]}"
done
for i in 1 6 8 9 13 15 19 20 22 23; do
    read -r -a words <<<"${kinds[i]/NAME/1}"
    same "${words[@]}"
done

# Rows of bits are bytes of the file.
for width in 1 2 7 8 9 17; do
    same 2 -o:l.npy "$width.pbm" -c 8 --invert
done

# The mean of a square is that of the transposed square: at edges, between ranks and between the pieces
# in which long rows are compared, of pixels of 8 and 16 bits, some of which are missing.
local_kinds=(
    '1 NAME.npy -c 8'
    '2 NAME.npy --periodic'
    '3 NAME.pgm --invert'
    '5 NAME.npy --periodic-axes y'
    '1 NAME-long.npy --periodic'
    '2 NAME-long.npy --periodic-axes x -c 8'
    '1 NAME-short.npy --nodata 777'
    '3 NAME-short.npy --periodic-axes y'
    '3 NAME.npy --nodata 0 --periodic'
)
for width in {2..20} 31 32 33; do
    radius=$((1 + width * 7 % (width - 1)))
    read -r -a words <<<"${local_kinds[width % ${#local_kinds[@]}]/NAME/$width}"
    same "${words[0]}" -o:l.npy,--regions:r.csv "${words[@]:1}" -t "local:$radius:2.5"
done

# A pixel of a single column is no row with a table of its own: 24 bytes for its bit, and 8 for tables.
HALOBEAT_MEMORY=60M run_well 1 label -q "$work/column.npy" -o "$work/out/column.npy"

# Nor do two columns take more than two rows, where most pixels are regions, and where they are compared
# with squares.
peak() {
    run_well 1 label -q "$work/$1.npy" "${@:2}" --json "$work/peak.json" >&2
    sed -n 's/^  "peak_memory_bytes": \([0-9]*\).*/\1/p' "$work/peak.json"
}
for way in --values --threshold=local:1; do
    columns=$(peak pairs "$way") rows=$(peak two-rows "$way")
    what="$way of two columns"
    holds "they take $columns bytes, and two rows $rows" [ "$columns" -le $((rows * 23 / 20)) ]
done

finish
