#!/usr/bin/env bash
# Memory is asked for before it is taken: what every command says that it needs is what it then
# takes, and with less it says so in one sentence, at once, with nothing written.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python zlib struct
image=$work/image.png small=$work/small.png noise=$work/noise.png colours=$work/colours.png
peaks=$work/peaks

# Large enough to tell an error from the 16 MiB that each rank may take besides, and of noise for label to ask for
# the memory of its regions.
"$python" - "$work" <<'PYTHON'
import random, struct, sys, zlib

def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

def write(name, width, height, colour, row, exif=b""):
    rows = [b"\0" + row(y) for y in range(48)]
    assert all(len(r) == 1 + width * (3 if colour else 1) for r in rows)
    packed = zlib.compressobj(1 if name in ("image.png", "small.png") else 0)  # noise has nothing to compress
    parts = [b"".join(rows)] * (height // 48) + rows[:height % 48]
    body = b"".join(packed.compress(part) for part in parts) + packed.flush()
    with open(f"{sys.argv[1]}/{name}", "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        file.write(chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2 if colour else 0, 0, 0, 0)))
        file.write(exif)
        file.write(chunk(b"IDAT", body) + chunk(b"IEND", b""))

draw = random.Random(1)
squares = lambda y: (b"\xff" * 20 + b"\x28" * 20 if y < 24 else b"\x28" * 20 + b"\xff" * 20)
write("image.png", 8000, 8000, False, lambda y: squares(y) * 200)
write("small.png", 5000, 5000, False, lambda y: squares(y) * 125)
write("noise.png", 5000, 5000, False, lambda y: draw.randbytes(5000))
# Orientation 6: columns are rows.
write("turned.png", 5000, 5000, False, lambda y: draw.randbytes(5000),
      chunk(b"eXIf", b"MM\0*" + struct.pack(">IHHHIHHI", 8, 1, 274, 3, 1, 6, 0, 0)))
write("colours.png", 3000, 2500, True, lambda y: draw.randbytes(9000))
write("narrow.png", 3, 6000000, False, lambda y: draw.randbytes(3))
vertices = 700000
with open(f"{sys.argv[1]}/random.gr", "w") as file:
    file.write(f"p sp {vertices} {2 * vertices}\n")
    for v in range(1, vertices + 1):
        file.write(f"a {v} {int(draw.random() * vertices) + 1} {v % 97}\na {v} {v % vertices + 1} 9\n")
PYTHON

# measured RANKS ARGUMENT...: run it with the most memory of each rank, in MiB together, in $peak.
measured() {
    local ranks=$1 given=$program
    shift
    rm -f "$peaks"
    program=$tools/peak_memory
    run "$ranks" "$peaks" "$given" "$@"
    program=$given what="halobeat $* ($ranks ranks)"
    peak=$(awk '{ sum += $1 } END { printf "%.0f", sum / 1024 }' "$peaks")
}

# Ranks need these MiB without data: libraries, buffers of MPI.
declare -A bare
for ranks in 1 2 3 4; do
    measured "$ranks" run heat --size 8x8 --beats 1 --quiet
    bare[$ranks]=$peak
done

# needed: MiB in the sentence that the last run ended with.
needed() {
    sed -nE 's/^halobeat [a-z-]+: (rank [0-9]+: )?out of memory: .* needs ([0-9]+)\.[0-9] MiB on host [^ ]+ \([0-9]+ ranks?\), which has [0-9.]+ MiB to give( \(HALOBEAT_MEMORY\))?; use .*more hosts, or fewer ranks on each$/\2/p' \
        "$work/stderr"
}

# refused: has the last run ended with that sentence and nothing else, and nothing behind it?
refused() {
    holds "exit status $status, not 1" [ "$status" = 1 ]
    holds 'no sentence with both numbers, or more than it' [ -n "$(needed)" -a "$(wc -l <"$work/stderr")" = 1 ]
    holds 'something was written' [ -z "$(ls -A "$work/out")" ]
}

# asks RANKS ARGUMENT...: with ever more allowed, up to what it said it needs, until that is enough;
# on processes then with no limit, too. What it said is what it took: not less but for what every rank
# has, 16 MiB, and 3 %; not more than 25 %.
asks() {
    local ranks=$1 allowed=1 need=0 took begun
    shift
    rm -rf "$work/out" && mkdir "$work/out"
    for _ in 1 2 3 4 5 6 7 8; do
        begun=$SECONDS
        HALOBEAT_MEMORY=${allowed}M measured "$ranks" "$@"
        [ "$status" = 1 ] || break
        refused
        holds "it took $((SECONDS - begun)) s to say so" [ $((SECONDS - begun)) -le 20 ]
        need=$(needed) allowed=$((need + 1))
    done
    if [ "$status" = 0 ]; then good; else wrong "exit status $status with what it asked for"; fi
    took_what_it_said
    rm -rf "$work/out" && mkdir "$work/out"
    HALOBEAT_MEMORY=$((need / 2))M run "$ranks" "$@"
    refused
    if [ -z "${HALOBEAT_TEST_THREADS:-}" ]; then
        measured "$ranks" "$@"
        took_what_it_said
    fi
}

took_what_it_said() {
    took=$((peak - bare[$ranks]))
    echo "$what: asked for $need MiB, took $took"
    holds "took $took MiB, and asked for $need" [ $((need * 103 / 100 + 16 * ranks)) -ge "$took" ]
    holds "asked for $need MiB, and took $took" [ "$need" -le $((took * 125 / 100 + 8)) ]
}

out=$work/out/out
asks 1 label "$image" --quiet
asks 3 label "$image" --quiet -o "$out.npy" --regions "$out.csv"
asks 2 label "$noise" --quiet --regions "$out.csv"
asks 4 label "$noise" --quiet --decomposition 2x2 -o "$out.npy"
asks 2 label "$small" --quiet --method settle --colour "$out.png"
if more; then asks 2 label "$noise" --quiet --method settle --colour "$out.png"; fi
asks 1 label "$work/narrow.png" --quiet
asks 2 label "$work/turned.png" --quiet -o "$out.npy"
asks 3 run heat --size 3200x3200 --beats 3 --quiet -o "$out.png"
asks 4 run heat3d --size 200x200x200 --beats 3 --quiet --decomposition blocks -o "$out.npy"
asks 1 run heat --size 2x2000000 --halo-depth 1 --beats 3 --quiet
asks 2 synthetic --size 4000x4000 --work 1 --beats 2 --quiet
asks 3 cluster "$small" -k 100 -n 2 --quiet -o "$out.png"
asks 1 cluster "$colours" -k 100 -n 2 --colour --quiet --mosaic "$out.png"
asks 2 chan-vese "$image" -n 2 --quiet -o "$out.png"
asks 1 chan-vese "$colours" -n 2 --quiet --overlay "$out.png"
asks 2 snake "$image" --init circle:3000,3000,100 -n 3 --quiet --overlay "$out.png"
asks 3 motion "$colours" "$colours" "$colours" -k 500 --quiet
if more; then asks 1 motion "$colours" "$colours" -k 500 --quiet; fi
asks 2 walk "$image" -t 100 --walkers 100 --steps 50 --quiet
asks 1 walk "$small" -t 100 --edges mirrored,periodic --conductivity .5 --walkers 100 --steps 50 --quiet
asks 1 paths "$work/random.gr" --from 1 --to 7 --quiet -o "$out.csv" --path "$out.p.csv"
asks 2 paths "$work/random.gr" --from 1 --quiet -o "$out.npy" --nearest "$out.n.npy"
asks 2 paths "$work/random.gr" --from 1 --quiet --method central
asks 3 life soup:30000x30000:30% -n 6 --quiet
asks 2 life soup:20000x20000:30% -n 6 --quiet -o "$out.png"
asks 1 life soup:6000x6000:30% --rule 345/2/4 -n 10 --quiet -o "$out.npy"
asks 2 bench decomposition --kernel heat --size 3000x3000 --depth 1 --shapes strips --beats 2 \
    --repeat 1 --ranks 2 --progress never --quiet

# ---- what a rank that is a thread costs ----------------------------------------------------------

# costs MIB ARGUMENT...: beside its part of the data no rank costs more: buffers, its stack, what malloc keeps for it.
costs() {
    local one mib=$1
    shift
    measured 1 "$@" -j 1
    one=$peak
    measured 1 "$@" -j 8
    echo "$what: $peak MiB, with one rank $one"
    holds "exit status $status" [ "$status" = 0 ]
    holds "8 ranks took $peak MiB, one $one" [ "$peak" -le $((one + 8 * mib)) ]
}
"$python" - "$work/blocks.npy" <<'PYTHON'
import random, sys

width, height, draw = 16384, 4096, random.Random(3)
with open(sys.argv[1], "wb") as file:
    head = "{'descr': '|u1', 'fortran_order': False, 'shape': (%d, %d), }" % (height, width)
    file.write(b"\x93NUMPY\1\0\x76\0" + head.ljust(117).encode() + b"\n")
    for _ in range(height // 64):
        row = b"".join((b"\0", b"\xff")[draw.random() < .4] * 64 for _ in range(width // 64))
        file.write(row * 64)
PYTHON
costs 1 life soup:16384x16384:30% -n 2 --quiet
costs 1 label "$work/blocks.npy" --quiet
costs 1 label "$work/blocks.npy" --quiet --regions "$out.csv"
costs 2 life soup:8192x8192:30% -n 2 --quiet -o "$out.npy" # 1 MiB of rows
rm "$work/blocks.npy"
run 1 life soup:8192x8192:50%:1 -n 2 --quiet -o "$work/soup.png"
costs 1 label "$work/soup.png" --quiet
rm "$work/soup.png"

# ---- patterns of live cells one by one -----------------------------------------------------------

# Two million cells in order of rows and in none: places of 16 bytes would be 31 MiB, and as much
# again to put them in order.
{
    echo '#Life 1.06'
    awk 'BEGIN { for (y = 0; y < 2000; y++) for (x = y * y % 7 % 3; x < 3000; x += 3) print x, y }'
} >"$work/ordered.lif"
{
    echo '#Life 1.06'
    tail -n +2 "$work/ordered.lif" | shuf --random-source="$work/ordered.lif"
} >"$work/mixed.lif"
for order in 'ordered 12' 'mixed 36'; do
    measured 1 life "$work/${order% *}.lif" -n 1 --topology dead --json "$work/out/${order% *}.json" --quiet
    took=$((peak - bare[1]))
    echo "$what: took $took"
    holds "exit status $status" [ "$status" = 0 ]
    holds "took $took MiB" [ "$took" -le "${order#* }" ]
done
holds 'the order of cells changes the result' \
    "$python" -c 'import json, sys; a, b = (json.load(open(p))["state"] for p in sys.argv[1:]); sys.exit(a != b)' \
    "$work/out/ordered.json" "$work/out/mixed.json"

# ---- control groups, where the test may make one -------------------------------------------------

# make_group MIB: a control group with this limit of memory in $group; fails where it may not be.
make_group() {
    local own place max
    own=$(awk -F: '$2 ~ /(^|,)memory(,|$)/ { print $3 }' /proc/self/cgroup)
    place=$(awk '$0 ~ / - cgroup [^ ]+ [^ ]*memory/ { print $5; exit }' /proc/self/mountinfo)
    max=memory.limit_in_bytes
    if [ -z "$own" ]; then
        own=$(sed -n 's/^0:://p' /proc/self/cgroup)
        place=$(awk '/ - cgroup2 / { print $5; exit }' /proc/self/mountinfo)
        max=memory.max
    fi
    group=$place/${own#/}/halobeat-test-$$
    mkdir "$group" 2>/dev/null && echo $(($1 << 20)) 2>/dev/null >"$group/$max"
}

# A hundred ranks of a process are not a hundred processes: no 12 MiB are set aside for each.
group=''
if [ -z "${HALOBEAT_TEST_HOSTS:-}" ] && make_group 500; then
    trap 'rmdir "$group"; clean_up' EXIT
    before=$failures
    (
        echo "$BASHPID" >"$group/cgroup.procs" || exit
        run 1 label "$image" --quiet -j 100
        holds "exit status $status: $(cat "$work/stderr")" [ "$status" = 0 ]
        [ "$failures" = "$before" ]
    )
    holds '100 ranks in a group of 500 MiB were refused' [ $? = 0 ]
    rmdir "$group"
    trap clean_up EXIT
fi

group=''
if [ -z "${HALOBEAT_TEST_HOSTS:-}" ] && make_group 40; then
    trap 'rmdir "$group"; clean_up' EXIT
    before=$failures
    for ranks in 1 2; do
        rm -rf "$work/out" && mkdir "$work/out"
        (
            echo "$BASHPID" >"$group/cgroup.procs" || exit
            run "$ranks" label "$image" --quiet -o "$out.npy"
            refused
            [ "$failures" = "$before" ]
        )
        holds "$ranks ranks in a group of 40 MiB were not refused" [ $? = 0 ]
    done
    rmdir "$group"
    trap clean_up EXIT
else
    [ ! -d "$group" ] || rmdir "$group"
    echo 'skipped: control groups, which this user or machine cannot make'
fi
finish
