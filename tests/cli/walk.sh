#!/usr/bin/env bash
# Random walkers (halobeat walk): the same bytes for every schedule, number of ranks and instruction
# set, and after a run that was killed; what is reported; what it cannot use.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys
json=$work/out/run.json journal=$work/out/journal
"$python" - "$work" <<'PYTHON' || exit 1
import struct, sys, zlib

def save(name, width, height, fluid):
    def chunk(kind, data):
        return (struct.pack(">I", len(data)) + kind + data +
                struct.pack(">I", zlib.crc32(kind + data)))
    rows = b"".join(b"\0" + bytes(200 if fluid(x, y) else 50 for x in range(width))
                    for y in range(height))
    with open(f"{sys.argv[1]}/{name}.png", "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" +
                   chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)) +
                   chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))

def save_array(name, kind, shape, sample):
    head = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".encode()
    head += b" " * (117 - len(head)) + b"\n"
    size = {"1": 1, "2": 2, "4": 4}[kind[-1]]
    planes, rows, columns = ((1,) * (3 - len(shape)) + shape)
    data = b"".join(sample(x, y, z).to_bytes(size, "big" if kind[0] == ">" else "little")
                    for z in range(planes) for y in range(rows) for x in range(columns))
    with open(f"{sys.argv[1]}/{name}.npy", "wb") as file:
        file.write(b"\x93NUMPY\1\0" + struct.pack("<H", len(head)) + head + data)

def inside(x, y, z):
    return (x - 6) ** 2 + (y - 5) ** 2 + (z - 4) ** 2 > 12

save_array("disk1", "|b1", (30, 40), lambda x, y, z: (x - 20) ** 2 + (y - 15) ** 2 > 100)
save_array("disk2", ">u2", (30, 40), lambda x, y, z: 999 * ((x - 20) ** 2 + (y - 15) ** 2 > 100))
save_array("ball", "|u1", (9, 11, 13), lambda x, y, z: 100 + 100 * inside(x, y, z))
save_array("ball-inverted", "<u2", (9, 11, 13), lambda x, y, z: 100 - 100 * inside(x, y, z))
save_array("real", "<f4", (3, 4), lambda x, y, z: 0)
save_array("line", "|u1", (5,), lambda x, y, z: 1)
save("disk", 40, 30, lambda x, y: (x - 20) ** 2 + (y - 15) ** 2 > 100)
save("fracture", 40, 30, lambda x, y: 10 <= y < 20 or (x * 7 + y * 3) % 5 > 1)
save("solid", 8, 8, lambda x, y: False)
save("open", 8, 8, lambda x, y: True)
save("dead", 9, 9, lambda x, y: (x - y) % 9 != 0)
PYTHON
disk=$work/disk.png fracture=$work/fracture.png

# same FILE: has it the bytes that were kept of the first one?
# shellcheck disable=SC2317 # called by holds
same() {
    [ -f "$1.kept" ] || cp "$1" "$1.kept"
    cmp "$1" "$1.kept"
}

# ---- the same bytes --------------------------------------------------------------------------

out=$work/out/msd.csv ways=$work/out/ways.png
for media in "$disk" "$fracture --flow channel:0.1 --conductivity 0.5"; do
    rm -f "$work/out"/*.kept
    read -ra words <<<"$media"
    line=(walk "${words[@]}" --walkers 3000 --steps 500 --quiet -o "$out" --trajectories "$ways")
    run_well 1 "${line[@]}"
    holds 'kept' same "$out"
    holds 'kept' same "$ways"
    for schedule in static fixed:3 guided factoring diffusive pipeline; do
        run_well 3 "${line[@]}" --schedule "$schedule"
        holds "other records with $schedule" same "$out"
    done
    holds 'other ways of walkers' same "$ways"
    run_well 2 "${line[@]}" --master-rests --once
    holds 'other records where rank 0 rests' same "$out"
    run_well 3 "${line[@]}" --slow 1:4 --slow 2:2 --schedule af
    holds 'other records with slow ranks' same "$out"
    for isa in plain avx2 avx512; do
        run 2 "${line[@]}" --instructions "$isa"
        grep -q 'no instructions' "$work/stderr" && continue
        holds "other records with $isa" same "$out"
        holds "other ways with $isa" same "$ways"
    done
    rm -f "$journal"
    run_well 2 "${line[@]}" -o "$out.json" --journal "$journal"
    head -n -7 "$journal" | head -c -5 >"$journal.cut"
    mv "$journal.cut" "$journal"
    run_well 3 "${line[@]}" --journal "$journal" --json "$json"
    holds "$(told tasks finished) tasks done again" [ "$(told tasks finished)" = 8 ]
    holds 'other records from a journal' same "$out"
done
fails 1 'belongs to another job' 2 "${line[@]}" --journal "$journal" --seed 2
fails 2 'replay is for simulated machines.*--journal' 2 "${line[@]}" --replay "$journal"
cp "$work/fracture.png" "$work/kept.png"
cp "$disk" "$work/fracture.png"
fails 1 'belongs to another job' 2 "${line[@]}" --journal "$journal"
mv "$work/kept.png" "$work/fracture.png"
run_well 1 "${line[@]}" --seed 2
holds 'the same records with another seed' [ "$(cmp -s "$out" "$out.kept" || echo other)" = other ]

# ---- arrays ----------------------------------------------------------------------------------

rm -f "$work/out"/*.kept
for medium in disk.png disk1.npy disk2.npy; do
    run_well 2 walk "$work/$medium" --walkers 3000 --steps 300 --quiet -o "$out"
    holds "other records of $medium" same "$out"
done
run_well 3 walk "$work/disk1.npy" -t 1 --walkers 3000 --steps 300 --quiet -o "$out"
holds 'other records of bits from 1 on' same "$out"
fails 2 'threshold 100 is beyond .* from 0 to 1' 2 walk "$work/disk1.npy" -t 100
rm -f "$work/out"/*.kept
printf '%s\n' 'NDims = 3' 'DimSize = 13 11 9' 'ElementType = MET_UCHAR' 'HeaderSize = -1' \
    'ElementDataFile = ball.npy' >"$work/ball.mhd"
for edges in periodic,mirrored,reflecting mirrored; do
    line=(--walkers 2000 --steps 300 --quiet -o "$out" --edges "$edges")
    rm -f "$out.kept"
    run_well 1 walk "$work/ball.npy" "${line[@]}"
    holds 'kept' same "$out"
    run_well 3 walk "$work/ball-inverted.npy" "${line[@]}" --invert --schedule guided
    holds "other records of an inverted volume, edges $edges" same "$out"
    run_well 4 walk "$work/ball.mhd" "${line[@]}" -t 120
    holds "other records of a volume with a header of its own, edges $edges" same "$out"
    run_well 2 walk "$work/ball.npy" "${line[@]}" --instructions plain
    holds "other records of a volume without vectors, edges $edges" same "$out"
done
rm -f "$out"
run_well 1 walk "$work/ball.npy" --walkers 2000 --steps 300 -t 1 -o "$work/from_1.csv"
run_well 2 walk "$work/ball.npy" --walkers 2000 --steps 300 -t nonzero -o "$out"
holds 'other fluid than from 1 on' cmp -s "$work/from_1.csv" "$out"
run_well 2 walk "$work/ball.npy" --walkers 2000 --steps 300 --json "$json"
holds 'no third axis' [ "$(told axes 2 axis) $(told medium size 2)" = 'z 9' ]

# ---- what is reported ------------------------------------------------------------------------

run_well 2 walk "$disk" --walkers 20000 --steps 4096 --json "$json" -o "$out" --verbose
for word in 'medium  *88[0-9] of 1200 cells are fluid (73[.0-9]* %): threshold 12[0-9] (otsu); edges periodic' \
    'walkers  *20000 of 4096 steps, recorded every 64; seed 1' 'speed .* ns a walker-step' \
    'tasks  *35 finished' 'x .* linear' 'y .* linear' 'rank .*tasks .*chunks'; do
    holds "nothing about $word" grep -q -e "$word" <(unbroken)
done
holds 'the JSON is not as it should be' "$python" - "$json" "$out" <<'PYTHON'
import csv, json, sys
with open(sys.argv[1]) as file:
    run = json.load(file)
with open(sys.argv[2]) as file:
    rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
medium, axes = run["medium"], run["axes"]
assert len(rows) == 64 and rows[-1]["step"] == 4096 and rows[0]["step"] == 64, rows[-1]
assert [axis["axis"] for axis in axes] == ["x", "y"] and run["flow"] is None, run
for axis in axes:
    last, half = rows[-1], rows[31]
    name = axis["axis"]
    slope = (last["mean_square_" + name] - half["mean_square_" + name]) / 2048
    assert abs(last["diffusivity_" + name] - slope / 2) < 1e-6, axis
    assert abs(axis["diffusivity"] - slope / 2) < 1e-6, axis
    assert abs(axis["relative"] - 2 * slope) < 1e-6, axis
    assert abs(axis["tortuosity"] * axis["relative"] - 1) < 1e-6, axis
    assert abs(axis["effective"] - axis["relative"] * medium["porosity"]) < 1e-6, axis
    assert axis["tortuosity_low"] < axis["tortuosity"] < axis["tortuosity_high"], axis
    assert 1.1 < axis["tortuosity"] < 1.6 and axis["linear"] and not axis["confined"], axis
    assert abs(axis["mean"]) < 2 and axis["tortuosity"] > 2 - medium["porosity"] - .1, axis
PYTHON
run_well 1 walk "$disk" --walkers 1 --steps 3 --json "$json" -o "$work/out/one.json"
holds 'an interval from one walker' [ "$(told axes 0 relative_low)" = None ]
run_well 1 walk "$disk" --walkers 10000 --steps 32768 --edges reflecting --json "$json"
holds 'walkers in a box are not confined' grep -q '^x .* - *confined' "$work/stdout"
run_well 1 walk "$disk" --walkers 60000 --steps 64 --json "$json"
holds 'nothing is said about too few steps' grep -q 'not yet linear along x, y' <(unbroken)
run_well 1 walk "$fracture" --flow channel:-.05 --steps 512 --walkers 9000 --json "$json"
holds 'the flow is not told' grep -q 'flow  *-0.05 cells a step on average in 10 rows, 0.07' <(unbroken)
holds 'no dispersion' "$python" -c 'import sys; sys.exit(float(sys.argv[1]) <= 0)' \
    "$(told axes 0 dispersion)"
# gnuplot takes a line of a name for a command.
fails 2 'names of plots have no ends of lines' 2 walk "$disk" --steps 1 --walkers 5 \
    --plot "$work/out/a"$'\n!touch pwned\n.png'
if has gnuplot gnuplot-nox 'pictures of diffusion'; then
    run_well 2 walk "$fracture" --flow channel:0.1 --steps 99 --quiet --plot "$work/out/msd.png" \
        --timeline "$work/out/who.png"
    holds 'no plot' [ "$(head -c 4 "$work/out/msd.png" | tail -c 3)" = PNG ]
    run_well 1 walk "$disk" --steps 1 --walkers 5 --quiet --plot "$work/out/msd.svg"
    holds 'no plot' grep -q '<svg' "$work/out/msd.svg"
fi
run_well 2 walk "$disk" --steps 64 --walkers 3 --quiet --trajectories "$ways" --shown 60 \
    --edges mirrored,periodic
holds "the walkers' picture has another size" "$python" - "$ways" <<'PYTHON'
import struct, sys
with open(sys.argv[1], "rb") as file:
    assert struct.unpack(">II", file.read(24)[16:]) == (640, 480)
PYTHON
rm -rf "$work/out"
mkdir "$work/out"

# ---- what it cannot use ----------------------------------------------------------------------

refusing=walk besides=("$disk")
bad flow channel .1 channel: channel:0 channel:x channel:2 channel:.1x channel:nan darcy:.1
bad edges '' open periodic, ,periodic x,y periodic,periodic,periodic,periodic Periodic 'periodic reflecting'
refuse 'steps.*from 1' "$disk" --steps 0
refuse 'walkers.*from 1' "$disk" --walkers 0
refuse '--every 100 .* 64 steps' "$disk" --steps 64 --every 100
refuse 'slow with @BEAT' "$disk" --slow 0:2@5
refuse 'reflecting edges' "$disk" --flow channel:.1 --edges reflecting
refuse 'which medium' --walkers 10

# Sizes of cells, by an option or the file: those of cubes change nothing but units.
run_well 1 walk "$work/ball.npy" -t 150 -w 2000 -s 90 -q -o "$work/want.csv"
run_well 1 walk "$work/ball.npy" -t 150 -w 2000 -s 90
holds 'sizes are told that are not known' [ -z "$(grep '^cells' "$work/stdout")" ]
run_well 2 walk "$work/ball.npy" -t 150 -w 2000 -s 90 --spacing '.5 mm' -o "$out" --json "$json"
holds 'other walks of cubes' cmp "$out" "$work/want.csv"
holds 'no sizes are told' grep -q 'of 0.5 x 0.5 x 0.5 mm; diffusivity in mm^2 a step' <(tr '\n' ' ' <"$work/stdout" | tr -s ' ')
for ranks in 1 3; do
    run_well $ranks walk "$work/ball.npy" -t 150 -w 2000 -s 90 --spacing '2,.5,1 um' -q -o "$out" --json "$json"
    holds 'other walks' same "$out"
done
"$python" - "$json" <<'PYTHON' || wrong "lengths"
import json, sys
run = json.load(open(sys.argv[1]))
assert run["medium"]["pixel"] == {"size": [2, .5, 1], "unit": "um"}, run["medium"]["pixel"]
shares = [1, 4, .25]
for axis, size, share in zip(run["axes"], (1, .5, 2), shares):
    lengths = axis["lengths"]
    assert lengths["cell"] == size and abs(lengths["mean_square"] - size**2 * axis["mean_square"]) < 1e-9
    assert abs(lengths["diffusivity"] - size**2 * axis["diffusivity"]) < 1e-12
    assert abs(axis["relative"] - 2 * axis["diffusivity"] / (share / 5.25)) < 1e-9, axis
PYTHON
rm -f "$work/out"/*
refuse 'one to three numbers above 0' "$disk" --spacing 0,1

# The fluid is filtered: as filter does it with the medium before.
for medium in "$fracture" "$work/ball.npy"; do
    run_well 1 filter "$medium" threshold:otsu 'remove_small_objects:5' 'erosion:cross' -q -o "$work/medium.npy"
    run_well 1 walk "$work/medium.npy" -t 1 -w 3000 -s 90 -q -o "$work/want.csv"
    for ranks in 1 3; do
        run_well $ranks walk "$medium" --mask-filter 'remove_small_objects:5 erosion:cross' -w 3000 -s 90 -q -o "$out"
        holds 'another medium' cmp "$out" "$work/want.csv"
    done
done
run_well 2 walk "$fracture" --nodata 50 --mask-filter 'dilation:box:3' -w 1000 -s 50 -q --json "$json"
run_well 1 walk "$fracture" -w 1000 -s 50 -q --json "$work/want.json"
holds 'missing pixels became fluid' "$python" -c 'import json, sys
one, other = (json.load(open(name))["medium"]["fluid_cells"] for name in sys.argv[1:])
assert one == other, (one, other)' "$json" "$work/want.json"
rm -f "$work/out"/*
fails 2 'foreground stays bits, and this step makes uint8' 2 walk "$disk" --mask-filter gaussian:1

fails 2 'none of the medium.s 64 cells is fluid' 2 walk "$work/solid.png" -t 100
fails 2 'none of the medium.s 64 cells is fluid' 1 walk "$work/open.png" -t 100 --invert
fails 2 'threshold 300 is beyond' 2 walk "$disk" -t 300
fails 2 'a channel needs walls' 3 walk "$work/open.png" -t 100 --flow channel:0.1
fails 2 'no row of the medium is fluid' 2 walk "$work/dead.png" -t 100 --flow channel:0.1
fails 2 'is 0.[0-9]* where it is fastest.*at most 0.5.*take 0.3' 2 walk "$fracture" --flow channel:0.4
fails 1 'no/such' 2 walk "$work/no/such.png"
fails 1 'no/such' 2 walk "$work/no/such.npy"
fails 1 'has 1 axis' 2 walk "$work/line.npy"
head -c 700 "$work/ball.npy" >"$work/cut.npy"
fails 1 'cut off: [0-9]* of 99 rows' 3 walk "$work/cut.npy"
head -c 7 "$work/ball.npy" >"$work/cut.npy"
fails 1 'damaged' 1 walk "$work/cut.npy"
fails 2 'has three' 2 walk "$work/ball.npy" --trajectories "$work/out/ways.png"
refuse '--edges has 3 words, and the medium 2' "$disk" --edges periodic,periodic,periodic
refuse 'one argument too many' "$disk" "$disk"
fails 1 'not an image of a known format' 2 walk "$0"
finish
